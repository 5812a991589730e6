"""The table says what the pages say: each moment once, and what is to be done once that stays."""

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp
from companion.present.animations import moments
from companion.present.headline import headline
from companion.present.output import NEVER_US
from companion.present.viewer import Viewer
from companion.referee.commands import CommandBody, DoAction, NewMatch, Undo
from companion.referee.events import HouseRules
from companion.system import config
from companion.table.outputs.voice import STAYS_US, VoiceOutput
from tests.web.room import FakeRoom

BEGIN = NewMatch(ZappZerapp.name, pack(Settings((Colour.RED, Colour.BLUE))), HouseRules())


class Said:
    """A speaker that is still busy with its first sentence, or not."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.waits = self.closed = False  # whether the last sentence, a headline, was not begun

    def say(self, text: str, *, passing: bool = False) -> bool:
        self.said.append(text)
        replaces, self.waits = self.waits, self.waits and passing
        return replaces

    def close(self) -> None:
        self.closed = True


class Evening:
    """A table with a voice, and a clock of the test's."""

    def __init__(self, language: str = "en") -> None:
        self.room, self.said = FakeRoom(), Said()
        self.voice = VoiceOutput(config.VoiceConfig(language), speaker=self.said)
        self.voice.on_update(self.room.snapshot, ())
        self.room.join(self.voice)

    def does(self, *wishes: CommandBody) -> list[str]:
        """Do this, and return what was said of it."""
        begun = len(self.said.said)
        for wish in wishes:
            assert self.room.wish(wish).refused is None
        return self.said.said[begun:]

    def rests(self) -> list[str]:
        begun = len(self.said.said)
        if self.voice.due_us <= STAYS_US:
            self.voice.tick(STAYS_US)
        return self.said.said[begun:]


def test_each_moment_is_said_once_and_the_headline_when_it_stays() -> None:
    evening = Evening()
    evening.does(BEGIN)
    assert evening.does(DoAction("roll 9")) == ["Round 1: the magic number is 9"]
    assert evening.rests() == ["Shake! Keep a barrel with at most 9 stones."]
    assert evening.voice.due_us == NEVER_US
    assert evening.rests() == []


def test_a_headline_that_is_overtaken_is_not_said() -> None:
    evening = Evening("de")
    said = evening.does(BEGIN, DoAction("roll 9"), DoAction("place red"), DoAction("place blue"))
    assert len(said) == 4
    assert evening.rests() == [headline(evening.room.snapshot, Viewer("de"))]


def test_a_headline_that_a_moment_replaced_is_said_again_if_it_stays() -> None:
    evening = Evening()
    evening.does(BEGIN, DoAction("roll 9"))
    headline = evening.rests()
    evening.said.waits = True
    evening.does(DoAction("place red"), Undo())
    assert evening.rests() == headline


def test_a_language_that_nobody_has_translated_is_english() -> None:
    assert Evening("xx").rests() == ["Who plays? Press your seat's button, or begin from a phone."]


def test_what_happened_before_the_companion_was_started_is_not_news() -> None:
    evening = Evening()
    evening.does(BEGIN, DoAction("roll 9"))
    late = VoiceOutput(config.VoiceConfig(), speaker=(said := Said()))
    late.on_update(evening.room.snapshot, ())
    late.tick(STAYS_US)
    assert said.said == ["Shake! Keep a barrel with at most 9 stones."]


def test_it_says_what_the_pages_show() -> None:
    evening = Evening()
    wishes = (
        DoAction("roll 9"),
        DoAction("place red"),
        DoAction("place blue"),
        DoAction("flip"),
        DoAction("say red 4"),
    )
    evening.does(BEGIN)
    begun = len(evening.room.events)
    said = evening.does(*wishes)
    shown = [moment.sentence for moment in moments(evening.room.events[begun:], Viewer())]
    assert said == shown
    assert len(said) == 4


def test_closed_it_is_silent() -> None:
    evening = Evening()
    evening.voice.close(0)
    assert evening.said.closed
