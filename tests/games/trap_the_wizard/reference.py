"""Trap the Wizard played slowly from its rulebook: the oracle that the companion is tested against.

It must not know the companion: it imports nothing of it and shares no idea with it. Every wizard
is a piece of its own with a name, ("red", 2), and a whereabouts: "start", the number of a field,
the name of the piece that it rides under, or ("gone", captor). The joker is the piece "joker".
Walks are made step by step, each by itself.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Action = tuple[Any, ...]
Piece = Any
COLOURS = ["red", "green", "blue", "yellow"]


@dataclass
class Reference:
    """One game at one table; `legal` says what may happen now, `do` makes it happen."""

    players: list[str]
    settings: Mapping[str, Any]
    joined: Mapping[int, list[int]]
    homes: Mapping[str, int]
    special: list[int]
    joker_field: int
    round: int = 1
    phase: str = "roll"
    turn: str = ""
    points: int = 0
    sixes: int = 0
    where: dict[Piece, Any] = field(default_factory=dict)
    just_home: Piece = None
    score: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sit down."""
        self.score = dict.fromkeys(self.players, 0)
        self.set_up()

    def set_up(self) -> None:
        """All on the own start, the joker in the middle."""
        self.where = {(p, n): "start" for p in self.players for n in (1, 2, 3)}
        self.where["joker"] = self.joker_field
        first = (self.round - 1) % len(self.players) if self.settings["starter_rotates"] else 0
        self.turn = self.players[first]
        self.phase, self.points, self.sixes = "roll", 0, 0

    def held_by(self, captor: Piece) -> list[Piece]:
        """Return the pieces that ride under a wizard."""
        return [piece for piece, at in self.where.items() if at == captor]

    def load(self, captor: Piece) -> tuple[str, ...]:
        """Return their colours, sorted as players sit, the joker last."""
        held = ["joker" if p == "joker" else p[0] for p in self.held_by(captor)]
        return tuple(sorted(held, key=[*COLOURS, "joker"].index))

    def free(self, player: str) -> list[Piece]:
        """Return a player's wizards that nobody has captured."""
        places = [(p, n) for p, n in self.wizards() if p == player]
        return [w for w in places if self.where[w] == "start" or isinstance(self.where[w], int)]

    def wizards(self) -> list[Piece]:
        """Return all wizards."""
        return [piece for piece in self.where if piece != "joker"]

    def standing(self, place: int) -> list[Piece]:
        """Return the wizards on a field."""
        return [w for w in self.wizards() if self.where[w] == place]

    def walks(self, wizard: Piece, points: int) -> Iterator[list[Any]]:
        """Return every way that a wizard can walk, including the start where it came from."""

        def on(way: list[Any]) -> Iterator[list[Any]]:
            here, used = way[-1], len(way) - 1
            if used == points:
                yield way
                return
            if here == "start" and used:
                yield way  # the rest is left over
                return
            others = [] if here == "start" else [w for w in self.standing(here) if w != wizard]
            if used and not self.settings["pass_over"] and others:
                return
            if here == "start":
                yield from on([*way, self.homes[wizard[0]]])
                return
            exits: list[Any] = list(self.joined[here])
            if here == self.homes[wizard[0]] and way[0] != "start":
                exits.append("start")
            for to in exits:
                if used and to == way[-2] and not self.settings["turn_back"]:
                    continue
                yield from on([*way, to])

        yield from on([self.where[wizard]])

    def may_end(self, wizard: Piece, way: list[Any], points: int, *, catch: bool) -> bool:
        """Tell whether a wizard may end where a way ends, and catch whom it meets if it can."""
        player, end = wizard[0], way[-1]
        load = self.load(wizard)
        if end == "start":
            exact = len(way) - 1 == points or not self.settings["home_exact"]
            return exact and any(c not in {player, "joker"} for c in load)
        others = [w for w in self.standing(end) if w != wizard]
        stay = others
        if end not in self.special or ("joker" in load and catch):
            stay = [w for w in others if w[0] == player]  # the rest is captured
        return len(stay) < 2

    def legal(self) -> set[Action]:
        """Return all that may happen now."""
        if self.phase == "over":
            return set()
        if self.phase == "roll":
            return {("roll", number) for number in range(1, 7)}
        if self.phase == "again":
            return {("again", self.turn), ("pass", self.turn)}
        found: set[Action] = {("leave", self.turn)} if self.phase == "rest" else set()
        return found | set(self.moves())

    def moves(self) -> dict[Action, list[Any]]:
        """Return the moves, each with its shortest way."""
        found: dict[Action, list[Any]] = {}
        for wizard in self.free(self.turn):
            if wizard == self.just_home:
                continue
            for way in sorted(self.walks(wizard, self.points), key=len):
                move = ("move", self.turn, way[0], way[-1], self.load(wizard))
                if self.may_end(wizard, way, self.points, catch=True):
                    found.setdefault((*move, ()), way)
                spared = self.could_spare(wizard, way[-1])
                if spared and self.may_end(wizard, way, self.points, catch=False):
                    found.setdefault((*move, spared), way)
        return found

    def could_spare(self, wizard: Piece, end: Any) -> tuple[str, ...]:
        """Return the colours of those it can catch there, but need not: by the joker alone."""
        if not self.settings["joker_spares"] or end not in self.special:
            return ()
        strangers = [w[0] for w in self.standing(end) if w[0] != wizard[0]]
        return tuple(strangers) if "joker" in self.load(wizard) else ()

    def do(self, action: Action) -> None:
        """Make it happen."""
        if action[0] == "roll":
            self.points = action[1]
            self.sixes = self.sixes + 1 if self.points == 6 else 0
            self.phase, self.just_home = "move", None
            if not self.moves():
                if not self.settings["idle_six_again"]:
                    self.sixes = 0
                self.next_turn()
        elif action[0] == "leave":
            self.next_turn()
        elif action[0] == "again":
            self.phase = "roll"
        elif action[0] == "pass":
            self.sixes = 0
            self.next_turn()
        else:
            self.move(action)

    def move(self, action: Action) -> None:
        """Move a wizard, capture, or come home."""
        _, player, start, end, load, spared = action
        way = self.moves()[action]
        wizard = next(
            w
            for w in self.free(player)
            if self.where[w] == start and self.load(w) == load and w != self.just_home
        )
        self.where[wizard] = end
        if end == "start":
            self.come_home(wizard)
            self.points -= len(way) - 1
            self.just_home, self.phase = wizard, "rest"
            if self.points and self.moves():
                return
        else:
            self.capture(wizard, end, "joker" in load and not spared)
            if sum(bool(self.free(p)) for p in self.players) == 1:
                self.end_round()
                return
        self.next_turn()

    def come_home(self, wizard: Piece) -> None:
        """Opponents leave the game, own ones are free, the joker goes back."""
        for piece in self.held_by(wizard):
            if piece == "joker":
                self.score[wizard[0]] += self.settings["joker_scores"]
                back = self.settings["joker_returns"]
                self.where[piece] = self.joker_field if back else ("gone", wizard[0])
            elif piece[0] == wizard[0]:
                self.where[piece] = "start"
            else:
                self.where[piece] = ("gone", wizard[0])

    def capture(self, wizard: Piece, place: int, with_joker: bool) -> None:
        """Take prisoners."""
        freed = []
        for victim in self.standing(place):
            if victim[0] != wizard[0] and (place not in self.special or with_joker):
                for rider in self.held_by(victim):
                    if self.settings["hand_over"]:
                        self.where[rider] = wizard
                    else:
                        freed.append(rider)
                self.where[victim] = wizard
        if self.where["joker"] == place:
            self.where["joker"] = wizard
        for piece in freed:
            self.where[piece] = self.joker_field if piece == "joker" else "start"

    def next_turn(self) -> None:
        """After a six the same player, else the next who is still there."""
        self.phase, self.points, self.just_home = "roll", 0, None
        if 0 < self.sixes < self.settings["sixes"]:
            self.phase = "again" if self.settings["six_passes"] else "roll"
            return
        self.sixes = 0
        at = self.players.index(self.turn)
        order = self.players[at + 1 :] + self.players[: at + 1]
        self.turn = next(p for p in order if self.free(p))

    def end_round(self) -> None:
        """Count one point for each captured wizard."""
        for piece, at in self.where.items():
            if piece != "joker" and isinstance(at, tuple) and at[0] == "gone":
                self.score[at[1]] += 1
            elif isinstance(at, tuple) and at[0] in self.players and self.settings["held_count"]:
                worth = self.settings["joker_scores"] if piece == "joker" else piece[0] != at[0]
                self.score[at[0]] += worth
        self.round += 1
        if self.round > self.settings["rounds"]:
            self.phase, self.points, self.sixes = "over", 0, 0
        else:
            self.set_up()
