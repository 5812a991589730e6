"""Reads the set-up form of a new match, checks it, and proposes what was agreed on last.

It must not know Flask nor any one game: what can be chosen stands in the game's page. What is not
said is as in the match before, so that nobody sets up twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.core.codec import pack
from companion.core.plugin import GAMES, called, players, seats_of, usual
from companion.present import page, viewer
from companion.present.page import Page, RuleOption, checked_form
from companion.referee import commands, handlers, replay, snapshot
from companion.referee.events import Bot, HouseRules, Roller
from companion.system.text import SEATS, SeatName
from companion.web.ports import TablePort

PEOPLE: Final = "people"
NOBODY: Final = ""


@dataclass(frozen=True, slots=True)
class WantedGame:
    game: str
    seats: dict[str, str]  # who plays for it: PEOPLE, NOBODY, or a player of the companion
    settings: dict[str, object]  # by the name of an option
    roller: Roller
    board: Any = None  # one of their own, that of an earlier match; None: the usual one
    gives_up: bool = False


def own_board(game: str, settings: Any) -> Any:
    """Return the board that was agreed on, if it is another than the game brings along."""
    kind = GAMES[game].settings_type
    board = getattr(settings, "board", None) if isinstance(settings, kind) else None
    return None if board == getattr(kind(), "board", None) else board


def _agreed(match: str, room: TablePort) -> Any:
    """Return what was agreed on for a match, also where another was begun meanwhile."""
    known = next((listed for listed in room.matches() if listed.id == match), None)
    steps, _ = replay.replay_steps((known.first,) if known else ())
    return steps[0].after.game.settings if steps else None


def proposed(game: str, page: Page, now: snapshot.Snapshot, reader: viewer.Viewer) -> WantedGame:
    """Return what was last agreed on, or else a match of the reader against two bots."""
    again = now.game == game
    settings = now.settings if again else GAMES[game].settings_type()
    house = now.house if again and now.house else HouseRules(roller=Roller.COMPANION)
    words = seats_of(game)
    if again:
        playing = dict.fromkeys((SEATS[seat] for seat in settings.seats), PEOPLE)
        playing |= {SEATS[bot.seat]: called(game, bot.player) for bot in house.bots}
    else:
        own = reader.seat if reader.seat in words else words[0]
        others = [word for word in words if word != own][:2]
        playing = {own: PEOPLE} | dict.fromkeys(others, usual([*players(game)]))
    return WantedGame(
        game,
        {word: playing.get(word, NOBODY) for word in words},
        {option.name: getattr(settings, option.name) for option in page.options},
        house.roller,
        own_board(game, now.settings),
    )


def wanted_game(game: str, page: Page, form: page.Said, room: TablePort) -> WantedGame:
    """Return what a form says; the match that was played on their own board is named in it."""
    board_of = form.get("own-board", "")
    known = (PEOPLE, *players(game))
    seats = {word: called(game, form.get(f"seat-{word}", NOBODY)) for word in seats_of(game)}
    roller = form.get("roller", "")
    return WantedGame(
        game,
        {word: who if who in known else NOBODY for word, who in seats.items()},
        {option.name: _chosen(option, form) for option in page.options},
        next((choice for choice in Roller if choice.value == roller), Roller.COMPANION),
        own_board(game, _agreed(board_of, room)) if board_of else None,
        gives_up=bool(form.get("gives-up", "")),
    )


def _chosen(option: RuleOption, form: page.Said) -> object:
    value = form.get(option.name, "")
    if not option.values:
        return bool(value)
    fits = value.isascii() and value.isdecimal() and int(value[:3]) < len(option.values)
    return option.values[int(value[:3]) if fits else 0][0]


def checked(
    wanted: WantedGame, page: Page, now: snapshot.Snapshot, reader: viewer.Viewer
) -> page.CheckedForm:
    """Return what is wrong with the choices, or the wish to play like that."""

    def make() -> commands.NewMatch:
        wish = _wish(wanted)
        handlers.first_event(wish)
        return wish

    form = checked_form(make, now, reader, gives_up=wanted.gives_up)
    return replace(form, differs=tuple(_differs(wanted, page, reader)))


def _differs(wanted: WantedGame, page: Page, reader: viewer.Viewer) -> Iterator[str]:
    """Yield which rules are not the usual ones."""
    usual = GAMES[wanted.game].settings_type()
    for option in page.options:
        chosen = wanted.settings[option.name]
        if chosen == getattr(usual, option.name):
            continue
        text = next((text for value, text in option.values if value == chosen), None)
        if text is not None:
            yield f"{reader.say(option.said)} {reader.say(text)}"
        elif chosen:
            yield reader.say(option.said)
        else:
            yield reader.say("Not: {rule}", rule=option.said)


def _wish(wanted: WantedGame) -> commands.NewMatch:
    playing = [word for word, who in wanted.seats.items() if who != NOBODY]
    settings: dict[str, Any] = {"seats": playing}
    settings |= {name: pack(value) for name, value in wanted.settings.items()}
    settings |= {} if wanted.board is None else {"board": pack(wanted.board)}
    bots = tuple(
        Bot(SeatName[word.upper()], who)
        for word, who in wanted.seats.items()
        if who not in (NOBODY, PEOPLE)
    )
    return commands.NewMatch(wanted.game, settings, HouseRules(roller=wanted.roller, bots=bots))
