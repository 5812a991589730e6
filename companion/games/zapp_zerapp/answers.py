"""What Zapp Zerapp adds to answers of the API: what lies open of its round, and what it came to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from companion.games.zapp_zerapp.rules import (
    FIELDS,
    PRESETS,
    START,
    Colour,
    Phase,
    Settings,
    View,
    read_board,
)
from companion.games.zapp_zerapp.summary import Summary
from companion.games.zapp_zerapp.tally import Tally
from companion.present.answers import Answers, after
from companion.referee.snapshot import Snapshot
from companion.system.format_names import format_name


@format_name("PawnAt")
@dataclass(frozen=True, slots=True)
class PawnAt:
    """Where a pawn stands, as its colour counts; `field` counts round the ring, for all alike."""

    colour: Colour
    step: int
    field: int | None


@format_name("NumberOf")
@dataclass(frozen=True, slots=True)
class NumberOf:
    """The number that a seat's barrel has shown."""

    seat: Colour
    number: int


@dataclass(frozen=True, slots=True)
class InNow:
    """What is told of the table now."""

    phase: Phase | None = field(default=None, metadata=after("house"))
    round: int = 0
    magic: int = 0
    roller: Colour | None = None
    placed: tuple[Colour, ...] = field(default=(), metadata=after("turns"))
    out: tuple[Colour, ...] = field(default=(), metadata=after("unflipped"))
    numbers: tuple[NumberOf, ...] = ()
    order: tuple[Colour, ...] = ()
    pawns: tuple[PawnAt, ...] = ()
    winner: Colour | None = None
    summary: Summary | None = field(default=None, metadata=after("over"))


@dataclass(frozen=True, slots=True)
class InStep:
    """What is told of the table after a step of a match."""

    round: int = field(default=0, metadata=after("sentences"))
    phase: Phase | None = None
    magic: int = 0
    placed: tuple[Colour, ...] = ()
    numbers: tuple[NumberOf, ...] = ()
    pawns: tuple[PawnAt, ...] = ()


@dataclass(frozen=True, slots=True)
class InMatch:
    """What is told of a whole match."""

    summary: Summary | None = field(default=None, metadata=after("sealed"))


def now(snapshot: Snapshot) -> InNow:
    """Return what lies open now."""
    view: View = snapshot.view
    return InNow(
        phase=view.phase,
        round=view.round,
        magic=view.magic,
        roller=view.roller,
        placed=view.placed,
        out=view.out,
        numbers=_numbers(view),
        order=view.order,
        pawns=_pawns(view, snapshot.settings),
        winner=view.winner,
        summary=snapshot.summary,
    )


def step(view: View, settings: Settings) -> InStep:
    """Return what lay open after a step."""
    return InStep(
        round=view.round,
        phase=view.phase,
        magic=view.magic,
        placed=view.placed,
        numbers=_numbers(view),
        pawns=_pawns(view, settings),
    )


def match(tally: Tally) -> InMatch:
    """Return what a match came to."""
    return InMatch(tally.summary)


def _numbers(view: View) -> tuple[NumberOf, ...]:
    return tuple(NumberOf(seat, number) for seat, number in view.numbers)


def _pawns(view: View, settings: Settings) -> tuple[PawnAt, ...]:
    return tuple(
        PawnAt(
            colour,
            step,
            settings.board.field(colour, step) if START < step <= FIELDS else None,
        )
        for colour, camp in view.pawns
        for step in camp
    )


ANSWERS: Final = Answers(
    adds={"Now": InNow, "StepOf": InStep, "Told": InMatch},
    now=now,
    step=step,
    match=match,
    boards=PRESETS,
    read_board=read_board,
)
