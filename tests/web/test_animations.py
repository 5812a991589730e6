"""What happens reaches people moment by moment: each event once, with a sentence and its time."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core import SeatName
from companion.core.codec import pack, unpack
from companion.core.game import Event
from companion.core.log import Log
from companion.core.notation import read
from companion.core.plugin import GAMES, PLUGINS, GamePlugin
from companion.games.trap_the_wizard.rules import WizardWalked
from companion.games.via_magica.rules import PortalDealt
from companion.games.zapp_zerapp.rules import MagicNumber, Moved, Shown
from companion.present.animations import (
    ARRIVED_MS,
    FIELD_MS,
    LEAST_MS,
    Animation,
    AnimationKind,
    Animations,
    EventPicture,
    RecentEvents,
    least_ms,
    moments,
    pictured,
)
from companion.present.page import page_of
from companion.present.viewer import Viewer
from companion.referee.commands import Call, CorrectAction, DoAction, GiveUp, NewMatch, Rule, Undo
from companion.referee.events import HouseRules
from companion.referee.match import Match
from companion.referee.snapshot import Snapshot, TableEvent
from companion.sensing.events import FoulCode, FoulFinding, Weight
from tests.web.room import FakeRoom

OF_GAMES = Path(__file__).parents[1] / "games"
GOLDEN = {
    name: sorted((OF_GAMES / name.replace("-", "_") / "golden").glob("*.txt"))
    for name in ("zapp-zerapp", "trap-the-wizard", "via-magica", "blackmore")
}
READERS = (Viewer(), Viewer("de", "red"))


def matches(name: str) -> Iterator[Match]:
    """Yield the recorded games, played anew."""
    for file in GOLDEN[name]:
        lines = file.read_text("utf-8").splitlines()
        settings = json.loads(next(line for line in lines if line.startswith("{")))
        kind = GAMES[name]
        log = Log.begin(kind(unpack(kind.settings_type, settings, "settings")))
        for line in lines:
            if line and not line.startswith((" ", "#", "{")):
                log = log.play(read(log.game, log.state, line))
        yield Match(log, HouseRules())


def played(match: Match) -> Iterator[tuple[Event, Any, Snapshot]]:
    """Yield every event of a game, how all saw the game before, and by which settings."""
    game, log = match.game, match.log
    now = Snapshot(1, "m", game.name, settings=game.settings)
    for before, action in zip(log.states, log.actions, strict=False):
        for event in game.explain(before, action):
            yield event, game.view(before, None), now


@pytest.mark.parametrize("game", GOLDEN)
def test_every_event_of_every_game_has_a_sentence_and_its_time(game: str) -> None:
    assert GOLDEN[game]
    kinds = set()
    for match in matches(game):
        for event, before, now in played(match):
            for reader in READERS:
                picture = pictured(event, before, now, reader)
                assert reader.say(event)
                assert least_ms(picture) >= LEAST_MS[picture.kind] >= 700
                kinds.add(picture.kind)
    assert AnimationKind.WIN in kinds
    assert len(kinds) >= 4


def test_all_installed_games_of_ours_say_how_their_events_look() -> None:
    assert {*GOLDEN} <= {*PLUGINS}


def test_a_pawn_that_walks_is_given_time_for_each_field_and_ends_where_it_stands_then() -> None:
    match = next(matches("zapp-zerapp"))
    walks = 0
    for event, before, now in played(match):
        if isinstance(event, Moved):
            picture = pictured(event, before, now, READERS[0])
            (walk,) = picture.walks
            assert (walk.step, walk.end) == (str(event.start), str(event.end))
            assert len(walk.spots) >= len(event.path) > 0 or walk.spots
            assert least_ms(picture) == max(700, len(walk.spots) * FIELD_MS + ARRIVED_MS)
            walks += 1
    assert walks > 5


def test_wizards_walk_the_fields_they_came_to() -> None:
    match = next(matches("trap-the-wizard"))
    found = [
        pictured(event, before, now, READERS[0])
        for event, before, now in played(match)
        if isinstance(event, WizardWalked)
    ]
    assert found
    assert all(picture.walks[0].spots for picture in found)


def test_a_barrel_is_shown_beside_the_number_that_it_must_not_exceed() -> None:
    match = next(matches("zapp-zerapp"))
    magic, compared = 0, 0
    for event, before, now in played(match):
        if isinstance(event, MagicNumber):
            magic = event.magic
        if isinstance(event, Shown):
            picture = pictured(event, before, now, READERS[0])
            assert picture.kind is AnimationKind.REVEAL
            assert (picture.number, picture.limit) == (event.number, magic)
            assert event.works == (event.number <= magic)
            compared += 1
    assert compared > 5


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        (AnimationKind.REVEAL, {}),
        (AnimationKind.DICE, {}),
        (AnimationKind.DICE, {"dice": 2}),
        (AnimationKind.DICE, {"number": 0}),
        (AnimationKind.DICE, {"number": 7}),
    ],
)
def test_a_picture_no_page_could_draw_is_refused(kind: AnimationKind, more: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"needs a number|no die shows"):
        EventPicture(kind, **more)  # type: ignore[arg-type]


def test_a_game_of_another_package_whose_pictures_fail_is_told_without_them(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    plugin = GamePlugin(GAMES["zapp-zerapp"], "elsewhere", moments="moments:MOMENTS")
    plugin.found["moments"] = Animations(lambda *_: EventPicture(AnimationKind.REVEAL))
    monkeypatch.setitem(PLUGINS.loaded, "zapp-zerapp", plugin)
    event, now = MagicNumber(1, 7), Snapshot(1, "m", "zapp-zerapp")
    for _ in range(2):
        assert pictured(event, None, now, READERS[0]) == EventPicture()
    (told,) = [one.getMessage() for one in caplog.records]
    assert told == "The events of the game zapp-zerapp are shown without animations."


def test_a_game_without_pictures_has_plain_moments() -> None:
    event = MagicNumber(1, 7)
    assert pictured(event, None, Snapshot(1, "m", "nobody-knows-it"), READERS[0]) == EventPicture()
    assert page_of("nobody-knows-it") is None


# --- what is remembered -----------------------------------------------------------------------


def followed(room: FakeRoom) -> list[Animation]:
    """Return what a phone is shown that saw every snapshot of a table."""
    return recent_of(room).moments(room.now, READERS[0])


def recent_of(room: FakeRoom) -> RecentEvents:
    recent = RecentEvents()
    for snapshot, events in room.published:
        recent.on_update(snapshot, events)
    return recent


def said(room: FakeRoom) -> list[str]:
    return [one.sentence for one in followed(room)]


def flipped() -> FakeRoom:
    """Return a table at which two barrels were flipped, one too high."""
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 7"))
    room.place("red", 5)
    room.place("blue", 9)
    room.flip(5, 9)
    return room


def test_each_event_is_remembered_once_in_its_order() -> None:
    found = followed(flipped())
    kinds = ["plain", "dice", "plain", "plain", "reveal"]
    assert [moment.kind for moment in found] == kinds
    turned = found[-1]  # at once, with the order that comes of it
    assert turned.picture.limit == 7
    assert turned.picture.shows == (("red", 5), ("blue", 9))
    assert turned.picture.order == ("red",)
    assert turned.sentence.startswith("Red shows 5: the spell works. Blue shows 9: too much.")
    assert turned.sentence.endswith(turned.brief)
    assert turned.brief == "Order of moves: Red."
    assert turned.least_ms == 3500
    assert [one.version for one in found] == sorted(one.version for one in found)
    assert len({one.id for one in found}) == len(found)
    assert found[0].sentence == "Red and Blue play."
    assert found[1].sentence == "Round 1: the magic number is 7"


def test_a_snapshot_that_is_shown_again_tells_nothing_again() -> None:
    room = flipped()
    before = followed(room)
    room.referee.handle_conditions((), 0)
    assert followed(room) == before


def test_what_was_taken_back_is_not_shown_any_more() -> None:
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 7"))
    room.wish(Undo())
    assert said(room) == ["Taken back: Round 1: the magic number is 7"]
    room.wish(DoAction("roll 8"))
    _, again = followed(room)
    assert again.sentence == "Round 1: the magic number is 8"
    assert again.version == room.now.version


def test_a_foul_is_a_moment_when_it_is_seen_and_not_again_when_it_grows() -> None:
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 7"))
    for weight in (Weight.WARNING, Weight.FOUL):
        room.tell(FoulFinding(1, FoulCode.PEEK, weight, 0, 700_000, (5,), "blue", 0.97, ()))
    assert [one.kind for one in followed(room)] == ["plain", "dice", "foul"]


def test_nothing_of_an_earlier_match_is_shown_in_the_next() -> None:
    room = flipped()
    room.wish(GiveUp())
    room.wish(_again(room))
    assert said(room) == ["Red and Blue play."]


def _again(room: FakeRoom) -> NewMatch:
    assert room.now.house is not None
    return NewMatch("zapp-zerapp", pack(room.now.settings), room.now.house)


def test_a_phone_that_looks_at_an_old_snapshot_sees_nothing_newer() -> None:
    room = flipped()
    recent = recent_of(room)
    rolled = next(one for one in room.shown if one.happened)
    assert [one.kind for one in recent.moments(rolled, READERS[0])] == ["plain", "dice"]


# --- what happened beside the game's events ---------------------------------------------------


def test_rulings_are_told_and_that_one_is_taken_back() -> None:
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 7"))
    room.wish(Call("snatched", "red"))
    room.wish(Rule(room.now.fouls[0].raised.foul, upheld=False))
    assert said(room)[2:] == [
        "Red – snatched a barrel?",
        "Red – snatched a barrel: no, says the table.",
    ]
    room.wish(Undo())
    assert said(room)[-1] == "A ruling is taken back."


def test_what_is_put_right_is_told() -> None:
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 7"))
    room.wish(CorrectAction(room.now.acted, "roll 8"))
    assert said(room)[-1] == "An earlier entry was corrected."


def test_a_match_that_was_given_up_and_is_not_after_all_goes_on() -> None:
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 7"))
    room.wish(GiveUp())
    room.wish(Undo())
    assert said(room)[-1] == "The match goes on."


def test_what_says_the_same_at_once_is_one_moment() -> None:
    dealt = PortalDealt(SeatName.RED)
    events = [
        TableEvent(1, number, what, "via-magica", None)
        for number, what in enumerate((dealt, dealt, PortalDealt(SeatName.GREEN)))
    ]
    assert [moment.sentence for moment in moments(events, READERS[0])] == [
        "Red is dealt a portal.",
        "Green is dealt a portal.",
    ]


def test_a_phone_that_speaks_calls_its_own_seat_as_all_others_do() -> None:
    room = FakeRoom("red", "blue")
    for colour in ("roll 7", "place red"):
        room.wish(DoAction(colour))
    mine, public = (moments(room.events, Viewer("de", role)) for role in ("red", None))
    assert [one.aloud for one in mine] == [one.sentence for one in public]
    assert [one.aloud for one in public] == [one.sentence for one in public]
