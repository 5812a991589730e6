"""Before the flip no phone can learn a number, nor ever which stopper stands where.

Two tables at which the same happens differ only in which barrel holds which number, or in which
stopper closes which barrel. Whatever a phone asks for, both answer the same bytes.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, Response, g, request

from companion.journal import Entry, ListedMatch
from companion.maintenance import health
from companion.maintenance.view import MaintenanceSnapshot
from companion.present import api_snapshot
from companion.referee.commands import Answer, AssignBarrel, Command, DoAction, GiveUp, Rule, Undo
from companion.referee.snapshot import Snapshot
from companion.sensing.events import ChartSample, FoulCode, FoulFinding, Weight
from companion.system.errors import CompanionError
from companion.web.context import WebContext
from tests.web.looking import ROLES, Looked, addresses, differences
from tests.web.room import FakeRoom, app, phones
from tests.web.still import Still

SAME = {stopper: stopper for stopper in range(1, 14)}
NUMBERS_SWAPPED = {stopper: stopper % 13 + 1 for stopper in SAME}
STOPPERS_SWAPPED = {stopper: 14 - stopper for stopper in SAME}


Step = tuple[Callable[["Barrels"], object], ...]


class Barrels(FakeRoom):
    """A table at which people speak of barrels, whichever stoppers close them."""

    def __init__(
        self, numbers: Mapping[int, int] = SAME, stoppers: Mapping[int, int] = SAME
    ) -> None:
        super().__init__("red", "blue", "green")
        self.stopper_of = stoppers
        self.numbers.update({stoppers[barrel]: numbers[barrel] for barrel in SAME})

    def after(self, *steps: Step) -> None:
        """Have all this happen."""
        for do in chain(*steps):
            do(self)
        self.stir()

    def stands(self, seat: str, barrel: int, confidence: float = 1.0) -> None:
        self.place(seat, self.stopper_of[barrel], confidence)

    def peeked(self, barrel: int, weight: Weight = Weight.FOUL, number: int = 9) -> None:
        points = tuple(ChartSample(at * 40_000, 60 + at, 0.05, stands=False) for at in range(12))
        stopper = (self.stopper_of[barrel],)
        self.tell(
            FoulFinding(number, FoulCode.PEEK, weight, 0, 700_000, stopper, "blue", 0.97, points)
        )


CHOOSING: tuple[Step, ...] = (
    (lambda room: room.press("red"),),
    (
        lambda room: room.wish(DoAction("roll 9")),
        lambda room: room.wish(Undo()),
        lambda room: room.wish(DoAction("roll 8")),
    ),
    (lambda room: room.peeked(4, Weight.WARNING),),
    (lambda room: room.stands("red", 5),),
    (lambda room: room.peeked(4),),
    (lambda room: room.stands("blue", 3, 0.6),),
    (lambda room: room.take("red", room.stopper_of[5]), lambda room: room.stands("red", 6)),
    (lambda room: room.wish(Rule(1, upheld=False)), lambda room: room.press("red")),
    (lambda room: room.wish(AssignBarrel("blue", room.stopper_of[3])),),
    (lambda room: room.stands("green", 9),),
)
FLIPPING: tuple[Step, ...] = (
    (lambda room: room.flip(*(room.stopper_of[barrel] for barrel in (6, 3, 9))),),
    (lambda room: room.wish(DoAction("move red start")),),
    (lambda room: room.wish(GiveUp()),),
)
GIVING_UP: tuple[Step, ...] = (
    (lambda room: room.wish(GiveUp()),),
    (lambda room: room.wish(Undo()),),
)


@pytest.fixture(autouse=True)
def computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer's own disk and temperature are no secret, but not the same each time."""
    found = health.conditions(Path())
    monkeypatch.setattr(health, "conditions", lambda _: found)


def side_by_side(
    one: Barrels, other: Barrels, steps: Sequence[Step], *, all_: bool = True
) -> Iterator[str]:
    """Yield all that phones see differ, after each step; by default readers take turns."""
    pair = [Looked.at(phones(room, hands=Still())) for room in (one, other)]
    for number, step in enumerate(steps):
        for room in (one, other):
            room.after(step)
        turns = len(ROLES) if all_ or step is steps[-1] else 1
        who = [ROLES[(number + place) % len(ROLES)] for place in range(turns)]
        yield from differences(pair, who)


