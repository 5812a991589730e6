"""Ratings over tournaments: off unless wanted, by results alone, and of those alone who wish it."""

import json
import time
from itertools import permutations
from random import Random

import pytest

from companion.hall import ratings
from companion.hall.accounts import Visitor
from companion.hall.ratings import Ratings
from companion.hall.server_app import HallServer
from companion.hall.tournament.events import (
    Begun,
    Chosen,
    Left,
    Mode,
    ResultCorrected,
    ResultEntered,
    TableAdded,
)
from companion.hall.tournament.standings import NEW, Rating, rated
from companion.hall.tournament_page import live
from companion.hall.tournament_parts import absent, come_again, known_as
from companion.present.viewer import Viewer
from companion.referee.people.person import Animal
from companion.system.errors import CompanionError
from tests.hall.test_crowds import JSON, cookie
from tests.hall.test_server_app import asked
from tests.hall.test_server_app import hall as hall  # noqa: PLC0414 - a fixture

GAME = "zapp-zerapp"


def begins(hall: HallServer, *names: str, mode: Mode = Mode.CASUAL) -> list[str]:
    """Begin a tournament of a table with people; return who they are."""
    people = [hall.tournament.check_in(name) for name in names]
    if not hall.tournament.now.tables:
        hall.tournament.do(TableAdded("1"))
    hall.tournament.do(Chosen(GAME, mode, 2, 4, 4))
    return people


def plays(hall: HallServer, *order: str, game: str = GAME) -> int:
    """Play a match in which people came in in this order; return its number."""
    hall.tournament.do(Chosen(game, Mode.CASUAL, 2, 4, 4))
    hall.tournament.propose()
    match = hall.tournament.do(Begun()).running[-1]
    assert sorted(match.players) == sorted(order)
    hall.tournament.do(ResultEntered(match.id, tuple((one,) for one in order)))
    return match.id


def directs(hall: HallServer, **wish: object) -> tuple[int, str]:
    phone = f"rappelwacht-hall={hall.accounts.sign_in('director')}"
    answer, told = asked(
        hall, "POST", "/api/director", json.dumps(wish), Content_Type=JSON, Cookie=phone
    )
    return answer.status, told


def of(hall: HallServer, person: str) -> Rating:
    return hall.ratings.of(hall.tournament.now, GAME).get(person, NEW)


# --- what results say ---------------------------------------------------------------------------


def test_whoever_wins_rises_and_every_match_makes_it_surer() -> None:
    after = rated([(("a",), ("b",), ("c",))])
    assert after["a"].points > after["b"].points > after["c"].points
    assert all(one.off < NEW.off and one.matches == 1 for one in after.values())
    assert after["b"].points == pytest.approx(NEW.points, abs=60)
    equal = rated([(("a", "b"), ("c",))])
    assert equal["a"] == equal["b"]
    assert rated([(("a",),)]) == {}


def test_beating_the_strong_brings_more_than_beating_the_weak() -> None:
    strong, weak = Rating(1400, 100), Rating(600, 100)
    over_strong = rated([(("me",), ("one",))], {"one": strong})["me"]
    over_weak = rated([(("me",), ("one",))], {"one": weak})["me"]
    assert over_strong.points > over_weak.points > NEW.points


def test_ratings_find_the_order_of_strength() -> None:
    chance, people = Random(3), "abcdef"
    results = []
    for _ in range(300):
        table = chance.sample(people, 4)
        table.sort(key=lambda one: people.index(one) + chance.gauss(0, 2))
        results.append(tuple((one,) for one in table))
    found = rated(results)
    assert sorted(people, key=lambda one: -found[one].mean) == [*people]
    assert all(one.off < 250 for one in found.values())
    assert rated(results[150:], rated(results[:150])) == found  # it is a replica


def test_two_thousand_results_are_counted_while_somebody_waits() -> None:
    tables = [*permutations("abcdef", 4)]
    began_s = time.process_time()
    rated([tuple((one,) for one in tables[at % len(tables)]) for at in range(2_000)])
    assert time.process_time() - began_s < 4


