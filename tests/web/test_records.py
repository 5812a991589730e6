"""How often somebody played and won: only what is true, and nothing once that one is erased."""

from companion.present.history import PastMatch, Result
from companion.referee.people.person import Animal
from companion.referee.people.store import KeptPeople
from companion.system.text import SeatName
from companion.web.people_page import records

RED, BLUE = SeatName.RED, SeatName.BLUE


def past(match: str, result: Result, *winners: SeatName) -> PastMatch:
    return PastMatch(match, 0, result, "zapp-zerapp", (RED, BLUE), winners)


def test_who_played_and_won_wherever_they_sat() -> None:
    people = KeptPeople()
    oma = people.sit("red", "Oma", Animal.FOX, kept=True)
    people.playing("m1", ("red", "blue"), over=False)
    people.playing("m2", ("red", "blue"), over=False)
    people.sit("blue", known=oma.id)
    opa = people.sit("red", "Opa", Animal.OWL)
    people.playing("m3", ("red", "blue"), over=False)
    matches = [
        past("m1", Result.WON, RED),
        past("m2", Result.GIVEN_UP),
        past("m3", Result.WON, BLUE),
        past("m0", Result.WON, RED),  # nobody knows who that was
    ]
    told = {one.person.name: (one.played, one.won) for one in records(matches, people)}
    assert told == {"Oma": (2, 2), "Opa": (1, 0)}
    people.forget(oma.id)
    assert [one.person for one in records(matches, people)] == [opa]