def test_no_phone_learns_a_number_before_the_flip(full: bool) -> None:
    one, other = Barrels(), Barrels(NUMBERS_SWAPPED)
    assert list(side_by_side(one, other, CHOOSING, all_=full)) == []
    assert one.now.view.phase.name == other.now.view.phase.name == "FLIP"


@pytest.mark.slow
def test_no_phone_learns_one_from_a_match_that_is_given_up_before(full: bool) -> None:
    rooms = Barrels(), Barrels(NUMBERS_SWAPPED)
    for room in rooms:
        room.after(*CHOOSING[:7])
    found = side_by_side(*rooms, GIVING_UP, all_=full)
    assert list(found) == []


@pytest.mark.slow
def test_no_phone_learns_whether_a_barrel_was_chosen_once_more() -> None:
    rooms = Barrels(), Barrels()
    for room, again in zip(rooms, (6, 5), strict=True):
        room.after(*CHOOSING, *FLIPPING[:2])
        for seat in ("green", "blue"):
            room.wish(DoAction(f"move {seat} start"))
        assert room.now.view.phase.name == "ROLL"
        room.wish(DoAction("roll 8"))
        room.stands("red", again)
    pair = [Looked.at(phones(room, hands=Still())) for room in rooms]
    assert list(differences(pair)) == []


def test_no_phone_ever_learns_which_stopper_stood_where(full: bool) -> None:
    rooms = Barrels(), Barrels(stoppers=STOPPERS_SWAPPED)
    for room in rooms:
        room.after(*CHOOSING[:8])
    found = side_by_side(*rooms, (*CHOOSING[8:], *FLIPPING), all_=full)
    assert list(found) == []


def test_after_the_flip_everybody_sees_the_numbers() -> None:
    """So that the tests above listen at the right places."""
    one, other = Barrels(), Barrels(NUMBERS_SWAPPED)
    for room in (one, other):
        room.after(*CHOOSING, *FLIPPING[:1])
    found = list(differences([Looked.at(phones(room, hands=Still())) for room in (one, other)]))
    for told in ("/ ", "/api/snapshot", "/api/matches/{match}", "/history/{match}"):
        assert any(told in f"{sight.splitlines()[0]} " for sight in found), told
    for told in ("/api/stream", "/api/view/table", "/api/matches/{match}/export"):
        assert any(f"'de') {told}" in sight for sight in found), told


def test_a_route_with_a_parameter_that_nobody_filled_is_noticed() -> None:
    made = app()
    made.add_url_rule("/barrels/<int:barrel>", view_func=str)
    with pytest.raises(KeyError, match="barrel"):
        list(addresses(made))


# --- mutants that leak ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Home:
    """A table that betrays what the barrel on red's pad holds."""

    room: Barrels
    phones: WebContext
    app: Flask

    @property
    def secret(self) -> int:
        return self.room.numbers[5]


Leak = Callable[[Home], None]


def field(home: Home) -> None:
    _show(home.room, lambda now: replace(now, dropped=home.secret))


def order(home: Home) -> None:
    by_number = -1 if home.secret % 2 else 1  # 5 at one table, 6 at the other
    _show(home.room, lambda now: replace(now, seats=now.seats[::by_number]))


def offers(home: Home) -> None:
    def fewer(now: Snapshot) -> Snapshot:
        kept = tuple(replace(one, offers=one.offers[: home.secret - 5]) for one in now.seats)
        return replace(now, seats=kept)

    _show(home.room, fewer)


def _show(room: Barrels, change: Callable[[Snapshot], Snapshot]) -> None:
    class Shown(type(room)):  # type: ignore[misc]
        @property
        def snapshot(self) -> Snapshot:
            return change(self.now)

    room.__class__ = Shown


