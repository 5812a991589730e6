"""Only what a stopper truly said is heard, each event once, and it is told that it was."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from companion import wire
from tests.sensing.senders import KEY, NODE, OTHER, Ear, Stopper, relayed


def seqs(frames: Iterable[bytes]) -> list[tuple[int, int]]:
    """Return boot and seq of each packet that was sent to a stopper."""
    found = []
    for said in wire.Line(wire.TO_HUB).hear(b"".join(frames)):
        assert isinstance(said, wire.Said)
        packet = said.fields.packet
        found.append(
            (int.from_bytes(packet[9:13], "little"), int.from_bytes(packet[13:17], "little"))
        )
    return found


def test_an_event_is_heard_once_and_acknowledged_each_time() -> None:
    ear, stopper = Ear(), Stopper()
    first = [stopper.says("HELLO"), stopper.lifts(1)]
    assert ear.hear(*first, stopper.lifts(1, wire.RESENT)) == ["HELLO", "LIFT"]
    assert ear.listening.again == 1
    acknowledged = stopper.hears(ear.sent)
    assert [(name, fields.event) for name, fields in acknowledged] == [("ACK", 1), ("ACK", 1)]


def test_all_events_of_a_packet_are_heard_in_order_and_acknowledged_one_by_one() -> None:
    ear, stopper = Ear(), Stopper()
    flip = wire.NAMED["FLIP"].pack({"event": 2, "at_us": 600, "tilt_cdeg": 17_000, "swing_mg": 0})
    more = bytes((wire.NAMED["FLIP"].number, len(flip))) + flip
    ear.hear(stopper.says("HELLO"), stopper.lifts(1))
    seen = ear.listening.handle_hub_message(0, stopper.lifts(1, wire.RESENT, more))
    assert [(one.name, one.fields["event"], one.resent) for one in seen] == [("FLIP", 2, False)]
    seen = ear.listening.handle_hub_message(0, stopper.lifts(3, 0, more + more))
    assert [(one.name, one.fields["event"], one.gap) for one in seen] == [("LIFT", 3, 0)]
    acknowledged = [fields.event for _, fields in stopper.hears(ear.sent)]
    assert acknowledged == [1, 1, 2, 3, 2, 2]
    for bad in (b"\2", more[:-1], b"\x40" + more[1:], b"\3\1\0", b"\2\2\0\0"):
        acknowledged.append(max(acknowledged) + 1)
        seen = ear.listening.handle_hub_message(0, stopper.lifts(acknowledged[-1], 0, bad))
        assert [one.name for one in seen] == ["LIFT"]


def test_a_second_try_that_is_heard_first_says_so() -> None:
    ear, stopper = Ear(), Stopper()
    (seen,) = ear.listening.handle_hub_message(0, stopper.lifts(1, wire.RESENT))
    assert seen.resent


def test_nothing_is_acknowledged_before_it_is_known_what_the_stopper_has_heard() -> None:
    ear, stopper = Ear(), Stopper()
    assert ear.hear(stopper.lifts(1)) == ["LIFT"]
    assert ear.sent == []
    ear.hear(stopper.says("HEARTBEAT"), stopper.lifts(1, wire.RESENT))
    assert [name for name, _ in stopper.hears(ear.sent)] == ["HELLO_REQUEST", "ACK"]


def test_a_new_boot_is_acknowledged_in_its_own_name() -> None:
    ear, old, new = Ear(), Stopper(boot=4), Stopper(boot=5)
    ear.hear(old.says("HELLO"), old.lifts(1), new.says("HELLO"))
    assert ear.hear(new.lifts(1)) == ["LIFT"]  # its first event, though the number is the same
    assert seqs(ear.sent) == [(4, 1), (5, 1)]
    assert [name for name, _ in new.hears(ear.sent)] == ["ACK"]


def test_after_a_boot_that_was_not_announced_the_old_seal_is_worth_nothing() -> None:
    ear, old, new = Ear(), Stopper(boot=4), Stopper(boot=5)
    ear.hear(old.says("HELLO"), old.lifts(1))
    assert ear.hear(new.lifts(1)) == ["LIFT"]
    assert seqs(ear.sent) == [(4, 1)]
    assert ear.hear(old.lifts(2)) == []  # the boot before is over


def test_commands_go_on_from_what_the_stopper_has_heard() -> None:
    ear, stopper = Ear(), Stopper()
    ear.hear(stopper.says("HELLO", commands_heard=41), stopper.lifts(1))
    assert seqs(ear.sent) == [(1, 42)]
    assert ear.listening.send(0, NODE, "BLINK", blink_ms=500)
    assert not ear.listening.send(0, OTHER, "BLINK", blink_ms=500)  # was never heard


def test_what_is_missing_is_counted_just_before_what_comes() -> None:
    ear, stopper = Ear(), Stopper()
    first, lost, again, third = (
        stopper.lifts(1),
        stopper.lifts(1),
        stopper.lifts(1),
        stopper.lifts(2),
    )
    seen = [ear.listening.handle_hub_message(0, one) for one in (first, again, third)]
    assert [[one.gap for one in of] for of in seen] == [[0], [], [1]]
    assert not ear.listening.handle_hub_message(0, lost)  # known already


def test_of_a_boot_heard_late_all_before_is_missing() -> None:
    ear, stopper = Ear(), Stopper()
    for event in range(1, 6):
        stopper.lifts(event)
    (seen,) = ear.listening.handle_hub_message(0, stopper.lifts(6))
    assert seen.gap == 5


def test_strangers_and_forgers_are_not_heard() -> None:
    ear = Ear()
    stranger = Stopper(node=bytes(6))
    forger = Stopper(key=bytes(16))
    echo = wire.Seal(KEY, NODE, 1).packet("ACK", 0, event=1)
    assert ear.hear(stranger.lifts(1), forger.lifts(1), relayed(echo)) == []
    assert ear.listening.strangers == 1
    assert ear.listening.losses == {"forged": 1, "wrong_way": 1}


def test_a_stopper_of_another_version_is_refused_by_name() -> None:
    ear, stopper = Ear(), Stopper()
    packet = bytearray(stopper.lifts(1).fields.packet)
    packet[0] = wire.VERSION + 1
    assert ear.hear(relayed(bytes(packet))) == []
    assert ear.refused == [(0, NODE, True)]
    assert ear.hear(Stopper(node=OTHER).lifts(1)) == ["LIFT"]  # the others play on


def test_what_is_played_to_it_again_is_not_heard_even_after_a_restart() -> None:
    ear, stopper = Ear(), Stopper()
    evening = [stopper.says("HELLO"), *(stopper.lifts(event) for event in range(1, 5))]
    ear.hear(*evening)
    kept = ear.listening.newest
    assert kept == {NODE: (1, 5)}
    assert ear.hear(*evening) == []
    ear.begin(last=kept)
    assert ear.hear(*evening) == []
    assert ear.hear(stopper.lifts(5)) == ["LIFT"]
    assert ear.hear(Stopper(boot=2).says("HELLO")) == ["HELLO"]


def test_no_recording_of_a_former_boot_proves_that_it_speaks_now() -> None:
    ear, old, new = Ear(), Stopper(boot=4), Stopper(boot=5)
    recorded = [old.says("HELLO"), *(old.says("HEARTBEAT", commands_heard=at) for at in range(99))]
    ear.hear(*recorded, new.says("HELLO"))
    kept = ear.listening.newest
    for _ in range(3):
        assert ear.hear(*recorded) == []
    assert ear.listening.newest == kept
    asked = seqs(ear.sent)  # in the name of that boot, with a number that no recording bears
    assert len(asked) == 1
    assert asked[0][0] == 4
    assert asked[0][1] > 99
    assert new.hears(ear.sent) == []


def test_whoever_lives_in_a_boot_that_seems_to_be_over_is_asked_and_believed() -> None:
    ear, live, thief = Ear(), Stopper(boot=4), Stopper(boot=9)
    said = live.says("HELLO"), thief.says("HELLO"), live.says("HEARTBEAT")
    boots = [[one.boot for one in ear.listening.handle_hub_message(0, each)] for each in said]
    assert boots == [[4], [9], []]
    assert [name for name, _ in live.hears(ear.sent)] == ["HELLO_REQUEST"]
    answer = live.says("HELLO")
    (seen,) = ear.listening.handle_hub_message(1, answer)
    assert seen.boot == 10  # for all who listen it is a new one
    assert ear.hear(answer) == []  # once
    assert ear.hear(live.lifts(1)) == ["LIFT"]
    assert ear.listening.newest[NODE][0] == 4
    assert ear.hear(thief.lifts(1)) == ["LIFT"]  # who has the key can still do that


def test_a_stopper_is_not_asked_more_than_every_ten_seconds() -> None:
    ear, live, thief = Ear(), Stopper(boot=4), Stopper(boot=9)
    ear.hear(thief.says("HELLO"))
    for at_s in range(31):
        ear.listening.handle_hub_message(1_000_000 * at_s, live.says("HEARTBEAT"))
    assert len(ear.sent) == 4


def test_what_cannot_be_is_not_heard_and_told_once_a_second() -> None:
    ear, stopper = Ear(), Stopper()
    for at_s in range(3):
        for _ in range(5):
            said = stopper.says("HELLO", commands_heard=0xFFFFFFFF)
            assert ear.listening.handle_hub_message(1_000_000 * at_s, said) == []
    assert ear.refused == [(at_us, NODE, False) for at_us in (0, 1_000_000, 2_000_000)]
    assert not ear.listening.send(0, NODE, "BLINK", blink_ms=1)  # in whose name is not known
    assert ear.hear(stopper.lifts(1)) == ["LIFT"]


def test_commands_go_on_from_the_greatest_number_that_was_heard() -> None:
    """Who has the key may say a smaller one first, and all that is sent would look old."""
    ear, stopper = Ear(), Stopper()
    ear.hear(stopper.says("HEARTBEAT", commands_heard=3))
    ear.hear(stopper.says("HEARTBEAT", commands_heard=500), stopper.lifts(1))
    assert seqs(ear.sent)[-1] == (1, 501)


def test_after_a_restart_it_acknowledges_as_soon_as_it_may() -> None:
    ear, stopper = Ear(), Stopper()
    ear.hear(stopper.says("HELLO"), stopper.lifts(1))
    heard = len(stopper.hears(ear.sent))
    ear.begin(last=ear.listening.newest)
    ear.hear(stopper.says("HEARTBEAT"), stopper.lifts(2))
    asked, acknowledged = stopper.hears(ear.sent[heard:])
    assert asked[0] == "HELLO_REQUEST"  # perhaps it was flashed again meanwhile
    assert acknowledged[1].event == 2


@given(st.lists(st.integers(0, 29), max_size=80))
def test_however_packets_come_each_event_is_heard_at_most_once(order: list[int]) -> None:
    ear, stopper = Ear(), Stopper()
    packets = [
        stopper.lifts(1 + number // 3, wire.RESENT * (number % 3 > 0)) for number in range(30)
    ]
    seen = [one for number in order for one in ear.listening.handle_hub_message(0, packets[number])]
    events = [one.fields["event"] for one in seen]
    assert len(set(events)) == len(events)
    newest = ear.listening.newest.get(NODE, (1, 0))[1]
    missed = sum(one.gap for one in seen)
    assert missed <= newest
