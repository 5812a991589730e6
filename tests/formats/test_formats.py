"""Whatever today's files and programs say is read, and written to the same bytes.

Each file in golden/ was written by the program; `--rewrite-golden` writes them again, which is
right only where a format was meant to grow: then read the diff.
"""

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from enum import Enum
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, Final

import pytest

import companion
from companion.core.codec import pack
from companion.core.game import Action, verb
from companion.core.log import load
from companion.core.plugin import GAMES, PLUGINS
from companion.journal import export
from companion.mqtt import asyncapi, payloads
from companion.mqtt.client import Broker
from companion.present import api_snapshot
from companion.present.command_json import WISHES, command_request, to_json
from companion.present.mqtt_state import snapshot_from_state, state_of
from companion.referee import events
from companion.referee.commands import Call, DoAction, NewMatch, Rule, Undo
from companion.system.codec import parts
from companion.system.format_names import FORMAT_NAMES, format_name_of
from companion.system.status import Status
from companion.web import openapi
from tests.table.mqtt.telling import Telling
from tests.web.playing import peek
from tests.web.room import FakeRoom, client

GOLDEN: Final = Path(__file__).parent / "golden"
STEPS: Final = 40  # actions of a match; some of these matches end before
for module in walk_packages(companion.__path__, "companion."):  # so that all classes are known
    if module.name != "companion.__main__":
        import_module(module.name)


def compare(name: str, text: str, *, rewrite: bool) -> str:
    """Hold a text against the golden file of this name, and return what the file says."""
    file = GOLDEN / name
    if rewrite:
        file.write_text(text, "utf-8")
    golden = file.read_text("utf-8")
    assert text.splitlines() == golden.splitlines(), (
        f"{name} differs. If the format was meant to grow, run"
        " ./run test tests/formats --rewrite-golden, and read the difference."
    )
    return golden


