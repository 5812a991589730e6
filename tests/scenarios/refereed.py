r"""A simulated table that is refereed, in virtual time and one thread: the same each time.

with Refereed(folder, guests=False) as table:      # nobody plays of their own accord
table.people("blue lifts 7\nblue places 7").rest()
table.says("red", "roll 9")
table.chooses("blue", "place blue")            # by the seat's button
table.cut_the_power(for_s=3)
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Self

from companion.cli.simulated_table import remember_boots
from companion.games.zapp_zerapp.rules import Phase, View
from companion.games.zapp_zerapp.simulated.guests import Guests
from companion.games.zapp_zerapp.simulated.party import Party
from companion.present.output import CallbackOutput
from companion.referee.commands import Answer, Command, CommandBody, ConfirmDisputed, DoAction
from companion.referee.handlers import usual_match
from companion.referee.snapshot import ButtonOption, SeatView, Snapshot
from companion.sensing.calibration import Calibration
from companion.simulator.live.live import PeriodicTask, calibration_of, stoppers_of, wiring_of
from companion.simulator.live.world_store import KeptWorld, restore_barrels
from companion.simulator.stopper_kinds import WEIGHING, StopperKind
from companion.simulator.traits import KIND, Imperfections
from companion.simulator.world import World
from companion.system.config import SEATS
from companion.system.paths import JOURNAL
from companion.table.table import Table
from companion.table.table_config import TableConfig
from rappelwacht_research.faults import Faults, ScriptFault
from rappelwacht_research.scene import play
from rappelwacht_research.script_reader import read
from rappelwacht_research.stepped import SteppedLive, host_turn

TURN_US = 20_000
GUESTS_US = 100_000
SHORT_S, LONG_S, PAUSE_S = 0.15, 1.0, 0.35  # of a press, and from the beginning of one to the next


def believed(calibration: Calibration, labels: Mapping[int, int]) -> Calibration:
    """Return a calibration whose barrels bear other labels than they truly do."""
    stoppers = calibration.stoppers
    kept = [
        replace(stopper, barrel=labels.get(stopper.barrel or 0, stopper.barrel))
        for stopper in stoppers
    ]
    return replace(calibration, stoppers=tuple(kept))


def permute(world: World, stones: Mapping[int, int], seed: int) -> None:
    """Give each barrel the stones of another, and let no hand move otherwise for that."""
    world.hand = replace(world.hand, stones=Random(f"stones {seed}"))
    masses = {number: barrel.stones_g for number, barrel in world.barrels.items()}
    for number, barrel in world.barrels.items():
        barrel.stones_g = masses[stones.get(number, number)]
        barrel.mass_g = barrel.shell_g + sum(barrel.stones_g)


class Refereed:
    """An evening with guests; `until` lets it pass up to a moment."""

    def __init__(
        self,
        folder: Path,
        seed: int = 1,
        seats: int = 3,
        games: int = 1,
        *,
        guests: bool = True,
        labels: Mapping[int, int] | None = None,
        stones: Mapping[int, int] | None = None,
        traits: Imperfections = KIND,
        kept: KeptWorld | None = None,
        hubs: int = 1,
        kind: StopperKind = WEIGHING,
        record: Path | None = None,
    ) -> None:
        self.folder, ports = folder, folder / "ports"
        ports.mkdir(exist_ok=True)
        seed = seed if kept is None else kept.seed
        self.live = SteppedLive(ports, seed, traits=traits, hubs=hubs, kind=kind)
        self.sim, self.shown = self.live.table, list[Snapshot]()
        self.faults = Faults(self.sim)
        self.faults.join(self.live.outside)
        assert kept is None or restore_barrels(kept, self.sim)
        remember_boots(self.live, folder)
        if stones is not None:
            permute(self.sim.world, stones, seed)
        self.plan = TableConfig(
            wiring_of(self.sim),
            folder,
            stoppers_of(self.sim),
            believed(calibration_of(self.sim), labels or {}),
            self.live.ports,
            self.live.outside.open_pins,
            self.live.clock_us,
            Random(seed),
            record=record,
        )
        chance = Random(f"guests {seed}")
        self.guests = Guests(self.sim.world, chance, SEATS[:seats])
        self.party = Party(self.sim, self.guests, chance, games)
        self.playing = guests  # whether they do anything
        self.decided: list[tuple[str, CommandBody]] = []
        self.also: list[PeriodicTask] = []  # what else happens again and again
        self._starts = 0
        self.start()

    def start(self) -> None:
        """Switch the Pi on."""
        self.table = Table(self.plan)
        self.table.outputs.join(CallbackOutput(self.keep))
        self.table.resume()
        self._pumps = [
            PeriodicTask(TURN_US, self._turn),
            PeriodicTask(TURN_US, self.live.outside.pump),
            PeriodicTask(GUESTS_US, self._guests),
        ]
        self._hub_wrote = host_turn(self.sim, self._turn)
        self.live.outside.drive_anew()

    def keep(self, now: Snapshot) -> None:
        """Remember what was published."""
        self.shown.append(now)

    def cut_the_power(self, for_s: float = 0.0, meanwhile: str = "") -> Refereed:
        """Lose all that is not on the disk at this moment, also the hub's power, for a while."""
        self._starts += 1
        disk = self.folder / f"disk {self._starts}"
        disk.mkdir()
        shutil.copytree(self.plan.folder / JOURNAL, disk / JOURNAL)
        for file in self.plan.folder.glob("*.json"):
            shutil.copy(file, disk)
        self._put_away()
        self.plan = replace(self.plan, folder=disk)
        self._pumps, self._hub_wrote = self._pumps[1:2], lambda _: None
        if for_s:
            self.faults.unplug(for_s)
            self.people(meanwhile).wait(for_s)
        self.start()
        return self

    def _put_away(self) -> None:
        now_us = self.sim.now_us
        assert self.table.hardware.hub is not None
        self.table.hardware.hub.close(now_us)
        self.table.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._put_away()
        self.live.close()

    # --- what is to be seen -------------------------------------------------------------------

    @property
    def now(self) -> Snapshot:
        return self.table.snapshot

    @property
    def view(self) -> View:
        assert isinstance(self.now.view, View)
        return self.now.view

    @property
    def numbers(self) -> dict[str, int]:
        return {colour.name.lower(): number for colour, number in self.view.numbers}

    @property
    def placed(self) -> set[str]:
        return {colour.name.lower() for colour in self.view.placed}

    @property
    def asked(self) -> set[str]:
        return {seat.colour for seat in self.now.seats if seat.asked}

    @property
    def troubles(self) -> list[str]:
        return [str(condition) for condition in self.now.troubles]

    def seat(self, colour: str) -> SeatView:
        return next(seat for seat in self.now.seats if seat.colour == colour)

    def offers(self, colour: str) -> list[CommandBody]:
        return [offer.wish for offer in self.seat(colour).offers]

    def lit(self, colour: str) -> ButtonOption | None:
        seat = self.seat(colour)
        return None if seat.lit is None else seat.offers[seat.lit]

    # --- how time passes ----------------------------------------------------------------------

    def until(self, moment: Callable[[], bool], within_s: float = 200.0) -> Refereed:
        """Let time pass until something is so; it must become so."""
        end_us = self.sim.now_us + round(1e6 * within_s)
        while not moment():
            assert self.sim.now_us < end_us, f"still {self.now.view} after {within_s} s"
            pumps = (*self._pumps, *self.also)
            due_us = min(pump.due_us for pump in pumps)
            self.sim.advance(max(due_us, self.sim.now_us), self._hub_wrote)  # never back
            for pump in pumps:
                pump.go(self.sim.now_us)
        return self

    def until_phase(self, phase: Phase, round_: int = 1) -> Refereed:
        return self.until(
            lambda: (
                self.now.view is not None and (self.view.round, self.view.phase) == (round_, phase)
            )
        )

    def wait(self, seconds: float) -> Refereed:
        end_us = self.sim.now_us + round(1e6 * seconds)
        return self.until(lambda: self.sim.now_us >= end_us, seconds + 1)

    def rest(self, seconds: float = 1.5) -> Refereed:
        """Let all be done that was arranged, and be noticed."""
        done_us = self.sim.world.now_free_us
        return self.until(lambda: self.sim.now_us >= done_us).wait(seconds)

    # --- what people do -----------------------------------------------------------------------

    def people(self, script: str) -> Refereed:
        """Have people act as a script without times at its beginning says, from now on."""
        if script.strip():
            free_us = max(self.sim.world.now_free_us, self.sim.now_us) + TURN_US
            play(self.sim, read(f"{free_us / 1e6:.2f} {script.strip()}"))
        return self

    def says(self, by: str, wish: CommandBody | str, version: int | None = None) -> Answer:
        """Tell the referee something, as a phone does, and wait for the answer."""
        wish = DoAction(wish) if isinstance(wish, str) else wish
        self.decided.append((by, wish))
        command = Command(f"says {len(self.decided)}", wish, by, version)
        return self.table.referee.handle_command(command, self.sim.now_us)

    def insists(self, by: str, text: str) -> Answer:
        """Tell it, and stand to it where the sensors see otherwise."""
        answer = self.says(by, text)
        if any(claim.text == text for claim in self.now.claims):
            return self.says(by, ConfirmDisputed(text))
        return answer

    def begins(self, *colours: str) -> Refereed:
        """Begin a match once the stoppers are awake."""
        self.wait(3.5)
        assert self.says(colours[0], usual_match(colours)).refused is None
        return self

    def press(self, *colours: str, long: bool = False, held_s: float | None = None) -> Refereed:
        """Have people press their buttons, all at once."""
        held_s = held_s or (LONG_S if long else SHORT_S)
        at_s = self.sim.now_us / 1e6 + 0.05
        lines = read("".join(f"{at_s:.2f} {colour} presses for {held_s}\n" for colour in colours))
        play(self.sim, lines)
        return self.wait(PAUSE_S + (held_s if held_s > SHORT_S else 0.0))

    def brings_up(self, colour: str, wanted: CommandBody | str) -> Refereed:
        """Have somebody press until what they want is lit."""
        wanted = DoAction(wanted) if isinstance(wanted, str) else wanted
        assert wanted in self.offers(colour), f"{colour} is offered {self.offers(colour)}"
        for _ in self.offers(colour):
            self.press(colour)
            if (lit := self.lit(colour)) is not None and lit.wish == wanted:
                return self
        raise AssertionError(f"{wanted} never lights up")

    def chooses(self, colour: str, wanted: CommandBody | str) -> Refereed:
        """Have somebody choose by the own button alone, and confirm."""
        return self.brings_up(colour, wanted).press(colour, long=True)

    def breaks(self, name: str, **values: object) -> Refereed:
        self.faults.carry_out(ScriptFault(name, **values))  # type: ignore[arg-type]
        return self

    def decide(self, wish: CommandBody, by: str = "red", version: int | None = None) -> None:
        self.decided.append((by, wish))
        self.table.post(Command(f"c{len(self.decided)}", wish, by, version))

    def _turn(self, now_us: int) -> None:
        assert self.table.hardware.hub is not None
        self.table.hardware.hub.tick(now_us)
        self.table.turn()

    def _guests(self, _: int) -> None:
        if self.playing:
            self.party.go(self.now, self.decide)
