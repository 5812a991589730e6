"""Whoever plays Via Magica by experience finishes what pays, and beats the casual player."""

from companion.games.via_magica.players import Prospects
from companion.games.via_magica.rules import Reward, Settings, ViaMagica
from rappelwacht_research.study.ladder import share_won
from tests.games.via_magica.games import GREEN, RED, player

GAME = ViaMagica(Settings((RED, GREEN)))
MATCHES = 40


def test_a_portal_is_worth_more_the_sooner_it_opens() -> None:
    own = player("33")
    prospects = Prospects((own, player()), own)
    assert prospects.of(33, (1, 0, 0, 0, 0, 0)) > prospects.of(33)
    joker = player("33", opened=(35,))  # air serves as one
    assert Prospects((joker, player()), joker).of(34) > prospects.of(34)


def test_a_portal_brings_what_it_completes_and_less_of_what_lasts_the_later_it_is() -> None:
    own, two_violet, hurried = player(), player(opened=(31, 32)), player(opened=(1, 2, 4, 5, 6, 7))
    alone = Prospects((own, player()), own)
    assert Prospects((two_violet, player()), two_violet).gain(33) > alone.gain(33)
    taken = two_violet, player()._replace(rewards=(Reward.VIOLET,))
    assert Prospects(taken, two_violet).gain(33) == 3
    assert Prospects((own, hurried), own).gain(35) < alone.gain(35)


def test_experience_beats_whoever_overlooks_choices() -> None:
    """Over 200 matches by two it was 70 %, surely 63 to 75."""
    assert share_won(GAME, ("good", "casual"), MATCHES, seed=1).share > 0.5
