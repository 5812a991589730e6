"""Bots and coach for Via Magica: choose by what portals bring and how soon.

A crystal is worth by how much it brings nearer what its portal is worth, and costs what leaves
another one. The weights were found by playing.
"""

from collections.abc import Sequence
from math import exp, sqrt
from random import Random
from typing import Any, Final

from companion.coach import evaluator
from companion.core import Action, Game, Options, Seat, SeatName, Text
from companion.core.players.levels import EXPERT, GOOD, careless, levels
from companion.core.players.monte_carlo import SearchBudget, searching
from companion.games.via_magica import rules
from companion.games.via_magica.rules import PORTALS, Player, Power, Reward, State, ViaMagica, Zone
from companion.system.chance import mixed

WAITS: Final = (2.85, 3.8, 4.0, 4.8, 5.3, 9.5)  # rounds until each animus comes, or a joker
LONG: Final = 1.1  # how much longer it takes to wait for the same again
PATIENCE: Final = 6.9  # rounds after which something is worth a third…
HURRY: Final = 0.5  # … and by which share less when somebody is about to end the game
JOKERS: Final = 0.5  # of an animus that serves as a joker: how often it helps
POWERS: Final = {
    Power.PLACE: 3.5,
    Power.GAIN: 5.0,
    Power.OPEN: 7.0,
    Power.TAKE: 3.0,
    Power.REARRANGE: 1.4,
}
BLUE: Final = 6.4  # what a lasting joker for air is worth; for rarer ones less
SOON: Final = 5.0  # what it is worth to have opened anything
GREEN_HUE, GREEN_FIELD = 1.2, 2.3  # portals and fields that are still to come to a green one
TWO_OF, ONE_OF, EVERY = 0.56, 0.3, 0.4  # shares of a reward for which so much is there or missing
EARLY: Final = {Reward.TWO: 0.3, Reward.THREE: 0.48, Reward.FOUR: 0.57}  # better may come
BEHIND: Final = 0.15  # … but hardly to who is so many portals behind
SPARED: Final = 0.001  # a crystal from the supply is better than one that lies already
NOTHING: Final = (0,) * len(rules.ANIMI)


class Prospects:
    """What one player can expect of portals, as everything lies."""

    def __init__(self, zones: Sequence[Zone | Player], own: Zone | Player) -> None:
        self._opened = own.opened
        self._hues = [PORTALS[number].hue for number in own.opened]
        self._gone = {reward for zone in zones for reward in zone.rewards}
        most = max([len(zone.opened) for zone in zones])
        self.left = 1 - most / rules.rounds.SEVEN  # of the game
        self.behind = most - len(own.opened)
        self._patience = PATIENCE * (1 - HURRY * (1 - self.left))
        blue = [
            PORTALS[number].animus for number in own.opened if PORTALS[number].hue is rules.Hue.BLUE
        ]
        more = JOKERS * sum([1 / WAITS[animus] for animus in blue if animus is not None])
        self._waits = [1 / (1 / wait + more) for wait in WAITS]
        self._gains: dict[int, float] = {}
        self._worths: dict[tuple[int, tuple[int, ...]], float] = {}

    def of(self, number: int, covered: tuple[int, ...] = NOTHING) -> float:
        """Return what a portal is worth that is covered so far."""
        key = number, covered
        if key not in self._worths:
            self._worths[key] = self._of(number, covered)
        return self._worths[key]

    def _of(self, number: int, covered: tuple[int, ...]) -> float:
        fields = zip(PORTALS[number].fields, covered, self._waits, strict=True)
        wait = sum([((all_ - done) * each) ** LONG for all_, done, each in fields if all_ != done])
        return (self.gain(number) + SOON) * exp(-(wait ** (1 / LONG)) / self._patience)

    def gain(self, number: int) -> float:
        """Return what a portal brings when it is opened, to all that is open, and later."""
        if number not in self._gains:
            kind = PORTALS[number]
            self._gains[number] = self._points(kind) + self._lasting(kind) + self._rewards(kind)
        return self._gains[number]

    def _points(self, kind: rules.Portal) -> float:
        points = kind.points * 1.0
        if isinstance(kind.per, rules.Hue):
            own = self._hues.count(kind.per) + (kind.hue is kind.per)
            points *= own + GREEN_HUE * self.left
        elif isinstance(kind.per, rules.Animus):
            fields = [PORTALS[number].fields[kind.per] for number in self._opened]
            points *= sum(fields) + kind.fields[kind.per] + GREEN_FIELD * self.left
        for number in self._opened:
            green = PORTALS[number]
            if isinstance(green.per, rules.Animus):
                points += green.points * kind.fields[green.per]
            elif green.per is kind.hue:
                points += green.points
        return points

    def _lasting(self, kind: rules.Portal) -> float:
        if kind.power is not None:
            return POWERS[kind.power] * self.left
        if kind.hue is rules.Hue.BLUE and kind.animus is not None:
            return BLUE * self.left * WAITS[0] / WAITS[kind.animus]
        return 0.0

    def _rewards(self, kind: rules.Portal) -> float:
        worth, own = 0.0, self._hues.count(kind.hue)
        shares = (ONE_OF * self.left, TWO_OF * self.left, 1.0, 0.0)
        for reward, hue in rules.TRIPLES.items():
            if hue is kind.hue and reward not in self._gone:
                worth += rules.WORTH[reward] * shares[min(own, 3)]
        if not own and Reward.EVERY not in self._gone:
            others = len({*self._hues})
            full = others == len(rules.Hue) - 1
            worth += rules.WORTH[Reward.EVERY] * (1 if full else EVERY * self.left * others / 3)
        return worth