# --- tournaments --------------------------------------------------------------------------------


def test_without_being_wanted_nothing_outlives_an_tournament(hall: HallServer) -> None:
    ada, bo = begins(hall, "Ada", "Bo")
    plays(hall, ada, bo)
    assert b"Rating" not in live(hall, Visitor(Viewer(), ada)).encode()
    assert hall.ratings.strength(hall.tournament.now) is None
    assert directs(hall, do="begin-anew")[0] == 200
    assert hall.store.read("SELECT * FROM earlier_results") == []
    phone = f"rappelwacht-hall={hall.accounts.sign_in(ada)}"
    for path in ("known", "again"):
        refused = asked(hall, "POST", f"/api/evening/{path}", "{}", Content_Type=JSON, Cookie=phone)
        assert refused[0].status in {403, 409}


def test_results_count_from_tournament_to_tournament_as_they_were_last_corrected(
    hall: HallServer,
) -> None:
    hall.ratings.switch(on=True)
    ada, bo, cy = begins(hall, "Ada", "Bo", "Cy")
    first = plays(hall, cy, bo, ada)
    plays(hall, ada, bo, cy)
    hall.tournament.do(ResultCorrected(first, ((ada,), (bo,), (cy,))))
    right = rated([((ada,), (bo,), (cy,))] * 2)
    assert of(hall, ada) == right[ada]
    plays(hall, cy, ada, bo, game="via-magica")
    assert of(hall, ada) == right[ada]  # each game has its own
    for one in (ada, bo):
        hall.ratings.know(known_as(hall, one))
    assert directs(hall, do="begin-anew")[0] == 200
    assert of(hall, ada) == right[ada]
    assert [one.name for one in absent(hall)] == ["Ada", "Bo"]
    come_again(hall, ada)
    assert hall.tournament.now.guests[ada].name == "Ada"
    (new,) = begins(hall, "Eve")
    plays(hall, new, ada)
    assert of(hall, ada) == rated([((new,), (ada,))], right)[ada]
    told = live(hall, Visitor(Viewer("de")))
    assert f"{of(hall, ada).points} ± {of(hall, ada).off}" in told
    assert "Bo</bdi>" in told.partition('id="ratings"')[2]
    assert "Eve" not in told.partition('id="ratings"')[2].partition("</details>")[0]
    again = Ratings(hall.store)  # as after a start
    assert again.of(hall.tournament.now, GAME) == hall.ratings.of(hall.tournament.now, GAME)
    assert (again.on, [*again.regulars]) == (True, [bo, ada])


@pytest.mark.parametrize(
    "damaged",
    ["", "[[", "7", "null", '[["a", 7]]', "[[{}]]", '[["a"], ["a"]]', "[[]]", "[" * 9_000],
)
def test_a_damaged_result_does_not_count_and_all_others_do(
    hall: HallServer, damaged: str, caplog: pytest.LogCaptureFixture
) -> None:
    hall.ratings.switch(on=True)
    ada, bo = begins(hall, "Ada", "Bo")
    plays(hall, ada, bo)
    assert directs(hall, do="begin-anew")[0] == 200
    row = "INSERT INTO earlier_results (game, places) VALUES (?, ?)"
    hall.store.write(lambda file: file.execute(row, (GAME, damaged)))
    again = Ratings(hall.store)  # as after a start
    assert again.of(hall.tournament.now, GAME) == rated([((ada,), (bo,))])
    assert "1 results of zapp-zerapp are damaged" in caplog.text


