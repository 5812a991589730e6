"""Who sits where is kept in one file and erased by one call; no disk ends an evening."""

import errno
import json
import os
from pathlib import Path

import pytest

from companion.referee.people.person import Animal, Seating
from companion.referee.people.store import FILE, NIGHT_S, KeepingPeople, KeptPeople
from companion.system.errors import CompanionError
from companion.system.status import Condition


def names(seating: Seating, language: str = "en") -> dict[str, str]:
    return dict(seating.names(language))


def test_whoever_sits_down_is_called_by_name(tmp_path: Path) -> None:
    people = KeptPeople(tmp_path)
    people.sit("red", "Oma", Animal.FOX)
    people.sit("blue", animal=Animal.OWL)
    assert names(people.now) == {"red": "Oma", "blue": "Owl"}
    assert names(people.now, "de")["blue"] == "Eule"
    assert names(KeptPeople(tmp_path).now) == {"red": "Oma", "blue": "Owl"}


def test_two_of_one_name_are_told_apart_by_their_animals() -> None:
    people = KeptPeople()
    people.sit("red", "Anna", Animal.FOX)
    people.sit("blue", "anna", Animal.OWL)
    assert names(people.now) == {"red": "Anna (Fox)", "blue": "anna (Owl)"}


def test_no_animal_sits_twice_at_a_table() -> None:
    people = KeptPeople()
    people.sit("red", "Oma", Animal.FOX)
    with pytest.raises(CompanionError):
        people.sit("blue", "Opa", Animal.FOX)
    taken = {people.sit(seat, seat).animal for seat in ("green", "blue", "yellow")}
    assert len(taken) == 3
    assert Animal.FOX not in taken


def test_one_person_sits_on_one_seat() -> None:
    people = KeptPeople()
    oma = people.sit("red", "Oma", Animal.FOX, kept=True)
    people.sit("blue", known=oma.id)
    assert names(people.now) == {"blue": "Oma"}


def test_another_name_at_a_seat_is_somebody_else() -> None:
    people = KeptPeople()
    oma = people.sit("red", "Oma", kept=True)
    opa = people.sit("red", "Opa", kept=True)
    assert oma.id != opa.id
    assert {one.name for one in people.known} == {"Oma", "Opa"}
    assert people.sit("red", "Grandpa", known=opa.id).id == opa.id


def test_somebody_who_is_erased_meanwhile_does_not_come_back() -> None:
    people = KeptPeople()
    oma = people.sit("red", "Oma", kept=True)
    people.forget(oma.id)
    with pytest.raises(CompanionError):
        people.sit("red", known=oma.id)


def test_the_match_that_is_played_is_theirs_who_sit_there() -> None:
    people = KeptPeople()
    people.sit("red", "Oma", Animal.FOX, kept=True)
    people.playing("m1", ("red", "blue"), over=False)
    people.sit("blue", "Opa", Animal.OWL, kept=True)
    people.playing("m1", ("red", "blue"), over=True)
    people.sit("red", "Lea", Animal.CAT)
    assert names(people.in_match("m1")) == {"red": "Oma", "blue": "Opa"}
    people.playing("m2", ("red", "blue"), over=False)
    assert names(people.in_match("m2")) == {"red": "Lea", "blue": "Opa"}
    assert names(people.in_match("m0")) == {}


def test_erased_everywhere(tmp_path: Path) -> None:
    people = KeptPeople(tmp_path)
    oma = people.sit("red", "Oma", Animal.FOX, kept=True)
    people.sit("blue", "Opa", Animal.OWL, kept=True)
    people.playing("m1", ("red", "blue"), over=False)
    people.forget(oma.id)
    assert names(people.in_match("m1")) == {"blue": "Opa"}
    assert b"Oma" not in (tmp_path / FILE).read_bytes()
    assert oma.id.encode() not in (tmp_path / FILE).read_bytes()
    people.forget_all()
    assert not (tmp_path / FILE).exists()
    assert names(people.in_match("m1")) == {}


def test_whoever_is_not_to_be_kept_is_forgotten_once_up(tmp_path: Path) -> None:
    people = KeptPeople(tmp_path)
    people.sit("red", "Oma", Animal.FOX)
    people.playing("m1", ("red", "blue"), over=False)
    people.leave("red")
    assert names(people.in_match("m1")) == {}
    assert not (tmp_path / FILE).exists()