def experienced(settings: Any, view: Any, seat: Seat, options: Options, _chance: Random) -> Action:
    """Choose what promises most."""
    if len(options) == 1:
        return options[0]
    own = next(zone for zone in view.zones if zone.seat == seat)
    return best_choice(Prospects(view.zones, own), own, options, one_number=settings.numbers == 1)


def best_choice(
    prospects: Prospects, own: Zone | Player, options: Options, *, one_number: bool
) -> Action:
    return max(options, key=lambda action: promise(prospects, own, action, one_number=one_number))


def promise(prospects: Prospects, own: Zone | Player, action: Action, *, one_number: bool) -> float:
    match action:
        case rules.Crystallize():
            return _of_placing(prospects, own, action)
        case rules.Keep(portals=tuple(portals)):
            return sum(map(prospects.of, portals))
        case rules.Take(portal=portal):
            return prospects.of(portal)
        case rules.Open(portal=portal):
            return prospects.gain(portal)
        case rules.Claim(reward=reward):
            hope = prospects.left - BEHIND * prospects.behind
            return -1.0 if one_number and hope > EARLY.get(reward, 1.0) else rules.WORTH[reward]
    return 0.0  # waive


def _of_placing(prospects: Prospects, own: Zone | Player, action: rules.Crystallize) -> float:
    """Return what a crystal brings where it comes to, less what it brought where it was."""
    if action.source == action.on:
        return 0.0
    covered = {building.portal: building.covered for building in own.building}
    changed = {action.on.portal: [*covered[action.on.portal]]}
    changed[action.on.portal][action.on.animus] += 1
    if action.source is not None:
        portal, animus = action.source
        changed.setdefault(portal, [*covered[portal]])[animus] -= 1
    spare = SPARED if action.source is None else 0.0
    return spare + sum(
        [
            prospects.of(number, tuple(now)) - prospects.of(number, covered[number])
            for number, now in changed.items()
        ]
    )


BUILT, OPENED = 0.99, 5.1  # what a point in prospect counts, and each portal that is opened
HOPE: Final = 7.2  # what it counts that a reward for a number of portals may still be claimed
LAST, LEFT = 16.8, 96.5  # how much can still happen: at the end, and as long as all lies ahead
OFF: Final = 18  # points, beside matches played to their end


class Standing:
    """Knows how everything lies."""

    def __init__(self, game: ViaMagica) -> None:
        self._game = game

    def lead(self, state: State) -> tuple[float, ...]:
        """Return points, portals and prospects, beside how much can still happen."""
        players = _opened(state)
        rivals = [(players[seat], Prospects(players, players[seat])) for seat in self._game.seats]
        spread = sqrt(LAST + LEFT * min(prospects.left for _, prospects in rivals))
        return tuple([_points(player, prospects) / spread for player, prospects in rivals])

    def choice(self, state: State, seat: Seat) -> Action:
        options, own = self._game.legal(state, seat), state.players[seat]
        if len(options) == 1:
            return options[0]
        prospects, one_number = Prospects(state.players, own), self._game.settings.numbers == 1
        return best_choice(prospects, own, options, one_number=one_number)


def _opened(state: State) -> Sequence[Player]:
    """Return the players; what one is just opening counts as open."""
    players = [*state.players]
    if state.opening:
        seat = state.queue[0]
        players[seat] = players[seat]._replace(opened=(*players[seat].opened, *state.opening))
    return players


