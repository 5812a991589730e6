"""Fouls as people read them: a sentence for each, and the card by which it is judged."""

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from companion.present.chart import counts_svg, evidence_svg
from companion.present.terminal import TerminalScreen
from companion.present.viewer import Viewer
from companion.referee import events, match, replay, snapshot
from companion.referee.claims import DisputeRecord, Objection
from companion.sensing.events import FoulCode
from companion.system.text import SEATS, SeatName, Text

CODES: Final = frozenset(foul.value for foul in FoulCode)


def foul_word(code: str, speaker: Viewer | TerminalScreen) -> str:
    """Return what people call a foul; a code of another version stays as it is.

    >>> foul_word("early-flip", Viewer("de"))
    'zu früh umgedreht'
    """
    return speaker.name(FoulCode(code)) if code in CODES else code


def seat_of(word: str | None) -> SeatName | None:
    """Return the seat that a journal names, if it is one.

    >>> seat_of("red"), seat_of("phone of Jo"), seat_of(None)
    (<SeatName.RED: 0>, None, None)
    """
    return SeatName(SEATS.index(word)) if word in SEATS else None


@dataclass(frozen=True, slots=True)
class FoulCard:
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
    hint: str = ""  # what else it may have been, or what to do about it
    times: int = 1  # this often it was seen, before anybody ruled
    culprits: tuple[str, ...] = ()  # whom it may hit, where nobody knows who it was
    reminds: bool = False  # of how to listen, while its round goes on


def foul_sentence(foul: match.Foul, reader: Viewer) -> str:
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
    if raised.weight == replay.FOUL and raised.called:
        return reader.say("{foul}?", foul=what)
    if raised.weight == replay.FOUL:
        return reader.say("{foul}? {percent} % sure.", percent=raised.sure, foul=what)
    if raised.weight == "withdrawn":
        return reader.say("{foul}: withdrawn.", foul=what)
    if raised.weight == replay.REMINDER:
        return reader.say(
            "Listening or peeking? The first time is a reminder: at the ear, hold a barrel "
            "upright, or tilted by up to 60°."
        )
    if raised.code == FoulCode.PEEK.value:
        return reader.say("A barrel was tilted far for a moment.")
    unnamed = word[:1].upper() + word[1:]  # a warning accuses nobody
    return reader.say("{foul}? That is too unsure to rule on.", foul=unnamed)


def cards(now: snapshot.Snapshot, going: int, reader: Viewer) -> list[FoulCard]:
    """Return all fouls of a match, the oldest first; those of the `going` round can be ruled on."""
    return [_card(now, foul, going, reader) for foul in now.fouls]


def _card(now: snapshot.Snapshot, foul: match.Foul, going: int, reader: Viewer) -> FoulCard:
    raised = foul.raised
    weighs = raised.weight == replay.FOUL
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
        _hint(foul, reader),
        raised.times,
        _culprits(now, foul),
        raised.weight == replay.REMINDER and not now.over and foul.round >= going,
    )


def _cost(now: snapshot.Snapshot, foul: match.Foul, reader: Viewer) -> str:
    seat, cost = foul.seat, events.FoulCost.NOTHING if now.house is None else now.house.cost
    if cost is events.FoulCost.NOTHING:
        return reader.say("If you say yes, it is noted; by your house rules it costs nothing.")
    if foul.raised.foul not in now.costly:
        return reader.say("If you say yes, it is only noted: it is too late for anything else.")
    if seat is None and cost is events.FoulCost.SIT_OUT:
        return reader.say(
            "Who was it? Whoever you name sits this round out; if nobody knows, it is only noted."
        )
    if seat is None:
        return reader.say(
            "Who was it? The barrel of whoever you name goes back; if nobody knows, it is only "
            "noted."
        )
    who = SeatName[seat.upper()]
    if cost is events.FoulCost.SIT_OUT:
        return reader.say("If you say yes, {seat:@{seat} sits|you sit} this round out.", seat=who)
    return reader.say("If you say yes, {seat:@{seat}'s|your} barrel goes back.", seat=who)


def _hint(foul: match.Foul, reader: Viewer) -> str:
    """Return what a look may have been instead, and how to avoid that."""
    raised = foul.raised
    if raised.code != FoulCode.PEEK.value or raised.called:
        return ""
    if raised.weight == replay.REMINDER:
        return reader.say("If you saw somebody peek, call the foul.")
    if raised.weight == replay.FOUL:
        return reader.say(
            "Listening can look the same to the sensors: hold a barrel to your ear upright, or "
            "tilted by up to 60°."
        )
    return reader.say("If it lies on the table, pick it up: nobody is accused because it lies.")


def _culprits(now: snapshot.Snapshot, foul: match.Foul) -> tuple[str, ...]:
    """Return who may be named where nobody knows whose foul it was, and that costs something."""
    if foul.seat is not None or foul.raised.foul not in now.costly:
        return ()
    return now.may_pay


def _dated(foul: match.Foul, going: int, sentence: str, reader: Viewer) -> str:
    if foul.round in (0, going):  # everybody was there
        return sentence
    return reader.say("Round {round}: {foul}", round=foul.round, foul=sentence)


ASKS: Final = {
    Objection.NO_BARREL: Text(
        "The sensors see no barrel in front of {seat:@{seat}|you}. Placed anyway?"
    ),
    Objection.UPRIGHT: Text("The sensors do not see every barrel upside down. Flipped anyway?"),
    Objection.ELSEWHERE: Text(
        "The sensors say that the barrel with that number stands elsewhere. Is the number right "
        "anyway?"
    ),
}
NOTED: Final = {
    Objection.NO_BARREL: Text(
        "{seat:@{seat} has|You have} placed a barrel, though the sensors saw none: you said so."
    ),
    Objection.UPRIGHT: Text(
        "All barrels are flipped, though the sensors did not see it: you said so."
    ),
    Objection.ELSEWHERE: Text(
        "The number of {seat:@{seat}'s|your} barrel is not the one the sensors expect: you said so."
    ),
}


@dataclass(frozen=True, slots=True)
class DisputedClaim:
    """A claim that is asked back, and by whom it can be answered."""

    text: str
    seat: str  # empty: it is about all
    question: str
    mine: bool  # this reader may answer


def disputed_claims(now: snapshot.Snapshot, reader: Viewer) -> list[DisputedClaim]:
    """Return all that is asked back now."""
    return [
        DisputedClaim(
            claim.text,
            claim.seat or "",
            _said(ASKS[claim.objection], claim.seat, reader),
            reader.acts and (claim.seat is None or reader.may_act_for(claim.seat)),
        )
        for claim in now.claims
    ]


def noted(now: snapshot.Snapshot, reader: Viewer) -> list[str]:
    """Return what people claimed against the sensors, and stood to."""
    return [insisted(dispute, reader) for dispute in now.insisted]


def insisted(dispute: DisputeRecord, reader: Viewer) -> str:
    """Return what is noted of a claim to which people stood."""
    sentence = _said(NOTED[dispute.objection], dispute.seat, reader)
    if not dispute.round:
        return sentence
    return reader.say("Round {round}: {foul}", round=dispute.round, foul=sentence)


def _said(text: Text, seat: str | None, reader: Viewer) -> str:
    whose = {} if seat is None else {"seat": SeatName[seat.upper()]}
    return reader.say(Text(text.template, **whose))
