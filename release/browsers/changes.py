"""Shows what a change does to the looks of all pages: before and after, wherever they differ.

    .venv/bin/python -m release.browsers.changes [--since REVISION] [NAME …]

takes a picture of every page, and of every phase of every game, on four screens, by day and by
night, in both languages: as it is, and as it was in a revision (the last commit, if none is given).
Those that differ lie in changed-pages afterwards, side by side, the worst of them together on
sheet.png. With names, such as zapp-zerapp/move or page/setup, only what begins so is looked at.

Nothing is kept to compare with: fonts and browsers differ from one computer to the next, but not
between two pictures of one computer.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from PIL import Image, ImageChops, ImageDraw
from playwright.sync_api import Page, expect

from tests.browser.chromium import FOUND, Drawer, Opener, Screen, started
from tests.browser.phases import Phase, phases
from tests.browser.served import Served
from tests.browser.sights import SIGHTS
from tests.programs import lacking

ROOT: Final = Path(__file__).parents[2]
MODULE: Final = "release.browsers.changes"
FOLDER: Final = ROOT / "changed-pages"
SCREENS: Final = (
    (Screen(360, 740, mobile=True), ((320, 568), (360, 740), (740, 360))),
    (Screen(1280, 800), ((1280, 800),)),
)
LANGUAGES: Final = {"de": "de-DE", "en": "en-GB"}
LIGHTS: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
UNNAMED: Final = """document.querySelectorAll(".code, .pin, .addresses, #television, #press")
    .forEach(one => { one.style.visibility = "hidden"; })"""  # where a port is told, or a time
SETTLED: Final = """document.fonts.ready.then(() => new Promise(done => {
    scrollTo(0, 0);
    requestAnimationFrame(() => requestAnimationFrame(done));
}))"""
TRIES: Final = 5
PAGE: Final = "page"  # what every game has
BLOCK_PX: Final = 8
TOLERANCE: Final = 6  # of 255, on the average of a block
ON_SHEET: Final = 24
ACROSS: Final = 4
THUMB_PX: Final = (240, 320)


# --- pictures -------------------------------------------------------------------------------------


def take(folder: Path, names: Sequence[str]) -> None:
    """Take a picture of each."""
    pages = (*phases(), *(Phase(PAGE, sight) for sight in SIGHTS))
    wanted = [one for one in pages if not names or one.name.startswith(tuple(names))]
    assert FOUND is not None
    with started(FOUND) as browser:
        drawer = Drawer(browser)
        for one, language in product(wanted, LANGUAGES):
            with TemporaryDirectory() as kept:
                hands = one.hands() if one.hands else None
                with Served(one.sight.room(), Path(kept), hands) as served:
                    for screen, sizes in SCREENS:
                        page = Opener(drawer, screen)(LANGUAGES[language])
                        served.open(page, one.sight.path, one.sight.role)
                        page.wait_for_load_state("load")
                        one.sight.then(page)
                        if one.hands:  # the eye has looked: only then hands have their keys
                            expect(page.locator("#row-0 .where")).not_to_be_empty()
                        _keep(page, folder / f"{one.name.replace('/', '-')}-{language}", sizes)
                        drawer.put_back()
                        served.server.pairing.leave_all()


def _keep(page: Page, path: Path, sizes: Sequence[tuple[int, int]]) -> None:
    for (width, height), light in product(sizes, LIGHTS):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=light)
        page.evaluate(SETTLED)
        seen, whole = b"", path.name.startswith(PAGE)
        for _ in range(TRIES):  # until nothing changes any more
            page.evaluate(UNNAMED)
            before, seen = seen, page.screenshot(full_page=whole, animations="disabled")
            if seen == before:
                break
        Path(f"{path}-{width}x{height}-{light}.png").write_bytes(seen)


# --- before and after -----------------------------------------------------------------------------


def differing(before: Image.Image, after: Image.Image) -> float:
    """Return how much of a picture is not as it was, from 0 to 1.

    >>> grey, lighter = (Image.new("RGB", (80, 80), (level,) * 3) for level in (100, 103))
    >>> differing(grey, lighter), differing(grey, Image.new("RGB", (80, 96)))
    (0.0, 1.0)
    """
    if before.size != after.size:
        return 1.0
    gap = ImageChops.difference(before.convert("RGB"), after.convert("RGB"))
    strongest = ImageChops.lighter(ImageChops.lighter(*gap.split()[:2]), gap.split()[2])
    blocks = strongest.reduce(BLOCK_PX).histogram()
    return sum(blocks[TOLERANCE:]) / sum(blocks)


def compared(before: Path, after: Path, folder: Path = FOLDER) -> Mapping[str, float]:
    """Keep those that differ side by side; return how much, the worst first."""
    shutil.rmtree(folder, ignore_errors=True)
    shares = dict[str, float]()
    for name in sorted({file.name for each in (before, after) for file in each.glob("*.png")}):
        pair = [_opened(each / name) for each in (before, after)]
        if share := differing(*pair):
            shares[name] = share
            folder.mkdir(exist_ok=True)
            _beside(pair, f"{share:.1%}").save(folder / name)
    worst = dict(sorted(shares.items(), key=lambda each: -each[1]))
    if worst:
        _sheet([folder / name for name in [*worst][:ON_SHEET]]).save(folder / "sheet.png")
    return worst


def _opened(file: Path) -> Image.Image:
    if not file.exists():
        return Image.new("RGB", (1, 1))
    with Image.open(file) as picture:
        return picture.convert("RGB")


def _beside(pair: Sequence[Image.Image], words: str) -> Image.Image:
    width, height = sum(one.width for one in pair) + 8, max(one.height for one in pair)
    both = Image.new("RGB", (width, height), "red")
    both.paste(pair[0], (0, 0))
    both.paste(pair[1], (pair[0].width + 8, 0))
    ImageDraw.Draw(both).text((pair[0].width + 12, 4), words, fill="red")
    return both


def _sheet(files: Sequence[Path]) -> Image.Image:
    width, height = 2 * THUMB_PX[0], THUMB_PX[1] + 16
    across = min(ACROSS, len(files))
    sheet = Image.new("RGB", (across * width, -(-len(files) // across) * height), "white")
    for place, file in enumerate(files):
        pair = _opened(file)
        pair.thumbnail((width - 8, THUMB_PX[1]))
        x, y = place % across * width, place // across * height
        ImageDraw.Draw(sheet).text((x, y), file.stem, fill="black")
        sheet.paste(pair, (x, y + 16))
    return sheet


# --- of two revisions -----------------------------------------------------------------------------


def laid(revision: str, folder: Path) -> Path:
    """Lay the project out as it was; what takes pictures is ours if there was none."""
    folder.mkdir()
    archive = subprocess.run(
        ["git", "-C", str(ROOT), "archive", revision], stdout=subprocess.PIPE, check=True
    )
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
    ours = Path(__file__).relative_to(ROOT)
    if not (folder / ours).exists():
        shutil.copy(ROOT / ours, folder / ours)
    return folder


def take_of(folders: Mapping[Path, Path], names: Sequence[str]) -> None:
    """Take the pictures of projects at the same time, each into a folder."""
    running = list[subprocess.Popen[bytes]]()
    for root, folder in folders.items():
        folder.mkdir()
        path = os.pathsep.join([str(root), str(root / "research")])
        words = [sys.executable, "-P", "-m", MODULE, "--take", str(folder), *names]
        running.append(subprocess.Popen(words, cwd=root, env=os.environ | {"PYTHONPATH": path}))
    if sum(process.wait() for process in running):
        raise SystemExit("Not all pictures could be taken.")


def main() -> None:
    """Compare, and say what differs."""
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("--since", metavar="REVISION", default="HEAD")
    words.add_argument("--take", type=Path, help=argparse.SUPPRESS)
    words.add_argument("names", nargs="*", metavar="NAME")
    options = words.parse_args()
    if why := lacking("chromium"):
        raise SystemExit(why)
    if options.take:
        take(options.take, options.names)
        return
    with TemporaryDirectory() as kept:
        before, after, earlier = (Path(kept) / word for word in ("before", "after", "earlier"))
        take_of({laid(options.since, earlier): before, ROOT: after}, options.names)
        count, worst = len([*after.iterdir()]), compared(before, after)
    lines = [f"{share:6.1%} {name}" for name, share in worst.items()]
    where = f": {FOLDER}/sheet.png" if worst else ""
    sys.stdout.write("\n".join([*lines, f"{len(worst)} of {count} pictures differ{where}", ""]))


if __name__ == "__main__":
    main()
