"""Who sees nothing can follow a whole match: nothing is left unsaid, nor said in signs."""

import pytest

from companion.core.plugin import GAMES
from tests.table.voice.listening import UNHEARD, Listener, unspoken


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("game", GAMES)
def test_all_that_happens_in_a_match_is_said_in_words(game: str, language: str) -> None:
    assert unspoken(game, language, 1) == []


@pytest.mark.parametrize("sentence", ["8 > 3", "portal 22 (yellow)", "for 3 s", "red/green"])
def test_signs_would_be_noticed(sentence: str) -> None:
    assert UNHEARD.search(sentence)


def test_what_is_not_said_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.table.outputs import voice  # noqa: PLC0415 - only this test silences it

    monkeypatch.setattr(voice, "moments", lambda *_: [])
    heard = list(Listener("blackmore", "en", 1).match())
    assert [one for one in heard if one.happened and one.happened[0] not in one.said]
