"""Every recording of a table that was given away plays again, bit for bit, and is judged."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from companion import wire
from companion.cli.main import main
from companion.devices.anonymised_recording import anonymise
from companion.devices.hub_discovery import HubMessage
from companion.devices.recording import Note, replay, replay_all
from companion.devices.stopper_registry import Stopper, simulated_stopper
from companion.maintenance.measurement import MeasuredTable
from companion.sensing.name_word import name_of
from companion.sensing.observations import NameRead, as_note
from companion.sensing.receiver import Receiver
from companion.sensing.settings import BARRELS, Settings
from companion.simulator import boards
from companion.wire import TAG_SIZE
from rappelwacht_research.notes import from_notes
from rappelwacht_research.tune import items, judged

HERE = Path(__file__).parent
FILES = sorted(set(HERE.glob("*.link.gz")) - set(HERE.glob("phone-*")))
ANYBODYS = {one.node: one for one in map(simulated_stopper, range(1, BARRELS + 1))}
NOTES = {  # nothing else stands in one, so that no name nor place can
    "about": {"kind", "licence", "simulated", "saved", "stoppers"},
    "pad": {"kind", "seat", "closed", "at_us"},
    "choosing": {"kind", "seats", "at_us"},
    "chosen": {"kind", "at_us"},
    "settled": {"kind", "seat", "stopper", "at_us"},
    "done": {"kind", "task", "stopper", "seat", "from_us", "to_us", "noticed"},
    "again": {"kind"},
}
OF_EACH = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
OWN = Stopper(bytes.fromhex("240ac4aa0105"), 5, b"our secret 16 by")


def notes(file: Path) -> list[Note]:
    return [one for one in replay_all(file) if isinstance(one, Note)]


def packets(file: Path) -> Iterator[bytes]:
    for one in replay(file):
        if one.said.name == "RELAYED":
            yield one.said.fields.packet


def result(file: Path) -> MeasuredTable:
    found = judged(items(file, ANYBODYS), ANYBODYS, Settings())
    assert found is not None
    return found


def test_there_are_some() -> None:
    assert FILES


@OF_EACH
def test_what_is_in_it_is_what_the_format_says_and_nothing_else(file: Path) -> None:
    found = [one.what for one in notes(file)]
    assert all(set(one) == NOTES[one["kind"]] for one in found)
    (about,) = (one for one in found if one["kind"] == "about")
    assert about["licence"] == "CC0-1.0"
    assert {bytes.fromhex(node) for node in about["stoppers"]} <= set(ANYBODYS)
    assert file.stat().st_size < 400_000
    assert file.name in (HERE / "README.md").read_text("utf-8")


@OF_EACH
def test_it_plays_bit_for_bit(file: Path, tmp_path: Path) -> None:
    listening = Receiver({node: one.key for node, one in ANYBODYS.items()})
    count = sum(len(listening.handle_hub_message(one.at_us, one.said)) for one in replay(file))
    assert count > 100
    assert listening.strangers == 0
    assert set(listening.losses) <= {"missed", "duplicated", "reordered", "replayed", "stale"}
    assert list(replay_all(file)) == list(replay_all(file))
    (tmp_path / "again").write_bytes(anonymise(file, ANYBODYS.values()))
    assert list(packets(tmp_path / "again")) == list(packets(file))


@OF_EACH
def test_nobody_is_accused_falsely_and_no_barrel_taken_for_another(file: Path) -> None:
    found = result(file)
    assert found == result(file)
    assert found.accused.of > 0
    assert found.accused.hits == 0
    assert found.wrong.hits == 0


def test_with_ideal_sensors_all_that_was_asked_is_noticed() -> None:
    (file,) = (one for one in FILES if one.name.startswith("simulated-kind"))
    found = result(file)
    for share in (found.looks, found.handled):
        assert share.hits == share.of > 0
    assert found.known.of > 0
    assert found.known.hits == 0  # these barrels said no names: who stands where is asked


def test_other_thresholds_are_counted_beside(capsys: pytest.CaptureFixture[str]) -> None:
    file = next(str(one) for one in FILES if one.name.startswith("simulated-kind"))
    assert main(["tune", file, "peeking.foul_ms=2500", "--language", "en"]) == 0
    told = capsys.readouterr().out
    assert "Looks underneath that were noticed: 3 of 3" in told
    assert "→  0 of 3" in told


def test_what_is_given_away_has_no_key_and_no_radio_id_of_the_table(tmp_path: Path) -> None:
    """The same messages, under a table's own ids and keys, come out as they went in."""
    (file,) = (one for one in FILES if one.name.startswith("simulated-kind"))
    public, own = simulated_stopper(5), tmp_path / "own.link"
    lines = ["rappelwacht link 2\n", "0 open - /home/ada/hub\n"]
    about = {"kind": "about", "licence": "CC0-1.0", "stoppers": {OWN.node.hex(): 5}}
    lines.append(f"0 note {json.dumps(about)}\n")
    said = as_note(NameRead("red", name_of(OWN.key), True, True, 1, 0))
    lines.append(f"0 note {json.dumps(said)}\n")
    for one in replay(file):
        if one.said.name == "RELAYED":
            packet = one.said.fields.packet
            if packet[2:8] != public.node:
                continue
            lines.append(f"{one.at_us} in {_as_own(one).hex()}\n")
        else:
            lines.append(f"{one.at_us} in {_hub(one).hex()}\n")
    own.write_text("".join(lines))
    shared = tmp_path / "shared.link.gz"
    shared.write_bytes(anonymise(own, [OWN]))
    (tmp_path / "plain").write_bytes(_unpacked(shared))
    text = (tmp_path / "plain").read_text()
    assert "/home/ada" not in text
    assert OWN.node.hex() in own.read_text()
    assert OWN.node.hex() not in text
    assert " out " not in text
    assert f'"name":{name_of(public.key)},' in text
    assert str(name_of(OWN.key)) not in text.splitlines()[2]
    mine = [packet for packet in packets(file) if packet[2:8] == public.node]
    assert list(packets(shared)) == mine
    shared.write_bytes(anonymise(own, [replace(OWN, key=bytes(16))]))  # as if all were forged
    assert not list(packets(shared))


def test_everybodys_stoppers_are_those_of_simulated_tables() -> None:
    for number in range(1, BARRELS + 1):
        assert (simulated_stopper(number).node, simulated_stopper(number).key) == (
            boards.node(number),
            boards.key(number),
        )


def test_a_step_that_does_not_count_is_left_out() -> None:
    done = {"kind": "done", "task": "look", "stopper": 3, "seat": None, "noticed": True}
    done |= {"from_us": 1, "to_us": 2}
    other = done | {"stopper": 4}
    told: list[dict[str, object]] = [done, {"kind": "again"}, other, {"kind": "done"}]
    (found,) = from_notes(iter(told))
    assert found.step.stopper == 4


def _as_own(heard: HubMessage) -> bytes:
    return _framed(heard, heard.said.fields.packet, OWN)


def _framed(heard: HubMessage, packet: bytes, owner: Stopper) -> bytes:
    sealed = packet[:2] + owner.node + packet[8:-TAG_SIZE]
    tag = sha256(owner.key + sealed).digest()[:TAG_SIZE]
    fields = heard.said.fields._asdict() | {"packet": sealed + tag}
    return wire.say("RELAYED", heard.said.time_us, **fields)


def _hub(heard: HubMessage) -> bytes:
    return wire.say(heard.said.name, heard.said.time_us, **heard.said.fields._asdict())


def _unpacked(file: Path) -> bytes:
    return gzip.decompress(file.read_bytes())