def tidy(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def ours(family: type[Any]) -> list[type[Any]]:
    """Return all kinds of a family that the companion itself declares."""
    below = [kind for child in family.__subclasses__() for kind in (child, *ours(child))]
    return [kind for kind in dict.fromkeys(below) if kind.__module__.startswith("companion.")]


def field_names(kind: type[Any]) -> list[str]:
    return [part.name for part in parts(kind)]


def test_every_name_in_a_format_is_as_it_was(rewrite_golden: bool) -> None:
    names = {
        "journal": {kind: field_names(event) for kind, event in events.MATCH_EVENTS.items()},
        "actions": {
            name: {verb(kind): field_names(kind) for kind in (*game.actions, *game.rulings)}
            for name, game in GAMES.items()
        },
        "settings": {name: field_names(game.settings_type) for name, game in GAMES.items()},
        "wishes": {name: [one.name for one in fields(kind)] for name, kind in WISHES.items()},
        "codes": {
            format_name_of(kind): [member.name for member in kind]
            for kind in sorted(ours(Status), key=format_name_of)
        },
        "contexts": sorted(
            f"{format_name_of(kind)}.{member.name}"
            for kind in ours(Enum)
            for member in kind
            if hasattr(member, "said")
        ),
        "api": {
            name: sorted(schema.get("properties", ()))
            for name, schema in openapi.document()["components"]["schemas"].items()
        },
        "mqtt": {
            name: sorted(schema["properties"])
            for name, schema in asyncapi.document()["components"]["schemas"].items()
        },
    }
    compare("names.json", tidy(names), rewrite=rewrite_golden)


@pytest.mark.parametrize("family", [Action, events.MatchEvent, Status])
def test_every_kind_states_its_name_beside_it(family: type[Any]) -> None:
    stated = {(kind.__module__, kind.__name__) for kind in FORMAT_NAMES}  # slots make classes anew
    silent = {(kind.__module__, kind.__name__) for kind in ours(family)} - stated
    assert {name for _, name in silent} <= {"AILING", "Ruling"}  # made of others; no action


def test_every_wish_states_its_name_beside_it() -> None:
    assert {FORMAT_NAMES[kind] for kind in WISHES.values()} == {*WISHES}


def played(game: str) -> Iterator[tuple[str, object]]:
    """Play a match, and yield now and then what leaves the table, and what is kept at the end."""
    room = FakeRoom()
    table = Telling(Broker("127.0.0.1", 1), room=room).begins(game)
    phone = client(room, "table")
    for done in range(STEPS):
        if done in {0, 7, 23}:
            yield f"snapshot after {done}", phone.get("/api/snapshot").get_json()
            yield f"state after {done}", json.loads(payloads.write(state_of(room.now, at_ms=7)))
        table.plays(1)
        if done == 3:
            room.tell(peek())
            room.wish(Call("snatched", "blue"))
            yield "snapshot with fouls", phone.get("/api/snapshot").get_json()
            room.wish(Rule(1, upheld=False))
            room.wish(Rule(2, upheld=True))
        if done == 5:
            room.wish(Undo())
    table.hall.close()
    (match,) = room.papers
    entries = room.papers[match]
    yield "export", [json.loads(line) for line in export.export_lines(entries)]
    yield (
        "open",
        [json.loads(line) for line in export.export_lines(api_snapshot.open_entries(entries))],
    )
    assert room.referee.match is not None
    log = room.referee.match.log
    again, fault = load(log.dump(), GAMES)
    assert (again.dump(), fault) == (log.dump(), None)
    yield "saved", [json.loads(line) for line in log.dump().splitlines()]
    yield "steps", phone.get(f"/api/matches/{match}").get_json()


@pytest.mark.parametrize("game", PLUGINS)
def test_a_match_is_written_as_ever(game: str, rewrite_golden: bool) -> None:
    text = "".join(f"# {what}\n{json.dumps(said)}\n" for what, said in played(game))
    compare(f"{game}.txt", text, rewrite=rewrite_golden)


def test_a_reminder_is_written_as_ever(rewrite_golden: bool) -> None:
    room = FakeRoom()
    settings = GAMES["zapp-zerapp"].settings_type()
    room.wish(NewMatch("zapp-zerapp", pack(settings), events.USUAL_HOUSE))
    room.wish(DoAction("roll 7"))
    room.tell(replace(peek(), seat=None, listening=True))
    (entries,) = room.papers.values()
    lines = [
        client(room, "table").get("/api/snapshot").text.strip(),
        payloads.write(state_of(room.now, at_ms=7)).decode(),
        *map(str.strip, export.export_lines(entries)),
    ]
    compare("reminder.txt", "".join(f"{line}\n" for line in lines), rewrite=rewrite_golden)


def test_wishes_and_states_from_before_there_were_reminders_are_read_without() -> None:
    house = {"cost": "sit_out", "roller": "people", "bots": [], "coached": False}
    old = {"kind": "new-match", "game": "via-magica", "settings": {}, "house": house}
    wish = command_request({"request": "r", "match": "m", "wish": old}).wish
    assert isinstance(wish, NewMatch)
    assert wish.house == events.HouseRules(events.FoulCost.SIT_OUT)
    room = FakeRoom("red", "blue")
    said = json.loads(payloads.write(state_of(room.now, at_ms=7)))
    assert said["house"].pop("reminder") is True
    earlier = payloads.read(payloads.TableState, json.dumps(said).encode())
    assert snapshot_from_state(earlier).house == events.HouseRules()


def test_every_wish_is_read_and_written_again(rewrite_golden: bool) -> None:
    written = [tidy_wish(kind) for kind in WISHES.values()]
    text = compare("wishes.txt", "".join(written), rewrite=rewrite_golden)
    for line in text.splitlines():
        wish = command_request({"request": "r", "match": "m", "wish": json.loads(line)}).wish
        assert json.dumps(to_json(wish)) == line


SAMPLES: Final[dict[str, Any]] = {
    "text": "flip",
    "seat": "red",
    "request": "abc",
    "code": "peek",
    "game": "via-magica",
    "settings": {"seats": ["red", "blue"]},
    "house": events.HouseRules(),
    "upheld": True,
    "stoppers": (1, 2),
    "counted": True,
    "colour": "red",
}


def tidy_wish(kind: type[Any]) -> str:
    values = {one.name: SAMPLES.get(one.name, 3) for one in fields(kind)}
    return json.dumps(to_json(kind(**values))) + "\n"
