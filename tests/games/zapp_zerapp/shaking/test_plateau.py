"""Barrels on their places, and what hands may do with them."""

from random import Random

import pytest

from companion.games.zapp_zerapp.listening_ai.people import PLACES, Barrel, Ear, Hands, Plateau
from companion.system.chance import below, die, mixed, wobble
from companion.system.errors import CompanionError


class Whisper(Ear):
    """An ear that hears exactly."""

    def hear(self, number: int, rng: Random) -> float:
        """Return the number."""
        del rng
        return float(number)


def hands(plateau: Plateau, kept: list[Barrel]) -> Hands:
    """Return hands that keep a barrel in a list."""
    return Hands(plateau, Whisper(), Random(1), kept.append)


def test_a_barrel_goes_back_to_where_it_came_from() -> None:
    plateau, kept = Plateau(), list[Barrel]()
    plateau.shuffle(Random(4))
    mine = hands(plateau, kept)
    first = mine.shake("C")
    mine.put_back("C")
    assert plateau.free == tuple(PLACES)
    assert mine.shake("C") == first


def test_shuffling_moves_all_thirteen_and_depends_on_nothing_but_its_source() -> None:
    def numbers(seed: int) -> list[int]:
        plateau = Plateau()
        plateau.shuffle(Random(seed))
        return [plateau.take(place).number for place in PLACES]

    assert sorted(numbers(1)) == list(range(1, 14))
    assert numbers(1) == numbers(1) != numbers(2)


def test_nothing_is_shuffled_while_a_barrel_is_missing() -> None:
    plateau = Plateau()
    plateau.take("A")
    with pytest.raises(CompanionError, match="all thirteen"):
        plateau.shuffle(Random(1))


def test_two_hands_hold_two_barrels() -> None:
    mine = hands(Plateau(), [])
    mine.shake("A")
    mine.shake("B")
    assert mine.shake("A") == 1  # again
    with pytest.raises(CompanionError, match="Both hands are full"):
        mine.shake("C")
    assert (mine.held, "C" in mine.free) == (("A", "B"), True)


def test_a_barrel_in_other_hands_cannot_be_taken() -> None:
    plateau = Plateau()
    hands(plateau, []).shake("A")
    with pytest.raises(CompanionError, match="no barrel at A"):
        hands(plateau, []).shake("A")


def test_keeping_one_gives_the_other_back_and_nothing_can_be_kept_unheard() -> None:
    plateau, kept = Plateau(), list[Barrel]()
    mine = hands(plateau, kept)
    with pytest.raises(CompanionError, match="not in your hands"):
        mine.keep("A")
    mine.shake("A")
    mine.shake("B")
    mine.keep("B")
    assert (kept, mine.held) == ([Barrel("B", 2)], ())
    assert set(PLACES) - set(plateau.free) == {"B"}


def test_a_barrel_does_not_show_its_number_by_chance() -> None:
    assert "7" not in repr(Barrel("A", 7))


def test_chance_stays_within_its_bounds() -> None:
    rng = Random(7)
    assert {die(rng) for _ in range(500)} == {1, 2, 3, 4, 5, 6}
    assert {below(rng, 3) for _ in range(100)} == {0, 1, 2}
    assert sorted(mixed(rng, "ABC")) == ["A", "B", "C"]
    errors = [wobble(rng) for _ in range(4000)]
    assert abs(sum(errors)) / 4000 < 0.05
    assert 0.95 < sum(e * e for e in errors) / 4000 < 1.05


def test_chance_is_the_same_everywhere() -> None:
    rng = Random(2024)
    assert [die(rng) for _ in range(8)] == [3, 5, 2, 6, 3, 5, 2, 2]
    assert "".join(mixed(rng, PLACES)) == "KFEJMCHGILADB"
