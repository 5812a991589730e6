"""A match told from a journal's export: also what was taken back, put right, called and ruled.

It never says which stopper stood where, nor a number before its flip.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from companion.core.game import Action
from companion.core.notation import write
from companion.present.foul_words import foul_word, seat_of
from companion.present.look import Telling, look_of
from companion.present.screen import BOLD
from companion.referee.deeds import Amended, Did, Ended, Raised, Ruled, Undone
from companion.referee.match import Foul, Match
from companion.referee.match_steps import Step
from companion.referee.summary import FOUL, summary
from companion.text import Text

TABLE: Final = "table"  # as whom the phone of the whole table is written down


def date(at_ms: int) -> str:
    """Return a time as people write it, where they are; '?' if no calendar has it."""
    try:
        return f"{datetime.fromtimestamp(at_ms / 1000, UTC).astimezone():%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError, OSError):
        return "?"


class JournalStory:
    """One match, on a screen."""

    def __init__(self, story: Telling) -> None:
        self._story, self._screen = story, story.screen
        self._fouls: dict[int, tuple[str, bool | None]] = {}

    def tell(self, step: Step) -> bool:
        """Tell one deed; return whether a round is over with it."""
        before, after = step.before, step.after
        if before is None:
            self._begin(step)
            return False
        match step.deed:
            case Did():
                self._story.step(before.state, after.log.actions[-1], after.state)
            case Undone(_, by):
                gone = len(before.log.actions) - len(after.log.actions)
                self._tell(
                    "Taken back ({by}): {count} {count:#action|actions}.",
                    by=self._who(by),
                    count=gone,
                )
                self._story.stand(after.state)
            case Amended(number, action, by):
                self._amended(before, after, number, action, by)
            case Raised() | Ruled():
                self._rulings(after)
            case Ended(by):
                self._tell("The match was given up ({by}).", by=self._who(by))
            case _:
                pass  # which stopper stands at a seat is nobody's to read
        return isinstance(step.deed, Did | Undone | Amended) and self._story.rests(after.state)

    def end(self, match: Match) -> None:
        """Sum up."""
        self._story.leave(match.state, over=match.over)
        show, total = look_of(match.game.name).sums, summary(match)
        if show is not None and total is not None:
            show(self._screen, total)

    def _begin(self, step: Step) -> None:
        self._screen.line(
            self._screen.say(
                Text(
                    "Match {match}, begun {date}",
                    match=step.entry.match,
                    date=date(step.entry.at_ms),
                )
            ),
            BOLD,
        )
        self._story.begin()

    def _amended(self, before: Match, after: Match, number: int, right: Action, by: str) -> None:
        wrong = before.log.actions[before.acts.index(number)]
        self._tell(
            "Corrected ({by}): '{action}' instead of '{former}'.",
            by=self._who(by),
            action=write(right.seen_by(None, opened=False)),
            former=write(wrong.seen_by(None, opened=False)),
        )
        if dropped := len(before.log.actions) - len(after.log.actions):
            self._tell(
                "{count} later {count:#action|actions} no longer {count:#fits|fit} and "
                "{count:#is|are} left out.",
                count=dropped,
            )
        self._story.stand(after.state)

    def _rulings(self, match: Match) -> None:
        """Tell what is new of the fouls."""
        for foul in match.fouls:
            known = self._fouls.get(foul.raised.foul)
            if known != (foul.raised.weight, foul.upheld):
                self._fouls[foul.raised.foul] = foul.raised.weight, foul.upheld
                self._foul(foul, ruled=known is not None and known[1] != foul.upheld)

    def _foul(self, foul: Foul, *, ruled: bool) -> None:
        raised = foul.raised
        seat = seat_of(raised.seat)
        whose = {
            "seat": self._screen.say(Text("Seat unknown")) if seat is None else seat,
            "foul": foul_word(raised.code, self._screen),
        }
        if ruled and foul.upheld:
            self._tell("! {seat} – {foul}: yes, says the table.", **whose)
        elif ruled and foul.upheld is False:
            self._tell("! {seat} – {foul}: no, says the table.", **whose)
        elif raised.weight == FOUL and raised.called:
            self._tell("! {seat} – {foul}?", **whose)
        elif raised.weight == FOUL:
            self._tell("! {seat} – {foul}? {percent} % sure.", percent=raised.sure, **whose)
        elif raised.weight == "withdrawn":
            self._tell("! {seat} – {foul}: withdrawn.", **whose)

    def _tell(self, template: str, **values: object) -> None:
        self._screen.lines(self._screen.say(Text(template, **values)), indent="  ", hang="  ")

    def _who(self, by: str) -> object:
        """Return who entered something: a seat by its colour, anybody else by name."""
        if by == TABLE:
            return self._screen.say(Text("the table"))
        seat = seat_of(by)
        return by if seat is None else seat
