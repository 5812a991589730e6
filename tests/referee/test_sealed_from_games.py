"""What is sealed is told to no game that asks too early, nor to whoever gives up."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.core.plugin import PLUGINS
from companion.journal.entry import body_text
from companion.present.api_snapshot import open_entries
from companion.referee.barrel_game import BarrelGame, NumberOf
from companion.referee.commands import DoAction, GiveUp
from companion.referee.events import MatchEvent
from companion.referee.match import Match
from tests.referee.tables import Round


def test_no_game_learns_a_number_before_all_is_flipped(monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = PLUGINS["zapp-zerapp"]
    kept = plugin.part(BarrelGame)
    assert kept is not None
    heard: dict[str, set[int | None]] = {}

    def curious(match: Match, event: MatchEvent, number_of: NumberOf) -> Sequence[MatchEvent]:
        told = {number_of(stopper) for stopper in range(1, 14)}
        heard.setdefault(match.state.phase.value, set()).update(told)
        return kept.follows(match, event, number_of)

    monkeypatch.setitem(plugin.found, "barrels", replace(kept, follows=curious))
    table = Round("red", "blue")
    assert table.wish(DoAction("roll 9")).refused is None
    table.place("red", 4)
    table.place("blue", 7)
    table.flip(4, 7)
    assert heard["place"] == heard["flip"] == {None}
    assert heard["say"] == {*range(1, 14)}


def test_a_number_that_somebody_typed_stays_sealed_where_a_match_is_given_up() -> None:
    """It can be taken up again."""
    table = Round("red", "blue")
    for text in ("roll 9", "place red 4"):
        assert table.wish(DoAction(text)).refused is None
    assert table.wish(GiveUp()).refused is None
    (entries,) = table.papers.values()
    assert [entry.number for entry in open_entries(entries)] == [0, 1]


def test_nothing_that_tells_stoppers_apart_leaves_the_table() -> None:
    """Who counts its starts and events knows it again in the next match."""
    table = Round("red", "blue")
    table.wish(DoAction("roll 9"))
    table.place("red", 4)
    table.place("blue", 7)
    table.flip(4, 7)
    (entries,) = table.papers.values()
    counted = {"seat": "red", "stopper": 4, "boot": 31, "event": 99}
    noted = [
        replace(entry, text=body_text(counted)) if entry.kind == "stood" else entry
        for entry in entries
    ]
    told = [entry.text for entry in open_entries(noted) if entry.kind == "stood"]
    assert told
    assert not any("4" in text or "31" in text or "99" in text for text in told)
