"""What happened last at a table is told as far as its journal goes, however that came to be."""

import gc
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.core.plugin import GAMES
from companion.hall import journal_replica as folding
from companion.hall.journal_replica import JournalReplica
from companion.hall.recent import BACK, TOLD, HallNews
from companion.hall.store import Store
from companion.mqtt.payloads import Events, JournalLine
from companion.present.viewer import Viewer
from companion.referee.events import ActionCorrected, ActionDone, UndoneTo, to_json
from companion.referee.match import Match
from companion.referee.people.person import Animal, Person, Seating
from companion.referee.replay import replay_steps
from companion.system.text import SEATS
from tests.hall.matches import moments
from tests.hall.tables import GAME, journal_lines, played

READERS = (Viewer("en"), Viewer("de"))


@pytest.fixture
def replica(tmp_path: Path) -> Iterator[JournalReplica]:
    store = Store(tmp_path / "hall.sqlite3", folding.SCHEMA)
    yield JournalReplica(store, "here")
    store.close()


def take(replica: JournalReplica, match: str, some: list[JournalLine]) -> None:
    replica.handle_events("attic", Events(match, some[0].number, tuple(some), "here"))
    replica.store.write(lambda _: None)


def test_step_by_step_the_same_is_told_as_at_once(replica: JournalReplica) -> None:
    recent, some = HallNews(replica), journal_lines(played(60))
    long = 0
    for number, one in enumerate(some):
        take(replica, "m", [one])
        reader = READERS[number % 7 == 0]
        told = recent.sentences("attic", "m", reader)
        assert told == HallNews(replica).sentences("attic", "m", reader)
        long = max(long, len(told))
    assert long == TOLD


def test_a_journal_that_was_put_right_and_the_next_match_are_told_again(
    replica: JournalReplica,
) -> None:
    recent, some, others = (
        HallNews(replica),
        journal_lines(played(30)),
        journal_lines(played(30, seed=2)),
    )
    take(replica, "m", some)
    before = [recent.sentences("attic", "m", one) for one in READERS]
    right = next(n for n in range(30) if some[n].body != others[n].body)
    take(replica, "m", others[right:])
    after = [recent.sentences("attic", "m", one) for one in READERS]
    assert after == [HallNews(replica).sentences("attic", "m", one) for one in READERS]
    assert after != before
    take(replica, "n", some[:1])
    assert recent.sentences("attic", "n", READERS[0]) == HallNews(replica).sentences(
        "attic", "n", READERS[0]
    )
    assert recent.sentences("attic", "none", READERS[0]) == []


def test_what_nobody_sees_is_not_told(replica: JournalReplica) -> None:
    some = journal_lines([*moments("m", "blackmore", Random(1), 33)])  # the deal, among others
    take(replica, "m", some)
    told = HallNews(replica).sentences("attic", "m", READERS[0])
    assert len(told) == TOLD
    assert not any("made an entry" in one for one in told)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_is_taken_back_or_put_right_is_told_however_long_ago_it_was(
    replica: JournalReplica, game: str
) -> None:
    recent, found = HallNews(replica), [*moments("m", game, Random(3), 5 * BACK)]
    for one in journal_lines(found):
        take(replica, "m", [one])
        recent.sentences("attic", "m", READERS[0])
    end = len(found)
    did = replay_steps([one.entry for one in found])[0][3].event
    assert isinstance(did, ActionDone)
    for event in (
        UndoneTo(end - 4, "red"),
        ActionCorrected(3, did.action, "red"),
        UndoneTo(2, "red"),
    ):
        kind, body = to_json(event)
        take(replica, "m", [JournalLine(end, 1, kind, body, None, ends=False)])
        told = recent.sentences("attic", "m", READERS[0])
        assert told == HallNews(replica).sentences("attic", "m", READERS[0])
        end += 1


def test_of_a_long_match_no_more_is_kept_than_of_a_short_one(replica: JournalReplica) -> None:
    recent, some = HallNews(replica), journal_lines(played(60))
    kept = []
    for number, one in enumerate(some):
        take(replica, "m", [one])
        recent.sentences("attic", "m", READERS[0])
        if number % 15 == 0:
            kept.append(_alive(Match))
    assert max(kept) - kept[0] <= 2 * BACK


def test_matches_of_one_game_share_its_rules(replica: JournalReplica) -> None:
    recent, before = HallNews(replica), _alive(GAMES[GAME])
    for number in range(4):
        table, some = f"table-{number}", journal_lines(played(30, seed=number))
        replica.handle_events(table, Events("m", 0, tuple(some), "here"))
        replica.store.write(lambda _: None)
        del some
        assert recent.sentences(table, "m", READERS[0])
    assert _alive(GAMES[GAME]) == before + 1


def _alive(kind: type) -> int:
    gc.collect()
    return sum(isinstance(one, kind) for one in gc.get_objects())


def test_whoever_sits_there_is_called_by_name_until_that_is_erased(replica: JournalReplica) -> None:
    recent = HallNews(replica)
    take(replica, "m", journal_lines(played(40)))
    colours = recent.sentences("attic", "m", READERS[0])
    people = tuple((seat, Person(seat, Animal.OWL, f"Ada {seat}")) for seat in SEATS)
    told = recent.sentences("attic", "m", READERS[0].as_all(Seating(people)))
    assert "Ada" in "".join(told)
    assert recent.sentences("attic", "m", READERS[0]) == colours
    assert "Ada" not in f"{vars(recent)} {colours}"
