"""The pages of Trap the Wizard: its board, what the die showed, and which wizard goes where."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from markupsafe import Markup

from companion.core import Action, Event, write
from companion.games.trap_the_wizard import pieces, rules
from companion.games.trap_the_wizard.moves import choices, mover, position_text
from companion.games.trap_the_wizard.picture import Drawn, board_svg
from companion.games.trap_the_wizard.rules.model import SIDES
from companion.present.headline import label
from companion.present.icons import State
from companion.present.page import Box, Chapter, Page, RuleOption, SeatLine, may_have_go_on
from companion.present.viewer import Viewer
from companion.referee import commands, events, snapshot
from companion.system.text import Text, seat_word

ROLLS_BY: Final = "roll-for-us"  # the id of the key that a tap on the board's die presses, too
NUMBERS: Final = range(1, SIDES + 1)
ENDLESS: Final = 1000  # this many sixes in a row nobody rolls
ROLLS: Final = (rules.Phase.ROLL, rules.Phase.AGAIN)
ROUNDS: Final = Text("{count} {count:#round|rounds}")


def parts(now: snapshot.Snapshot, reader: Viewer) -> dict[str, Any]:
    view: rules.View = now.view
    seat = seat_word(view.player)
    playing = not now.over
    may = playing and reader.may_act_for(seat)
    rolls = view.phase is rules.Phase.ROLL and playing and may_have_go_on(now, seat, reader)
    offered = choices(now, reader) if may else ()
    drawn = Drawn(view, now.happened, offered, ROLLS_BY if rolls else "")
    trap = {
        "board": board_svg(now.settings.board, drawn, reader),
        "view": view,
        "rounds": now.settings.rounds,
        "rolls": rolls,  # this phone rolls now
        "by_people": now.house is None or now.house.roller is events.Roller.PEOPLE,
        "seat": seat,  # whose turn it is
        "waits": may and mover(now) is not None,  # for whoever moves, and this phone may
        "again": [*_again(view, reader)] if may else [],
        "choices": offered,
        "labels": {  # of moves that end where another does
            text: label(commands.DoAction(text), reader, (), now.game)
            for choice in offered
            for way in choice.ways
            for text in way.others
        },
        "dice": {number: pieces.die_svg(number) for number in NUMBERS},
        "accounts": [_account(view, robe, reader) for robe, _ in view.wizards],
        "joker": _joker(view, reader),
    }
    return {"trap": trap}


def _again(view: rules.View, reader: Viewer) -> Iterator[tuple[str, str]]:
    """Yield what can be done after a six, and what it is called."""
    if view.phase is rules.Phase.AGAIN:
        for action in (rules.Again(view.player), rules.Pass(view.player)):
            yield write(action), act(type(action), {}, reader)


def _account(view: rules.View, robe: rules.Robe, reader: Viewer) -> dict[str, Any]:
    camp = dict(view.wizards)[robe]
    return {
        "seat": seat_word(robe),
        "free": len(camp),
        "held": sum(wizard.opponents(robe) for wizard in camp),  # and not brought home yet
        "taken": len(dict(view.taken)[robe]),
        "points": dict(view.scores)[robe],  # of the rounds before
        "wizards": [position_text(wizard, reader) for wizard in camp],  # and whom each holds
    }


def _joker(view: rules.View, reader: Viewer) -> str:
    """Return where the joker is."""
    if view.joker is not None:
        return reader.say("On field {field}", field=view.joker)
    for robe, camp in view.wizards:
        for wizard in camp:
            if rules.Robe.JOKER in wizard.load:
                return reader.say("{seat:@{seat} holds|You hold} it", seat=robe)
    return reader.say("Out until the next round")


# --- the frame's parts --------------------------------------------------------------------------


def headline(now: snapshot.Snapshot, reader: Viewer) -> str:
    view: rules.View = now.view
    match view.phase:
        case rules.Phase.ROLL if view.sixes:
            return reader.say(
                "{seat:@{seat} rolls|You roll} again: it was a six.", seat=view.player
            )
        case rules.Phase.ROLL:
            return reader.say("{seat:@{seat}: roll|Your turn: roll} the die.", seat=view.player)
        case rules.Phase.AGAIN:
            return reader.say(
                "{seat:@{seat} may|You may} roll again: it was a six.", seat=view.player
            )
        case rules.Phase.REST:
            return reader.say(
                "{seat:@{seat} may|You may} move another wizard by {points}.",
                seat=view.player,
                points=view.points,
            )
    return reader.say(
        "{seat:@{seat} moves|You move} a wizard by {points}.", seat=view.player, points=view.points
    )


def act(
    kind: type[Action], given: dict[str, Any], reader: Viewer, _preview: Iterable[Event] = ()
) -> str:
    """Return what an action is, to be written on a button."""
    if kind is rules.Roll:
        return reader.say("The die shows {number}", number=given.get("number"))
    if kind is rules.Leave:
        return reader.say("Leave the points unused")
    if kind is rules.Again:
        return reader.say("Roll again")
    if kind is rules.Pass:
        return reader.say("Do not roll again")
    if kind is not rules.Move:
        return ""
    start, end = given.get("start"), given.get("end")
    if end == rules.START:
        return reader.say("Bring the wizard on field {start} home", start=start)
    if start == rules.START:
        return reader.say("Move a wizard from the start to field {end}", end=end)
    if given.get("spare"):
        return reader.say("Share field {end}, coming from field {start}", start=start, end=end)
    return reader.say("Move the wizard on field {start} to field {end}", start=start, end=end)


def seats(now: snapshot.Snapshot, reader: Viewer) -> list[SeatLine]:
    """Return the seats, clockwise, each with its points so far."""
    view: rules.View = now.view
    return [
        SeatLine(
            seat.colour,
            _doing(now, view, rules.Robe[seat.colour.upper()], reader),
            number=_points(now, view, rules.Robe[seat.colour.upper()]),
            turn=not now.over and seat_word(view.player) == seat.colour,
            yours=reader.seat == seat.colour,
            pawns=tuple(
                "start" if wizard.place == rules.START else "road"
                for wizard in dict(view.wizards)[rules.Robe[seat.colour.upper()]]
            ),
            state=_state(now, seat.colour),
        )
        for seat in now.seats
    ]


def _points(now: snapshot.Snapshot, view: rules.View, robe: rules.Robe) -> int:
    """Return the points of earlier rounds, and who was brought home in this one."""
    points = dict(view.scores)[robe]
    return points if now.outcome is not None else points + len(dict(view.taken)[robe])


def _state(now: snapshot.Snapshot, colour: str) -> State | None:
    if now.over or seat_word(now.view.player) != colour:
        return None
    return "rolls" if now.view.phase in ROLLS else "turn"


def _doing(now: snapshot.Snapshot, view: rules.View, robe: rules.Robe, reader: Viewer) -> str:
    if now.over:
        return reader.say("has won") if robe in view.winners else ""
    if not dict(view.wizards)[robe]:
        return reader.say("all captured")
    if robe != view.player:
        return ""
    return reader.say("rolls") if view.phase in ROLLS else reader.say("moves now")


def progress(view: rules.View, settings: rules.Settings, reader: Viewer) -> str:
    return reader.say("Round {round} of {rounds}", round=view.round, rounds=settings.rounds)


def picture(view: Any, settings: Any, happened: Iterable[Event], reader: Viewer) -> str:
    """Return the board as it stood once."""
    return board_svg(settings.board, Drawn(view, tuple(happened)), reader)


def _drawn(_: Viewer) -> dict[str, Any]:
    hats = {robe.name.lower(): Markup(pieces.hat(robe)) for robe in rules.PLAYERS}  # noqa: S704 - drawn here
    return {"hats": hats, "cage": Markup(pieces.cage()), "die": Markup(pieces.die(6))}  # noqa: S704 - drawn here


PAGE: Final = Page(
    title=Text("Trap the Wizard"),
    about=Text(
        "A dice game of capture: land on others to trap them, and bring them home. The joker in "
        "the middle helps."
    ),
    box=Box(most=4),
    options=(
        RuleOption(
            "rounds",
            Text("How long is the game?"),
            tuple((count, Text(ROUNDS.template, count=count)) for count in (1, 3, 5)),
        ),
        RuleOption(
            "starter_rotates",
            Text("Each round the next player begins; otherwise always the same one."),
        ),
        RuleOption("turn_back", Text("A wizard may turn back within one move.")),
        RuleOption("pass_over", Text("A wizard may pass over others.")),
        RuleOption(
            "home_exact", Text("A wizard must come home by an exact roll; no points are left over.")
        ),
        RuleOption(
            "hand_over",
            Text("Whoever captures a captor gets its captives, too; otherwise they go free."),
        ),
        RuleOption(
            "held_count", Text("Captives count even if they are not home when the round ends.")
        ),
        RuleOption(
            "joker_returns", Text("The joker goes back to the middle when its captor comes home.")
        ),
        RuleOption(
            "joker_spares",
            Text("Whoever holds the joker may share a special field instead of capturing there."),
        ),
        RuleOption("joker_scores", Text("The joker counts as a captured wizard.")),
        RuleOption("six_passes", Text("After a six you may choose not to roll again.")),
        RuleOption("idle_six_again", Text("A six that nobody can use gives another roll, too.")),
        RuleOption(
            "sixes",
            Text("How many sixes in a row before the next player's turn?"),
            (
                (2, Text("two at most")),
                (3, Text("three at most")),
                (ENDLESS, Text("as many as you roll")),
            ),
        ),
    ),
    dice=Text("Who rolls and draws?"),
    quiet=(rules.CatchCounted, rules.DieCast),
    headline=headline,
    act=act,
    seats=seats,
    picture=picture,
    progress=progress,
    parts=parts,
    template="trap-the-wizard/table.html",
    styles="page.css",
    chapter=Chapter(
        "trap-the-wizard/manual.html", parts=_drawn, rules="trap-the-wizard/rules.html"
    ),
)
