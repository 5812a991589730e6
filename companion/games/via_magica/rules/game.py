"""The game itself: deal and keep; then catch, crystallize and open, until somebody has seven."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, ClassVar, Final

from companion.core import TABLE, Action, BaseGame, Event, Outcome, Seat, SeatName, refusing
from companion.core.game import choices
from companion.games.via_magica.rules import events, model, refusals, rounds, scoring, zones
from companion.games.via_magica.rules.buildings import Building
from companion.games.via_magica.rules.model import Phase, Player, Settings, State
from companion.games.via_magica.rules.portals import BAG, COPIES, NUMBERS, Animus, Reward

# A member is found faster by its own name than by its class.
DEAL, DRAW, TURN, KEEP, UNVEIL, CATCH, CRYSTALLIZE, CALL, OPEN, POWER, TAKE, REWARD, OVER = Phase
ALONE: Final = frozenset({OPEN, POWER, TAKE, REWARD})  # one acts, who opens a portal
OPENING: Final = (model.Crystallize, model.Open, model.Take, model.Claim, model.Waive)
STEPS: Final[dict[Phase, tuple[Any, Any]]] = {  # what may be done, and to what that leads
    DEAL: (model.Deal, rounds.dealt),
    DRAW: (model.Draw, rounds.after_draw),
    TURN: (model.Turn, rounds.turned),
    KEEP: (model.Keep, rounds.after_keep),
    UNVEIL: (model.Unveil, rounds.unveiled),
    CATCH: (model.Catch, rounds.caught),
    CRYSTALLIZE: (model.Crystallize, rounds.crystallized),
    CALL: (model.Call, rounds.called),
    **dict.fromkeys((OPEN, POWER, TAKE, REWARD), (OPENING, rounds.in_opening)),
    OVER: ((), None),
}
CRYSTALS: Final = 7  # VM-1
KINDS: Final = len(NUMBERS)
THE_TABLE: Final = (TABLE,)
DEALS: Final = tuple(tuple(model.Deal(mage, number) for number in NUMBERS) for mage in SeatName)
CATCHES: Final = tuple(model.Catch(animus) for animus in Animus)
DRAWS: Final = tuple(model.Draw(number) for number in NUMBERS)
TURNS: Final = (model.Turn(),)
UNVEILS: Final = (model.Unveil(),)
WAIVES: Final = tuple((model.Waive(mage),) for mage in SeatName)


@dataclass(frozen=True, slots=True)
class Zone:
    """What everybody may know of one player; building zones are hidden until all are unveiled."""

    seat: SeatName
    supply: int
    building: tuple[Building, ...]
    opened: tuple[int, ...]
    rewards: tuple[Reward, ...]
    points: int  # as if the game ended now


@dataclass(frozen=True, slots=True)
class View:
    """All that one viewer may know of a state."""

    round: int
    phase: Phase
    turns: tuple[int, ...]
    catcher: SeatName
    animus: Animus | None
    caught: tuple[Animus, ...]
    queue: tuple[SeatName, ...]
    opening: tuple[int, ...]
    left: int
    display: tuple[int, ...]
    drawn: int  # how many
    stack: int  # how many
    discards: int  # how many
    zones: tuple[Zone, ...]
    hand: tuple[int, ...]  # the viewer's own, as long as all have not kept theirs
    kept: tuple[int, ...]  # what the viewer has kept of it, until all are unveiled
    choices: tuple[Action, ...]
    winners: tuple[SeatName, ...]


class ViaMagica(BaseGame[State]):
    """One match of Via Magica: its settings, and the rules under them."""

    name: ClassVar = "via-magica"
    actions = model.ACTIONS
    settings_type = Settings
    settings: Settings
    seats: tuple[SeatName, ...]

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        dealt = not self.settings.by_hand
        self.unasked = (
            (model.Deal, model.Draw, model.Turn, model.Unveil)
            if dealt
            else (model.Turn, model.Unveil)
        )
        self.from_hand = (model.Keep,) if dealt else ()

    def start(self) -> State:
        """Return the stack of all portals, before the first is dealt; the first seat catches."""
        return State(
            *((COPIES,) * KINDS, (0,) * KINDS, (), (), (), 0, (), False, BAG, self.seats[0]),
            *((0, DRAW, None, ()) if self.settings.by_hand else (0, DEAL, None, self.seats)),
            tuple([Player(supply=CRYSTALS if mage in self.seats else 0) for mage in SeatName]),
        )

    def turns(self, state: State) -> tuple[Seat, ...]:
        """Return everybody who may act: all at once, the one who opens, or the table."""
        phase = state.phase
        if phase is CRYSTALLIZE or phase is KEEP:
            return state.queue
        if phase is CATCH or phase not in ALONE:
            return () if phase is OVER else THE_TABLE
        return state.queue[:1]

    def asked(self, state: State) -> Seat | None:
        """Return who draws the animus (VM-2)."""
        return state.catcher if state.phase is CATCH else None

    def rivals(self, state: State) -> tuple[Seat, ...]:
        """Return who may have called first (VM-3)."""
        return state.queue if state.phase is CALL else ()

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        """Return all that this seat, or the table, may do now."""
        phase, animus = state.phase, state.animus
        if phase is CRYSTALLIZE and animus is not None and seat in state.queue:
            player = state.players[seat]
            return zones.Ways(seat, player, zones.good_for(player, animus))
        if phase is CATCH and seat == TABLE:
            return tuple(compress(CATCHES, state.bag))
        if seat not in self.turns(state):
            return ()
        return self._told(state) if seat == TABLE else self._chosen(state, seat)

    def _told(self, state: State) -> Sequence[Action]:
        phase = state.phase
        if phase is DRAW:
            return tuple(compress(DRAWS, state.stack))
        if phase is DEAL:
            return tuple(compress(DEALS[state.queue[0]], state.stack))
        if phase is CALL:
            return (model.Call(), *map(model.Call, state.queue))
        return TURNS if phase is TURN else UNVEILS

    def _chosen(self, state: State, seat: Seat) -> Sequence[Action]:
        phase = state.phase
        if phase is OPEN:
            return rounds.openable(state)
        if phase is TAKE:
            return rounds.takes(state)
        if phase is KEEP:
            return rounds.keeps(self.settings, state, seat)
        if phase is POWER:
            return (*rounds.uses(state), *WAIVES[seat])
        return (*rounds.claims(self.settings, state), *WAIVES[seat])

    def odds(self, state: State) -> Sequence[int]:
        """Return how many of each portal or animus are left; who calls first, anybody may."""
        phase = state.phase
        if phase is CATCH:
            return tuple(filter(None, state.bag))
        if phase is DRAW or phase is DEAL:
            return tuple(filter(None, state.stack))
        return (1,) * len(self.legal(state, TABLE))

    @refusing
    def apply(self, state: State, action: Action) -> State:
        kinds, step = STEPS[state.phase]
        after: State | None = None
        if isinstance(action, kinds):
            after = step(self.settings, state, action)
        if after is None:
            raise refusals.refusal(self.settings, state, action, self.turns(state))
        return after

    @refusing
    def explain(self, state: State, action: Action, then: State | None = None) -> tuple[Event, ...]:
        then = self.apply(state, action) if then is None else then
        return events.events_of(self.settings, state, action, then)

    def view(self, state: State, viewer: Seat | None) -> View:
        """Return what lies open, and the viewer's own hand while it chooses what to keep."""
        own = state.players[viewer] if viewer is not None and viewer in self.seats else Player()
        end = self.outcome(state)
        return View(
            round=state.round,
            phase=state.phase,
            turns=self.turns(state),
            catcher=state.catcher,
            animus=state.animus,
            caught=_caught(state.bag),
            queue=state.queue,
            opening=state.opening,
            left=state.left,
            display=state.display,
            drawn=len(state.drawn),
            stack=sum(state.stack),
            discards=sum(state.discards),
            zones=tuple(_zone(self.settings, state, seat) for seat in self.settings.seats),
            hand=own.hand,
            kept=() if state.round else zones.portals(own.building),
            choices=choices(self, state, viewer) if viewer != TABLE else (),
            winners=tuple(map(SeatName, end.winners)) if end else (),
        )

    def outcome(self, state: State) -> Outcome | None:
        """Return who has the most points, once the last round is over (VM-6)."""
        return scoring.outcome(self.settings, state) if state.phase is OVER else None


def _caught(bag: tuple[int, ...]) -> tuple[Animus, ...]:
    gone = (full - left for full, left in zip(BAG, bag, strict=True))
    return tuple(animus for animus, count in zip(Animus, gone, strict=True) for _ in range(count))


def _zone(settings: Settings, state: State, seat: SeatName) -> Zone:
    player = state.players[seat]
    is_open = state.round > 0 or settings.by_hand  # hidden until all are unveiled
    zone = player.building if is_open else ()
    points = scoring.points_of(player)
    return Zone(seat, player.supply, zone, player.opened, player.rewards, points)
