"""The whole table in virtual time: world, thirteen stoppers, air, hub and cable, from one seed.

It must not know who listens at the other end of the cable, and it reads no clock: whoever drives
it says how far to go. A stopper whose barrel rests takes a step only twice a second, which spares
nearly all the work and changes nothing but the noise that it draws; music is noise, a knock is not.

    with Cable(folder) as cable:
        table = SimulatedTable(cable, seed=1)
        table.act([ScriptLine(0, ScriptAct(Verb.LIFT, SeatName.BLUE, (7,)), at_s=4.0)])
        table.advance(10_000_000, port.pump)  # called with the time whenever a hub wrote something
"""

from collections.abc import Callable, Iterable
from functools import partial
from heapq import heappop, heappush
from random import Random
from typing import Final, Protocol

from companion.sensing.settings import BARRELS
from companion.simulator import actors, light_path, processor
from companion.simulator.boards import FULL_MV, HUB, SECOND_HUB, HubBoard, StopperBoard, node
from companion.simulator.cable import Cable
from companion.simulator.hands import seconds
from companion.simulator.link_budget import HOME, RadioPlan, RadioSite
from companion.simulator.radio import RadioChannel, Weather
from companion.simulator.script import ScriptAct, ScriptLine
from companion.simulator.stones import Stones
from companion.simulator.stopper_kinds import WEIGHING, StopperKind
from companion.simulator.traits import KIND, Imperfections
from companion.simulator.world import world_of
from companion.system.chance import below

DOZE_US: Final = 500_000
CALM_US: Final = 3_000_000  # of rest, before a step may be left out…
KIND_CALM_US: Final = 2_000_000  # …and where nothing disturbs a cell: all have weighed by then
HUB_STEP_US, HUB_DOZE_US = 2_000, 20_000
ASLEEP_US, STIRRED_US = 1_000_000, 20_000  # how often INT1 is looked at
READY_US: Final = 3_000_000  # a stopper weighs from the third second after power-on
KEEP_US: Final = 4_000_000
NEVER: Final = 1 << 62
HUB_TURN, SECOND_TURN = 0, -1  # whose turn it is; 1 to 13 are the stoppers


class Course(Protocol):
    """What is done one act after another, each decided by what stands there then."""

    def next_us(self) -> int | None:
        """Return when something is done next; None: it is over."""

    def step(self, at_us: int) -> ScriptAct | None:
        """Return what is done now, if anything is."""


