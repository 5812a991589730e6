"""The whole simulated table with its pages: guests, firmware, wire, sensing, referee, phones.

It is built as `rappelwacht` builds it.
"""

import struct
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Final, Self

from playwright.sync_api import Page

from companion.games.zapp_zerapp.rules import View
from companion.games.zapp_zerapp.simulated.guests import Guests, Temperament
from companion.games.zapp_zerapp.simulated.party import Party
from companion.maintenance.view import EnrolmentShown
from companion.present.simulated_hands import Where
from companion.referee.calibration_store import CalibrationStore
from companion.referee.commands import Answer, Command, CommandBody
from companion.sensing.calibration import Calibration, StopperCalibration
from companion.sensing.load_cell_faults import Gain
from companion.sensing.weighing import Mass
from companion.simulator.boards import node
from companion.simulator.ground_truth import What
from companion.simulator.hand_params import ScriptVigour
from companion.simulator.live.live import SIMULATED, Live, PeriodicTask, calibration_of, stoppers_of
from companion.simulator.live.player_hands import PlayerHands
from companion.simulator.live.thread_proxy import ThreadProxy
from companion.system.text import SeatName
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig
from companion.web.context import WebContext
from rappelwacht_research.scene import play
from rappelwacht_research.script_reader import read
from tests.browser.served import HERE, opened

GUESTS_US: Final = 100_000
PATIENT: Final = Temperament((ScriptVigour.GENTLY,), (3600.0, 3600.0), (1.0, 1.0), 0.0)
BUSY: Final = Temperament((ScriptVigour.AS_USUAL,), (0.2, 0.4), (0.6, 0.8), 0.0)
SOON_US: Final = 20_000
REST_US: Final = 2_000_000  # until a barrel is weighed, and a foul raised
TARE_SD_MG: Final = 25.0


