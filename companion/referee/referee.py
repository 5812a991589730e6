"""The referee: handles sensing events, button presses and commands; writes, then publishes.

One thread calls it, one call after another; what it publishes never changes. Everything of a match
is on the disk before anybody hears of it, and what is not - lit choices, open questions - is only
ever lost together with the power.

    referee = Referee(journal, publish, Random())
    referee.resume(match, entries, now_us)       # where the last evening was cut off
    referee.handle_command(Command("1", DoAction("roll 7"), "red"), now_us)
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import reduce
from random import Random
from threading import Lock
from typing import Final

from companion.core.game import verb
from companion.core.plugin import GAMES
from companion.journal import Entry, Journal, NewEntry
from companion.referee import barrel_state, button_options, commands, handlers
from companion.referee.automation import Randomness
from companion.referee.barrel_game import BarrelGame, RefereePorts, barrel_game
from companion.referee.events import (
    BarrelAssigned,
    FoulRaised,
    FoulRuled,
    MatchAbandoned,
    MatchEvent,
    UndoneTo,
    from_json,
    to_json,
)
from companion.referee.faults import TableFault, is_about_barrel, without_stopper_names
from companion.referee.match import Match, apply, start_match
from companion.referee.match_snapshot import events_for, for_match, without_match
from companion.referee.snapshot import Proposal, ProposalVerdict, ProposeMatch, Snapshot, TableEvent
from companion.sensing import events, observations, tampering
from companion.system.errors import CompanionError, RulesError, Stale
from companion.system.status import Condition
from companion.system.text import SeatName, seat_word

STOOD: Final = verb(BarrelAssigned)
UNFELT: Final = -1  # as sensing calls a barrel that cannot be felt


class Referee:
    """Owns the match: every change of it goes through here, into the journal first."""

    def __init__(
        self,
        journal: Journal,
        publish: Callable[[Snapshot, tuple[TableEvent, ...]], None],
        chance: Random,
        knows: RefereePorts | None = None,
    ) -> None:
        self._journal, self._publish, self.chance = journal, publish, chance
        self._knows = knows or RefereePorts()
        self._id = ""
        self.match: Match | None = None
        self._luck = Randomness(chance)
        self._answers = commands.RecentAnswers()
        self._buttons = button_options.Buttons()
        self._asked: set[str] = set()  # seats where nobody knows what stands there
        self._unseen: set[int] = set()  # stoppers that stand somewhere as the journal alone says
        self._resumed = -1  # what was done up to this event was done before the start
        self._barrels = barrel_state.BarrelTracker(self._knows.stoppers)
        self._claims = handlers.Claims(self._knows, self._barrels)
        self._unflipped: tuple[str, ...] = ()  # as it was shown
        self._findings = barrel_state.FoulNumbers()
        self._choosing: tuple[str, ...] = ()
        self._troubles: tuple[Condition, ...] = ()
        self._choosing_us = 0  # since when
        self._told_pads: tuple[Condition, ...] = ()  # what people were told of them
        self._warned_us: int | None = None
        self._acted_us: int | None = None
        self._proposal: Proposal | None = None
        self._events: tuple[TableEvent, ...] = ()  # that nobody was told of yet
        self._halfway = False  # whether events are being written, and not all follows from them yet
        self._unread = ""  # the match that was resumed, until it was
        self._unread_us: int | None = None  # since when nobody could go on with it
        self._beginning, self._held = Lock(), False  # a match begins, or may not

    # --- what comes in ------------------------------------------------------------------------

    def resume(self, match: str, entries: Iterable[Entry], now_us: int) -> None:
        """Go on with a match as its events left it; what was asked then is not done again.

        A ValueError says that this cannot be, and then nothing has changed.
        """
        self._unread, entries = match, tuple(entries)
        self._fold(match, entries)
        if self.match is not None:
            self._resumed, self._unseen = self._version, _standing(self.match)
        self._after_change(now_us)
        self._barrels.start_choosing(whole=False)
        played_with = self._barrel_game
        standing = played_with.standing(self.match) if self.match and played_with else ()
        marks = _stopper_events(entries)
        for seat, stopper in standing:  # sensing sees only that something does
            mark = marks.get((seat, stopper))
            self._knows.sense(
                observations.Settled(seat, stopper, now_us, remembered=True, mark=mark)
            )

    def _number_of(self, stopper: int) -> int | None:
        return None if stopper in self._unseen else self._knows.number_of(stopper)

    def recover(self, now_us: int) -> None:
        """Recover from a bug of ours: what the journal holds is true, if anything got that far."""
        if self.match is not None:
            if self._halfway:
                entries = self._journal.events(self._id)
                if len(entries) > self.match.number:  # otherwise it cannot be read just now
                    self._fold(self._id, entries)
            self._findings.keep_only(foul.raised.foul for foul in self.match.fouls)
        if self._halfway:
            self._after_change(now_us)

    def _fold(self, match: str, entries: Iterable[Entry]) -> None:
        """Take a match as its events left it; ValueError: this cannot be, and nothing changed."""
        going: Match | None = None
        luck, answers = Randomness(self.chance), commands.RecentAnswers()
        for entry in entries:
            event = from_json(entry.kind, entry.body, going.game if going else None)
            if going is not None:
                luck.recall(going, event)
            going = start_match(event, GAMES) if going is None else apply(going, event)
            if entry.request:
                answers.remember(commands.Answer(entry.request, going.number))
        self._id, self.match, self._luck, self._answers = match, going, luck, answers

    def wait_for_match(self, now_us: int, *, unread: bool) -> None:
        """Show the table before any match; `unread`: the last one cannot be gone on with."""
        self._unread_us = now_us if unread else None
        self._publish_snapshot(now_us)

    def handle_command(self, command: commands.Command, now_us: int) -> commands.Answer:
        """Do what somebody wants, once, and say what became of it."""
        if (known := self._answers.answer_to(command)) is not None:
            return known
        refused: CompanionError | RulesError | None = None
        try:
            self._demand_current(command)
            self._apply_command(command, now_us)
        except (CompanionError, RulesError) as fault:
            refused = fault
        answer = commands.Answer(command.request, self._version, refused)
        if refused is None:
            self._answers.remember(answer, command)
        return answer

    def handle_event(self, event: events.SensingEvent | tampering.Suspect, now_us: int) -> None:
        """Handle what sensing tells: barrels that move, are placed or taken, and fouls."""
        missed = None
        if isinstance(event, events.BarrelMoved):
            missed = self._barrels.handle_motion(event)
        match, played_with = self.match, self._barrel_game
        if match is None or match.over or played_with is None:
            return
        match event:
            case events.BarrelMoved() if missed is not None:
                self._apply(played_with.taken(match, missed), "", now_us)
            case events.BarrelMoved():
                self._handle_flip(match, played_with, now_us)
            case events.Placed(seat=seat):
                certain = event.confidence >= self._knows.certain
                if (moved := self._barrels.handle_placed(event, certain=certain)) is not None:
                    self._asked.discard(moved.seat)
                    self._apply(played_with.taken(match, moved), "", now_us)
                    match = self.match or match
                sure = certain or len(event.candidates) < 2
                (self._asked.discard if sure else self._asked.add)(seat)
                if event.stopper is not None and certain and not event.remembered:
                    self._unseen.discard(event.stopper)
                at_us = event.moment.at_us
                self._apply(self._all_placed(match, played_with, event), "", now_us, at_us)
            case events.Stayed(seat, stopper) if (seat, stopper) in match.stood:
                self._unseen.discard(stopper)
            case events.Taken(seat=seat) if self._barrels.handle_taken(event):
                self._asked.discard(seat)
                self._apply(played_with.taken(match, event), "", now_us)
            case events.FoulFinding(number=number):
                if not self._findings.knows(number) and event.weight is not events.Weight.WITHDRAWN:
                    self._warned_us = now_us
                self._apply([self._findings.raise_foul(match, event)], "", now_us)

    def _all_placed(
        self, match: Match, played_with: BarrelGame, last: events.Placed
    ) -> Sequence[MatchEvent]:
        """Return that a barrel was placed, and whether all were then: it may be told late.

        Whoever has lifted the own one since, to flip it, has not taken it back.
        """
        certain = self._knows.certain
        alone = played_with.placed(match, last, certain)
        done, after = list(alone), reduce(apply, alone, match)
        for before in self._barrels.left_after(last.moment.at_us):
            again = played_with.placed(after, before, certain)
            done, after = [*done, *again], reduce(apply, again, after)
        return alone if played_with.choosing(after) else done

    def _handle_flip(self, match: Match, played_with: BarrelGame, now_us: int) -> None:
        """Note that a barrel does something: perhaps it was the last to be flipped, or the next."""
        if flipped := played_with.flipped(match, self._barrels.flipped):
            self._apply(flipped, "", now_us)
        elif played_with.unflipped(match, self._barrels.upright) != self._unflipped:
            self._publish_snapshot(now_us)

    def handle_press(self, press: observations.ButtonPressed, now_us: int) -> None:
        """Handle a press of a seat's button: short brings up the next choice, long confirms."""
        wish = self._buttons.handle_press(self.match, press, self._proposal)
        if wish is None:
            self._publish_snapshot(now_us)
            return
        if isinstance(wish, commands.DoAction) and self._claims.is_open(wish.text):
            wish = commands.ConfirmDisputed(wish.text)  # confirmed once more
        request = f"button {press.colour} {press.at_us}"
        self.handle_command(commands.Command(request, wish, press.colour), now_us)

    def tick(self, now_us: int) -> None:
        """Tell of pads that have been cut off or full for long enough, and of those well again."""
        if self._pad_faults(now_us) != self._told_pads:
            self._publish_snapshot(now_us)

    def handle_conditions(self, troubles: tuple[Condition, ...], now_us: int) -> None:
        """Handle which parts of the table do not work."""
        self._troubles = troubles
        self._publish_snapshot(now_us)

    # --- what is done -------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether there is a match that is not over."""
        return self.match is not None and not self.match.over

    @property
    def _barrel_game(self) -> BarrelGame | None:
        return None if self.match is None else barrel_game(self.match)

    @property
    def _version(self) -> int:
        return -1 if self.match is None else self.match.number

    def _demand_current(self, command: commands.Command) -> None:
        if command.match is not None and (self.match is None or command.match != self._id):
            raise Stale("That was for another match; look at the table again, then decide.")
        if command.version is not None and command.version != self._version:
            raise Stale("The table has moved on; look again, then decide.")

    def _apply_command(self, command: commands.Command, now_us: int) -> None:
        wish = command.wish
        if isinstance(wish, commands.NewMatch):
            self._begin(wish, command, now_us)
            return
        if isinstance(wish, commands.ClearTable):
            self._clear_table(now_us)
            return
        if isinstance(wish, ProposeMatch | commands.Accept | commands.Decline):
            self._propose(wish, command, now_us)
            return
        if self.match is None or (self.match.ended and not isinstance(wish, commands.Undo)):
            raise CompanionError("No match is being played; begin one first.")
        if isinstance(wish, commands.WithdrawDisputed):
            self._claims.withdraw(wish.text)
            self._publish_snapshot(now_us)
            return
        new_events: Sequence[MatchEvent] = handlers.events_for(
            self.match, wish, command.by, self._luck, command.means
        )
        if isinstance(wish, commands.DoAction | commands.ConfirmDisputed):
            new_events = self._claims.unless_disputed(self.match, wish, command.by, new_events)
            if not new_events:
                self._publish_snapshot(now_us)
                return
        # of a seat that plays, or it would have been refused
        if isinstance(wish, commands.AssignBarrel):
            self._asked.discard(wish.seat)
            self._unseen -= {wish.stopper}
            felt = UNFELT if wish.stopper is None else wish.stopper  # None: it stands, unknown
            self._knows.sense(observations.Settled(wish.seat, felt, now_us))
        self._apply(new_events, command.request, now_us)

    def handle_pad(self, change: observations.PadChanged) -> None:
        self._barrels.handle_pad(change.colour, change.occupied)

    def hold(self, *, on: bool) -> bool:
        """Keep matches from beginning, or allow them again; False: they may. For any thread.

        While one is played, it is not held: what would replace it waits until it is over.
        """
        with self._beginning:
            self._held = on and not self.playing
            return self._held

    def _begin(self, wish: commands.NewMatch, command: commands.Command, now_us: int) -> None:
        with self._beginning:
            if self._held:
                raise CompanionError(
                    "This table is about to begin anew; begin the match once it is back."
                )
            self._begin_now(wish, command, now_us)

    def _begin_now(self, wish: commands.NewMatch, command: commands.Command, now_us: int) -> None:
        first = handlers.first_event(wish)
        match = start_match(first, GAMES)
        luck, self._resumed = Randomness(self.chance), -1
        match, follows = handlers.consequences(match, first, self._number_of, luck)
        self._give_up(command.by, now_us)
        if self._proposal is not None and self._proposal.open:  # people play something else
            self._proposal = replace(self._proposal, verdict=ProposalVerdict.REFUSED)
        new_events = [_new_entry(event, command.request, ends=False) for event in (first, *follows)]
        self._halfway = True
        self._id = self._journal.start(*new_events)
        self.match, self._luck = match, luck
        self._events += (*events_for(None, first, match),)
        self._asked.clear()
        self._buttons.joining.clear()
        self._findings.keep_only(())
        self._after_change(now_us)

    def _propose(
        self,
        wish: ProposeMatch | commands.Accept | commands.Decline,
        command: commands.Command,
        now_us: int,
    ) -> None:
        """Ask people whether they want to play that, or take what they decided."""
        # also a match that was taken up again
        if self.playing and not isinstance(wish, commands.Decline):
            raise Stale("A match is being played here; propose the next one when it is over.")
        if isinstance(wish, ProposeMatch):
            handlers.first_event(wish.proposal.match)  # raises why it cannot be
            self._proposal = wish.proposal
        else:
            proposal = self._proposal
            if proposal is None or not proposal.open or proposal.request != wish.request:
                raise Stale("That is no longer proposed; look at the table again, then decide.")
            if isinstance(wish, commands.Accept):
                self._begin(proposal.match, command, now_us)
                self._proposal = replace(proposal, verdict=ProposalVerdict.ACCEPTED)
            else:
                self._proposal = replace(proposal, verdict=ProposalVerdict.REFUSED)
        self._buttons.forget()  # what was brought up was another choice
        self._publish_snapshot(now_us)

    def _give_up(self, by: str, now_us: int) -> None:
        """End the match that is played, or the one that nobody could go on with."""
        if self.playing:
            self._apply([MatchAbandoned(by)], "", now_us)
        if self._unread_us is not None:
            number = len(self._journal.events(self._unread))
            with suppress(ValueError):  # its disk fails just now, so it stays as it is
                self._journal.append(
                    self._unread, number, _new_entry(MatchAbandoned(by), "", ends=True)
                )
            self._unread_us = None

    def _clear_table(self, now_us: int) -> None:
        """Put away a match that is over; it stays in the journal."""
        if self.playing:
            raise CompanionError("This match is not over; finish it or give it up first.")
        self._buttons.last, self.match = self.match or self._buttons.last, None
        self._buttons.forget()
        self._buttons.joining.clear()
        self._publish_snapshot(now_us)

    def _apply(
        self,
        new_events: Sequence[MatchEvent],
        request: str,
        now_us: int,
        at_us: int | None = None,  # when they happened, if it is told late
    ) -> None:
        """Write events and all that follows from them, then show where that leads."""
        if self.match is None or not new_events:
            return
        match, done, announced = self.match, list[MatchEvent](), list[TableEvent]()
        for event in map(self._against_hands, new_events):
            before, match = match, apply(match, event)
            if isinstance(event, UndoneTo) and event.to <= self._resumed:
                self._unseen = _standing(match)
            match, follows = handlers.consequences(match, event, self._number_of, self._luck)
            done += (event, *follows)
            announced += events_for(before, event, match)
        written = [
            _new_entry(event, request, ends=match.over and event is done[-1]) for event in done
        ]
        self._halfway = True
        self._journal.append(self._id, self.match.number + 1, *written)
        if match.acts != self.match.acts:
            self._acted_us = now_us
        self.match = match
        self._events += tuple(announced)
        self._after_change(now_us, at_us)

    def _against_hands(self, event: MatchEvent) -> MatchEvent:
        """Turn a foul against whoever shakes for a seat: whoever only listens did nothing."""
        if not isinstance(event, FoulRaised | FoulRuled) or event.seat is None or not self.match:
            return event
        hands = self._knows.hands_of(event.seat)
        plays = hands == event.seat or hands in map(seat_word, self.match.game.seats)
        return replace(event, seat=hands if plays else None)

    def _after_change(self, now_us: int, at_us: int | None = None) -> None:
        """Forget what was lit, tell sensing whether barrels are being chosen, and show."""
        self._buttons.forget()
        self._claims.review(self.match)
        played_with = self._barrel_game
        choosing = played_with.choosing(self.match) if self.match and played_with else ()
        if choosing != self._choosing:
            self._choosing, self._choosing_us = choosing, now_us
            self._barrels.forget()
            if choosing:
                self._barrels.start_choosing(whole=True)
            self._knows.sense(
                observations.ChoosingBegan(choosing, now_us)
                if choosing
                else observations.ChoosingEnded(now_us if at_us is None else min(at_us, now_us))
            )
        self._publish_snapshot(now_us)
        self._halfway = False

    def _publish_snapshot(self, now_us: int) -> None:
        if self.match is None:
            joining, begins = tuple(self._buttons.joining), self._buttons.next_match()
            shown = without_match(joining, begins, self._buttons.lit, self._proposal)
        else:
            lit, asked = self._buttons.lit, self._asked
            shown = for_match(self._id, self.match, lit, asked, self._proposal)
        self._unflipped = self._still_upright()
        self._told_pads = self._pad_faults(now_us)
        announced, self._events = self._events, ()
        self._publish(
            replace(
                shown,
                unflipped=self._unflipped,
                claims=self._claims.open,
                troubles=(*self._of_this_game(), *self._table_faults(now_us)),
                warned_us=self._warned_us,
                acted_us=self._acted_us,
                at_us=now_us,
            ),
            announced,
        )

    def _still_upright(self) -> tuple[str, ...]:
        if self.match is None or (played_with := self._barrel_game) is None:
            return ()
        return played_with.unflipped(self.match, self._barrels.upright - self._unseen)

    def _of_this_game(self) -> tuple[Condition, ...]:
        """Return what does not work and is missed: nobody needs stoppers without barrels."""
        if self.match is None or self._barrel_game is not None:
            return without_stopper_names(self._troubles) if self.playing else self._troubles
        return tuple(condition for condition in self._troubles if not is_about_barrel(condition))

    def _table_faults(self, now_us: int) -> Iterator[Condition]:
        yield from self._pad_faults(now_us)
        if self._unread_us is not None:
            yield Condition(TableFault.UNREAD, self._unread_us)

    def _pad_faults(self, now_us: int) -> tuple[Condition, ...]:
        """Return which pads are cut off, and on which something stands in the way."""
        cut_off, match = self._barrels.long_cut_off(now_us), self.match
        full: set[str] = set()
        if self._choosing and match and now_us >= self._choosing_us + barrel_state.LATE_US:
            full = self._barrels.full.intersection(map(seat_word, match.game.turns(match.state)))
        pads = [(TableFault.PAD_CUT_OFF, colour, since_us) for colour, since_us in cut_off.items()]
        pads += [(TableFault.PAD_FULL, colour, self._choosing_us) for colour in sorted(full)]
        return tuple(
            Condition(fault, since_us, {"seat": SeatName[colour.upper()]})
            for fault, colour, since_us in pads
        )


