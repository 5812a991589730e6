"""Who sees nothing can follow a whole match: nothing is left unsaid, nor said in signs."""

import pytest

from companion.core.plugin import GAMES
from tests.table.voice.listening import unspoken


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("game", GAMES)
def test_all_that_happens_in_a_match_is_said_in_words(game: str, language: str) -> None:
    assert unspoken(game, language, 1) == []