class SimulatedTable:
    """Everything from the barrels to the hub's plug."""

    def __init__(  # noqa: PLR0913 - all but the first two have usual values
        self,
        cable: Cable,
        seed: int,
        *,
        weather: Weather | None = None,
        stones: Stones = Stones.BALLS_4_5_MM,
        shell_g: float | None = None,
        kind: StopperKind = WEIGHING,
        dozes: bool = True,
        traits: Imperfections = KIND,
        site: RadioSite = HOME,
        second: Cable | None = None,
    ) -> None:
        self.now_us, self.seed, self.traits = 0, seed, traits
        self.cable, self._dozes = cable, dozes
        self._calm_us = CALM_US if traits else KIND_CALM_US
        rng = Random(f"table {seed}")  # noqa: S311 - a game and no secret
        self.kind, empty_g = kind, kind.empty_g if shell_g is None else shell_g
        self.world = world_of(seed, stones, empty_g, traits)
        self._radios = RadioPlan(site, traits, str(seed))
        chance = Random(f"air {seed}")  # noqa: S311 - no secret
        self.air = RadioChannel(chance, self.clock_us, weather, self._radios.shared)
        self.light_path = light_path.LightPath(self.world, f"{seed}")
        self.stoppers = {number: self._stopper(number, rng) for number in range(1, BARRELS + 1)}
        self.hubs = {HUB_TURN: self._hub(HUB_TURN, cable, processor.crystal_ppm(rng))}
        self.cables = {HUB_TURN: cable}
        if second is not None:
            own = Random(f"second hub {seed}")  # noqa: S311 - a game and no secret
            self.hubs[SECOND_TURN] = self._hub(SECOND_TURN, second, processor.crystal_ppm(own))
            self.cables[SECOND_TURN] = second
        self.hub = self.hubs[HUB_TURN]
        self._due = dict.fromkeys(self.hubs, 0) | dict.fromkeys(self.stoppers, NEVER)
        self._timers: list[tuple[int, int, Callable[[], None]]] = []
        self._timer_count = self._wrote = 0
        for hub in self.hubs.values():
            hub.power_on()
        for number in self.stoppers:
            self.at(1000 * below(rng, 50), partial(self._begin, number))

    def clock_us(self) -> int:
        return self.now_us

    def act(self, lines: Iterable[ScriptLine]) -> None:
        """Arrange more of what people do."""
        for line in lines:
            at_us = self.world.now_free_us if line.at_s is None else seconds(line.at_s)
            actors.do(self.world, line.what, at_us)
        for number in self.stoppers:
            self.wake(number)

    def follow(self, course: Course) -> None:
        """Let something be decided and done act by act, each when its time has come."""
        due_us = course.next_us()
        if due_us is not None:
            self.at(due_us, partial(self._step, course))

    def _step(self, course: Course) -> None:
        if (act := course.step(self.now_us)) is not None:
            self.act([ScriptLine(0, act, self.now_us / 1e6)])
        self.follow(course)

    def at(self, at_us: int, call: Callable[[], None]) -> None:
        """Schedule something for a time."""
        self._timer_count += 1
        heappush(self._timers, (at_us, self._timer_count, call))

    def wake(self, stopper: int) -> None:
        """Let a stopper step soon, because something about it has changed."""
        self._due[stopper] = self.now_us if self.stoppers[stopper].powered else NEVER

    def charge(self, stopper: int) -> None:
        """Give a stopper a full battery; it boots if it was off."""
        self.stoppers[stopper].battery = FULL_MV
        self._begin(stopper)

    def advance(
        self,
        to_us: int,
        hub_wrote: Callable[[int], None] = lambda _: None,
        hub_doze_us: int = HUB_DOZE_US,
    ) -> None:
        """Advance the time; `hub_wrote` is called with it whenever a hub has written something.

        A hub that nobody hastens looks for what was said to it after `hub_doze_us` at the latest.
        """
        due, timers = self._due, self._timers
        while True:
            turn = min(due, key=due.__getitem__)
            if timers and timers[0][0] <= due[turn]:
                if timers[0][0] > to_us:
                    break
                at_us, _, call = heappop(timers)
                self.now_us = max(at_us, self.now_us)
                call()
            else:
                if due[turn] > to_us:
                    break
                self.now_us = max(due[turn], self.now_us)
                due[turn] = (
                    self._hub_turn(turn, hub_doze_us) if turn <= HUB_TURN else self._turn(turn)
                )
            if (wrote := sum(cable.wrote for cable in self.cables.values())) != self._wrote:
                self._wrote = wrote
                hub_wrote(self.now_us)
        self.now_us = to_us

    def hasten(self, hub: int) -> None:
        """Let a hub step soon, because something has come for it."""
        self._due[hub] = min(self._due[hub], self.now_us + HUB_STEP_US)

    def forget(self) -> None:
        """Delete what is over: for those who play for hours."""
        self.world.forget(self.now_us - KEEP_US)

    def stopper_of(self, barrel: int) -> int:
        return self.world.stoppers[barrel]

    def _stopper(self, number: int, rng: Random) -> StopperBoard:
        barrel = self.world.by_stopper(number)
        air, starts = self._radios.stopper(number, barrel), self._radios.starts(number)
        return StopperBoard(
            number,
            barrel,
            lambda own: self.air.join(node(number), air=air, starts=starts, processor=own),
            self.clock_us,
            seed=str(self.seed),
            ppm=processor.crystal_ppm(rng),
            traits=self.traits,
            kind=self.kind,
            shine=partial(self.light_path.shine, number),
        )

    def _hub(self, turn: int, cable: Cable, ppm: float) -> HubBoard:
        node, name = (HUB, "hub") if turn == HUB_TURN else (SECOND_HUB, "second hub")
        arrived, air = partial(self._arrived, turn), self._radios.hub(-turn)
        return HubBoard(
            lambda own: self.air.join(node, arrived, air, processor=own),
            cable,
            self.clock_us,
            ppm,
            seed=f"{self.seed} {name}",
            traits=self.traits,
        )

    def _begin(self, stopper: int) -> None:
        board = self.stoppers[stopper]
        if not board.powered:
            board.power_on()
        self.wake(stopper)

    def _arrived(self, turn: int, at_us: int) -> None:
        at_us += self.hubs[turn].processor.takes_us  # which begins when it is there
        self._due[turn] = min(self._due[turn], max(at_us, self.now_us))

    def _hub_turn(self, turn: int, hub_doze_us: int) -> int:
        now_us, hub, cable = self.now_us, self.hubs[turn], self.cables[turn]
        # the plug brings its power, too, and nothing is heard before the firmware runs
        hub.radio.powered = cable.is_plugged and hub.listens
        if not cable.is_plugged:
            return now_us + HUB_DOZE_US
        next_us = now_us + hub.step()
        waiting_us = hub.waiting_us
        doze_us = now_us + hub_doze_us
        return max(next_us, doze_us if waiting_us is None else min(doze_us, waiting_us))

    def _turn(self, number: int) -> int:
        now_us, board = self.now_us, self.stoppers[number]
        if not board.powered:
            return NEVER
        motion = board.barrel.motion(now_us)
        if board.asleep:
            if not (board.motion_chip.int1 or board.boxed()):
                until_us = min(motion.end_us, self.world.still_until_us(now_us))
                rest_us = min(now_us + ASLEEP_US, max(until_us, now_us + STIRRED_US))
                return rest_us if motion.resting else now_us + STIRRED_US
            board.wake()
        next_us = now_us + board.step()
        calm = motion.resting and now_us - max(motion.start_us, board.since_us) > self._calm_us
        if self._dozes and calm and board.resting and board.healthy:
            board.doze()
            until_us = min(motion.end_us, self.world.still_until_us(now_us))
            return max(next_us, min(now_us + DOZE_US, until_us))
        return next_us
