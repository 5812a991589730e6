"""A person's evening: names, a peek that is caught and dismissed, a win and one more match.

It is filmed, a picture a second, into pytest's own folder for temporary files; people look at it.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.evening import filming
from hardware.evening.filming import LARGEST, Film, beside, cut
from hardware.evening.readme_picture import FRAMES, STILLS, filmed, play, shown
from tests.browser.chromium import Complaints, Drawer

Image = pytest.importorskip("PIL.Image")
WHOLE = 99  # rounds; no match takes as long
BRISK = 2.0  # hands and guests, where nobody looks at the film


@pytest.fixture
def told(drawer: Drawer, complaints: Complaints) -> Callable[..., Film]:
    """Play an evening, and return the film of it."""
    complaints.forgive("status of 4(09|22)")  # a guest was quicker

    def tells(language: str, folder: Path, rounds: int, pace: float = 1.0) -> Film:
        with filmed(drawer, language, folder, pace) as persons:
            play(persons, language, rounds)
            now = persons.evening.table.snapshot
            assert not now.over
            assert now.match is not None
        return persons.film

    return tells


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "en"])
def test_two_people_practise_peek_win_and_play_again(
    told: Callable[..., Film], tmp_path: Path, language: str
) -> None:
    film = told(language, tmp_path / "film", 1)
    assert {*STILLS, "named", "practised-done", "dismissed", "again"} <= {*film.marks}
    assert len(STILLS) < len(shown(film)) <= FRAMES
    assert all(picture.exists() for picture in film.frames)


@pytest.mark.slow
def test_two_people_play_a_whole_game(told: Callable[..., Film], tmp_path: Path) -> None:
    assert {"won", "again"} <= {*told("en", tmp_path / "film", WHOLE, BRISK).marks}


def test_screens_are_seen_side_by_side_and_a_film_is_never_too_large(tmp_path: Path) -> None:
    red, blue = (Image.new("RGB", (30, 60), colour) for colour in ("red", "blue"))
    shot = beside([red, blue])
    assert shot.getpixel((29, 44)) == (255, 0, 0)
    assert shot.getpixel((73, 44)) == (0, 0, 255)
    frames = [tmp_path / "0.png", tmp_path / "1.png"]
    shot.save(frames[0])
    beside([blue, red]).save(frames[1])
    cut(frames, tmp_path / "film.webp")
    with Image.open(tmp_path / "film.webp") as film:
        assert film.n_frames == 2
    assert (tmp_path / "film.webp").stat().st_size < LARGEST


def test_what_cannot_be_small_enough_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filming, "LARGEST", 10)
    Image.new("RGB", (30, 30)).save(tmp_path / "0.png")
    with pytest.raises(ValueError, match="too large"):
        cut([tmp_path / "0.png"], tmp_path / "film.webp")
