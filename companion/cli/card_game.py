"""A game without barrels, played in the terminal: people at one keyboard, and the companion's own.

What only one seat may see is shown when that seat says that it looks, and is gone before anybody
else is asked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from companion.cli.replay import PlainStory
from companion.core import TABLE, Action, Game, Log, Seat, plugin, read
from companion.core.game import verb
from companion.present.terminal import BOLD, FAINT, HELP, QUIT, UNDO, WIDTH, TerminalScreen
from companion.present.terminal_game import SavedGame, TerminalOffer, look_of, reader_of
from companion.referee import automation, match_snapshot
from companion.referee.events import ActionDone, Bot, HouseRules, MatchEvent, Roller, UndoneTo
from companion.referee.match import Match, apply
from companion.system.errors import CompanionError, RulesError
from companion.system.text import SEATS, SeatName, Text, seat_word

SHORT: Final = 8  # choices or fewer stand below one another
LONGEST: Final = 4  # no list has more choices than so many digits can number
Entry = tuple[str, Sequence[TerminalOffer]]  # what is listed, and what can be meant by it


class Choice:
    """What one seat can do at one moment."""

    def __init__(
        self,
        screen: TerminalScreen,
        game: Game[Any],
        state: Any,
        seat: Seat,
        offers: Iterable[TerminalOffer],
    ) -> None:
        self._screen, self._game, self._state, self._seat = screen, game, state, seat
        self._all = _grouped(offers)
        self._title = ""  # of what was chosen first
        self._shown = self._all if len(self._all) > 1 else self._apart(self._all[0])

    def make(self) -> Action | None:
        """Return what is chosen; None: take back the last choice."""
        self._list()
        while True:
            question = Text("{seat}, 1 to {count}: ", seat=self._name, count=len(self._shown))
            line = self._screen.ask(self._screen.say(question)).lower()
            if line in self._screen.typed(UNDO):
                return None
            if line in self._screen.typed(QUIT):
                raise KeyboardInterrupt
            if line in self._screen.typed(HELP):
                self._help()
                continue
            try:
                meant = self._meant(line)
            except (CompanionError, RulesError) as error:
                self._screen.lines(self._screen.say(error), indent="  ")
                continue
            if isinstance(meant, Action):
                return meant
            self._shown = meant
            self._list()

    @property
    def _name(self) -> SeatName:
        return SeatName(self._seat)

    @property
    def _inside(self) -> bool:
        """Whether what is listed belongs to something that was chosen before."""
        return self._shown is not self._all and len(self._all) > 1

    def _meant(self, line: str) -> Action | Sequence[Entry]:
        """Return the action that a line means, or what there is to choose from then."""
        if not line and self._inside:
            self._title = ""
            return self._all
        if line and not line.isdecimal():
            return self._typed(line)
        number = int(line[:LONGEST]) if line else len(self._shown)  # Enter: the only one
        if not 0 < number <= len(self._shown) or (not line and number > 1):
            raise self._puzzled()
        offers = self._shown[number - 1][1]
        if len(offers) > 1:
            return self._apart(self._shown[number - 1])
        return self._read(offers[0].text)

    def _apart(self, entry: Entry) -> Sequence[Entry]:
        """Return what can be meant by something that is listed, one by one."""
        _, offers = entry
        self._title = offers[0].group
        return [(offer.within or offer.said, (offer,)) for offer in offers]

    def _typed(self, line: str) -> Action:
        """Return the action that is written; whose it is may be left out."""
        own = {verb(type(action)) for action in self._game.legal(self._state, self._seat)}
        word, *rest = line.split()
        if word not in own:  # nobody tries out by errors what the table might do
            raise self._puzzled()
        seat = seat_word(self._seat)
        if not rest or rest[0] not in SEATS:
            rest = [seat, *rest]
        if rest[0] != seat:
            raise CompanionError("Now {seat} chooses.", seat=self._name)
        return self._read(" ".join((word, *rest)))

    def _read(self, text: str) -> Action:
        return read(self._game, self._state, text, self._seat)

    def _puzzled(self) -> CompanionError:
        return CompanionError(
            "Type a number from 1 to {count}, or an action such as '{example}'; '?' helps.",
            count=len(self._shown),
            example=self._all[0][1][0].text,
        )

    # --- what is shown ------------------------------------------------------------------------

    def _list(self) -> None:
        """Show the choices with their numbers, in columns if there are many and all are short."""
        if self._title:
            self._screen.line(f"{self._title}:", pause=0)
        texts = [f"{number:4}  {name}" for number, (name, _) in enumerate(self._shown, start=1)]
        width = max(map(len, texts)) + 2
        columns = max(1, (WIDTH + 2) // width) if len(texts) > SHORT else 1
        rows = -(-len(texts) // columns)
        for row in range(rows):
            if columns == 1:
                self._screen.lines(texts[row], hang=" " * 6, pause=0)
            else:
                line = "".join(f"{text:{width}}" for text in texts[row::rows])
                self._screen.line(line.rstrip(), pause=0)

    def _help(self) -> None:
        for _, offers in self._shown:
            self._screen.line(f"      {offers[0].text}", FAINT, pause=0)
        self._tell("Type a number to choose, or an action as above.")
        if self._inside:
            self._tell("The Enter key alone takes you back to all choices.")
        self._tell("'undo' takes the last choice back, and all that followed from it.")
        self._tell("'quit' ends the game.")

    def _tell(self, template: str) -> None:
        self._screen.lines(self._screen.say(Text(template)), indent="  ", hang="  ", pause=0)


def _grouped(offers: Iterable[TerminalOffer]) -> Sequence[Entry]:
    """Return what to list first: offers of one group together, at the place of the first."""
    groups: dict[str, list[TerminalOffer]] = {}
    for offer in offers:
        groups.setdefault(offer.group or offer.said, []).append(offer)
    return [
        (group if len(together) > 1 else together[0].said, together)
        for group, together in groups.items()
    ]


@dataclass
class CardGame:
    """One game, from the first card or roll to the last."""

    game: Game[Any]
    screen: TerminalScreen
    seed: int
    people: tuple[Seat, ...] = ()  # at the keyboard
    board: bool = True
    notebook: SavedGame | None = None
    level: str = ""  # of the companion's own
    _looks: Seat | None = None  # whose hidden cards are on the screen
    _told: dict[Seat, int] = field(default_factory=dict)  # how many actions each has followed

    def spend(self) -> None:
        self.screen.tell("This is game {seed}; '--seed {seed}' repeats it.", seed=self.seed)
        look = look_of(self.game.name)
        story = PlainStory(self.game, self.screen, look, self.board, watched=not self.people)
        luck = automation.Randomness(Random(self.seed))  # noqa: S311 - a game and no secret
        level = self.level or plugin.usual([*plugin.players(self.game.name)])
        bots = (Bot(SeatName(seat), level) for seat in self.game.seats if seat not in self.people)
        match = Match(Log.begin(self.game), HouseRules(roller=Roller.COMPANION, bots=tuple(bots)))
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

    def _next(self, match: Match, luck: automation.Randomness, story: PlainStory) -> Match:
        """Return the match after the next thing that happens."""
        events = automation.automatic_events(match, luck)
        if events:
            return self._done(match, events[0], story)
        seat = self.game.turns(match.state)[0]
        if seat == TABLE:
            event = ActionDone(luck.draw(match), automation.BY, follows=True, drawn=True)
            return self._done(match, event, story)
        self._hand_over(match, seat, story)
        return self._asked(match, seat, story)

    def _done(self, match: Match, event: MatchEvent, story: PlainStory) -> Match:
        after = apply(match, event)
        if self.notebook:
            settled = after.decided or after.over  # all that bots do follows from the seed
            self.notebook.write(len(after.log.actions), after.log.actions[-1], last=settled)
        story.step(match.state, after.log.actions[-1], after.state)
        return after

    def _asked(self, match: Match, seat: Seat, story: PlainStory) -> Match:
        """Return the match after somebody at the keyboard has chosen, or taken back."""
        look, reader = look_of(self.game.name), reader_of(self.screen, seat)
        now = match_snapshot.for_match("", match, {}, ())
        story.draw(match.state, seat)
        for line in look.hand(reader, now.seen_by(reader.seat)):
            self.screen.line(line, pause=0)
        self.screen.line(look.headline(now, reader), BOLD, pause=0)
        offers = look.offers(now, reader)
        action = Choice(self.screen, self.game, match.state, seat, offers).make()
        if action is None:
            return self._taken_back(match, seat)
        self._told[seat] = len(match.log.actions)
        return self._done(match, ActionDone(action, seat_word(seat)), story)

    def _taken_back(self, match: Match, seat: Seat) -> Match:
        to = match.undo_to()
        if to is None:
            self.screen.tell("There is nothing to take back.")
            return match
        match = apply(match, UndoneTo(to, seat_word(seat)))
        if self.notebook:
            self.notebook.cut(len(match.log.actions))
        left = len(match.log.actions)
        self._told = {seat: min(count, left) for seat, count in self._told.items()}
        self._turn_away()
        self.screen.tell("Taken back.")
        return match

    # --- one keyboard, several hands ----------------------------------------------------------

    def _hand_over(self, match: Match, seat: Seat, story: PlainStory) -> None:
        """Hand the screen to somebody else; hidden cards are shown when nobody else looks."""
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
                raise KeyboardInterrupt
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
