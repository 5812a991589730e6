"""A referee at a table without parts: what it wrote, published and told sensing, for tests."""

from __future__ import annotations

from random import Random
from typing import cast

from companion.journal import Entry, Journal, NewEntry
from companion.referee.barrel_game import RefereePorts
from companion.referee.commands import Answer, Command, CommandBody
from companion.referee.handlers import usual_match
from companion.referee.referee import Referee
from companion.referee.snapshot import Snapshot, TableEvent
from companion.sensing.events import BarrelMotion, BarrelMoved, Placed, SensingEvent, Taken
from companion.sensing.observations import ButtonPressed, MeasuredTime, Seen

NOW = MeasuredTime(0, 0)


class Paper:
    """A journal in memory."""

    def __init__(self) -> None:
        self.matches: dict[str, list[Entry]] = {}

    def start(self, *happened: NewEntry) -> str:
        match = f"m{len(self.matches)}"
        self.matches[match] = []
        self.append(match, 0, *happened)
        return match

    def append(self, match: str, number: int, *happened: NewEntry) -> None:
        entries = self.matches[match]
        assert number == len(entries)
        entries += [one.entry(match, number + place, 0) for place, one in enumerate(happened)]

    def events(self, match: str) -> tuple[Entry, ...]:
        return tuple(self.matches.get(match, ()))


class Round:
    """People at a table, as a test has them speak."""

    def __init__(self, *colours: str, paper: Paper | None = None, barrels: int = 13) -> None:
        self.paper = paper or Paper()
        self.shown: list[Snapshot] = []
        self.published: list[tuple[Snapshot, tuple[TableEvent, ...]]] = []
        self.sensed: list[Seen] = []
        self.requests = 0
        self.numbers = {stopper: stopper for stopper in range(1, barrels + 1)}
        self.hands: dict[str, str] = {}  # who shakes for a seat, if not whoever plays there
        knows = RefereePorts(
            number_of=self.numbers.get,
            sense=self.sensed.append,
            hands_of=lambda seat: self.hands.get(seat, seat),
        )
        self.referee = Referee(cast("Journal", self.paper), self.publish, Random(1), knows)
        if colours:
            self.wish(usual_match(colours))

    @property
    def now(self) -> Snapshot:
        return self.shown[-1]

    @property
    def events(self) -> list[TableEvent]:
        """Return all that happened so far."""
        return [event for _, events in self.published for event in events]

    @property
    def papers(self) -> dict[str, tuple[Entry, ...]]:
        """Return all that was written so far, of every match."""
        return {match: tuple(entries) for match, entries in self.paper.matches.items()}

    def publish(self, snapshot: Snapshot, events: tuple[TableEvent, ...]) -> None:
        self.shown.append(snapshot)
        self.published.append((snapshot, events))

    def wish(self, wish: CommandBody, by: str = "red", version: int | None = None) -> Answer:
        self.requests += 1
        return self.referee.handle_command(Command(f"r{self.requests}", wish, by, version), 0)

    def tell(self, *told: SensingEvent) -> None:
        for event in told:
            self.referee.handle_event(event, 0)

    def place(self, seat: str, stopper: int, confidence: float = 1.0) -> None:
        candidates = (stopper,) if confidence == 1.0 else (stopper, stopper + 1)
        self.tell(Placed(seat, stopper, NOW, confidence, candidates))

    def take(self, seat: str, stopper: int) -> None:
        self.tell(Taken(seat, stopper, NOW))

    def flip(self, *stoppers: int) -> None:
        self.tell(
            *(BarrelMoved(stopper, BarrelMotion.FLIPPED, NOW, sure=True) for stopper in stoppers)
        )

    def press(self, colour: str, *, long: bool = False) -> None:
        self.requests += 1
        self.referee.handle_press(ButtonPressed(colour, long, self.requests, 0), 0)

    def again(self) -> Round:
        """Return the same table after a loss of power: only what was written is left."""
        other = Round(paper=self.paper)
        other.numbers |= self.numbers
        other.requests = self.requests
        for match, entries in list(self.paper.matches.items())[-1:]:
            other.referee.resume(match, entries, 0)
        return other
