"""The command `play`: a game in the terminal, watched or played at the keyboard."""

import secrets
from argparse import Namespace
from enum import IntEnum
from pathlib import Path
from typing import Any, Final

from companion.cli.files import SavedGameFile, text_of
from companion.core import GAMES, Game, Seat
from companion.core.game import seats_by_word
from companion.core.players import levels
from companion.present import terminal, terminal_game
from companion.system import errors, signals, text


def seated(options: Namespace) -> tuple[Game[Any], tuple[Any, ...]]:
    """Return the game that the options ask for, and the seats that people play at the keyboard."""
    if options.game not in GAMES:
        raise errors.CompanionError(
            "The game '{name}' is not known; known: {games}.", name=options.game, games=tuple(GAMES)
        )
    kind = GAMES[options.game]
    usual = kind()
    places = {text.SeatName[word.upper()]: seat for word, seat in seats_by_word(kind).items()}
    yours = tuple(dict.fromkeys(_named(options.you or (), places)))
    seats = _seats(options, yours, _named(options.seats or (), places), tuple(places.values()))
    game = _game(options, kind, usual.settings_type, seats or usual.seats)
    for seat in yours:
        if seat not in game.seats:
            raise errors.CompanionError(
                "{you} does not play in this game; {seats:and} do.", you=seat, seats=game.seats
            )
    return game, yours


def _game(options: Namespace, kind: type[Any], settings: type[Any], seats: Any) -> Game[Any]:
    """Return the game with its settings, as far as its options say."""
    look = terminal_game.look_of(options.game)
    if look.settings is None:
        agreed = settings(seats=seats)
    else:
        given = {switch.key: getattr(options, switch.key) for switch in look.switches}
        agreed = look.settings(seats, given, text_of)
    game: Game[Any] = kind(agreed)
    return game


def _named(seats: tuple[text.SeatName, ...], places: dict[text.SeatName, Any]) -> tuple[Any, ...]:
    for seat in seats:
        if seat not in places:
            raise errors.CompanionError(
                "In this game nobody is {seat}; the colours are {colours:and}.",
                seat=seat,
                colours=tuple(places),
            )
    return tuple(places[seat] for seat in seats)


def _seats(
    options: Namespace,
    yours: tuple[IntEnum, ...],
    chosen: tuple[IntEnum, ...],
    places: tuple[IntEnum, ...],
) -> tuple[IntEnum, ...]:
    """Return who plays, by name or by number; nobody: as usual."""
    if options.bots is None:
        return chosen
    others = [seat for seat in chosen or places if seat not in yours]
    if chosen and options.bots != len(set(others)):
        raise errors.CompanionError(
            "--bots {bots} does not match --seats with {count} {count:#seat|seats} for them; use "
            "only one of the two.",
            bots=options.bots,
            count=len(set(others)),
        )
    if options.bots > len(others):
        raise errors.CompanionError(
            "There is no room for {bots} bots; there are {count} {count:#seat|seats} for them.",
            bots=options.bots,
            count=len(others),
        )
    return tuple(sorted((*yours, *others[: options.bots])))


SLOW_S: Final = 0.25
SEEDS: Final = 1_000_000


def play(options: Namespace, screen: terminal.TerminalScreen) -> int:
    game, yours = seated(options)
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    watched = options.slow or (bool(yours) and screen.out.isatty())
    screen.pace_s = SLOW_S if watched else 0
    evening = (terminal_game.look_of(game.name).evening or _sitting)(game, screen, seed, yours)
    evening.board = not options.no_board
    evening.level = levels.chosen_level(game.name, options.level)
    if options.save is None:
        evening.spend()
        return 0
    with SavedGameFile(Path(options.save), game) as evening.notebook:
        try:
            evening.spend()
        except (KeyboardInterrupt, EOFError):
            with signals.postponed():
                screen.muted = False
                screen.line()
                screen.tell("The game so far is saved in '{file}'.", file=options.save)
            raise
    screen.tell("The game is saved in '{file}'.", file=options.save)
    return 0


def _sitting(
    game: Game[Any], screen: terminal.TerminalScreen, seed: int, people: tuple[Seat, ...]
) -> terminal_game.TerminalMatch:
    from companion.cli import card_game  # noqa: PLC0415 - it takes time to import

    return card_game.CardGame(game, screen, seed, people)
