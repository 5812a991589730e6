"""The state of a table for MQTT: a snapshot as codes and numbers, and read back from them.

It must not know how it travels, nor any language: whoever watches chooses that.

    state = state_of(snapshot, at_ms=…, delay_s=0, simulated=False)
    snapshot_from_state(state)          # Unreadable: another version plays there
    journal_lines(steps)             # of a match, as far as it lies open
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache
from typing import Any, Final

from companion import core, journal
from companion.i18n.translate import UNFILLED, filled
from companion.journal.entry import body_text
from companion.mqtt import payloads
from companion.mqtt.payloads import FoulSaid, JournalLine, Points, TroubleSaid
from companion.present import api_snapshot, viewer
from companion.present.page import page_of
from companion.referee import events, replay, snapshot
from companion.referee.match import Foul
from companion.sensing.stopper_faults import StopperFault
from companion.system import format_names, status
from companion.system.errors import Unreadable
from companion.system.text import SEATS, SeatName, Text, seat_word

BATTERY: Final = f"{format_names.format_name_of(StopperFault)}_{StopperFault.BATTERY_LOW.name}"
LONGEST: Final = 80  # characters of what fills a sentence


def state_of(
    now: snapshot.Snapshot,
    *,
    at_ms: int,
    delay_s: int = 0,
    simulated: bool = False,
    proposal: payloads.ProposalState | None = None,
) -> payloads.TableState:
    """Return what everybody may know of a table."""
    view, outcome = now.view, now.outcome
    phase, round_ = getattr(view, "phase", None), getattr(view, "round", None)
    return payloads.TableState(
        at_ms=at_ms,
        delay_s=delay_s,
        simulated=simulated,
        version=now.version,
        match=now.match,
        game=now.game,
        playing=now.match is not None and not now.over,
        over=now.over,
        settings=core.pack(now.settings),
        house=core.pack(now.house),
        view=core.pack(view),
        phase=phase.name.lower() if isinstance(phase, Enum) else None,
        round=round_ if type(round_) is int else None,
        turns=() if now.over else tuple(map(api_snapshot.turn_word, getattr(view, "turns", ()))),
        seats=tuple(seat.colour for seat in now.seats),
        leaders=leaders(now),
        winners=tuple(map(seat_word, outcome.winners)) if outcome else (),
        scores=tuple(Points(seat_word(seat), score) for seat, score in outcome.scores)
        if outcome
        else (),
        fouls=tuple(map(_foul, now.fouls)),
        costly=now.costly,
        held=now.held,
        unflipped=now.unflipped,
        asked=tuple(seat.colour for seat in now.seats if seat.asked),
        joining=now.joining,
        dropped=now.dropped,
        troubles=tuple(map(_trouble, now.troubles)),
        batteries=all(trouble.state.name != BATTERY for trouble in now.troubles),
        proposal=proposal,
    )


def leaders(now: snapshot.Snapshot) -> tuple[str, ...]:
    """Return who is in front, if anybody is: by points, otherwise by what is at home."""
    page = page_of(now.game)
    if page is None or now.view is None:
        return ()
    points = _points(now)
    if not points:
        points = {line.colour: line.home for line in page.seats(now, viewer.Viewer())}
    most = max(points.values(), default=0)
    first = tuple(seat for seat, points_of_seat in points.items() if points_of_seat == most)
    return first if len(first) < len(points) else ()


def _points(now: snapshot.Snapshot) -> dict[str, int]:
    if now.outcome is not None:
        return {seat_word(seat): score for seat, score in now.outcome.scores}
    scores = getattr(now.view, "scores", ())
    return {seat_word(seat): points for seat, points in scores} if _are_pairs(scores) else {}


def _are_pairs(scores: Any) -> bool:
    return isinstance(scores, tuple) and all(isinstance(pair, tuple) for pair in scores)


def _foul(foul: Foul) -> FoulSaid:
    raised = foul.raised
    return FoulSaid(
        number=raised.foul,
        code=raised.code,
        weight=raised.weight,
        seat=foul.seat,
        percent=raised.percent,
        called=raised.called,
        times=raised.times,
        length_ms=raised.length_ms,
        round=foul.round,
        upheld=foul.upheld,
    )


def _trouble(condition: status.Condition) -> TroubleSaid:
    values = {name: _plain(value) for name, value in condition.values.items()}
    return TroubleSaid(_code(condition.state), {k: v for k, v in values.items() if v is not ...})


def _code(state: status.Status) -> str:
    return f"{format_names.format_name_of(type(state))}.{state.name}"


def _plain(value: object) -> Any:
    """Return what fills a sentence as JSON has it; `...` if it is nothing so plain."""
    if isinstance(value, SeatName):
        return seat_word(value)
    if value is None or type(value) is int or (isinstance(value, str) and len(value) <= LONGEST):
        return value
    return ...


# --- and back -------------------------------------------------------------------------------------


def snapshot_from_state(state: payloads.TableState) -> snapshot.Snapshot:
    """Return a snapshot that shows what a table said; Unreadable: this version cannot."""
    settings, view = _of_game(state)
    outcome = None
    if state.over and state.scores:
        scores = tuple((_seat(points.seat), points.points) for points in state.scores)
        outcome = core.Outcome(tuple(map(_seat, state.winners)), scores)
    return snapshot.Snapshot(
        version=state.version,
        match=state.match,
        game=state.game,
        view=view,
        settings=settings,
        house=None
        if state.house is None
        else core.unpack(events.HouseRules, state.house, "house", exact=False),
        seats=tuple(snapshot.SeatView(_word(seat), seat in state.asked) for seat in state.seats),
        fouls=tuple(map(_foul_again, state.fouls)),
        costly=state.costly,
        held=state.held,
        unflipped=tuple(map(_word, state.unflipped)),
        dropped=state.dropped,
        over=state.over,
        outcome=outcome,
        troubles=tuple(
            condition
            for trouble in state.troubles
            if (condition := condition_from(trouble)) is not None
        ),
        joining=tuple(map(_word, state.joining)),
        at_us=1000 * state.at_ms,
    )


def _of_game(state: payloads.TableState) -> tuple[Any, Any]:
    """Return the settings and the view of the game that is played."""
    if state.game is None or state.view is None:
        return None, None
    if state.game not in core.GAMES:
        raise Unreadable("The game '{name}' is not known; known: {games}.", **_games(state.game))
    settings = _settings(state.game, json.dumps(state.settings))
    view = {**state.view, "turns": list(map(_turn_again, state.view.get("turns", ())))}
    kind = _view_of(state.game)
    return settings, core.unpack(kind, view, "view", exact=False)


@lru_cache(500)
def _settings(game: str, settings: str) -> Any:
    """Return settings, which are the same for a whole match, and for most matches."""
    kind = core.GAMES[game].settings_type
    return core.unpack(kind, json.loads(settings), "settings", exact=False)


@cache
def _view_of(name: str) -> type[Any]:
    game = core.GAMES[name]()
    return type(game.view(game.start(), None))


def _games(game: str) -> dict[str, object]:
    return {"name": game[:40], "games": tuple(core.GAMES)}


def _turn_again(word: object) -> int:
    return core.TABLE if word in {api_snapshot.AT_THE_TABLE, core.TABLE} else _seat(str(word))


def _seat(word: str) -> int:
    return SEATS.index(_word(word))


def _word(seat: str) -> str:
    if seat not in SEATS:
        raise Unreadable("{seat} does not play; {seats} do.", seat=seat[:40], seats=SEATS)
    return seat


def _foul_again(foul: FoulSaid) -> Foul:
    seat = None if foul.seat is None else _word(foul.seat)
    raised = events.FoulRaised(
        *(foul.number, foul.code, foul.weight, seat, foul.length_ms, foul.percent),
        called=foul.called,
        times=foul.times,
    )
    return Foul(raised, 0, foul.upheld, foul.round)


def condition_from(trouble: TroubleSaid) -> status.Condition | None:
    """Return what does not work, to be told in any language; None: this version does not know."""
    state = _states().get(trouble.code)
    if state is None:
        return None
    values = {name: _filling(value) for name, value in trouble.values.items()}
    condition = status.Condition(state, 0, values)
    try:
        filled(Text(state.template, **values))
    except UNFILLED:  # another version fills it otherwise
        return None
    return condition


def _filling(value: Any) -> object:
    return SeatName[value.upper()] if value in SEATS else value


def _states() -> Mapping[str, status.Status]:
    return {_code(state): state for kind in status.Status.__subclasses__() for state in kind}


# --- the journal ----------------------------------------------------------------------------------


def journal_lines(steps: Sequence[replay.ReplayStep]) -> Iterator[JournalLine]:
    """Yield the entries of a match that may leave its table."""
    for entry in api_snapshot.without_stoppers(steps):
        yield JournalLine(
            entry.number, entry.at_ms, entry.kind, entry.body, entry.request, entry.ends
        )


def entry_from_line(match: str, event: JournalLine) -> journal.Entry:
    """Return the entry that an event tells; ValueError if none can be so."""
    body = body_text(event.body)
    entry = journal.Entry(
        match, event.number, event.at_ms, event.kind, body, event.request, event.ends
    )
    entry.check()
    return entry
