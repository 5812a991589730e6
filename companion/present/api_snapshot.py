"""Turns snapshots and matches into records of the API: all that its reader may know, no more.

The same snapshot gives the same bytes in the same language whenever it is asked for, so there is no
time in it that goes on; and to everybody, where nobody has a hand.

Of earlier matches nobody is told which stopper stood where, because the same barrels are used
again: whoever knows them from the last match would know them in the next.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from companion import core, journal
from companion.core import TABLE, pack, write
from companion.journal.entry import body_text
from companion.present import api_schema, command_json, fouls, history, to_json, viewer
from companion.present.headline import headline, label
from companion.present.lights import legend, scenes
from companion.present.viewer import Viewer
from companion.referee import barrel_game, events, replay, snapshot
from companion.referee.match import Foul
from companion.system.text import SEATS, SeatName, seat_word

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
        turns=tuple(map(turn_word, getattr(now.view, "turns", ()))),
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
            for claim in fouls.disputed_claims(now, reader)
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


def turn_word(seat: int) -> str:
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


def listed_record(match: journal.ListedMatch) -> api_schema.Listed:
    """Return a match in the list of all; what can no longer be read is left out."""
    game, seats = "", tuple[str, ...]()
    with suppress(ValueError, RecursionError, AttributeError, TypeError):
        event = events.from_json(match.first.kind, match.first.body)
        if isinstance(event, events.MatchStarted):
            game, named = event.game, json.loads(event.settings).get("seats")
            seats = tuple(seat for seat in named if seat in SEATS)
    return api_schema.Listed(match.id, match.first.at_ms, game, seats, match.count, match.last.ends)


def match_record(
    match: journal.ListedMatch, retelling: history.Retelling, reader: viewer.Viewer
) -> api_schema.MatchTold:
    """Return a match as far as it lies open, as a record."""
    last = retelling.steps[-1].after if retelling.steps else None
    return api_schema.MatchTold(
        id=match.id,
        at_ms=match.first.at_ms,
        game=last.game.name if last else None,
        settings=core.pack(last.game.settings) if last else None,
        house=last.house if last else None,
        result=retelling.past.result,
        sealed=retelling.sealed,
        summary=barrel_game.summary(last) if last else None,
        steps=tuple(_step(step, reader) for step in retelling.steps),
    )


def _step(step: replay.ReplayStep, reader: viewer.Viewer) -> api_schema.StepOf:
    game = step.after.game
    barrels, view = barrel_game.barrels_of(game.name), game.view(step.after.state, None)
    round_ = barrels.at(view, game.settings) if barrels else barrel_game.BarrelRound()
    return api_schema.StepOf(
        number=step.entry.number,
        at_ms=step.entry.at_ms,
        kind=step.entry.kind,
        sentences=history.sentences(step, reader),
        round=round_.round,
        phase=round_.phase,
        magic=round_.magic,
        placed=round_.placed,
        numbers=round_.numbers,
        pawns=round_.pawns,
    )


def open_entries(entries: Sequence[journal.Entry]) -> Iterator[journal.Entry]:
    """Yield the entries of a match that may leave this table, the stoppers in them left out."""
    return without_stoppers(replay.replay_steps(entries)[0])


def without_stoppers(steps: Sequence[replay.ReplayStep]) -> Iterator[journal.Entry]:
    """Yield the open entries of a match that was read, without which stopper stood where."""
    for step in steps[: replay.count_unsealed(steps)]:
        if isinstance(step.event, events.BarrelAssigned):
            unnamed = events.BarrelAssigned(
                step.event.seat, None
            )  # nor what else would tell stoppers apart
            yield replace(step.entry, text=body_text(core.pack(unnamed)))
        else:
            yield step.entry