def _points(own: Player, prospects: Prospects) -> float:
    built = sum([prospects.of(zone.portal, zone.covered) for zone in own.building])
    hope = HOPE * rules.scoring.NUMBERED.isdisjoint(own.rewards)
    return rules.scoring.points_of(own) + OPENED * len(own.opened) + BUILT * built + hope


def judge(game: Game[Any]) -> evaluator.Evaluator:
    assert isinstance(game, ViaMagica)
    return evaluator.Estimate(game, Standing(game), evaluator.estimate_note(OFF))


COACH: Final = evaluator.Coach(
    sources=(
        evaluator.LuckSource(
            evaluator.LUCK,
            Text("Bag and portals"),
            Text("It was mostly the bag and the portals: luck."),
        ),
        evaluator.TOO_ROUGH,
    ),
    judge=judge,
    counts=evaluator.COUNTS,
)


WORTHY: Final = 3  # choices that are worth a search
INNER: Final = {
    rules.Phase.POWER,
    rules.Phase.OPEN,
}  # where the portal that is being opened is still counted


class Foresight:
    def world(self, game: ViaMagica, view: rules.View, seat: Seat, chance: Random) -> State:  # noqa: ARG002 - the contract
        """Return a state that could be: stack and discards as they may lie."""
        hidden = mixed(chance, _unseen(view))
        drawn, rest = hidden[: view.drawn], hidden[view.drawn :]
        stack, discards = rest[: view.stack], rest[view.stack :]
        return State(
            stack=tuple([stack.count(number) for number in rules.NUMBERS]),
            discards=tuple([discards.count(number) for number in rules.NUMBERS]),
            drawn=tuple(drawn),
            display=view.display,
            opening=view.opening,
            left=view.left,
            halted=(),
            took=False,
            bag=tuple([rules.BAG[animus] - view.caught.count(animus) for animus in rules.Animus]),
            catcher=view.catcher,
            round=view.round,
            phase=view.phase,
            animus=view.animus,
            queue=view.queue,
            players=_players(view),
        )

    def candidates(
        self, game: ViaMagica, view: rules.View, seat: Seat, options: Options
    ) -> Options:
        """Return what promises most; which portals to keep at first is not searched.

        Nor is what is done while a portal is opened within another one: the view does not tell how
        often the power around it may still be used.
        """
        own = next(zone for zone in view.zones if zone.seat == seat)
        prospects, one_number = Prospects(view.zones, own), game.settings.numbers == 1
        nested = len(view.opening) > (view.phase in INNER)
        most = sorted(
            options, key=lambda option: -promise(prospects, own, option, one_number=one_number)
        )
        return most[: 1 if nested or view.phase is rules.Phase.KEEP else WORTHY]

    def policy(self, game: ViaMagica, state: State, options: Options) -> Action:
        own = state.players[options[0].seat]
        one_number = game.settings.numbers == 1
        return best_choice(Prospects(state.players, own), own, options, one_number=one_number)

    def rests(self, state: State, seat: Seat) -> bool:  # noqa: ARG002 - the contract
        return state.phase is rules.Phase.CATCH

    def worth(self, game: ViaMagica, state: State, seat: Seat) -> float:
        at, end = game.seats.index(SeatName(seat)), game.outcome(state)
        if end is None:
            return evaluator.chances(Standing(game).lead(state))[at]
        return (seat in end.winners) / len(end.winners)


FORESIGHT: Final = Foresight()


def _unseen(view: rules.View) -> list[int]:
    """Return every portal that lies face down, whoever has it."""
    seen = [*view.display, *view.opening]
    for zone in view.zones:
        seen += [*(building.portal for building in zone.building), *zone.opened]
    return [number for number in rules.NUMBERS for _ in range(rules.COPIES - seen.count(number))]


def _players(view: rules.View) -> tuple[Player, ...]:
    zones = {zone.seat: zone for zone in view.zones}
    return tuple([_player(zones[mage]) if mage in zones else Player() for mage in SeatName])


def _player(zone: Zone) -> Player:
    return Player((), zone.supply, zone.building, zone.opened, zone.rewards)


EFFORT: Final = SearchBudget(playouts=40, rests=3)  # this round, and two more
PLAYERS: Final = levels(
    careless(experienced), {EXPERT: searching(ViaMagica, FORESIGHT, EFFORT), GOOD: experienced}
)
