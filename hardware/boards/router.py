"""Finds tracks between pads on a grid: A* through all layers; nets in the way are routed again.

It knows nothing of KiCad. A track may cross another net's at a price; that net is then thrown out
and routed again, and wherever that has happened it costs more the next time.
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import dist
from typing import Final

from hardware.boards.grid import Copper, Grid, Point, Probe

STRAIGHT, DIAGONAL, VIA, CROSSING, AGAIN = 10, 14, 120, 150, 60
FAR: Final = 1e18


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a net has to go: the middle of a pad, and the layers that the pad is on."""

    at: Point
    layers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """Pads of one net that have to be joined; to a plane, if there is one, by a via."""

    key: str
    net: str
    terminals: tuple[Terminal, ...]
    width: float
    plane: bool = False


@dataclass(slots=True)
class Route:
    """The way of one net: runs of cells on one layer, and vias."""

    runs: list[tuple[int, list[int]]] = field(default_factory=list)
    vias: list[int] = field(default_factory=list)


class Router:
    """Routes the nets of one board."""

    def __init__(self, grid: Grid, via: Probe, prices: Sequence[float], most: int = 600) -> None:
        self.grid, self.via = grid, via
        self.prices = prices  # of a step on each layer, as a multiple
        self.most = most  # rounds before it gives up
        self.history: dict[int, int] = {}
        self.routes: dict[str, Route] = {}
        self.turn = 0

    def route(self, tasks: Iterable[Task]) -> Iterator[str]:
        """Do all tasks, and report each; what found no way is left as far as it got."""
        by_key = {task.key: task for task in tasks}
        waiting = deque(sorted(by_key, key=lambda key: _urgency(by_key[key])))
        for turn in range(self.most):
            self.turn = turn
            if not waiting:
                return
            key = waiting.popleft()
            whole, thrown = self._one(by_key[key])
            waiting.extend(sorted(thrown))
            said = f", instead of {', '.join(sorted(thrown))}" if thrown else ""
            yield f"{key}{'' if whole else ': no way'}{said}"
        yield f"gave up with {', '.join(waiting)}"

    def copper(self, task: Task) -> Iterator[Copper]:
        """Return the copper of a net's route."""
        route = self.routes[task.key]
        for layer, cells in route.runs:
            for a, b in zip(corners := self._corners(cells), corners[1:], strict=False):
                yield Copper(task.net, (layer,), (a, b), task.width / 2)
        for cell in route.vias:
            every = tuple(range(self.grid.layers))
            yield Copper(task.net, every, (self.grid.point(cell),), self.via.half)

    def _corners(self, cells: list[int]) -> list[Point]:
        """Return where a run turns, with both ends."""
        turns = [
            here
            for before, here, after in zip(cells, cells[1:], cells[2:], strict=False)
            if here - before != after - here
        ]
        return [self.grid.point(cell) for cell in (cells[0], *turns, cells[-1])]

    def _one(self, task: Task) -> tuple[bool, set[str]]:
        """Route one net; return whether it got everywhere, and which nets it threw out."""
        grid, route, thrown, whole = self.grid, Route(), set[str](), True
        grid.lift(task.net)
        pads = [
            {layer * grid.cells + grid.cell(end.at) for layer in end.layers}
            for end in task.terminals
        ]
        joined = set[int]() if task.plane else pads.pop(0)
        while pads:
            pads.sort(key=lambda pad: self._apart(pad, joined))
            pad = pads.pop(0)
            path = self._search(task, pad, joined, route)
            if path is None:
                whole = False
                continue
            thrown |= self._take(task, route, path)
            joined |= pad | {node for node in path if node >= 0}
        self.routes[task.key] = route
        grid.lay(task.key, task.net, self.copper(task))
        grid.lower(task.net)
        for key in thrown:
            net = grid.nets[key]
            grid.lift(net)
            grid.lay(key, net, ())
            grid.lower(net)
            del self.routes[key]
        return whole, thrown

    def _apart(self, pad: set[int], joined: set[int]) -> float:
        x, y = self.grid.point(min(pad) % self.grid.cells)
        places = (self.grid.point(node % self.grid.cells) for node in joined)
        return min((abs(x - a) + abs(y - b) for a, b in places), default=0.0)

    def _take(self, task: Task, route: Route, path: list[int]) -> set[str]:
        """Add a path to a route; return the nets that it throws out."""
        cells, thrown = self.grid.cells, set[str]()
        probe, run = Probe(task.width / 2), list[int]()
        for node, after in zip(path, (*path[1:], None), strict=True):
            if node < 0:
                break
            run.append(node % cells)
            thrown |= self._cross(task.net, probe, node)
            landed = after is not None and (after < 0 or after // cells != node // cells)
            if landed or after is None:
                if len(run) > 1:
                    route.runs.append((node // cells, run))
                run = []
            if landed and node % cells not in route.vias:
                route.vias.append(node % cells)
                thrown |= self._cross(task.net, self.via, node % cells)
        return thrown

    def _cross(self, net: str, probe: Probe, node: int) -> set[str]:
        thrown = self.grid.owners(probe, node, net)
        if thrown:
            self.history[node] = self.history.get(node, 0) + AGAIN * (1 + self.turn // 10)
        return thrown

    def _search(
        self, task: Task, pad: set[int], joined: set[int], route: Route
    ) -> list[int] | None:
        """Return the cheapest path from a pad to what is joined, or into a plane (node -1)."""
        grid, cells, history = self.grid, self.grid.cells, self.history
        track, via = grid.ledgers[Probe(task.width / 2)], grid.ledgers[self.via]
        guide = self._guide(task, joined)
        own = {cell for hole in route.vias for cell in grid.around(grid.point(hole))}
        own -= {*route.vias}  # beside a via of its own there is no room for another
        width = grid.columns
        moves = [(1, STRAIGHT), (-1, STRAIGHT), (width, STRAIGHT), (-width, STRAIGHT)]
        moves += [(step, DIAGONAL) for step in (width + 1, width - 1, 1 - width, -1 - width)]
        best, came = dict.fromkeys(pad, 0.0), dict[int, int]()
        heap = [(float(guide(node)), node) for node in sorted(pad)]
        closed = set[int]()
        while heap:
            _, node = heapq.heappop(heap)
            if node < 0 or node in joined:
                return _back(came, node)
            if node in closed:
                continue
            closed.add(node)
            layer, cell = divmod(node, cells)
            spent, dear = best[node], self.prices[layer]
            steps = [(node + move, spent + dear * price) for move, price in moves]
            if not via.hard[cell] and not grid.drilled[cell] and cell not in own:
                down = spent + VIA + CROSSING * via.soft[cell]
                if task.plane:
                    steps.append((-1, down))
                else:
                    steps += [(n, down) for n in range(cell, len(track.hard), cells) if n != node]
            for to, price in steps:
                if to >= 0:
                    if track.hard[to] or to in closed:
                        continue
                    price += CROSSING * track.soft[to] + history.get(to, 0)  # noqa: PLW2901 - a step costs more where it crosses others
                if price < best.get(to, FAR):
                    best[to], came[to] = price, node
                    heapq.heappush(heap, (price + guide(to), to))
        return None

    def _guide(self, task: Task, joined: set[int]) -> Callable[[int], int]:
        """Return the least that a way from a node to what is joined can cost."""
        if task.plane:
            return lambda _: 0
        width, cells = self.grid.columns, self.grid.cells
        columns = [node % cells % width for node in joined]
        rows = [node % cells // width for node in joined]
        left, right, top, bottom = min(columns), max(columns), min(rows), max(rows)

        def least(node: int) -> int:
            row, column = divmod(node % cells, width)
            dx = max(left - column, column - right, 0)
            dy = max(top - row, row - bottom, 0)
            return STRAIGHT * max(dx, dy) + (DIAGONAL - STRAIGHT) * min(dx, dy)

        return least


def _urgency(task: Task) -> tuple[bool, float, str]:
    """Signals before planes, and short ones before long ones."""
    xs = [end.at[0] for end in task.terminals]
    ys = [end.at[1] for end in task.terminals]
    return task.plane, max(xs) - min(xs) + max(ys) - min(ys), task.key


def _back(came: dict[int, int], node: int) -> list[int]:
    path = [node]
    while path[-1] in came:
        path.append(came[path[-1]])
    return path[::-1]


def neighbours(
    pads: Iterable[Terminal], most: int = 3, apart: float = 1.3
) -> list[tuple[Terminal, ...]]:
    """Return pads in groups of neighbours that may share a via."""
    groups = list[list[Terminal]]()
    for pad in sorted(pads, key=lambda pad: (pad.layers, pad.at)):
        near = [
            group
            for group in groups
            if len(group) < most
            and any(
                dist(pad.at, other.at) <= apart and pad.layers == other.layers for other in group
            )
        ]
        if near:
            near[0].append(pad)
        else:
            groups.append([pad])
    return [tuple(group) for group in groups]