def _after(made: Flask, path: str, change: Callable[[Response], None], **when: Any) -> None:
    @made.after_request
    def leak(answer: Response) -> Response:
        known = {"status": answer.status_code, "role": g.reader.role, "in": g.reader.language}
        if request.path.startswith(path) and all(known[k] == v for k, v in when.items()):
            change(answer)
        return answer


def header(home: Home) -> None:
    _after(home.app, "/manual", lambda answer: answer.headers.add("X-Load", home.secret))


def cookie(home: Home) -> None:
    _after(home.app, "/join", lambda answer: answer.set_cookie("heard", str(home.secret)))


def etag(home: Home) -> None:
    _after(home.app, "/api/games", lambda answer: answer.set_etag(str(home.secret)))


def length(home: Home) -> None:
    _after(home.app, "/api/snapshot", lambda answer: _add(answer, " " * home.secret), status=200)


def error(home: Home) -> None:
    _after(home.app, "/history/none", lambda answer: _add(answer, f"{home.secret}"), status=404)


def german(home: Home) -> None:
    _after(home.app, "/setup", lambda answer: _add(answer, f"{home.secret}"), **{"in": "de"})


def own_seat(home: Home) -> None:
    _after(home.app, "/api/pair", lambda answer: _add(answer, f"{home.secret}"), role="red")


def sheet(home: Home) -> None:
    _after(home.app, "/games/", lambda answer: answer.headers.add("Age", home.secret), role="red")


def static(home: Home) -> None:
    _after(home.app, "/static/", lambda answer: answer.headers.add("Age", home.secret))


def _add(answer: Response, text: str) -> None:
    answer.set_data(answer.get_data() + text.encode())


def status(home: Home) -> None:
    def change(answer: Response) -> None:
        answer.status_code = 404 if home.secret % 2 else 410

    _after(home.app, "/none", change)


def export(home: Home) -> None:
    def entries(match: str) -> Sequence[Entry]:
        return [replace(one, request=f"r{home.secret}") for one in home.room.papers.get(match, ())]

    home.room.entries = entries  # type: ignore[method-assign]


def history(home: Home) -> None:
    def matches() -> Sequence[ListedMatch]:
        first = [replace(entries[0], at_ms=home.secret) for entries in home.room.papers.values()]
        return [ListedMatch(one, one) for one in first]

    home.room.matches = matches  # type: ignore[method-assign]


def workshop(home: Home) -> None:
    home.room.workshop = MaintenanceSnapshot(weakest_percent=home.secret)


def refusal(home: Home) -> None:
    def ask(command: Command) -> Answer:
        why = CompanionError("{reason}", reason=home.secret)
        return Answer(command.request, home.room.now.version, why)

    home.room.ask = ask  # type: ignore[method-assign]


def stream(home: Home) -> None:
    _after(home.app, "/api/stream", lambda answer: _add(answer, f": {home.secret}"))


def log(home: Home) -> None:
    @home.app.before_request
    def tell() -> None:
        logging.getLogger("companion.web.leak").debug("the barrel holds %d", home.secret)


LEAKS: tuple[Leak, ...] = (
    *(field, order, offers, header, cookie, etag, length, error, german, own_seat, sheet),
    *(static, status, export, history, workshop, refusal, stream, log),
)


@pytest.mark.slow(but=6)
@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: str(leak.__name__))
def test_whatever_leaks_is_caught(leak: Leak) -> None:
    rooms, pair = (Barrels(), Barrels(NUMBERS_SWAPPED)), []
    for room in rooms:
        room.after(*CHOOSING[:4])
        of = phones(room, hands=Still())
        made = app(of)
        leak(Home(room, of, made))
        pair.append(Looked.at(of, made))
    assert next(differences(pair), None)


def test_a_stopper_that_is_told_in_an_export_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_snapshot, "open_entries", lambda entries: entries)
    rooms = (Barrels(), Barrels(stoppers=STOPPERS_SWAPPED))
    for room in rooms:
        room.after(*CHOOSING, *FLIPPING[:1])
    found = next(differences([Looked.at(phones(room, hands=Still())) for room in rooms]))
    assert "/export" in found.splitlines()[0]
