"""Guests at a simulated table who follow the referee: they shake by hand and decide by command.

Guests do what people do: they read the dice aloud, move when it is their turn, and help out where
the referee did not notice for a while what hands did. Where people play at some seats, they wait
for these as long as it takes, and decide nothing in their place.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from companion.core.players.levels import CHILD
from companion.games.zapp_zerapp.rules import Phase, Settings, View
from companion.games.zapp_zerapp.simulated.guests import Choosing, Guests, Watching, chosen, worths
from companion.referee import commands, handlers
from companion.referee.events import HouseRules, Roller
from companion.referee.snapshot import Snapshot
from companion.simulator import ground_truth, poses, run
from companion.simulator.guests import Decide, GuestPlugin
from companion.system.text import SeatName

Wish = tuple[commands.CommandBody, str]  # what somebody wants of the table, and who

THINK_US: Final = 1_000_000  # before a move, or before a number is read aloud
NOTICE_US: Final = 4_000_000  # this long the referee may take to notice
CHEER_US: Final = 8_000_000  # after a game
DICE_US: Final = 20_000_000  # this long the dice lie where a person has taken a roll back
AFTER_US: Final = 2_000_000  # after a match, before the barrels are put back
SEALED: Final = (Phase.PLACE, Phase.FLIP, Phase.SAY)  # barrels are chosen, and not all read
ARRIVE_US: Final = 10_000_000  # this long a seat that a person may take is kept free at first


@dataclass(slots=True)
class Shaken:
    round: int
    magic: int
    rolled_us: int
    choosing: list[Choosing] = field(default_factory=list)  # empty: nobody has reached out yet
    flipped_us: int | None = None  # None: they still wait until all have placed


class Party:
    """The guests of one evening; `go` is called again and again, by who drives the table."""

    def __init__(
        self,
        table: run.SimulatedTable,
        guests: Guests,
        rng: Random,
        games: int,
        person: SeatName | None = None,
    ) -> None:
        self._table, self.guests, self._rng = table, guests, rng
        self.level = CHILD
        self._left = games
        self._expected = person  # whose seat is kept free for a while
        roller = Roller.PEOPLE if person is None else Roller.COMPANION  # who sees only a page
        self._house = HouseRules(roller=roller)  # nobody listens at the ear here: no reminder
        self._mixed = False
        self._shaken: Shaken | None = None
        self._settings = Settings()  # of the match that is played
        self._match: str | None = None
        self._seen: tuple[str | None, int] = (None, -2)
        self._since_us = 0  # when that was seen first
        self._decided_us: int | None = None  # when somebody decided about what is seen now
        self._watching = Watching(Random(f"watching {table.seed}"))  # noqa: S311 - a game and no secret
        self._cleared = True  # whether all stands on its place after a match
        self._again: tuple[str | None, int] | None = None  # the match and round, if shaken again
        self._takes_back = False  # until nobody has placed anything in it

    @property
    def shakes_again(self) -> bool:
        """Whether barrels did not lie where the referee has them, so this round begins anew."""
        return self._again is not None

    def go(self, now: Snapshot, decide: Decide) -> bool:
        """Do what is to be done; return False once the evening is over."""
        now_us = self._table.now_us
        if self._seen != (now.match, now.version):
            self._seen, self._since_us = (now.match, now.version), now_us
            self._decided_us = None
        self._watching.see(now, now_us)
        over = now.match is None or now.over
        if over:
            self._put_away(now_us)
        if over and self._left == 0 and not self.guests.wanted:
            return now_us - self._since_us < CHEER_US
        waits = self._decided_us is not None and now_us < self._decided_us + NOTICE_US
        if not waits and (wish := self._wish(now, now_us)):
            self._decided_us = now_us
            decide(*wish, now.version)
        return True

    def _wish(self, now: Snapshot, now_us: int) -> Wish | None:
        waited_us = now_us - self._since_us
        if now.match is None or now.over:
            return self._begin(now, waited_us)
        if now.match != self._match:
            resumed, self._match = self._match is None, now.match
            self._join(now)
            if resumed and isinstance(now.view, View):
                self._resume(now, now.view, now_us)
        view = now.view
        if (answer := self._answer(now)) is not None:
            return answer
        if not isinstance(view, View):
            self._put_away(now_us)
            return None  # a game without barrels; the guests look on
        self._cleared = False
        if self._again is not None and self._again != (now.match, view.round):
            self._again = None
        self._takes_back = self._takes_back and bool(view.placed)
        if self._takes_back:
            return commands.Undo(), self._somebody
        match view.phase:
            case Phase.ROLL:
                return self._roll(now, view, now_us)
            case Phase.PLACE | Phase.FLIP:
                return self._choose(now, view, now_us)
            case Phase.SAY if waited_us > THINK_US:
                return self._say(view)
            case Phase.MOVE if waited_us > THINK_US and self._may_go_on(now, now_us):
                return self._move(now, view)
        return None

    # --- matches ------------------------------------------------------------------------------

    def _begin(self, now: Snapshot, waited_us: int) -> Wish | None:
        """Begin another match; where people play, that is up to them."""
        persons = now.over and bool(self.guests.wanted)
        if persons or self._left == 0 or (now.over and waited_us < CHEER_US):
            return None
        self._left -= 1
        seats = sorted({*self.guests.guests, *self.guests.wanted})
        wish = handlers.usual_match(seat.name.lower() for seat in seats)
        return replace(wish, house=self._house), self._somebody

    def _put_away(self, now_us: int) -> None:
        """After a match: put back all that no person holds; who has the table then may need it."""
        guests, world, table = self.guests, self._table.world, self._table
        if self._cleared:
            return
        if self._shaken is not None:
            for choosing in self._shaken.choosing:
                choosing.end()
            self._shaken = None
        guests.end()
        if now_us < max(world.now_free_us, self._since_us + AFTER_US):
            return
        table.forget()
        table.act(guests.collect(0, now_us))
        table.act(guests.tidy(0, now_us))
        self._cleared = now_us >= world.now_free_us

    def _answer(self, now: Snapshot) -> Wish | None:
        """Say yes where a guest is asked back: guests claim only what they have done."""
        playing = {guest.seat.name.lower() for guest in self.guests.playing}
        mine = (claim for claim in now.claims if claim.by in playing)
        return next(((commands.ConfirmDisputed(claim.text), claim.by) for claim in mine), None)

    def _join(self, now: Snapshot) -> None:
        """Play the match that somebody has begun; what hands were doing then is let be."""
        if self._shaken is not None:
            self._shaken.round = 0  # that is over
        if isinstance(now.settings, Settings):
            self._settings = now.settings
            self.guests.sit(tuple(map(SeatName, now.settings.seats)))

    def _resume(self, now: Snapshot, view: View, now_us: int) -> None:
        """Go on where the program was stopped, if all barrels lie as the referee has them."""
        guests, world = self.guests, self._table.world
        if view.phase not in SEALED:
            return
        if any(world.on_pad(SeatName(seat)) is None for seat in view.placed):
            self._again, self._takes_back = (now.match, view.round), True
            self._table.act(guests.tidy(view.round, now_us))
            return
        late_us = {} if self._expected is None else {self._expected: ARRIVE_US}
        worth = worths(self.level, self._settings, view)
        choosing = guests.resume(view.magic, late_us, worth)
        self._expected = None
        chosen = [
            world.barrels[guest.placed] for guest in guests.playing if guest.placed is not None
        ]
        over = all(barrel.pose.support is poses.Support.HEAD for barrel in chosen)
        flipped_us = now_us if over and view.phase is not Phase.PLACE else None
        self._shaken = Shaken(view.round, view.magic, -1, [choosing], flipped_us)
        self._table.follow(choosing)

    @property
    def _somebody(self) -> str:
        """Return who speaks for all: a guest, or nobody certain where only people play."""
        return next((guest.seat.name.lower() for guest in self.guests.playing), "guests")

    # --- a round ------------------------------------------------------------------------------

    def _roll(self, now: Snapshot, view: View, now_us: int) -> Wish | None:
        """Put the last round's barrels back, roll for the next, and read the dice aloud."""
        shaken = self._last_is_over(view, now_us)
        companion = now.house is not None and now.house.roller is Roller.COMPANION
        if shaken is None:
            if self._ready(now, view, now_us):
                if companion:  # then nobody's dice count
                    return commands.RollForUs(), self._somebody
                self._table.act(self.guests.roll(view.round, now_us))
                rolled = self._table.world.truth.of(ground_truth.What.ROLLED)[-1]
                self._shaken = Shaken(view.round, rolled.magic or 2, rolled.at_us)
        elif now_us >= shaken.rolled_us:
            again = shaken.choosing and self.guests.away  # a person took it back
            late = now_us > self._since_us + DICE_US and not self._waits_for_roller(view)
            if not again or late:
                wish = (
                    commands.RollForUs() if companion else commands.DoAction(f"roll {shaken.magic}")
                )
                return wish, self._somebody
        return None

    def _last_is_over(self, view: View, now_us: int) -> Shaken | None:
        """Put the barrels of an earlier round back; return what is being shaken now."""
        shaken = self._shaken
        if shaken is None or shaken.round >= view.round:
            return shaken
        for choosing in shaken.choosing:
            choosing.end()
        if shaken.flipped_us is not None:
            self._table.forget()
            self._table.act(self.guests.collect(view.round, max(now_us, shaken.flipped_us)))
        self._shaken, self._mixed = None, False
        return None

    def _ready(self, now: Snapshot, view: View, now_us: int) -> bool:
        """Return whether a guest may roll: all stands there, mixed, and no person is to."""
        guests, world = self.guests, self._table.world
        if now_us < world.now_free_us:
            return False
        guests.next_round()
        self._table.act(guests.collect(view.round, now_us))  # perhaps from a practice round
        self._table.act(guests.tidy(view.round, now_us))
        if not self._may_go_on(now, now_us):
            return False
        if now_us < world.now_free_us or not all(map(world.stands, world.barrels)):
            return False
        return not self._mix(now, view, now_us) and not self._waits_for_roller(view)

    def _waits_for_roller(self, view: View) -> bool:
        """Return whether a person is to roll: guests wait as long as that person is there."""
        return SeatName(view.roller) in self.guests.away

    def _mix(self, now: Snapshot, view: View, now_us: int) -> bool:
        """Mix the barrels, once a round, if one does."""
        shuffle = isinstance(now.settings, Settings) and now.settings.shuffle
        mixes = shuffle and not self._mixed
        if mixes:
            self._mixed = True
            self._table.act(self.guests.mix(view.round, now_us))
        return mixes

    def _choose(self, now: Snapshot, view: View, now_us: int) -> Wish | None:
        """Listen until all have placed, tell the referee what it missed, then flip."""
        shaken = self._last_is_over(view, now_us)
        if shaken is None:  # somebody else rolled, or the power was cut in this round
            shaken = self._shaken = Shaken(view.round, view.magic, now_us)
            self._mix(now, view, now_us)
        self._reach_out(shaken, view, now_us)
        done = {SeatName(seat) for seat in (*view.placed, *view.out)}
        for guest in self.guests.playing:
            if guest.seat not in done and self._placed_long_ago(guest.seat, shaken, now_us):
                colour = guest.seat.name.lower()
                return commands.DoAction(f"place {colour}"), colour
        return self._flip(now, shaken, view, now_us) if view.phase is Phase.FLIP else None

    def _reach_out(self, shaken: Shaken, view: View, now_us: int) -> None:
        """Let all listen at once, and later whoever plays on where a person has left."""
        guests = self.guests
        if shaken.choosing:
            busy = {seat for choosing in shaken.choosing for seat in choosing.seats}
            new = [
                guest for guest in guests.playing if guest.placed is None and guest.seat not in busy
            ]
            if not new:
                return
            shaken.choosing.append(Choosing(guests, new, now_us))
        else:
            guests.next_round()
            late_us = {}
            if self._expected is not None and not guests.wanted:
                late_us = {self._expected: ARRIVE_US}
            self._expected = None
            from_us = max(now_us, self._table.world.now_free_us)
            worth = worths(self.level, self._settings, view)
            shaken.choosing.append(guests.choosing(view.magic, from_us, late_us, worth))
        self._table.follow(shaken.choosing[-1])

    def _placed_long_ago(self, seat: SeatName, shaken: Shaken, now_us: int) -> bool:
        placed = [
            entry.until_us
            for entry in self._table.world.truth.of(ground_truth.What.PLACED)
            if entry.other is seat and entry.at_us > shaken.rolled_us
        ]
        return bool(placed) and now_us > placed[-1] + NOTICE_US

    def _may_go_on(self, now: Snapshot, now_us: int) -> bool:
        """Return whether people would: guests among themselves need no time to look."""
        if not self.guests.wanted:
            return not now.costly
        return self._watching.goes_on(now, now_us)

    def _flip(self, now: Snapshot, shaken: Shaken, view: View, now_us: int) -> Wish | None:
        """Turn the barrels over now that the referee says so."""
        world, guests = self._table.world, self.guests
        if shaken.flipped_us is None:
            chosen = all(guest.placed is not None for guest in guests.playing)
            if chosen and now_us >= world.now_free_us and self._may_go_on(now, now_us):
                self._table.act(guests.flip(view.round, now_us))
                shaken.flipped_us = world.now_free_us
        elif now_us > shaken.flipped_us + NOTICE_US and self._people_have_flipped(view, now_us):
            return None if now.held else (commands.DoAction("flip"), self._somebody)
        return None

    def _people_have_flipped(self, view: View, now_us: int) -> bool:
        """Return whether they have, and the referee had time to notice."""
        world = self._table.world
        numbers = [
            world.on_pad(seat) for seat in map(SeatName, view.placed) if seat in self.guests.away
        ]
        barrels = [None if number is None else world.barrels[number] for number in numbers]
        return all(
            barrel is not None
            and barrel.pose.support is poses.Support.HEAD
            and now_us > barrel.free_us + NOTICE_US
            for barrel in barrels
        )

    def _say(self, view: View) -> Wish | None:
        """Read a number aloud that no sensor knew."""
        read = {SeatName(seat) for seat, _ in view.numbers}
        for guest in self.guests.playing:
            if guest.seat not in read and guest.placed is not None:
                colour = guest.seat.name.lower()
                return commands.DoAction(f"say {colour} {guest.placed}"), colour
        return None

    def _move(self, now: Snapshot, view: View) -> Wish | None:
        if view.turns[0] in self.guests.away:
            return None
        mover = SeatName(view.turns[0]).name.lower()
        offers = next(seat.offers for seat in now.seats if seat.colour == mover)
        moves = [
            (offer.wish, offer.preview)
            for offer in offers
            if isinstance(offer.wish, commands.DoAction) and offer.wish.text.startswith("move")
        ]
        if not moves:
            return None
        return chosen(self.level, self._settings, now.seen_by(mover), moves, self._rng), mover


def follow(
    table: run.SimulatedTable,
    rng: Random,
    seats: Sequence[SeatName],
    games: int,
    person: SeatName | None = None,
) -> Party:
    return Party(table, Guests(table.world, rng, seats), rng, games, person)


def set_level(party: Party, level: str) -> None:
    """Have guests play as well as a level says."""
    party.level = level


VISITORS: Final = GuestPlugin(follow, set_level)
