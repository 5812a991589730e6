"""Of every game: no page, stream, export or log tells what is sealed, whoever asks, at any move."""

from collections.abc import Collection
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from random import Random

import pytest

from companion.core.plugin import GAMES
from companion.maintenance import health
from companion.system.text import seat_word
from tests.referee.twins import Pair, at_random, pairs, played, table_of
from tests.web.looking import Looked, differences
from tests.web.room import FakeRoom, client, phones
from tests.web.still import Still

SEALED = [name for name in GAMES if any(kind.sealed for kind in GAMES[name].actions)]
LOOKS = 1  # and one more, in the ordinary run; else after every move


@pytest.fixture(autouse=True)
def computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer's own disk and temperature are no secret, but not the same each time."""
    found = health.conditions(Path())
    monkeypatch.setattr(health, "conditions", lambda _: found)


def seen_apart(pair: Pair, role: str, times: Collection[int]) -> str | None:
    """Return what pages tell apart two matches that should look the same; None: nothing."""
    rooms = [FakeRoom(), FakeRoom()]
    looked = [Looked.at(phones(room, hands=Still())) for room in rooms]
    for one in looked:
        one.phones.setdefault((role, "en"), client(one.app, role))
    tables = [
        played(log, room, table_of(log.game)[1])
        for log, room in zip((pair.one, pair.other), rooms, strict=True)
    ]
    for number, _ in enumerate(zip(*tables, strict=False)):
        if number in times and (apart := next(differences(looked, [(role, "en")]), None)):
            return apart
    return None


@pytest.mark.parametrize("game", SEALED)
def test_no_page_tells_what_is_sealed(game: str, full: bool) -> None:
    kind, chance = GAMES[game], Random(6)
    rules = kind(kind.settings_type(seats=kind().seats[:3]))
    log = at_random(rules, chance, 400 if full else 60)
    for viewer in (None, *rules.seats[: None if full else 1]):
        twins = pairs(log, viewer, chance)
        moves = [(pair, n) for pair in twins for n in range(pair.first, pair.last + 1)]
        for pair, times in groupby(moves[:: 1 if full else len(moves) // LOOKS], itemgetter(0)):
            role = "table" if viewer is None else seat_word(viewer)
            assert seen_apart(pair, role, {number for _, number in times}) is None


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("game", [name for name in SEALED if name != "zapp-zerapp"])
def test_whoever_has_the_hand_does_see_it(game: str) -> None:
    """So that the test above listens at the right places."""
    kind, chance = GAMES[game], Random(6)
    rules = kind(kind.settings_type(seats=kind().seats[:3]))
    pair = next(pairs(at_random(rules, chance, 60), None, chance))
    apart = [seen_apart(pair, seat_word(seat), {pair.first, pair.last}) for seat in rules.seats]
    assert any(apart)
