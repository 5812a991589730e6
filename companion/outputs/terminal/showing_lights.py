"""The command `lights`: every scene in the terminal, moving in place, or drawn for the manual."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from companion import ending
from companion.errors import CompanionError
from companion.outputs.terminal import lights_page
from companion.outputs.terminal.lights_picture import picture
from companion.present.lights.example import Example
from companion.present.lights.gallery import EXAMPLES
from companion.present.lights.patterns import STEP_US
from companion.present.screen import BOLD, FAINT, Screen

FRAMES: Final = 120  # of 50 ms: how long each scene is shown, when all are
STEP_S: Final = STEP_US / 1_000_000
HIDE, SHOW, CLEAR_LINE = "\x1b[?25l", "\x1b[?25h", "\x1b[K"


def show_lights(
    options: Namespace, screen: Screen, pause: Callable[[float], None] = ending.sleep
) -> int:
    """Show what is asked for."""
    if options.svg is not None:
        files = lights_page.write(Path(options.svg), screen.language)
        screen.tell(
            "{count} files have been written; the page is {file}.", count=len(files), file=files[-1]
        )
        return 0
    if options.list:
        for example in EXAMPLES:
            screen.line(f"{example.name:<11} {screen.say(example.meaning.title)}")
        return 0
    chosen = _chosen(options.scene)
    if options.still or not _moves(screen):
        for example in chosen:
            _still(screen, example)
        return 0
    with _cursor_hidden(screen):
        for example in chosen:
            _play(screen, example, FRAMES if len(chosen) > 1 else None, pause)
    return 0


def _chosen(name: str | None) -> tuple[Example, ...]:
    chosen = tuple(example for example in EXAMPLES if name in {None, example.name})
    if not chosen:
        raise CompanionError(
            "There is no scene '{name}'; there are {names}.",
            name=name,
            names=tuple(example.name for example in EXAMPLES),
        )
    return chosen


def _moves(screen: Screen) -> bool:
    return screen.out.isatty() and os.environ.get("TERM") != "dumb"


def _head(screen: Screen, example: Example) -> None:
    screen.line(f"{screen.say(example.meaning.title)}  ({example.name})", BOLD)
    screen.lines(screen.say(example.told))
    screen.lines(screen.say(example.meaning.look), style=FAINT)
    screen.line()


def _still(screen: Screen, example: Example) -> None:
    _head(screen, example)
    for line in picture(screen, next(example.scenes())):
        screen.line(line)
    screen.line()


def _play(
    screen: Screen, example: Example, frames: int | None, pause: Callable[[float], None]
) -> None:
    """Show a scene where it stands until its time is over; without one, until somebody ends it."""
    _head(screen, example)
    height = 0
    for scene in islice(example.scenes(), frames):
        lines = picture(screen, scene)
        back = f"\x1b[{height}A" if height else ""
        screen.put(back + "".join(f"{line}{CLEAR_LINE}\n" for line in lines))
        height = len(lines)
        pause(STEP_S)
    screen.line()


@contextmanager
def _cursor_hidden(screen: Screen) -> Iterator[None]:
    screen.put(HIDE)
    try:
        yield
    finally:
        screen.put(SHOW)
