"""The table itself: dice, shaking all at once, barrels going back, and who sees that."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest

from companion.core.game import Action
from companion.games.zapp_zerapp.listening_ai.people import PLACES, Hands, Turn
from companion.games.zapp_zerapp.listening_ai.table import Table
from companion.games.zapp_zerapp.rules import (
    Colour,
    Flip,
    Move,
    Roll,
    Settings,
    State,
    View,
    ZappZerapp,
)

SHAKES = (3, 1, 4, 2)  # what each colour does before it has chosen


@dataclass(frozen=True)
class Shook:
    """Somebody has done one thing with the barrels."""

    seat: Colour


@dataclass(frozen=True)
class Moving:
    """Somebody is about to move, and the plateau lacks these barrels."""

    seat: Colour
    lacking: set[str]


@dataclass(frozen=True)
class Saw:
    """Somebody has seen a barrel go back."""

    witness: Colour
    player: Colour
    place: str
    number: int


@dataclass(frozen=True)
class Done:
    """An action, and what it led from and to."""

    before: State
    action: Action
    after: State


Note = Shook | Moving | Saw | Done


class Witness:
    """Shakes as many barrels as told, keeps the last, moves anyhow, and notes it all."""

    def __init__(self, seat: Colour, notes: list[Note]) -> None:
        self.seat = seat
        self.notes = notes
        self.left = SHAKES[seat]
        self.kept = ""
        self.hands: Hands

    def shake(self, hands: Hands, view: View) -> None:
        """Shake another one; keep the last."""
        del view
        self.hands = hands
        self.notes.append(Shook(self.seat))
        for place in hands.held:
            hands.put_back(place)
        self.kept = hands.free[5]
        hands.shake(self.kept)
        self.left -= 1
        if not self.left:
            self.left = SHAKES[self.seat]
            hands.keep(self.kept)

    def move(self, turn: Turn) -> Action:
        """Move what stands farthest back."""
        self.notes.append(Moving(self.seat, set(PLACES) - set(self.hands.free)))
        return turn.view.choices[0]

    def see(self, player: Colour, place: str, number: int) -> None:
        """Note it."""
        self.notes.append(Saw(self.seat, player, place, number))


def rounds(seed: int, *, shuffle: bool = True) -> Iterator[list[Note]]:
    """Play a game; yield what is noted in each round, its roll first."""
    notes = list[Note]()
    people = {seat: Witness(seat, notes) for seat in Colour}
    table = Table(ZappZerapp(Settings(shuffle=shuffle)), people, Random(seed))
    for before, action, after in table.play():
        if isinstance(action, Roll) and notes:
            yield [*notes]
            notes.clear()
        notes.append(Done(before, action, after))
    yield notes


def flip_in(notes: list[Note]) -> tuple[int, Done]:
    """Return where the flip stands in a round, and the flip."""
    (found,) = (
        (index, note)
        for index, note in enumerate(notes)
        if isinstance(note, Done) and isinstance(note.action, Flip)
    )
    return found


def test_both_dice_are_rolled_each_for_itself() -> None:
    """One die doubled would be even, one of eleven sums would be flat (ZZ-6)."""
    rolls = Counter[int]()
    for notes in (notes for seed in range(12) for notes in rounds(seed)):
        first = notes[0]
        assert isinstance(first, Done)
        assert isinstance(first.action, Roll)
        rolls[first.action.magic] += 1
    total = rolls.total()
    assert total > 200
    assert set(rolls) == set(range(2, 13))
    for magic in range(2, 13):
        expected = total * (6 - abs(7 - magic)) / 36
        assert abs(rolls[magic] - expected) < 4 * expected**0.5, magic
    assert 0.35 < sum(n for magic, n in rolls.items() if magic % 2) / total < 0.65


def test_all_shake_at_once() -> None:
    """Nobody does a second thing before each of the others, unless they have chosen (ZZ-7)."""
    firsts = set[Colour]()
    for notes in rounds(4):
        done = [note.seat for note in notes if isinstance(note, Shook)]
        order = done[: len(Colour)]
        assert set(order) == set(Colour)
        assert done == [s for turn in range(max(SHAKES)) for s in order if SHAKES[s] > turn]
        firsts.add(order[0])
    assert firsts == set(Colour)  # nor is it always the same who reaches out first


@pytest.mark.parametrize("shuffle", [True, False])
def test_barrels_that_fail_go_back_before_anybody_moves(shuffle: bool) -> None:
    """ZZ-8."""
    failed = 0
    for notes in rounds(4, shuffle=shuffle):
        index, flip = flip_in(notes)
        queue = flip.after.queue
        gone = {seat: flip.before.barrels[seat] for seat in Colour if seat not in queue}
        seen = notes[index + 1 : index + 1 + len(gone) * len(Colour)]
        assert all(isinstance(note, Saw) for note in seen)
        assert {n.player: n.number for n in seen if isinstance(n, Saw)} == gone
        failed += len(gone)
        after = notes[index + 1 + len(seen) :]
        assert not after or isinstance(after[0], Moving)
        if after and isinstance(after[0], Moving):
            assert len(after[0].lacking) == len(queue)  # in front of those who move
    assert failed


@pytest.mark.parametrize("shuffle", [True, False])
def test_barrels_that_work_go_back_after_their_move(shuffle: bool) -> None:
    """ZZ-9."""
    moves = 0
    for notes in rounds(4, shuffle=shuffle):
        for index, note in enumerate(notes):
            if not (isinstance(note, Done) and isinstance(note.action, Move)):
                continue
            mover, number = note.action.seat, note.before.barrels[note.action.seat]
            back = notes[index + 1 : index + 1 + len(Colour)]
            assert [n.player for n in back if isinstance(n, Saw)] == [mover] * len(Colour)
            assert {n.number for n in back if isinstance(n, Saw)} == {number}
            asked = notes[index - 1]
            assert isinstance(asked, Moving)
            assert {n.place for n in back if isinstance(n, Saw)} <= asked.lacking
            assert len(asked.lacking) == len(note.before.queue)
            moves += 1
    assert moves > 20


@pytest.mark.parametrize("shuffle", [True, False])
def test_everybody_sees_everybodys_barrels_go_back(shuffle: bool) -> None:
    """That is what one may remember where nothing is shuffled (ZZ-10)."""
    *whole, last = rounds(4, shuffle=shuffle)
    for notes in whole:
        _, flip = flip_in(notes)
        lay = {(seat, flip.before.barrels[seat]) for seat in Colour}
        for witness in Colour:
            seen = [n for n in notes if isinstance(n, Saw) and n.witness == witness]
            assert {(n.player, n.number) for n in seen} == lay
            assert len(seen) == len(lay)
    assert flip_in(last)
