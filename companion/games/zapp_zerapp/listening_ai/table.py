"""A table without hardware, at which bots play Zapp Zerapp to be studied, and how that counts.

They are seated at no real table: whoever plays there has to shake barrels. Chance is handed in.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import setitem
from random import Random
from typing import Final

from companion.core import Action, Players, Text
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.listening_ai import listener, people
from companion.games.zapp_zerapp.rules import Colour, Phase, State, ZappZerapp
from companion.present.study_game import ByHand, StudiedAction, StudyGame, done_by
from companion.system.chance import die, mixed

Step = tuple[State, Action, State]  # before, what was done, after


class Table:
    """One match from the first roll on."""

    def __init__(
        self,
        game: ZappZerapp,
        seated: Mapping[Colour, people.Person],
        rng: Random,
        *,
        ear: people.Ear | None = None,
    ) -> None:
        self.game = game
        self.state = game.start()
        self._people = seated
        self._rng = rng
        self._ear = ear or people.Ear()
        self._plateau = people.Plateau()
        self._hands: dict[Colour, people.Hands] = {}
        self._kept: dict[Colour, people.Barrel] = {}
        self._shaking: deque[Colour] = deque()

    def play(self) -> Iterator[Step]:
        """Play to the end, action by action."""
        while self.game.outcome(self.state) is None:
            before, action = self.state, self._next()
            self.state = self.game.apply(before, action)
            yield before, action, self.state
            self._put_back()

    def _next(self) -> Action:
        match self.state.phase:
            case Phase.ROLL:
                self._begin_round()
                return rules.Roll(die(self._rng) + die(self._rng))
            case Phase.PLACE:
                return self._place()
            case Phase.FLIP:
                return rules.Flip()
        return self._move(self.state.queue[0])

    def _begin_round(self) -> None:
        """Shuffle, in the variant only before the first round (ZZ-10); then all may reach out."""
        if self.game.settings.shuffle or self.state.round == 1:
            self._plateau.shuffle(self._rng)
        self._shaking = deque(mixed(self._rng, self.game.seats))
        self._hands = {
            seat: people.Hands(
                self._plateau, self._ear, self._rng, partial(setitem, self._kept, seat)
            )
            for seat in self.game.seats
        }

    def _place(self) -> rules.Place:
        """All shake at once: everybody does one thing after another, until one has decided."""
        while True:
            seat = self._shaking.popleft()
            view = self.game.view(self.state, seat)
            self._people[seat].shake(self._hands[seat], view)
            if seat in self._kept:
                return rules.Place(seat, self._kept[seat].number)
            self._shaking.append(seat)

    def _move(self, seat: Colour) -> Action:
        return self._people[seat].move(people.Turn(self.game, self.state))

    def _put_back(self) -> None:
        """Flipped barrels go back: those that fail at once, the others after their move."""
        if self.state.phase not in {Phase.ROLL, Phase.MOVE, Phase.OVER}:
            return
        for seat in [seat for seat in self._kept if seat not in self.state.queue]:
            barrel = self._kept.pop(seat)
            self._plateau.put_back(barrel)
            for person in self._people.values():
                person.see(seat, barrel.place, barrel.number)


PLAYERS: Final = Players({}, listener.HOW, listener.EARLIER)


def play(game: ZappZerapp, players: Sequence[str], chance: Random) -> Iterator[Step]:
    """Play a match with people of these levels."""
    levels = zip(game.seats, players, strict=True)
    seated = {seat: listener.somebody(level, seat, game.settings, chance) for seat, level in levels}
    return Table(game, seated, chance).play()


SUBJECT: Final = StudyGame(
    code="rounds",
    unit=Text("rounds"),
    span=rules.MagicNumber,
    points=Text("apprentices in the city"),
    counted=(
        StudiedAction("moves", Text("moves"), done_by(rules.Moved)),
        StudiedAction("banished", Text("banished others"), done_by(rules.Banished)),
        StudiedAction("sent_back", Text("was banished"), done_by(rules.Banished, "pawn.colour")),
    ),
    by_hand=ByHand(tuple(listener.COME), play),
)
