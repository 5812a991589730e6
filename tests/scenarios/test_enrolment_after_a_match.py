"""After a match, won or given up, a person enrols all thirteen barrels by the pages alone."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.games.zapp_zerapp.rules import Phase
from companion.journal import Entry, ListedMatch
from companion.maintenance.view import MaintenanceSnapshot
from companion.present.simulated_hands import Where
from companion.referee.commands import Answer, Command, GiveUp
from companion.referee.snapshot import Snapshot
from companion.table.inbox import PendingCommand
from tests.scenarios.test_hands_at_the_table import NEARLY_HOME, Seated
from tests.web.room import client, phones

TRIES = 4  # this often a barrel is lifted at most


class Room:
    """The table of an evening in virtual time, for its pages."""

    recorded = False

    def __init__(self, evening: Seated) -> None:
        self._evening = evening

    @property
    def snapshot(self) -> Snapshot:
        return self._evening.table.snapshot

    @property
    def workshop(self) -> MaintenanceSnapshot:
        return self._evening.table.workshop

    def hold(self, *, on: bool) -> bool:
        return self._evening.table.hold(on=on)

    def recording(self) -> bytes | None:
        return None

    def ask(self, command: Command) -> Answer | None:
        asked = PendingCommand(command)
        self._evening.table.turn(asked)
        return asked.answer

    def matches(self) -> Sequence[ListedMatch]:
        return ()

    def entries(self, _: str) -> Sequence[Entry]:
        return ()


class Person:
    """Somebody with a phone at red's seat, who does all by its pages."""

    def __init__(self, evening: Seated) -> None:
        self.evening = evening
        of = phones(Room(evening), hands=evening.body)
        self.phone: FlaskClient = client(of, "red")
        self.requests = 0

    def wishes(self, kind: str, **values: Any) -> None:
        self.requests += 1
        command = {"request": f"w{self.requests}", "wish": {"kind": kind, **values}}
        answer = self.phone.post("/api/commands", json=command)
        assert answer.status_code == 200, answer.text

    def does(self, event: str, barrel: int) -> bool:
        """Have the hands do something, and be ready; return whether they could."""
        answer = self.phone.post("/api/simulated/act", json={"act": event, "barrel": barrel})
        assert answer.status_code in {200, 422}, answer.text
        self.evening.wait(2.5)
        return answer.status_code == 200

    def sees(self) -> list[Any]:
        self.evening.wait(0.2)
        found = self.phone.get("/api/simulated/table").json
        assert found is not None
        barrels: list[Any] = found["sight"]["barrels"]
        assert found["sight"]["sitting"] == "you"
        return barrels

    def asked(self) -> str:
        """Return what the workshop asks for."""
        html = self.phone.get("/workshop").text
        found = re.search(r'id="next" role="status">([^<]+)<', html)
        return "" if found is None else found[1]

    def enrols(self) -> None:
        """Lift barrel after barrel and set it down again, as the page asks, to the thirteenth."""
        for one in self.sees():
            if (one["where"], one["seat"]) == ("pad", "red"):
                assert self.does("put_back", one["handle"])
        self.wishes("begin-enrolling")
        for _ in range(TRIES):
            if "Lift these barrels" in self.asked():
                for handle in range(13):
                    assert self.does("lift", handle), f"barrel {handle} is out of reach"
                    assert self.does("put_back", handle)
                self.evening.wait(3)
        while (stopper := self.stopper_to_read()) is not None:
            self.reads(stopper)
        assert "All barrels are known." in self.asked()
        self.wishes("save-enrolling")
        assert "13 of 13 barrels are known." in self.phone.get("/workshop").text

    def stopper_to_read(self) -> int | None:
        found = re.search(r'id="read-(\d+)-', self.phone.get("/workshop").text)
        return None if found is None else int(found[1])

    def reads(self, stopper: int) -> None:
        """Look under the barrel with a stopper, whose number stands on its shell."""
        world = self.evening.sim.world
        barrel = next(one for one, closes in world.stoppers.items() if closes == stopper)
        handle = world.spots.index(world.places[barrel])
        act = {"act": "peek", "barrel": handle, "for_s": 1.0}
        read = self.phone.post("/api/simulated/act", json=act).json
        assert read is not None
        self.evening.wait(3)
        assert self.does("put_back", handle)
        self.wishes("read-number", stopper=stopper, number=read["read"]["number"])
        self.evening.wait(0.5)


def sat_down(tmp_path: Path) -> Seated:
    evening = Seated(tmp_path)
    evening.sits().until_phase(Phase.PLACE)
    return evening


def stands(evening: Seated) -> bool:
    barrels = evening.body.table().barrels
    return all(barrel.where is Where.PLATEAU or barrel.seat == "red" for barrel in barrels)


@pytest.mark.slow
def test_after_a_match_that_was_given_up_the_guests_put_all_back_and_a_person_enrols(
    tmp_path: Path,
) -> None:
    with sat_down(tmp_path) as evening:
        evening.places_one().until_phase(Phase.FLIP)
        assert not stands(evening)
        evening.says("red", GiveUp())
        evening.until(lambda: stands(evening), 30)
        Person(evening).enrols()


@pytest.mark.slow
def test_after_a_match_that_was_won_too(tmp_path: Path) -> None:
    with sat_down(tmp_path) as evening:
        evening.says("red", NEARLY_HOME)
        evening.plays(lambda: evening.now.over)
        assert evening.now.outcome is not None
        evening.until(lambda: stands(evening), 30)
        Person(evening).enrols()


def test_whoever_comes_after_a_match_sits_down_at_once(tmp_path: Path) -> None:
    with Seated(tmp_path) as evening:
        evening.until_phase(Phase.FLIP)
        evening.body.sit()
        assert evening.body.table().sitting.value == "next round"
        evening.says("blue", GiveUp())
        evening.wait(3)
        assert evening.body.table().sitting.value == "you"