def test_whoever_is_erased_is_nobody_and_all_others_stay_as_they_are(hall: HallServer) -> None:
    hall.ratings.switch(on=True)
    ada, bo = begins(hall, "Ada", "Bo")
    plays(hall, ada, bo)
    for one in (ada, bo):
        hall.ratings.know(known_as(hall, one))
    directs(hall, do="begin-anew")
    before = of(hall, ada)
    phone = f"rappelwacht-hall={hall.accounts.sign_in(bo)}"
    assert ", Bo!" in asked(hall, "GET", "/evening", Cookie=phone)[1]
    erased = asked(hall, "POST", "/api/evening/forget", "{}", Content_Type=JSON, Cookie=phone)
    assert erased[0].status == 200
    assert ", Bo!" not in asked(hall, "GET", "/evening", Cookie=phone)[1]
    assert of(hall, ada) == before
    assert hall.store.read("SELECT name FROM regulars") == [("Ada",)]
    with pytest.raises(CompanionError):
        come_again(hall, bo)
    assert directs(hall, do="forget", person=ada)[0] == 200
    assert absent(hall) == []
    assert directs(hall, do="forget-all")[0] == 200
    assert hall.ratings.of(hall.tournament.now, GAME) == {}


def test_a_phone_is_known_again_by_one_tap_and_no_more_by_another(hall: HallServer) -> None:
    hall.ratings.switch(on=True)
    said = json.dumps({"name": "Ada", "animal": "owl"})
    came, _ = asked(hall, "POST", "/api/check-in", said, Content_Type=JSON)
    phone = cookie(came.headers["Set-Cookie"])

    def taps(path: str) -> int:
        answer = asked(hall, "POST", f"/api/evening/{path}", "{}", Content_Type=JSON, Cookie=phone)
        return answer[0].status

    assert taps("known") == 200
    assert taps("unknown") == 200
    assert absent(hall) == [] == [*hall.ratings.regulars]
    assert taps("known") == 200
    directs(hall, do="begin-anew")
    hall.tournament.check_in("Ada", Animal.OWL)  # another one
    assert taps("again") == 200
    mine, other = hall.tournament.now.guests.values()
    assert {mine.name, other.name} == {"Ada"}
    assert mine.animal is not other.animal
    assert taps("again") == 409
    directs(hall, do="ratings", on=False)
    directs(hall, do="begin-anew")
    assert taps("leave") == 403  # the phone is nobody's


def test_an_early_end_of_others_is_not_a_victory(hall: HallServer) -> None:
    hall.ratings.switch(on=True)
    ada, bo = begins(hall, "Ada", "Bo")
    hall.tournament.propose()
    hall.tournament.do(Begun())
    hall.tournament.do(Left(bo))
    assert hall.tournament.now.matches[0].result
    assert of(hall, ada) == NEW


def test_the_strong_sit_together_where_nothing_else_decides(hall: HallServer) -> None:
    hall.ratings.switch(on=True)
    a, b, c, d = begins(hall, "A", "B", "C", "D")
    for one in (a, b, c, d):
        hall.ratings.know(known_as(hall, one))
    for _ in range(6):
        plays(hall, a, c, b, d)
    directs(hall, do="begin-anew")
    for one in (a, b, c, d):
        come_again(hall, one)
    hall.tournament.do(TableAdded("2"))
    for mode, pairs in ((Mode.CASUAL, {(a, c), (b, d)}), (Mode.KNOCK_OUT, {(a, d), (b, c)})):
        hall.tournament.do(Chosen(GAME, mode, 2, 4, 2, 1))
        proposal = hall.tournament.propose().proposal
        assert proposal
        apart = mode is Mode.KNOCK_OUT
        groups = {tuple(sorted(at.players)) for at in proposal.placings}
        assert apart or groups == {tuple(sorted(pair)) for pair in pairs}
        assert not apart or tuple(sorted((a, c))) not in groups


def test_only_so_many_are_known_and_only_so_many_results_count(
    hall: HallServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "REGULARS", 2)
    monkeypatch.setattr(ratings, "RESULTS", 1)
    hall.ratings.switch(on=True)
    ada, bo, cy = begins(hall, "Ada", "Bo", "Cy")
    for one in (ada, bo, ada, cy):
        hall.ratings.know(known_as(hall, one))
    assert [*hall.ratings.regulars] == [ada, cy] == [*Ratings(hall.store).regulars]
    plays(hall, ada, bo, cy)
    plays(hall, cy, bo, ada)
    directs(hall, do="begin-anew")
    assert of(hall, ada) == rated([((cy,), (bo,), (ada,))])[ada]
