"""Films several screens at once, a picture a second, and cuts a short animated picture from it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Final

import pytest
from playwright.sync_api import Page

pytest.importorskip("PIL", reason="Pillow is not installed: no wheel for this machine")

from PIL import Image, ImageDraw

EVERY_S: Final = 1.0
GAP_PX: Final = 14
CORNER_PX: Final = 12
GROUND: Final = (140, 127, 106)
LARGEST: Final = 1_500_000  # bytes of an animated picture
STILL_QUALITY: Final = 80
QUALITIES: Final = (70, 60, 50, 40, 30, 20)


@dataclass(frozen=True, slots=True)
class Angle:
    """A screen, and how wide it is in the film."""

    page: Page
    wide_px: int


@dataclass(slots=True)
class Film:
    """Pictures of the same moments on all screens, side by side, in a folder."""

    folder: Path
    angles: tuple[Angle, ...]
    frames: list[Path] = field(default_factory=list)
    marks: dict[str, int] = field(default_factory=dict)  # which frame shows what first
    _last_s: float = 0.0

    def tick(self) -> None:
        """Take a picture if a second is over."""
        if monotonic() - self._last_s >= EVERY_S:
            self.shoot()

    def runs(self, seconds: float) -> None:
        """Go on for a while."""
        end_s = monotonic() + seconds
        while monotonic() < end_s:
            self.tick()
            self.angles[0].page.wait_for_timeout(50)

    def shoot(self, mark: str = "") -> None:
        """Take a picture now; the mark finds it again."""
        self._last_s = monotonic()
        shot = beside([_shrunk(one.page.screenshot(), one.wide_px) for one in self.angles])
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{len(self.frames):04}{'-' * bool(mark)}{mark}.png"
        shot.save(path)
        self.frames.append(path)
        if mark:
            self.marks.setdefault(mark, len(self.frames) - 1)


def _shrunk(png: bytes, wide_px: int) -> Image.Image:
    with Image.open(BytesIO(png)) as picture:
        size = (wide_px, round(picture.height * wide_px / picture.width))
        return picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def beside(shots: Sequence[Image.Image]) -> Image.Image:
    """Return pictures side by side, with round corners."""
    wide = GAP_PX + sum(one.width + GAP_PX for one in shots)
    high = max(one.height for one in shots) + 2 * GAP_PX
    ground, left = Image.new("RGB", (wide, high), GROUND), GAP_PX
    for one in shots:
        mask = Image.new("L", one.size, 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, *one.size), CORNER_PX, fill=255)
        ground.paste(one, (left, (high - one.height) // 2), mask)
        left += one.width + GAP_PX
    return ground


def still(frame: Path, file: Path) -> None:
    """Make one picture of the film small."""
    with Image.open(frame) as shot:
        shot.save(file, quality=STILL_QUALITY, method=6)


def cut(frames: Sequence[Path], file: Path, each_ms: int = 700) -> None:
    """Make an animated picture that is not too large."""
    shots = [Image.open(one) for one in frames]
    for quality in QUALITIES:
        shots[0].save(
            file,
            save_all=True,
            append_images=shots[1:],
            duration=each_ms,
            loop=0,
            quality=quality,
            method=4,
        )
        if file.stat().st_size <= LARGEST:
            return
    raise ValueError(f"{file} is too large: {file.stat().st_size} bytes")
