"""All of sensing together: what goes in at one end comes out at the other, each thing once."""

from typing import Any, get_args

from companion import wire
from companion.sensing.events import (
    BarrelMotion,
    BarrelMoved,
    FaultsChanged,
    Placed,
    SampleRequest,
    Taken,
)
from companion.sensing.name_word import name_of
from companion.sensing.observations import ChoosingBegan, ChoosingEnded, NameRead, PadChanged
from companion.sensing.pipeline import ADVANCES, HANDLERS, News, Sensing, SensingLink
from companion.sensing.settings import Settings
from companion.sensing.stopper_faults import StopperFault
from tests.sensing.senders import KEY, NODE, OTHER, Stopper, relayed

SECOND = 1_000_000


class Table:
    """A host with two stoppers, one of which speaks."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        names, keys = {NODE: 7, OTHER: 8}, {NODE: KEY, OTHER: bytes(16)}
        self.ears = SensingLink(Sensing(names, Settings()), keys, self.sent.append)
        self.stopper = Stopper()
        self.told: list[Any] = []
        self.event = 0

    def says(self, name: str, at_us: int, **fields: Any) -> None:
        """Let a message come that was sent just before; its clock and the hub's are the host's."""
        if name not in ("HELLO", "HEARTBEAT"):
            self.event += 1
            fields = {"event": self.event, "at_us": at_us - 100_000, **fields}
        said = self.stopper.says(name, **fields)
        packet = bytearray(said.fields.packet)
        del packet[-wire.TAG_SIZE :]
        packet[17:25] = (at_us - 2_000).to_bytes(8, "little")
        packet += wire._tag(KEY, bytes(packet))
        self.told += self.ears.handle_hub_message(at_us, relayed(bytes(packet), at_us - 300))

    def settles(self) -> None:
        """Let it be heard until its clock is known."""
        self.says("HELLO", SECOND)
        for number in range(2, 5):
            self.says("HEARTBEAT", number * SECOND)
        self.still(5 * SECOND)

    def still(self, at_us: int) -> None:
        still = {"load_mg": 25_000, "spread_mg": 20, "still_ms": 500, "temperature_cc": 2_100}
        knows = {"zero_doubt_mg": 30, "foot_mg": 5000}
        self.says("STILL", at_us, **still, tilt_cdeg=10, blind_ms=0, **knows)

    def lifts(self, at_us: int) -> None:
        self.says("LIFT", at_us, load_mg=25_000, blind_ms=0)

    def sets(self, at_us: int) -> None:
        self.says("SET", at_us, load_mg=25_000, tilt_cdeg=10, blind_ms=0)

    def of(self, kind: type) -> list[Any]:
        return [one for one in self.told if isinstance(one, kind)]


def test_a_barrel_is_lifted_and_placed_at_a_seat() -> None:
    table = Table()
    table.settles()
    table.told += table.ears.handle(ChoosingBegan(("red", "blue"), 6 * SECOND))
    table.lifts(7 * SECOND)
    table.sets(9 * SECOND)
    table.told += table.ears.handle(PadChanged("blue", occupied=True, at_us=9 * SECOND - 95_000))
    for number in range(2):
        at_us = 9 * SECOND + 50_000 * number
        word = NameRead("blue", name_of(KEY), True, True, table.event % 4, at_us)
        table.told += table.ears.handle(word)
    table.told += table.ears.tick(11 * SECOND)
    assert [one.doing for one in table.of(BarrelMoved)] == [
        BarrelMotion.STANDING,
        BarrelMotion.LIFTED,
        BarrelMotion.STANDING,
    ]
    assert [(one.seat, one.stopper) for one in table.of(Placed)][-1] == ("blue", 7)
    table.told += table.ears.handle(ChoosingEnded(12 * SECOND))
    table.lifts(13 * SECOND)
    table.told += table.ears.handle(PadChanged("blue", occupied=False, at_us=13 * SECOND - 90_000))
    table.told += table.ears.tick(15 * SECOND)
    assert [(one.seat, one.stopper) for one in table.of(Taken)] == [("blue", 7)]


def test_what_it_told_before_is_heard_as_telling_nothing_new() -> None:
    table = Table()
    table.settles()
    assert table.ears.tick(6 * SECOND) == []
    assert table.ears.tick(6 * SECOND) == []
    assert len(table.of(BarrelMoved)) == 1


def test_a_tilted_barrel_is_asked_for_what_it_kept() -> None:
    table = Table()
    table.settles()
    table.told += table.ears.handle(ChoosingBegan(("red", "blue"), 6 * SECOND))
    table.lifts(7 * SECOND)
    table.says("TILT", 8 * SECOND, tilt_cdeg=9_500, deviation_permille=30, held_ms=100)
    table.told += table.ears.tick(8 * SECOND + 300_000)
    asked = [fields for name, fields in table.stopper.hears(table.sent) if name == "RAW_REQUEST"]
    assert asked
    assert 6 * SECOND < asked[0].start_us < 8 * SECOND  # on the stopper's clock
    assert not table.of(SampleRequest)  # which is between the two of them


def test_an_old_stopper_is_named_and_the_others_play_on() -> None:
    table = Table()
    table.settles()
    packet = bytearray(Stopper(node=OTHER).lifts(1).fields.packet)
    packet[0] = 9
    table.told += table.ears.handle_hub_message(6 * SECOND, relayed(bytes(packet)))
    assert table.of(FaultsChanged)[-1].stopper == 8
    assert table.of(FaultsChanged)[-1].ailments == {StopperFault.OLD_STOPPER}
    table.lifts(7 * SECOND)
    assert table.of(BarrelMoved)[-1].doing is BarrelMotion.LIFTED


def test_strangers_say_nothing() -> None:
    table = Table()
    stranger = Stopper(node=bytes(6)).lifts(1)
    assert table.ears.handle_hub_message(SECOND, stranger) == []


def test_the_same_goes_in_twice_and_the_same_comes_out_twice() -> None:
    one, other = Table(), Table()
    for table in (one, other):
        table.settles()
        table.lifts(7 * SECOND)
        table.sets(8 * SECOND)
        table.told += table.ears.tick(60 * SECOND)
    assert one.told == other.told
    assert one.sent == other.sent


def test_each_part_has_a_state_and_weights_never_leave() -> None:
    sensing = Sensing({})
    assert set(sensing.states) == set(HANDLERS) >= set(ADVANCES)
    told = {field for kind in get_args(News) for field in kind.__dataclass_fields__}
    assert not {name for name in told if name.endswith(("_mg", "_g", "mass", "load"))}
