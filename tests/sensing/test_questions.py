"""A pad closes: barrels in the air are asked for samples, and the answers shorten the wait."""

import struct

from companion import wire
from companion.sensing.events import Placed, SampleRequest
from companion.sensing.observations import (
    ChoosingBegan,
    MeasuredTime,
    PadChanged,
    StopperMessage,
)
from companion.sensing.pad_model import PADS
from companion.sensing.placement import Placement, advance, step
from companion.sensing.seat_state import SeatEvents
from companion.sensing.settings import PlacementSettings as Limits
from companion.sensing.settings import Settings
from tests.sensing.seats import COLOURS

RULES = Settings(seating=Limits(pads=PADS[:-3]))  # switches, which may be late; no reflex sensors
BEHIND_US = 700_000  # every stopper's clock is so much behind the host's
STEP_US = 20_000
EDGE_MS = 5000


class Table:
    """Seating, with barrels 4 and 9 in the air; times in ms."""

    def __init__(self, *held: int) -> None:
        self.state, self.told = Placement(), list[tuple[float, object]]()
        for stopper in range(1, 14):
            self.hear(stopper, "HEARTBEAT", 900 + stopper, faults=0)
        self._take(1000, *step(self.state, ChoosingBegan(COLOURS, 1_000_000), RULES))
        for stopper in held:
            self.hear(stopper, "LIFT", 2000)
        for stopper in held:
            self.hear(stopper, "FEATURES", 3500, load_mg=40)

    def hear(self, stopper: int, name: str, at_ms: float, **fields: object) -> None:
        self.pass_to(at_ms)
        at_us = round(1000 * at_ms)
        if name in ("LIFT", "SET"):
            fields["at_us"] = at_us - BEHIND_US
        felt = StopperMessage(stopper, name, MeasuredTime(at_us, 3000), at_us + 5000, 1, 0, fields)
        self._take(at_ms, *step(self.state, felt, RULES))

    def answer(self, stopper: int, at_ms: float, *loads_mg: int) -> None:
        """Let a stopper send samples, the newest from just now."""
        start_us = round(1000 * at_ms) - STEP_US * len(loads_mg) + STEP_US - BEHIND_US
        head = {"request": 7, "start_us": start_us, "step_us": STEP_US}
        self.hear(stopper, "RAW_HEAD", at_ms, **head)
        samples = b"".join(
            struct.pack(wire.SAMPLE.format, 1000, 10, load_mg) for load_mg in loads_mg
        )
        self.hear(stopper, "RAW", at_ms, request=7, chunk=0, samples=samples)

    def pad(self, at_ms: float) -> None:
        self.pass_to(at_ms + 20)
        edge = PadChanged("blue", True, round(1000 * at_ms))
        self._take(at_ms + 20, *step(self.state, edge, RULES))

    def pass_to(self, at_ms: float) -> None:
        while self.state.due_us is not None and self.state.due_us <= 1000 * at_ms:
            due_us = self.state.due_us
            self._take(due_us / 1000, *advance(self.state, due_us, RULES))

    def _take(self, at_ms: float, state: Placement, told: SeatEvents) -> None:
        self.state = state
        self.told += [(at_ms, one) for one in told]

    def asked(self) -> list[int]:
        return [one.stopper for _, one in self.told if isinstance(one, SampleRequest)]

    def known_ms(self) -> float | None:
        """Return how long after the edge it was certain that 4 stands at blue."""
        times = [
            at_ms - EDGE_MS
            for at_ms, one in self.told
            if isinstance(one, Placed) and one.confidence >= RULES.certain and one.stopper == 4
        ]
        return times[0] if times else None


def test_on_a_pads_edge_only_those_in_the_air_are_asked_from_just_before_on() -> None:
    table = Table(4, 9)
    table.pad(EDGE_MS)
    assert table.asked() == [4, 9]
    wanted = [one for _, one in table.told if isinstance(one, SampleRequest)]
    for one in wanted:
        host_us = one.start_us + BEHIND_US
        assert EDGE_MS * 1000 - 60_000 < host_us < EDGE_MS * 1000 + 20_000
        assert 40 <= one.length_ms <= 200


def test_whoever_proves_to_be_in_the_air_still_shortens_the_wait() -> None:
    quiet, answered = Table(4, 9), Table(4, 9)
    for table in (quiet, answered):
        table.pad(EDGE_MS)
        table.hear(4, "SET", EDGE_MS - 5, blind_ms=0)
    answered.answer(9, EDGE_MS + 190, 200, 150, 90)
    for table in (quiet, answered):
        table.pass_to(EDGE_MS + 3000)
    assert answered.known_ms() == 190
    known = quiet.known_ms()
    assert known is None or known > 1000


def test_as_long_as_a_hand_may_mute_a_barrel_in_the_air_nobody_else_is_certain() -> None:
    table = Table(4, 9)
    table.pad(EDGE_MS)
    table.hear(4, "SET", EDGE_MS - 5, blind_ms=0)  # put back, as it happens
    table.pass_to(EDGE_MS + 1670)
    table.hear(9, "SET", EDGE_MS - 10, blind_ms=0)
    table.pass_to(EDGE_MS + 3000)
    assert table.known_ms() is None


def test_samples_of_what_stands_prove_nothing_and_are_not_asked_again_when_all_is_known() -> None:
    table = Table(4, 9)
    table.pad(EDGE_MS)
    table.hear(4, "SET", EDGE_MS - 5, blind_ms=0)
    table.answer(9, EDGE_MS + 190, 20_000, 23_000)
    assert table.known_ms() is None
    table.answer(9, EDGE_MS + 230, 200)
    asked = len(table.asked())
    table.pass_to(EDGE_MS + 2000)
    assert table.known_ms() == 230
    assert len(table.asked()) == asked


def test_a_question_is_not_repeated_for_ever() -> None:
    table = Table(4, 9)
    table.pad(EDGE_MS)
    table.pass_to(EDGE_MS + 10_000)
    assert table.asked().count(9) == len(RULES.seating.asks_ms)
