"""The timeline on a screen, and the sums under it."""

from __future__ import annotations

from collections import Counter
from textwrap import wrap
from typing import Final

from companion.condition import Condition
from companion.devices.pin import PartState
from companion.present.screen import BOLD, FAINT, Screen
from companion.sensing.listener import Listening
from companion.sensing.observations import ButtonHeld, ButtonPressed, Observation, PadChanged
from companion.sim_command import timeline
from companion.simulated_table.evening import Evening
from companion.simulator.run import SimulatedTable
from companion.text import Text

HANDS_WIDTH: Final = 38
WIDTH: Final = 98
News = Observation | Condition | PadChanged | ButtonPressed | ButtonHeld


class Paper:
    """The timeline on a screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.hands: list[timeline.Line] = []
        self.ended = False
        self._column = timeline.HostColumn()

    def plan(self, table: SimulatedTable, from_us: int) -> None:
        """Take up what is arranged from a time on, to show it when it is time."""
        more = timeline.hands(table, from_us)
        self.hands = sorted(self.hands + more, key=lambda line: line[0])

    def head(self, *, hands: bool = True) -> None:
        """Show what the columns are."""
        time, done = self.screen.say(Text("time")), self.screen.say(Text("what hands do"))
        heard = self.screen.say(Text("what the host hears"))
        columns = f"{time:>9}  {done if hands else '':{HANDS_WIDTH}}  {heard}"
        self.screen.line()
        self.screen.line(columns, BOLD)

    def news(self, at_us: int, news: News) -> None:
        """Show what the host heard, after all that was done before."""
        if self.ended:
            return
        self.done(at_us)
        match news:
            case ButtonHeld():
                pass  # what it is for, this table does not have
            case Observation():
                text = self._column.text(news)
                if text is not None:
                    self._line(at_us, "", text)
            case Condition(PartState.WORKING) if not at_us:
                pass  # that all is well at first is not news
            case Condition():
                sentence = self.screen.say(timeline.as_sentence(news))
                begin, more = f"{self._time(at_us)}  ", " " * 11
                for line in wrap(sentence, WIDTH, initial_indent=begin, subsequent_indent=more):
                    self.screen.line(line, FAINT)
            case _:
                self._line(at_us, "", timeline.at_the_seats(news))

    def done(self, until_us: int) -> None:
        """Show what hands did up to a time."""
        for at_us, text in timeline.until(self.hands, until_us):
            self._line(at_us, self.screen.say(text), None)

    def _line(self, at_us: int, hands: str, heard: Text | None) -> None:
        host = self.screen.say(heard) if heard else ""
        self.screen.line(f"{self._time(at_us)}  {hands:{HANDS_WIDTH}}  {host}".rstrip())

    def _time(self, at_us: int) -> str:
        return f"{at_us / 1e6:9.3f}"


def sum_up_ways(screen: Screen, evening: Evening) -> None:
    """Say what became of packets and bytes on their way."""
    air, on_line = evening.table.air.traffic, evening.port.losses
    screen.tell(
        "On the air: {sent} packets for {ears} receivers in all; of these {lost} missed theirs, "
        "{twice} had it twice, {late} late, and {off} had the radio off.",
        sent=air.sent,
        ears=air.meant,
        lost=air.lost,
        twice=air.duplicated,
        late=air.reordered,
        off=air.unheard,
    )
    if on_line:
        screen.tell(
            "On the line: {count} {count:#piece|pieces} of what came could not be read ({losses}).",
            count=on_line.total(),
            losses=_counted(on_line),
        )


def sum_up(screen: Screen, listening: Listening) -> None:
    """Say what the host had."""
    screen.line()
    screen.tell(
        "The host had {frames} {frames:#packet|packets} of stoppers; {again} "
        "{again:#event|events} came again.",
        frames=listening.frames,
        again=listening.again,
    )
    if listening.losses:
        screen.tell("Missing or refused: {losses}.", losses=_counted(listening.losses))
    if listening.strangers:
        screen.tell(
            "{count} {count:#packet|packets} came from stoppers with an unknown key.",
            count=listening.strangers,
        )


def _counted(losses: Counter[str]) -> tuple[str, ...]:
    return tuple(f"{kind} {count}" for kind, count in losses.items() if count)
