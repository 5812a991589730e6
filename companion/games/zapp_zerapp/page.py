"""The page of Zapp Zerapp: what it says and shows of a moment."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from companion.core import Action, Event, SeatName
from companion.games.zapp_zerapp import corrections_page, form, rules, summary
from companion.games.zapp_zerapp.moves import Way, choosable, marks, mover, ways
from companion.games.zapp_zerapp.picture import Drawn, board_svg
from companion.present import icons, page, viewer
from companion.present.fouls import cards
from companion.present.viewer import Viewer
from companion.referee.handlers import CALLED
from companion.referee.snapshot import SeatView, Snapshot
from companion.system.text import Text, seat_word


def headline(now: Snapshot, reader: Viewer) -> str:
    view: rules.View = now.view
    match view.phase:
        case rules.Phase.PLACE if view.placed and reader.own not in _words(view.turns):
            return reader.say(
                "{seats:@{seats:and} {seats:#is|are}|You are} still shaking.",
                seats=_turns(view.turns),
            )
        case rules.Phase.PLACE:
            return reader.say(
                "Shake! Keep a barrel with at most {magic} {magic:#stone|stones}.", magic=view.magic
            )
        case rules.Phase.FLIP:
            return reader.say("Flip all barrels!")
        case rules.Phase.SAY:
            read = dict(view.numbers)
            unread = tuple(seat for seat in view.placed if seat not in read)
            return reader.say(
                "{seats:@Which number {seats:#does|do} {seats:and} show|Which number do you show}?",
                seats=unread,
            )
        case rules.Phase.MOVE:
            mover = rules.Colour(view.turns[0])
            steps = dict(view.numbers)[mover]
            return reader.say(
                "{seat:@{seat} moves|You move} by {steps} {steps:#field|fields}.",
                seat=mover,
                steps=steps,
            )
    return reader.say("{seat:@{seat}: roll|Your turn: roll} the dice.", seat=view.roller)


def _turns(seats: Iterable[int]) -> tuple[SeatName, ...]:
    return tuple(map(SeatName, seats))


def _words(seats: Iterable[int]) -> list[str | None]:
    return [seat_word(seat) for seat in seats]


def act(
    kind: type[Action], given: dict[str, Any], reader: Viewer, preview: Iterable[Event] = ()
) -> str:
    """Return what an action is, to be written on a button; `preview` says where a move ends."""
    if kind is rules.Roll:
        return reader.say("The dice show {magic}", magic=given.get("magic"))
    if kind is rules.Place:
        return reader.say(
            "{seat:@{seat} has placed a|You have placed your} barrel", seat=given.get("seat")
        )
    if kind is rules.PutBack:
        return reader.say("{seat:@{seat} takes|You take} the barrel back", seat=given.get("player"))
    if kind is rules.Flip:
        return reader.say("All barrels are flipped")
    if kind is rules.Say:
        return reader.say(
            "{seat:@{seat} shows|You show} {number}",
            seat=given.get("player"),
            number=given.get("number"),
        )
    if kind is rules.SitOut:
        return reader.say("{seat:@{seat} sits|You sit} this round out", seat=given.get("player"))
    if kind is rules.Correct:
        return reader.say("The pawns stand like this")
    return _move(given, reader, preview) if kind is rules.Move else ""


def _move(given: dict[str, Any], reader: Viewer, preview: Iterable[Event]) -> str:
    start = given.get("step")
    end = next((event.end for event in preview if isinstance(event, rules.Moved)), None)
    if end == rules.CITY:
        sentence = reader.say("Move the apprentice on field {start} into the city", start=start)
    elif end is None and start == rules.START:
        sentence = reader.say("Move an apprentice from the start")
    elif end is None:
        sentence = reader.say("Move the apprentice on field {start}", start=start)
    elif start == rules.START:
        sentence = reader.say("Move an apprentice from the start to field {end}", end=end)
    else:
        sentence = reader.say(
            "Move the apprentice from field {start} to field {end}", start=start, end=end
        )
    if taken := _of_pawns(given.get("take")):
        sentence = reader.say("{move}, taking {colours:and} along", move=sentence, colours=taken)
    if banished := _of_pawns(given.get("banish")):
        return reader.say("{move}, banishing {colours:and}", move=sentence, colours=banished)
    return reader.say("{move}, banishing nobody", move=sentence) if "banish" in given else sentence


def _of_pawns(pawns: Any) -> tuple[rules.Colour, ...]:
    return tuple(pawn.colour for pawn in pawns or ())


def began(settings: rules.Settings, reader: Viewer) -> Iterator[str]:
    """Yield by which rules people play, where those are not the usual ones."""
    if settings.profi:
        yield reader.say("Profi version: castle fields are take-along fields.")
    if settings.overlook:
        yield reader.say("An apprentice whose banishment is overlooked may stay.")
    if not settings.shuffle:
        yield reader.say("The barrels are not shuffled between rounds.")


def amended(wrong: Action, right: Action, reader: Viewer) -> str | None:
    """Return what was put right; None: it needs no sentence of its own."""
    match wrong, right:
        case rules.Roll(former), rules.Roll(now):
            return reader.say(
                "Corrected: the magic number was {now}, not {former}.", now=now, former=former
            )
        case rules.Say(seat, former), rules.Say(_, now):
            return reader.say(
                "Corrected: {seat} showed {now}, not {former}.", seat=seat, now=now, former=former
            )
    return None


def progress(view: rules.View, _: rules.Settings, reader: Viewer) -> str:
    """Return which round it is, and its magic number."""
    line = reader.say("Round {round}", round=view.round)
    if not view.magic:
        return line
    return f"{line}, {reader.say('magic number {magic}', magic=view.magic)}"


MOVES: Final = (Text("now"), Text("2nd"), Text("3rd"), Text("4th"))  # to move, beside a number


def seats(now: Snapshot, reader: viewer.Viewer) -> list[page.SeatLine]:
    return [_line(now, seat, reader) for seat in now.seats]


def _line(now: Snapshot, seat: SeatView, reader: viewer.Viewer) -> page.SeatLine:
    view: rules.View = now.view
    colour = rules.Colour[seat.colour.upper()]
    number = None if now.over else dict(view.numbers).get(colour)  # then it would pass for points
    fails = number is not None and number > view.magic
    state, doing = _doing(now, view, colour, reader)
    return page.SeatLine(
        seat.colour,
        doing,
        number,
        fails,
        turn=not now.over and _waited_for(view, colour),
        asked=seat.asked,
        yours=reader.seat == seat.colour,
        pawns=tuple(map(_place, dict(view.pawns)[colour])),
        state=state,
    )


def _place(step: int) -> icons.PawnPlace:
    return "start" if step == rules.START else "home" if step == rules.CITY else "road"


def _waited_for(view: rules.View, colour: rules.Colour) -> bool:
    match view.phase:
        case rules.Phase.ROLL:
            return colour == view.roller
        case rules.Phase.SAY:
            return colour in view.placed and colour not in dict(view.numbers)
    return colour in view.turns


def _doing(
    now: Snapshot, view: rules.View, colour: rules.Colour, reader: viewer.Viewer
) -> tuple[icons.State | None, str]:
    if colour == view.winner:
        return None, reader.say("has won")
    if now.over:
        return None, ""
    if colour in view.out:
        return "rests", reader.say("sits out")
    match view.phase:
        case rules.Phase.ROLL:
            return ("rolls", reader.say("may roll")) if colour == view.roller else (None, "")
        case rules.Phase.PLACE if colour in view.placed:
            return "done", reader.say("has placed")
        case rules.Phase.PLACE:
            return "shakes", reader.say("shakes")
        case rules.Phase.FLIP:
            return "flips", reader.say("flips")
        case rules.Phase.SAY:
            known = colour in dict(view.numbers)
            return (None, "") if known else ("asked", reader.say("shows?"))
    return _moving(view, colour, reader)


def _moving(
    view: rules.View, colour: rules.Colour, reader: viewer.Viewer
) -> tuple[icons.State | None, str]:
    if colour in view.order:
        at = view.order.index(colour)
        return None if at else "turn", reader.say(MOVES[at])
    if dict(view.numbers).get(colour, 0) > view.magic:
        return "fails", reader.say("too much")
    return "done", reader.say("has moved")


ROLLS: Final = range(2, 13)
NUMBERS: Final = range(1, rules.BARRELS + 1)


def parts(now: Snapshot, reader: viewer.Viewer) -> dict[str, Any]:
    view: rules.View = now.view
    offered, seat = ways(now, reader), mover(now)
    may_move = seat is not None and reader.may_act_for(seat.colour) and not now.held
    fouls = cards(now, view.round, reader)
    headline = (
        {} if seat is None or not may_move else {"headline": _how(now, seat, offered, reader)}
    )
    return {
        **headline,
        "view": view,
        "phase": "over" if now.over else view.phase.value,
        "mover": seat,
        "ways": offered,
        "may_move": may_move,
        "overlooks": now.settings.overlook,
        "board": _board(now, offered, reader, may_move=may_move),
        "fouls": [foul for foul in reversed(fouls) if foul.open],  # the newest is not to be missed
        "reminders": [foul for foul in fouls if foul.reminds],
        "noted": [foul for foul in fouls if not foul.open and not foul.reminds],
        "unflipped": tuple(SeatName[colour.upper()] for colour in now.unflipped),
        "called": CALLED,
        "rolls": ROLLS,
        "numbers": NUMBERS,
        "taken": {number for _, number in view.numbers},
        "Colour": rules.Colour,
        "place": lambda step: reader.say(rules.place(step)),
    }


def _how(now: Snapshot, seat: SeatView, ways: tuple[Way, ...], reader: viewer.Viewer) -> str:
    view: rules.View = now.view
    whose = {
        "seat": rules.Colour[seat.colour.upper()],
        "steps": dict(view.numbers)[rules.Colour(view.turns[0])],
    }
    if len(ways) == 1:
        return reader.say(
            "{seat:@{seat} moves|You move} by {steps} {steps:#field|fields}: confirm the move.",
            **whose,
        )
    return reader.say(
        "{seat:@{seat} moves|You move} by {steps} {steps:#field|fields}: tap a pawn.", **whose
    )


def _board(now: Snapshot, ways: tuple[Way, ...], reader: viewer.Viewer, *, may_move: bool) -> str:
    seat = mover(now)
    drawn = Drawn(
        camps=now.view.pawns,
        counts=None if seat is None else rules.Colour[seat.colour.upper()],
        choosable=choosable(ways) if may_move else {},
        marks=[mark for mark in marks(ways) if may_move or mark.shown],
        happened=now.happened,
        magic=now.view.magic,
    )
    return board_svg(now.settings.board, drawn, reader)


def picture(
    view: rules.View, settings: Any, happened: Iterable[Event], reader: viewer.Viewer
) -> str:
    """Return the board as it stood once."""
    drawn = Drawn(camps=view.pawns, happened=tuple(happened), magic=view.magic)
    return board_svg(settings.board, drawn, reader)


def _at_start(reader: viewer.Viewer) -> dict[str, Any]:
    """Return the ring on which people play unless they want another, with all pawns at home."""
    camps = tuple((colour, (rules.START, rules.START, rules.START)) for colour in rules.Colour)
    return {"board": board_svg(rules.Settings().board, Drawn(camps=camps), reader)}


PAGE: Final = page.Page(
    title=Text("Zapp Zerapp"),
    box=page.Box(age=7, minutes=30),
    headline=headline,
    act=act,
    seats=seats,
    picture=picture,
    progress=progress,
    parts=parts,
    template="zapp-zerapp/table.html",
    styles="page.css",
    chapter=page.Chapter(
        "zapp-zerapp/manual.html",
        (("rules", Text("How to play")), ("variants", Text("Other ways to play"))),
        _at_start,
        "zapp-zerapp/rules.html",
    ),
    form=page.Form("zapp-zerapp/form.html", form.parts, form.checked),
    right=page.CorrectionsPage("zapp-zerapp/right.html", corrections_page.parts),
    statistics=page.Statistics(summary.tally, "zapp-zerapp/statistics.html", summary.parts),
    story=page.Story(began, amended, Text("Which stopper stood where is left out.")),
)
