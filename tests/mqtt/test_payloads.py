"""What is said comes back as it was, and nothing else is taken."""

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.mqtt import payloads, signing, topics
from companion.mqtt.payloads import (
    KINDS,
    MOST_BYTES,
    CommandAnswer,
    Events,
    FoulSaid,
    HallCommand,
    HallProposal,
    Have,
    JournalLine,
    Online,
    Points,
    ProposalState,
    Seated,
    TableState,
    TroubleSaid,
)
from companion.mqtt.signing import FRESH_MS, REMEMBERED, RefusalReason, refusal_error, signed
from companion.mqtt.topics import TopicKind
from companion.system.errors import Unreadable

FOUL = FoulSaid(1, "peek", "foul", "red", 80, False, 2, 1_300, 3, None)
STATE = TableState(
    *(1_795_000_000_000, 0, True, 17, "5f0c", "nim", True, False, {"seats": ["red"]}, None),
    view={"turns": ["red"], "order": [["red", [0, 1]]]},
    phase="place",
    round=2,
    turns=("red", "table"),
    seats=("red", "blue"),
    scores=(Points("red", 3),),
    fouls=(FOUL,),
    troubles=(TroubleSaid("HubState.LOST", {"port": "/dev/ttyACM0", "tries": 3}),),
    proposal=ProposalState("r1", "open"),
)
DEED = JournalLine(
    3, 1_795_000_000_000, "did", {"action": '{"do": "roll", "number": 7}'}, None, False
)
PROPOSE = HallProposal("nim", {"seats": ["red", "blue"]}, (Seated("red", "Ada"),))
COMMAND = HallCommand("r1", "attic", "Ada", 1_000_000, PROPOSE, "5f0c", 17)
SAID: list[Any] = [
    *(Online(True, "1.0"), STATE, Events("5f0c", 3, (DEED,), "h1"), Have("h1", "5f0c", 4, 7)),
    *(Have("h1", None), COMMAND, CommandAnswer("r1", 17, 5, "LATE", {})),
]
KEY = signing.signing_key("a secret")
WISHES_MORE = payloads.write(COMMAND).replace(b'"wish":{', b'"wish":{"extra":1,')


@pytest.mark.parametrize("said", SAID, ids=lambda one: type(one).__name__)
def test_what_is_said_comes_back(said: Any) -> None:
    assert payloads.read(type(said), payloads.write(said)) == said


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Online, b'{"online": 1}'),
        (HallCommand, b'{"request": "r1", "extra": 1}'),
        (HallCommand, WISHES_MORE),
        (Online, b"{}"),
        (Online, b"[true]"),
        (Online, b'{"online": true, "online": false}'),
        (Online, b"true" + 2_000 * b" "),
        (Online, b'{"online": true, "program": "' + 300 * b"1" + b'"}'),
        (Have, b'{"hall": "h", "match": null, "next": NaN}'),
        (Have, b'{"hall": "h", "match": null, "next": 1.0}'),
        (Have, b'{"hall": "h", "match": null, "next": 99999999999999999}'),
        (Events, b'{"match": "a", "from": 0, "deeds": {}, "hall": "h"}'),
        (Events, b'{"match": "a", "from": 0, "deeds": [1], "hall": "h"}'),
        (CommandAnswer, b'{"request": ' + 2000 * b"[" + b"}"),
        (CommandAnswer, b"\xff\xfe"),
    ],
)
def test_what_is_not_right_is_refused(kind: type[Any], data: bytes) -> None:
    with pytest.raises(Unreadable):
        payloads.read(kind, data)


def test_what_is_not_known_is_left_unread() -> None:
    assert payloads.read(Online, b'{"online": true, "extra": 1}') == Online(online=True)
    told = payloads.write(Events("5f0c", 3, (DEED,), "h1")).replace(b'"kind"', b'"extra":{},"kind"')
    assert payloads.read(Events, told).deeds == (DEED,)
    assert b"protocol" not in payloads.write(Have("h1", None))  # which an older table takes
    assert payloads.read(Have, payloads.write(Have("h1", None, protocol="1.1"))).protocol == "1.1"


@given(some.binary(max_size=200), some.sampled_from(list(KINDS)))
def test_no_bytes_do_more_than_be_refused(data: bytes, kind: type[Any]) -> None:
    with pytest.raises(Unreadable):
        payloads.read(kind, data)


ODD: list[Any] = [None, True, 0, -1, 2**53, 1.5, "", "red", [], ["red"], [1], {}, {"a": []}, [[]]]