def _standing(match: Match) -> set[int]:
    return {stopper for _, stopper in match.stood if stopper is not None}


def _stopper_events(entries: Iterable[Entry]) -> dict[tuple[str, int], tuple[int, int]]:
    """Return each stopper's boot and newest event when it was noted last where it stood."""
    noted = (from_json(entry.kind, entry.body) for entry in entries if entry.kind == STOOD)
    return {
        (event.seat, event.stopper): (event.boot, event.event)
        for event in noted
        if isinstance(event, BarrelAssigned) and event.stopper is not None and event.event >= 0
    }


def _new_entry(event: MatchEvent, request: str, *, ends: bool) -> NewEntry:
    kind, body = to_json(event)
    return NewEntry(kind, body, request=request or None, ends=ends)


class MatchResumer:
    """Resumes the match that was cut off last, or shows that there is none.

    A match that was over is gone on with, too: its end can be taken back. Where the disk comes
    later than the table starts, so does the match, unless another was begun meanwhile. With
    `guard`, no bug in it prevents the start.
    """

    def __init__(
        self, journal: Journal, referee: Referee, guard: AbstractContextManager[object]
    ) -> None:
        self._journal, self._referee = journal, referee
        self._guard = guard
        self._comes_later = False  # nothing was resumed, and the journal could not be written

    def resume(self, now_us: int) -> None:
        """Go on with the match, or wait for one to begin."""
        listed = self._journal.listed
        going = next((match for match in listed if not match.last.ends), None)
        choice = dict.fromkeys(match for match in (going, *listed[:1]) if match is not None)
        last = {match: self._journal.resume(match.id) for match in choice}
        for match, entries in last.items():
            with self._guard, suppress(ValueError, RecursionError):  # a newer version wrote it
                if entries:  # otherwise the disk failed since it told which matches there are
                    self._referee.resume(match.id, entries, now_us)
                    return
        self._comes_later = not self._journal.writable
        unread = all(entries and not match.last.ends for match, entries in last.items())
        self._referee.wait_for_match(now_us, unread=len(last) == 1 and unread)

    def tick(self, now_us: int) -> None:
        """Go on as soon as the disk is there."""
        playing = self._referee.match is not None
        if self._comes_later and (self._journal.writable or playing):
            self._comes_later = False
            if not playing:
                self.resume(now_us)
