"""What a round for two is worth, by going through all that can happen, on the reference's board.

It must not know the solver nor what reads its tables: it imports nothing of the companion, and
every move is made by the reference, which was written from the rulebook. What the next rounds are
worth is asked of whoever calls. Either player draws any barrel, and the other any of those left.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations

from tests.games.zapp_zerapp.reference import CITY, Reference

Camp = tuple[int, ...]
Board = tuple[Camp, Camp]
Leaf = Callable[[Camp, Camp], float]  # how probably the first wins, if a round begins so

DICE = [one + other for one in range(1, 7) for other in range(1, 7)]
ALL_HOME = (CITY, CITY, CITY)


class Enumerator:
    """Rounds of two seats on one ring."""

    def __init__(
        self, seats: Sequence[str], ring: Sequence[str], entries: Mapping[str, int], leaf: Leaf
    ) -> None:
        self.seats, self.ring, self.entries, self.leaf = list(seats), ring, entries, leaf
        self.known: dict[tuple[Board, int, int], set[Board]] = {}
        self.told: dict[tuple[Board, int, int, int], float] = {}

    def round(self, board: Board) -> float:
        """Return how probably the first wins before the roll."""
        self.known.clear()
        self.told.clear()
        by_magic = {magic: self.rolled(board, magic) for magic in set(DICE)}
        return sum(by_magic[magic] for magic in DICE) / len(DICE)

    def rolled(self, board: Board, magic: int) -> float:
        """Return it after the roll."""
        pairs = list(permutations(range(1, 14), 2))
        return sum(self.flipped(board, magic, *pair) for pair in pairs) / len(pairs)

    def flipped(self, board: Board, magic: int, mine: int, yours: int) -> float:
        """Return it once the numbers of the first and the second are known."""
        works = [n if n <= magic else 0 for n in (mine, yours)]
        question = (board, 0, works[0], works[1])
        if question not in self.told:
            order = sorted((n, seat) for seat, n in enumerate(works) if n)
            self.told[question] = self.moved(board, order[::-1])
        return self.told[question]

    def moved(self, board: Board, queue: list[tuple[int, int]]) -> float:
        """Return it while these are still to move, in this order."""
        if board[0] == ALL_HOME:
            return 1.0
        if board[1] == ALL_HOME:
            return 0.0
        if not queue:
            return self.leaf(*board)
        number, seat = queue[0]
        worths = [self.moved(after, queue[1:]) for after in self.after(board, seat, number)]
        return min(worths) if seat else max(worths)

    def after(self, board: Board, seat: int, number: int) -> set[Board]:
        """Return every board that a seat can make of one by its number."""
        question = board, seat, number
        if question not in self.known:
            found = set()
            for action in self.table(board, seat, number).legal(self.seats[seat]):
                table = self.table(board, seat, number)
                table.do(action)
                one, other = (tuple(sorted(table.pawns[name])) for name in self.seats)
                found.add((one, other))
            self.known[question] = found
        return self.known[question]

    def table(self, board: Board, seat: int, number: int) -> Reference:
        """Set up a table at which one seat is to move, and nobody else."""
        return Reference.position(
            self.seats,
            self.ring,
            self.entries,
            pawns=dict(zip(self.seats, board, strict=True)),
            magic=12,
            numbers={self.seats[seat]: number},
        )