@given(some.sampled_from(SAID), some.data())
def test_a_changed_part_is_refused_or_read_as_it_says(said: Any, data: some.DataObject) -> None:
    found = json.loads(payloads.write(said))
    found[data.draw(some.sampled_from(list(found)))] = data.draw(some.sampled_from(ODD))
    try:
        back = payloads.read(type(said), json.dumps(found).encode())
    except Unreadable:
        return
    assert json.loads(payloads.write(back)) == found


def test_a_kind_has_a_payload_and_a_size() -> None:
    assert set(KINDS.values()) == set(MOST_BYTES) == set(TopicKind)


@pytest.mark.parametrize(
    "text",
    [
        *("rappelwacht/1/attic", "rappelwacht/1/attic/state/more", "rappelwacht/2/attic/state"),
        *("rappelwacht/1/+/state", "rappelwacht/1/Attic/state", "x/rappelwacht/1/attic/state", ""),
        f"rappelwacht/1/{33 * 'a'}/state",
    ],
)
def test_a_topic_that_is_none_of_ours(text: str) -> None:
    assert topics.read(text) is None


# --- signatures -----------------------------------------------------------------------------------


def refused(command: HallCommand, now_ms: int = 1_000_100, **of: Any) -> RefusalReason | None:
    asked: dict[str, Any] = {"table": "attic", "key": KEY, "began_ms": 0} | of
    return signing.CommandVerifier(**asked).refuses(command, now_ms)


def test_only_what_is_fresh_and_from_whoever_has_the_key_is_let_in() -> None:
    good = signed(COMMAND, KEY)
    assert refused(good) is None
    assert refused(COMMAND) is RefusalReason.FORGED
    assert refused(signed(COMMAND, signing.signing_key("another"))) is RefusalReason.FORGED
    assert refused(good, table="cellar") is RefusalReason.FOREIGN
    assert refused(good, COMMAND.at_ms + FRESH_MS + 1) is RefusalReason.LATE
    assert refused(good, COMMAND.at_ms - FRESH_MS - 1) is RefusalReason.LATE
    assert refused(good, began_ms=COMMAND.at_ms + 1) is RefusalReason.LATE


@pytest.mark.parametrize("part", ["request", "table", "by", "at_ms", "wish", "match", "version"])
def test_every_part_is_signed(part: str) -> None:
    other: dict[str, Any] = {"at_ms": 1_000_001, "version": 3, "wish": HallProposal("nim", {})}
    values = {one.name: getattr(signed(COMMAND, KEY), one.name) for one in fields(COMMAND)}
    changed = HallCommand(**{**values, part: other.get(part, "other")})
    assert refused(changed, table=changed.table) is RefusalReason.FORGED


def test_no_command_is_let_in_twice_however_many_come() -> None:
    keeper = signing.CommandVerifier("attic", KEY, 0)
    good = signed(COMMAND, KEY)
    assert keeper.refuses(good, COMMAND.at_ms) is None
    for number in range(REMEMBERED + 10):
        other = signed(HallCommand(f"x{number}", "attic", "Ada", COMMAND.at_ms, PROPOSE), KEY)
        found = keeper.refuses(other, COMMAND.at_ms)
        assert found is (None if number < REMEMBERED - 1 else RefusalReason.TOO_MANY)
    assert keeper.refuses(good, COMMAND.at_ms + FRESH_MS) is RefusalReason.REPEATED
    assert keeper.refuses(good, COMMAND.at_ms + FRESH_MS + 1) is not None


def test_the_broker_never_hears_the_key_of_commands() -> None:
    assert signing.password("a secret") not in KEY.hex()
    assert KEY.hex() not in signing.password("a secret")


def test_a_refusal_travels_as_a_code_and_is_read_as_a_sentence() -> None:
    assert str(refusal_error("LATE", None)) == signing.RefusalReason.LATE.value
    assert str(refusal_error("NO_SUCH_MATCH", {"why": "It lacks seats."})).startswith(
        "It lacks seats."
    )
    assert refusal_error(None, None) is None
    for code, values in [
        *(("NO_SUCH_MATCH", None), ("NO_SUCH_MATCH", {"how": "so"}), ("{x}", {})),
        *(("__class__", {"a": 1}), ("UNREADABLE", {"template": "{x}", "self": 1})),
    ]:
        assert str(refusal_error(code, values)) == RefusalReason.UNREADABLE.value
