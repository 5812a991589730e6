"""A game without barrels, played in the terminal: people at one keyboard, and the companion's own.

What only one seat may see is shown when that seat says that it looks, and is gone before anybody
else is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from companion.core.game import TABLE, Game, Seat
from companion.core.kit import players, usual
from companion.core.log import Log
from companion.outputs.terminal.choice import Choice
from companion.outputs.terminal.plain_story import PlainStory
from companion.present.look import Notebook, look_of, reader_of
from companion.present.screen import BOLD, QUIT, Screen
from companion.referee.deeds import Bot, Deed, Did, House, Roller, Undone
from companion.referee.match import Match, take
from companion.referee.match_snapshot import of_match
from companion.referee.own_moves import BY, Luck, does
from companion.text import SeatName, Text, seat_word


@dataclass
class Sitting:
    """One game, from the first card or roll to the last."""

    game: Game[Any]
    screen: Screen
    seed: int
    people: tuple[Seat, ...] = ()  # at the keyboard
    board: bool = True
    notebook: Notebook | None = None
    level: str = ""  # of the companion's own
    _looks: Seat | None = None  # whose hidden cards are on the screen
    _told: dict[Seat, int] = field(default_factory=dict)  # how many actions each has followed

    def spend(self) -> None:
        """Play the game to its end."""
        self.screen.tell("This is game {seed}; '--seed {seed}' repeats it.", seed=self.seed)
        look = look_of(self.game.name)
        story = PlainStory(self.game, self.screen, look, self.board, watched=not self.people)
        luck = Luck(Random(self.seed))  # noqa: S311 - a game and no secret
        level = self.level or usual([*players(self.game.name)])
        bots = (Bot(SeatName(seat), level) for seat in self.game.seats if seat not in self.people)
        match = Match(Log.begin(self.game), House(roller=Roller.COMPANION, bots=tuple(bots)))
        story.begin()
        if self.people:
            self.screen.tell("Type a number from the list; '?' helps, 'undo' takes back.")
        try:
            while not match.over:
                match = self._next(match, luck, story)
        except BaseException:  # such as Ctrl-C: others may look now
            self._turn_away()
            raise
        story.end(match.state)

    def _next(self, match: Match, luck: Luck, story: PlainStory) -> Match:
        """Return the match after the next thing that happens."""
        deeds = does(match, luck)
        if deeds:
            return self._done(match, deeds[0], story)
        seat = self.game.turns(match.state)[0]
        if seat == TABLE:
            deed = Did(luck.draw(match), BY, follows=True, drawn=True)
            return self._done(match, deed, story)
        self._hand_over(match, seat, story)
        return self._asked(match, seat, story)

    def _done(self, match: Match, deed: Deed, story: PlainStory) -> Match:
        after = take(match, deed)
        if self.notebook:
            settled = after.decided or after.over  # all that bots do follows from the seed
            self.notebook.write(len(after.log.actions), after.log.actions[-1], last=settled)
        story.step(match.state, after.log.actions[-1], after.state)
        return after

    def _asked(self, match: Match, seat: Seat, story: PlainStory) -> Match:
        """Return the match after somebody at the keyboard has chosen, or taken back."""
        look, reader = look_of(self.game.name), reader_of(self.screen, seat)
        now = of_match("", match, {}, ())
        story.draw(match.state, seat)
        for line in look.hand(reader, now.seen_by(reader.seat)):
            self.screen.line(line, pause=0)
        self.screen.line(look.headline(now, reader), BOLD, pause=0)
        offers = look.offers(now, reader)
        action = Choice(self.screen, self.game, match.state, seat, offers).make()
        if action is None:
            return self._taken_back(match, seat)
        self._told[seat] = len(match.log.actions)
        return self._done(match, Did(action, seat_word(seat)), story)

    def _taken_back(self, match: Match, seat: Seat) -> Match:
        to = match.undo_to()
        if to is None:
            self.screen.tell("There is nothing to take back.")
            return match
        match = take(match, Undone(to, seat_word(seat)))
        if self.notebook:
            self.notebook.cut(len(match.log.actions))
        left = len(match.log.actions)
        self._told = {one: min(count, left) for one, count in self._told.items()}
        self._turn_away()
        self.screen.tell("Taken back.")
        return match

    # --- one keyboard, several hands ----------------------------------------------------------

    def _hand_over(self, match: Match, seat: Seat, story: PlainStory) -> None:
        """Let somebody else have the screen; hidden cards only when nobody else looks."""
        if len(self.people) < 2 or self._looks == seat:
            return
        if self._turn_away():
            self._retell(match.log, self._told.get(seat, 0), story)
        mine, all_see = (self.game.view(match.state, viewer) for viewer in (seat, None))
        if replace(mine, choices=()) != replace(all_see, choices=()):
            question = Text("{seat}, Enter shows what only you may see. ", seat=SeatName(seat))
            if self.screen.ask(self.screen.say(question), anew=True).lower() in self.screen.typed(
                QUIT
            ):
                raise EOFError
            self._looks = seat

    def _retell(self, log: Log[Any], first: int, story: PlainStory) -> None:
        """Tell at once what has happened since somebody last looked."""
        pace_s, self.screen.pace_s = self.screen.pace_s, 0
        steps = zip(log.states[first:], log.actions[first:], log.states[first + 1 :], strict=False)
        for before, action, after in steps:
            story.step(before, action, after)
        self.screen.pace_s = pace_s

    def _turn_away(self) -> bool:
        """Clear the screen if somebody's hidden cards are on it."""
        shown = self._looks is not None and len(self.people) > 1
        if shown:
            self.screen.clear()
        self._looks = None
        return shown
