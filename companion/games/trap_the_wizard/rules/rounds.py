"""The game itself: roll, move, roll again after a six; five rounds, and who has won."""

from collections.abc import Sequence
from typing import ClassVar, Final, Self

from companion.core import TABLE, Action, BaseGame, Event, Outcome, Seat, choices, refusing
from companion.games.trap_the_wizard.rules import events, model, refusals
from companion.games.trap_the_wizard.rules.board import PLAYERS, START, Robe
from companion.games.trap_the_wizard.rules.moves import AT_HOME, JOKER, Moves

ROLL, MOVE, REST, AGAIN, OVER = model.Phase
NUMBERS: Final = range(1, model.SIDES + 1)
ROLLS: Final = tuple(model.Roll(number) for number in NUMBERS)
ODDS: Final = (1,) * model.SIDES
THE_TABLE: Final = (TABLE,)
ALONE: Final = tuple((robe,) for robe in PLAYERS)
GO_ONS: Final = tuple((model.Again(robe), model.Pass(robe)) for robe in PLAYERS)


class TrapTheWizard(BaseGame[model.State]):
    """One match of Trap the Wizard: its settings, and the rules under them."""

    name: ClassVar = "trap-the-wizard"
    actions = model.ACTIONS
    settings_type = model.Settings
    settings: model.Settings
    seats: tuple[Robe, ...]

    def __init__(self, settings: model.Settings | None = None) -> None:
        super().__init__(settings)
        settings = self.settings
        self.moves = Moves(settings)
        self._after_six = AGAIN if settings.six_passes else ROLL
        nothing_rests: tuple[type[Action], ...] = (model.Leave,) if settings.home_exact else ()
        self.unused = (
            nothing_rests if settings.six_passes else (*nothing_rests, model.Again, model.Pass)
        )
        self._clockwise = {
            seat: (*self.seats[at:], *self.seats[:at]) for at, seat in enumerate(self.seats, 1)
        }
        self._last: tuple[model.State | None, Sequence[Action]] = None, ()

    def __reduce__(self) -> tuple[type[Self], tuple[model.Settings]]:
        """Have it copied and pickled by its settings; all else it works out again."""
        return type(self), (self.settings,)

    def start(self) -> model.State:
        """Return the first round, before its roll; all wizards stand on their starts (TW-1)."""
        return self._set_up(1, (0,) * len(PLAYERS))

    def _set_up(self, round_: int, scores: tuple[int, ...]) -> model.State:
        camps = tuple((AT_HOME,) * model.WIZARDS if robe in self.seats else () for robe in PLAYERS)
        turn, nobody = self.settings.beginner(round_), ((),) * len(PLAYERS)
        return model.State(round_, ROLL, turn, 0, 0, camps, True, nobody, scores)

    def turns(self, state: model.State) -> tuple[Seat, ...]:
        """Return who acts: the table rolls, then the player moves, and may roll on after a six."""
        phase = state.phase
        if phase is ROLL:
            return THE_TABLE
        return () if phase is OVER else ALONE[state.turn]

    def asked(self, state: model.State) -> Seat | None:
        """Return who rolls the die."""
        return state.turn if state.phase is ROLL else None

    def legal(self, state: model.State, seat: Seat) -> Sequence[Action]:
        """Return all that this seat, or the table, may do now."""
        phase = state.phase
        if phase is ROLL:
            return ROLLS if seat == TABLE else ()
        turn = state.turn
        if seat != turn or phase is OVER:
            return ()
        asked, answer = self._last  # known since the roll, and asked for again by apply
        if asked is state:
            return answer
        if phase is AGAIN:
            return GO_ONS[turn]
        answer = self.moves.legal(state.wizards, turn, state.points, phase is REST)
        if phase is REST:
            answer = (*answer, model.Leave(turn))
        self._last = state, answer
        return answer

    def odds(self, state: model.State) -> Sequence[int]:
        """Return that every side of the die is as likely (TW-1)."""
        return ODDS if state.phase is ROLL else ()

    @refusing
    def apply(self, state: model.State, action: Action) -> model.State:
        phase = state.phase
        if phase is ROLL:
            if isinstance(action, model.Roll) and action.number in NUMBERS:
                number = NUMBERS[action.number - 1]  # no 3.0, which is in NUMBERS, too
                return self._rolled(state, number)
        elif phase is not OVER:
            asked, answer = self._last
            legal = answer if asked is state else self.legal(state, state.turn)
            if (offered := _among(legal, action)) is not None:
                if isinstance(offered, model.Move):
                    return self._moved(state, offered)
                return self._gone_on(state, offered)
        raise refusals.refusal(self.moves, state, action)

    def _rolled(self, state: model.State, number: int) -> model.State:
        round_, _, turn, _, sixes, wizards, joker, taken, scores = state
        sixes = sixes + 1 if number == model.SIDES else 0
        if moves := self.moves.legal(wizards, turn, number, False):
            state = model.new(
                model.State, (round_, MOVE, turn, number, sixes, wizards, joker, taken, scores)
            )
            self._last = state, moves
            return state
        if not self.settings.idle_six_again:  # TW-10
            sixes = 0
        return self._next((round_, MOVE, turn, number, sixes, wizards, joker, taken, scores))

    def _moved(self, state: model.State, move: model.Move) -> model.State:
        wizards, joker, taken = self.moves.after(state, move)
        round_, _, turn, _, sixes, _, _, _, scores = state
        if wizards.count(()) == len(PLAYERS) - 1:  # TW-8
            moved = (round_, OVER, turn, 0, 0, wizards, joker, taken, scores)
            return self._round_over(model.new(model.State, moved))
        rest = self.moves.left_over(state, move) if move.end == START else 0
        if rest and self.moves.legal(wizards, turn, rest, True):  # TW-5
            return model.new(
                model.State, (round_, REST, turn, rest, sixes, wizards, joker, taken, scores)
            )
        return self._next((round_, MOVE, turn, 0, sixes, wizards, joker, taken, scores))

    def _gone_on(self, state: model.State, action: Action) -> model.State:
        """Return the state after a turn was taken or passed up (TW-6), or a rest left (TW-5)."""
        if isinstance(action, model.Again):
            return state._replace(phase=ROLL)
        return self._next(state._replace(sixes=0) if isinstance(action, model.Pass) else state)

    def _next(self, state: model.Parts) -> model.State:
        """Whoever rolled a six has another turn (TW-6); else the next player with a free wizard."""
        round_, _, turn, _, sixes, wizards, joker, taken, scores = state
        phase = self._after_six
        if not 0 < sixes < self.settings.sixes:  # TW-10
            phase, sixes = ROLL, 0
            for seat in self._clockwise[turn]:
                if wizards[seat]:
                    turn = seat
                    break
        return model.new(
            model.State, (round_, phase, turn, 0, sixes, wizards, joker, taken, scores)
        )

    def _round_over(self, state: model.State) -> model.State:
        """Each player scores one point per captured wizard; after the last round it is over."""
        scores = tuple(state.scores[robe] + self._caught(state, robe) for robe in PLAYERS)
        if state.round < self.settings.rounds:
            return self._set_up(state.round + 1, scores)
        return state._replace(scores=scores)

    def _caught(self, state: model.State, robe: Robe) -> int:
        """Return how many captured wizards count for a player (TW-8, TW-10)."""
        unscored = {robe} if self.settings.joker_scores else {robe, JOKER}
        held = [captive for wizard in state.wizards[robe] for captive in wizard.load]
        counted = held if self.settings.held_count else []
        return len(state.taken[robe]) + sum(captive not in unscored for captive in counted)

    @refusing
    def explain(
        self, state: model.State, action: Action, then: model.State | None = None
    ) -> tuple[Event, ...]:
        then = self.apply(state, action) if then is None else then
        return events.events_of(self.moves, state, action, then, self.outcome(then))

    def view(self, state: model.State, viewer: Seat | None) -> model.View:
        """Return what lies open: everything."""
        end = self.outcome(state)
        return model.View(
            round=state.round,
            phase=state.phase,
            turns=self.turns(state),
            player=state.turn,
            points=state.points,
            sixes=state.sixes,
            wizards=tuple((seat, state.wizards[seat]) for seat in self.seats),
            joker=self.settings.board.joker if state.joker else None,
            taken=tuple((seat, state.taken[seat]) for seat in self.seats),
            scores=tuple((seat, state.scores[seat]) for seat in self.seats),
            choices=choices(self, state, viewer),
            winners=tuple(map(Robe, end.winners)) if end else (),
        )

    def outcome(self, state: model.State) -> Outcome | None:
        """Return who has most points, several where they have as many, and all points."""
        if state.phase is not OVER:
            return None
        scores = tuple((seat, state.scores[seat]) for seat in self.seats)
        most = max(score for _, score in scores)
        return Outcome(tuple(seat for seat, score in scores if score == most), scores)


def _among(legal: Sequence[Action], action: Action) -> Action | None:
    """Return what was offered, if that is the action: nearly always it is the very same."""
    for offered in legal:
        if offered is action:
            return offered
    return legal[legal.index(action)] if action in legal else None
