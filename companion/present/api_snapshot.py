"""Turns a snapshot into what the API tells of it: all that a reader may know, and no more.

The same snapshot gives the same bytes in the same language whenever it is asked for, so there is no
time in it that goes on; and to everybody, where nobody has a hand.
"""

from typing import Any, Final

from companion.core import TABLE, pack, write
from companion.present import api_schema, command_json, fouls, to_json
from companion.present.headline import headline, label
from companion.present.lights import legend, scenes
from companion.present.viewer import Viewer
from companion.referee import barrel_game, snapshot
from companion.referee.match import Foul
from companion.system.text import SeatName, seat_word

AT_THE_TABLE: Final = "table"  # whose turn it is where nobody chooses


def snapshot_json(now: snapshot.Snapshot, reader: Viewer) -> str:
    return to_json.written(snapshot_record(now, reader), reader)


def snapshot_record(now: snapshot.Snapshot, reader: Viewer) -> api_schema.Now:
    barrels, reader = barrel_game.barrels_of(now.game), reader.as_all()
    round_ = barrels.at(now.view, now.settings) if barrels else barrel_game.BarrelRound()
    return api_schema.Now(
        version=now.version,
        match=now.match,
        game=now.game,
        settings=pack(now.settings),
        house=now.house,
        phase=round_.phase,
        round=round_.round,
        magic=round_.magic,
        roller=round_.roller,
        turns=tuple(map(_turn, getattr(now.view, "turns", ()))),
        placed=round_.placed,
        unflipped=now.unflipped,
        out=round_.out,
        numbers=round_.numbers,
        order=round_.order,
        pawns=round_.pawns,
        winner=round_.winner,
        view=None if barrels else view_json(now.seen_by(reader.seat)),
        headline=headline(now, reader),
        seats=tuple(_seat(seat, reader, now.game) for seat in now.seats),
        people=tuple(
            api_schema.PersonNow(SeatName[seat.upper()], person.name, person.animal)
            for seat, person in reader.seating.people
        ),
        fouls=tuple(_foul(foul, reader) for foul in now.fouls),
        claims=tuple(
            api_schema.ClaimNow(claim.text, claim.seat or None, claim.question)
            for claim in fouls.asked(now, reader)
        ),
        insisted=tuple(fouls.noted(now, reader)),
        happened=tuple(reader.say(event) for event in now.happened),
        dropped=now.dropped,
        troubles=tuple(to_json.sentence(trouble, reader) for trouble in now.troubles),
        lights=tuple(_light(meaning, reader) for meaning in scenes.meanings(now)),
        warned=scenes.warns(now, now.at_us),
        joining=now.joining,
        proposal=None if now.proposal is None else _proposal(now.proposal),
        can_undo=now.can_undo,
        over=now.over,
        summary=now.summary,
    )


def view_json(view: Any) -> dict[str, Any] | None:
    """Return a view of any game for JSON, with its choices as the notation writes them."""
    if view is None:
        return None
    data: dict[str, Any] = pack(view)
    return data | {"choices": list(map(write, view.choices))}


def _proposal(proposal: snapshot.Proposal) -> api_schema.ProposalNow:
    names = tuple(api_schema.ProposedSeat(seat, name) for seat, name in proposal.names)
    match = proposal.match
    return api_schema.ProposalNow(
        proposal.request, proposal.by, match.game, match.settings, names, proposal.verdict.value
    )


def _turn(seat: int) -> str:
    return AT_THE_TABLE if seat == TABLE else seat_word(seat)


def _seat(seat: snapshot.SeatView, reader: Viewer, game: str | None) -> api_schema.SeatNow:
    offers = tuple(_offer(offer, reader, game) for offer in seat.offers)
    return api_schema.SeatNow(SeatName[seat.colour.upper()], seat.asked, offers, seat.lit)


def _offer(offer: snapshot.ButtonOption, reader: Viewer, game: str | None) -> api_schema.ApiOffer:
    preview = tuple(reader.say(event) for event in offer.preview)
    return api_schema.ApiOffer(
        command_json.to_json(offer.wish), label(offer.wish, reader, offer.preview, game), preview
    )


def _foul(foul: Foul, reader: Viewer) -> api_schema.FoulNow:
    raised = foul.raised
    return api_schema.FoulNow(
        id=raised.foul,
        code=raised.code,
        sentence=fouls.foul_sentence(foul, reader),
        seat=foul.seat,
        percent=raised.sure,
        called=raised.called,
        weight=raised.weight,
        times=raised.times,
        length_ms=raised.length_ms,
        upheld=foul.upheld,
        evidence=raised.evidence,
    )


def _light(meaning: legend.LegendEntry, reader: Viewer) -> api_schema.LightNow:
    return api_schema.LightNow(reader.say(meaning.title), reader.say(meaning.look))