def test_after_a_night_nobody_sits_and_only_the_kept_are_known(tmp_path: Path) -> None:
    evening = KeptPeople(tmp_path, clock_s=lambda: 1e9)
    evening.sit("red", "Oma", Animal.FOX, kept=True)
    evening.sit("blue", "Opa", Animal.OWL)
    soon = KeptPeople(tmp_path, clock_s=lambda: 1e9 + 60)
    assert names(soon.now) == {"red": "Oma", "blue": "Opa"}
    late = KeptPeople(tmp_path, clock_s=lambda: 1e9 + NIGHT_S)
    assert names(late.now) == {}
    assert [one.name for one in late.known] == ["Oma"]
    late.keep()
    assert b"Opa" not in (tmp_path / FILE).read_bytes()


@pytest.mark.parametrize(
    "broken", [b"{", b'{"at_s": 1, "people": [{"id": "1"}], "seats": {}, "matches": {}}']
)
def test_a_broken_file_is_told_of_and_play_goes_on(tmp_path: Path, broken: bytes) -> None:
    (tmp_path / FILE).write_bytes(broken)
    told: list[Condition] = []
    people = KeptPeople(tmp_path, told.append)
    people.keep()
    assert [event.state for event in told] == [KeepingPeople.UNREADABLE]
    aside = tmp_path / f"{FILE}.damaged-1"
    assert aside.read_bytes() == broken
    assert names(people.now) == {}
    people.sit("red", "Oma")
    assert told[-1].state is KeepingPeople.WRITTEN
    assert names(KeptPeople(tmp_path).now) == {"red": "Oma"}
    people.leave("red")
    assert aside.exists()
    people.forget_all()  # also what may stand in there
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("call", ["open", "replace", "fsync"])
def test_a_disk_that_fails_is_told_of_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    told: list[Condition] = []
    people = KeptPeople(tmp_path, told.append)

    def failing(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(os, call, failing)
        people.sit("red", "Oma")
        assert names(people.now) == {"red": "Oma"}
        assert "Oma" not in str(told[-1])
    people.keep()
    states = [event.state for event in told]
    assert states == [KeepingPeople.UNWRITTEN, KeepingPeople.WRITTEN]
    assert names(KeptPeople(tmp_path).now) == {"red": "Oma"}


def test_where_the_companion_plays_nobody_sits() -> None:
    people = KeptPeople()
    people.sit("red", "Oma", Animal.FOX)
    people.sit("blue", "Opa", Animal.OWL)
    people.playing("m1", ("red", "blue"), over=False, bots=("blue",))
    assert names(people.now) == {"red": "Oma"}
    assert names(people.in_match("m1")) == {"red": "Oma"}
    people.playing("m2", ("red", "blue"), over=False)
    assert names(people.now) == {"red": "Oma", "blue": "Opa"}


# --- who shakes for somebody far away ------------------------------------------------------------


def test_hands_are_kept_for_the_evening_and_no_longer(tmp_path: Path) -> None:
    now = [1_000.0]
    people = KeptPeople(tmp_path, clock_s=lambda: now[0])
    people.lend_hands("blue", "red")
    people.sit("blue", "Oma")
    people.sit("red", "Opa")
    people.lend_hands("yellow", "others")
    again = KeptPeople(tmp_path, clock_s=lambda: now[0]).now
    assert [again.hands_of(seat) for seat in ("blue", "yellow", "red")] == ["red", "others", "red"]
    people.lend_hands("yellow", "yellow")  # whoever plays there is at the table again
    assert people.now.hands == (("blue", "red"),)
    now[0] += NIGHT_S
    assert KeptPeople(tmp_path, clock_s=lambda: now[0]).now.hands == ()


def test_a_file_without_hands_stays_as_it_was(tmp_path: Path) -> None:
    people = KeptPeople(tmp_path)
    people.sit("red", "Oma")
    before = (tmp_path / FILE).read_bytes()
    people.lend_hands("red", "blue")
    assert b"hands" in (tmp_path / FILE).read_bytes()
    people.lend_hands("red", "red")
    assert b"hands" not in before + (tmp_path / FILE).read_bytes()


@pytest.mark.parametrize("hands", [{"blue": "blue"}, {"blue": "cellar"}, {"cellar": "red"}])
def test_hands_that_nobody_can_be_are_passed_over(tmp_path: Path, hands: dict[str, str]) -> None:
    people = KeptPeople(tmp_path)
    people.sit("red", "Oma")
    values = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps({**values, "hands": hands}))
    again = KeptPeople(tmp_path).now
    assert (again.hands, names(again)) == ((), {"red": "Oma"})


def test_what_an_ear_says_counts_for_its_moment_alone() -> None:
    told: list[None] = []
    people = KeptPeople(changed=lambda: told.append(None))
    people.say_by_ear("blue", "keep", ("m0", 1))
    assert people.now.said_by_ear("blue", ("m0", 1)) == "keep"
    assert (
        people.now.said_by_ear("blue", ("m0", 2)) == people.now.said_by_ear("red", ("m0", 1)) == ""
    )
    assert told == [None]