class Evening:
    """A simulated table, a seat at it for a person, and perhaps guests who play.

    The guests come when they are called. They do nothing that is forbidden, and have all the time
    in the world unless they are in another mood: a person may be as slow as the machine.
    """

    def __init__(
        self,
        folder: Path,
        seed: int = 1,
        speed: float = 1.0,
        *,
        knows: bool = True,
        moods: Sequence[Temperament] = (PATIENT,),
        seats: Sequence[SeatName] = (SeatName.RED, SeatName.BLUE),
        https: bool = False,
    ) -> None:
        self._life, self._requests, self._https = ExitStack(), count(), https
        ports = folder / "ports"
        ports.mkdir()
        live = self._life.enter_context(Live(ports, seed, speed))
        for board in live.table.stoppers.values():
            board.flash.save("boot", struct.pack("<i", int(time.time())))
        chance = Random(f"guests {seed}")
        guests = Guests(live.table.world, chance, seats, moods)
        self._party = Party(live.table, guests, chance, 1, SeatName.RED)
        self.live, self.hands = (
            live,
            ThreadProxy(live, PlayerHands(live.table, guests, SeatName.RED)),
        )
        others = (seat for seat in seats if seat is not SeatName.RED)
        self._others = {
            seat.name.lower(): ThreadProxy(live, PlayerHands(live.table, guests, seat))
            for seat in others
        }
        self.table = self._life.enter_context(Table(self._plan(folder, known=knows)))

    def begin(self) -> None:
        """Let the guests play; who sits at the table by then is no guest."""
        self.live.carry_out(lambda: self.live.also.append(PeriodicTask(GUESTS_US, self._go)))

    def _plan(self, folder: Path, *, known: bool) -> TableConfig:
        live, hands = self.live, self.hands
        plan = TableConfig(
            SIMULATED,
            folder,
            stoppers_of(live.table),
            calibration_of(live.table),
            live.ports,
            live.outside.open_pins,
            live.clock_us,
            pages=Pages(0, {"red": hands, **self._others}, https=self._https),
        )
        if known:
            return plan
        CalibrationStore(folder).save(self._weighed_empty())
        return replace(plan, calibration=None)

    def _weighed_empty(self) -> Calibration:
        world, boards = self.live.table.world, self.live.table.stoppers
        spans = {number: board.load_chip.cell.span for number, board in boards.items()}
        kept = [
            StopperCalibration(
                number,
                node(number).hex(),
                Mass(1e3 * spans[number] * world.barrels[one].shell_g, TARE_SD_MG, 12, 6.0),
                gain=Gain(spans[number], 0.004, 33_900.0),
            )
            for one, number in world.stoppers.items()
        ]
        return Calibration("", tuple(sorted(kept, key=lambda one: one.stopper)))

    def _go(self, _: int) -> None:
        self._party.go(self.table.snapshot, self._post)

    def _post(self, wish: CommandBody, by: str, version: int) -> None:
        self.table.post(Command(f"guest {next(self._requests)}", wish, by, version))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._life.close()

    @property
    def phones(self) -> WebContext:
        assert self.table.site is not None
        return self.table.site

    @property
    def home(self) -> str:
        """Return the address, without a slash at its end."""
        return f"http://{HERE}:{self.phones.here.port}"

    @property
    def safe_home(self) -> str:
        """Return the address by https; it has one a moment after it began."""
        return f"https://{HERE}:{self.phones.https.port}"

    def open(self, page: Page, path: str = "/simulated", role: str | None = None) -> Page:
        """Open a page, as a phone that was let in before if a role is given."""
        return opened(
            page, self.home, path, None if role is None else (self.phones.pairing.pin, role)
        )

    def says(self, wish: CommandBody, by: str = "table") -> Answer | None:
        """Have somebody decide something."""
        return self.table.ask(Command(f"says {next(self._requests)}", wish, by))

    @property
    def holds(self) -> bool:
        """Tell whether the person has a barrel in hand, whatever a page believes."""
        barrels = self.hands.table().barrels
        return any((one.where, one.seat) == (Where.HAND, "red") for one in barrels)

    @property
    def cleared(self) -> bool:
        """Tell whether the person has no barrel, neither in hand nor before them."""
        return all(one.seat != "red" for one in self.hands.table().barrels)

    @property
    def idle(self) -> bool:
        """Tell whether the person's own hands have done what they were told."""
        return self.live.table.now_us > self.live.table.world.free_us[SeatName.RED]

    @property
    def rests(self) -> bool:
        """Tell whether all hands have done what they were told, and what it was is known."""
        return self.live.table.now_us > self.live.table.world.now_free_us + REST_US

    @property
    def enrolment(self) -> EnrolmentShown:
        """Return how far enrolling has come."""
        opened = self.table.workshop.opened
        assert opened is not None
        assert opened.enrolment is not None
        return opened.enrolment

    @property
    def view(self) -> View:
        """Return what all see of the match."""
        assert isinstance(self.table.snapshot.view, View)
        return self.table.snapshot.view

    @property
    def best(self) -> list[int]:
        """Return the places of barrels that are good in this round, the best first."""
        world, magic = self.live.table.world, self.view.magic
        good = sorted((number for number in world.barrels if number <= magic), reverse=True)
        return [world.spots.index(world.places[number]) for number in good]

    @property
    def mixed(self) -> bool:
        """Tell whether the barrels were mixed, and stand."""
        return bool(self.live.table.world.truth.of(What.MIXED)) and self.rests

    def lift(self, stopper: int) -> None:
        """Have somebody lift a barrel for a second, and set it down again."""
        barrels = {closed: barrel for barrel, closed in self.live.table.world.stoppers.items()}
        self.live.carry_out(lambda: self._lift(barrels[stopper]))

    def _lift(self, barrel: int) -> None:
        sim = self.live.table
        from_us = max(sim.world.now_free_us, sim.now_us) + SOON_US
        play(sim, read(f"{from_us / 1e6:.2f} red lifts {barrel}\n+1 red puts back {barrel}"))


Begin = Callable[..., Evening]
