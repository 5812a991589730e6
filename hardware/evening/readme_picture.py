"""Makes the pictures at the top of the README: an evening that moves, and stills of it, in English.

    python -m hardware.evening.readme_picture hardware/evening [--language de] [--film FOLDER]

Two people say who they are at the simulated table with a television. One practises, picks up a
barrel, shakes it, peeks and is caught; the other rules; barrels are revealed, pawns walk, somebody
wins, and they play again. It takes three minutes. All pictures of the film, one a second, are kept
in a folder if that is named.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from companion.games.zapp_zerapp.simulated.guests import Temperament
from companion.simulator.hand_params import ScriptVigour
from hardware.evening.arrival import arrive
from hardware.evening.evening import Persons
from hardware.evening.filming import Angle, Film, cut, still
from tests.browser.chromium import FOUND, Drawer, Opener, Screen, started
from tests.browser.simulated import Evening
from tests.programs import lacking

LOCALES: Final = {"de": "de-DE", "en": "en-GB"}
PHONE: Final = Screen(360, 740, scale=1.5, mobile=True)
TELEVISION: Final = Screen(1920, 1080)
WIDE_PX: Final = (250, 250, 640)  # of phone, phone and television in the film
SEED: Final = 5
GUEST: Final = Temperament((ScriptVigour.AS_USUAL,), (0.6, 1.4), (0.8, 1.4), 0.0)
STILLS: Final = ("taken", "caught", "revealed", "won")
FRAMES: Final = 40
AROUND: Final = {  # how many pictures of the film before and after a mark are shown
    "invited": (0, 1),
    "named": (0, 0),
    "practised-shake": (1, 1),
    "taken": (3, 0),
    "caught": (3, 2),
    "dismissed": (0, 1),
    "revealed": (2, 5),
    "moving": (1, 4),
    "won": (2, 6),
    "again": (0, 1),
}


@contextmanager
def filmed(drawer: Drawer, language: str, folder: Path, pace: float = 1.0) -> Iterator[Persons]:
    """Have two people sit down, with a television, and film them."""
    with TemporaryDirectory() as kept:
        hands, other = (Opener(drawer, PHONE)(LOCALES[language], lively=True) for _ in range(2))
        television = Opener(drawer, TELEVISION)(LOCALES[language], lively=True)
        angles = zip((hands, other, television), WIDE_PX, strict=True)
        film = Film(folder, tuple(Angle(page, wide_px) for page, wide_px in angles))
        with Evening(Path(kept), SEED, pace, moods=(GUEST,)) as evening:
            yield Persons(evening, hands, other, television, film, Random(SEED), pace)
            drawer.put_back()


def play(persons: Persons, language: str, rounds: int) -> None:
    """Play an evening; after so many rounds pawns are put nearly home."""
    arrive(persons, language)
    persons.plays_a_round(peeking=True)
    played = 1
    while not persons.evening.table.snapshot.over:
        if played == rounds:
            persons.nearly_wins()
        persons.plays_a_round()
        played += 1
    persons.feasts()


def shown(film: Film) -> list[Path]:
    """Return the pictures that tell the evening shortly."""
    wanted = {
        place
        for mark, (before, after) in AROUND.items()
        if mark in film.marks
        for place in range(film.marks[mark] - before, film.marks[mark] + after + 1)
    }
    frames = [film.frames[place] for place in sorted(wanted) if 0 <= place < len(film.frames)]
    return frames[:FRAMES]


def main() -> None:
    """Make them."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("folder", type=Path)
    words.add_argument("--language", default="en", choices=[*LOCALES])
    words.add_argument("--film", type=Path, help="where all pictures of the film are kept")
    words.add_argument("--rounds", type=int, default=1, help="until pawns are put nearly home")
    options = words.parse_args()
    if FOUND is None:
        raise SystemExit(lacking("chromium"))
    options.folder.mkdir(parents=True, exist_ok=True)
    with started(FOUND) as browser, TemporaryDirectory() as kept:
        film_folder = options.film or Path(kept)
        with filmed(Drawer(browser), options.language, film_folder) as persons:
            play(persons, options.language, options.rounds)
        cut(shown(persons.film), options.folder / "evening.webp")
        for name in STILLS:
            frame = persons.film.frames[persons.film.marks[name]]
            still(frame, options.folder / f"{name}.webp")


if __name__ == "__main__":
    main()
