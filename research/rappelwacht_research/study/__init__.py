"""The command `study`: many matches by the companion's own players, and what they tell."""

import json
import secrets
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from math import comb
from pathlib import Path
from typing import Any, Final

from companion.core.game import Game, seats_by_word
from companion.core.players.levels import level_names
from companion.core.plugin import GAMES, called, usual
from companion.present.study_game import StudyGame, study_game_of
from companion.present.terminal import TerminalScreen
from companion.system.errors import CompanionError
from companion.system.paths import ensure_folder
from rappelwacht_research.study import ladder
from rappelwacht_research.study.cluster import playing
from rappelwacht_research.study.findings import StudyFindings
from rappelwacht_research.study.ladder import COMPANIES, climbed
from rappelwacht_research.study.match import (
    LONGEST,
    Part,
    PlayedMatch,
    in_lockstep,
    names,
    one_match,
)
from rappelwacht_research.study.page import page
from rappelwacht_research.study.tables import show

SEEDS: Final = 1_000_000
USUAL_SEATS: Final = 4


def study(options: Namespace, screen: TerminalScreen) -> int:
    """Play as many matches as wished; whoever has enough of it gets what has been played."""
    if options.ladder:
        return _ladder(options, screen)
    if options.game is None:
        raise CompanionError("Name a game: one of {games}.", games=tuple(GAMES))
    kind = _kind(options.game)
    subject = study_game_of(options.game)
    players = _players(kind, subject, options.players)
    game = _game(kind, len(players))
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    if options.games < 1:
        raise CompanionError("There is nothing to say about {count} games.", count=options.games)
    together = in_lockstep(game, players, options.games, seed)
    played: list[PlayedMatch] = []

    def findings() -> StudyFindings:
        lockstep = together is not None
        return StudyFindings(game.name, subject, game.seats, tuple(played), seed, lockstep)

    one_by_one = (
        one_match(game, _seated(players, number), f"{seed} {number}")
        for number in range(options.games)
    )
    try:
        with playing(options.scheduler) as plays:
            for match in plays(together or one_by_one):
                played.append(match)
                _progress(len(played), options.games)
    except KeyboardInterrupt:
        if played:
            _tell(findings(), options, screen)
        raise
    _tell(findings(), options, screen)
    return 0


def _ladder(options: Namespace, screen: TerminalScreen) -> int:
    """Have all levels play against one another, of a game or of all."""
    games = tuple(GAMES) if options.game is None else (options.game,)
    seed = secrets.randbelow(SEEDS) if options.seed is None else options.seed
    kinds = [_kind(game) for game in games]
    companies = [
        _game(kind, n) for kind in kinds for n in COMPANIES if n <= len(seats_by_word(kind))
    ]
    pairs = sum(comb(len(level_names(game.name)), 2) for game in companies)
    number = count(1)
    with playing(options.scheduler) as plays:

        def watched(parts: Iterable[Part]) -> Iterator[PlayedMatch]:
            for match in plays(parts):
                _progress(next(number), pairs * options.games)
                yield match

        ladders = [climbed(game, options.games, seed, watched) for game in companies]
    if options.json:
        figures = {"seed": seed, "matches": options.games}
        screen.line(json.dumps(figures | {"ladders": [one.figures() for one in ladders]}))
    else:
        ladder.show(screen, ladders)
    if options.folder is not None:
        text = ladder.page(ladders, options.games, seed, screen.language)
        _write(Path(options.folder), "study-ladder.html", text, options, screen)
    return 0


def _kind(name: str) -> type[Any]:
    if name not in GAMES:
        raise CompanionError(
            "The game '{name}' is not known; known: {games}.", name=name, games=tuple(GAMES)
        )
    return GAMES[name]


def _players(kind: type[Any], subject: StudyGame, wanted: str | None) -> tuple[str, ...]:
    """Return who plays, clockwise at the first match."""
    known = names(kind.name, subject)
    if wanted is None:
        return (usual(known),) * min(USUAL_SEATS, len(seats_by_word(kind)))
    chosen = tuple(called(kind.name, word.strip()) for word in wanted.split(","))
    for word in chosen:
        if word not in known:
            raise CompanionError(
                "There is no player '{word}' for this game; there are {names:and}.",
                word=word,
                names=known,
            )
    return chosen


def _game(kind: type[Any], count: int) -> Game[Any]:
    """Return a game by its usual settings with so many seats; its rules refuse a wrong number."""
    seats = tuple(seats_by_word(kind).values())
    if len(seats) < count:
        raise CompanionError(
            "There is no room for {count} players; there are {most} seats.",
            count=count,
            most=len(seats),
        )
    game: Game[Any] = kind(kind.settings_type(seats=seats[:count]))
    return game


def _seated(players: Sequence[str], number: int) -> tuple[str, ...]:
    """Let the players move on by a seat in every match, so that no seat has the better ones.

    >>> _seated(("casual", "random", "random"), 1)
    ('random', 'random', 'casual')
    """
    by = number % len(players)
    return (*players[by:], *players[:by])


def _progress(done: int, games: int) -> None:
    """Show whoever waits at a terminal how far it is."""
    if sys.stderr is None or not sys.stderr.isatty():
        return
    with suppress(OSError):
        sys.stderr.write(f"\r{done} / {games} " if done < games else "\r\x1b[K")
        sys.stderr.flush()


def _tell(found: StudyFindings, options: Namespace, screen: TerminalScreen) -> None:
    if not found.over:
        raise CompanionError(
            "None of the {count} matches came to an end within {most} actions; choose other "
            "players.",
            count=len(found.played),
            most=LONGEST,
        )
    if options.json:
        screen.line(json.dumps(found.figures()))
    else:
        show(screen, found)
    if options.folder is None:
        return
    text = page(found, screen.language)
    _write(Path(options.folder), f"study-{found.game}.html", text, options, screen)


def _write(folder: Path, name: str, text: str, options: Namespace, screen: TerminalScreen) -> None:
    file = ensure_folder(folder) / name
    try:
        file.write_text(text, "utf-8", newline="\n")
    except OSError as error:
        raise CompanionError(
            "{file} cannot be written ({reason}); name a folder of yours.",
            file=error.filename or file,
            reason=error.strerror,
        ) from None
    if not options.json:
        screen.tell("The page with the plots is {file}.", file=file)
