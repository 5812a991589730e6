"""What was seen or called as a foul: in a sentence, and as a card to judge it by."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from companion.present.chart import counts_svg, evidence_svg
from companion.present.foul_words import foul_word
from companion.present.reader import Reader
from companion.referee.deeds import Cost
from companion.referee.match import Foul
from companion.referee.snapshot import Snapshot
from companion.referee.summary import FOUL
from companion.text import SEATS, SeatName


@dataclass(frozen=True, slots=True)
class FoulCard:
    """A foul as people judge it."""

    number: int
    seat: str  # empty: nobody knows whose it is
    sentence: str
    length_s: float
    called: bool  # by somebody at the table
    chart: Markup
    weighs: bool  # it is more than a warning, and was not withdrawn
    open: bool  # the table has not ruled, and its round still goes on
    upheld: bool | None
    cost: str  # what upholding it brings
    times: int = 1  # this often it was seen, before anybody ruled
    culprits: tuple[str, ...] = ()  # whom it may hit, where nobody knows who it was


def foul_sentence(foul: Foul, reader: Reader) -> str:
    """Return what was seen or called, how sure that is, and how the table ruled."""
    raised = foul.raised
    known = foul.seat if foul.seat in SEATS else None
    word = foul_word(raised.code, reader)
    if known is None:  # nobody is named, not even as somebody
        what = word[:1].upper() + word[1:]
    else:
        what = reader.say("{seat} – {foul}", seat=reader.name(known), foul=word)
    if foul.upheld is not None:
        if foul.upheld:
            return reader.say("{foul}: yes, says the table.", foul=what)
        return reader.say("{foul}: no, says the table.", foul=what)
    if raised.weight == FOUL and raised.called:
        return reader.say("{foul}?", foul=what)
    if raised.weight == FOUL:
        return reader.say("{foul}? {percent} % sure.", percent=raised.sure, foul=what)
    if raised.weight == "withdrawn":
        return reader.say("{foul}: withdrawn.", foul=what)
    return reader.say("A barrel was tilted far for a moment.")


def cards(now: Snapshot, going: int, reader: Reader) -> list[FoulCard]:
    """Return all fouls of a match, the oldest first; those of the `going` round can be ruled on."""
    return [_card(now, foul, going, reader) for foul in now.fouls]


def _card(now: Snapshot, foul: Foul, going: int, reader: Reader) -> FoulCard:
    raised = foul.raised
    weighs = raised.weight == FOUL
    return FoulCard(
        raised.foul,
        raised.seat or "",
        _dated(foul, going, foul_sentence(foul, reader), reader),
        raised.length_ms / 1000,
        raised.called,
        evidence_svg(raised.evidence, reader) + counts_svg(raised.counts, raised.length_ms, reader),
        weighs,
        foul.upheld is None and weighs and not now.over and foul.round >= going,
        foul.upheld,
        _cost(now, foul, reader),
        raised.times,
        _culprits(now, foul),
    )


def _cost(now: Snapshot, foul: Foul, reader: Reader) -> str:
    seat, cost = foul.seat, Cost.NOTHING if now.house is None else now.house.cost
    if cost is Cost.NOTHING:
        return reader.say("If you say yes, it is noted; by your house rules it costs nothing.")
    if foul.raised.foul not in now.costly:
        return reader.say("If you say yes, it is only noted: it is too late for anything else.")
    if seat is None and cost is Cost.SIT_OUT:
        return reader.say(
            "Who was it? Whoever you name sits this round out; if nobody knows, it is only noted."
        )
    if seat is None:
        return reader.say(
            "Who was it? The barrel of whoever you name goes back; if nobody knows, it is only "
            "noted."
        )
    who = SeatName[seat.upper()]
    if cost is Cost.SIT_OUT:
        return reader.say("If you say yes, {seat:@{seat} sits|you sit} this round out.", seat=who)
    return reader.say("If you say yes, {seat:@{seat}'s|your} barrel goes back.", seat=who)


def _culprits(now: Snapshot, foul: Foul) -> tuple[str, ...]:
    """Return who may be named where nobody knows whose foul it was, and that costs something."""
    if foul.seat is not None or foul.raised.foul not in now.costly:
        return ()
    return now.may_pay


def _dated(foul: Foul, going: int, sentence: str, reader: Reader) -> str:
    if foul.round in (0, going):  # everybody was there
        return sentence
    return reader.say("Round {round}: {foul}", round=foul.round, foul=sentence)
