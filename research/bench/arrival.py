"""What it takes until a table is there, and to care for it: card, package, backup, update.

    ./run bench arrival [--json] [--full] [--matches 1000]

A release is made of the project as it lies, with a key of the bench's own. Its card's folder is
then installed into an empty root, in a network in which nothing is but this computer; that takes
root. In that root a table runs, in whose journal lie a thousand matches of four, as one was
recorded. It is backed up and restored into an empty folder, goes on to a newer version by a file as
the Workshop page has root do it, signature, backup and health check included, and back again.

With --full that card boots in an emulated Pi 5, see `hardware/arm/machine.py`: `first_page_s` is
how long after the login prompt of its first boot its page is there. What could not be measured is
null, and `why` says the reason.
"""

import gzip
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion import __version__
from companion.cli.install import care as root_care
from companion.cli.install import payload
from companion.journal import Entry
from companion.journal.entry import body_text
from companion.journal.match_file import MatchFile
from companion.maintenance import backup, care
from companion.maintenance.care import CareState
from companion.system.errors import CompanionError
from hardware.arm import machine
from hardware.arm.emulated import ARM64, NotApart
from hardware.arm.imager import CARDS
from release import release
from release.install.roots import all_parts, copy_project, renumbered
from research.bench._arrival_table import InstalledTable
from research.bench._report import parser, tell
from tests.programs import lacking

ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = "hardware/service/card/README.txt"  # what whoever makes a card reads
RECORDED: Final = ROOT / "tests/earlier/journals/zapp-zerapp.jsonl.gz"
MATCHES: Final = 1000
APART_MS: Final = 3_600_000  # one began an hour after the one before
NEXT: Final = "9.8.7"
NOT_ASKED: Final = "only --full boots a card"
BOOTED_S: Final = 1800.0
BOOTS: Final = ("debootstrap", "qemu-arm-static", "qemu-system-aarch64", "mcopy", "mkfs.vfat")
Figures = dict[str, Any]


def steps(guide: str) -> int:
    r"""Return how many steps a numbered list has.

    >>> steps("1. Write the card.\n2. Insert it.\n\nIn 2. nothing can break.")
    2
    """
    return len(re.findall(r"^\d+\. ", guide, re.MULTILINE))


def recorded() -> list[Entry]:
    """Return a whole match of four as it was recorded."""
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        _, *said = map(json.loads, lines)
    return [
        Entry(
            one["match"],
            one["number"],
            one["at_ms"],
            one["kind"],
            body_text(one["body"]),
            one["request"],
            one["ends"],
        )
        for one in said
        if one["match"] == said[0]["match"]
    ]


def lay(journal: Path, matches: int) -> None:
    """Put so many matches into a journal, each played to its end."""
    journal.mkdir(mode=0o700, parents=True, exist_ok=True)
    played = recorded()
    for number in range(matches):
        match = f"{number:012x}"
        entries = [replace(e, match=match, at_ms=e.at_ms + number * APART_MS) for e in played]
        MatchFile(journal / f"{number + 1:06}-{match}.jsonl").write(entries)


def keep(table: Path, empty: Path) -> Figures:
    """Back a table up, and restore it into an empty folder."""
    now, file = datetime.now(UTC), empty / "backup.zip"
    begun_s = time.monotonic()
    with file.open("xb") as stream:
        backup.write_backup(table, stream, now)
    backed_up_s = time.monotonic() - begun_s
    (empty / "table").mkdir()
    begun_s = time.monotonic()
    kept, _ = backup.restore(empty / "table", file, now)
    restored_s = time.monotonic() - begun_s
    assert all(
        (empty / "table" / one.name).read_bytes() == (table / one.name).read_bytes()
        for one in kept.files
    )
    return {
        "backup_kb": round(file.stat().st_size / 1000),
        "backup_s": round(backed_up_s, 2),
        "restore_s": round(restored_s, 2),
        "matches": kept.counts()["matches"],
    }


def make(folder: Path) -> tuple[Path, Path]:
    """Make a release, and the card of a newer one; return both card zips."""
    key = folder / "key"
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)]
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
    project, dist = folder / "project", folder / "dist"
    copy_project(project, all_parts())
    dist.mkdir()
    made = int(time.time())
    release.make(project, dist, made, key)
    (card,) = dist.glob("*-card.zip")
    (folder / "newer").mkdir()
    renumbered(project, NEXT)
    with payload.open_payload(card) as first:
        payload.wheel(first).unlink()
        shutil.copy(release.build(project, folder / "newer", made), first / "wheels")
        payload.seal(first)
        release.sign(first / payload.SUMS, key)
        payload.pack(first, folder / "newer/card.zip")
    return card, folder / "newer/card.zip"


def arrive(card: Path, root: Path) -> tuple[bool | None, str]:
    """Install a card's folder without a network; return whether its page opened, and why not."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return None, "only root may take the network away"
    line = ["unshare", "--net", sys.executable, "-P", "-m", "research.bench._arrival_offline"]
    done = subprocess.run(
        [*line, str(card), str(root)], cwd=ROOT, stdout=subprocess.PIPE, check=False
    )
    if done.returncode != 0:
        return False, "it could not be installed without a network"
    found = json.loads(done.stdout)
    fine = found["networks"] == ["lo"] and found["status"] == 200
    return fine, "" if fine else f"without a network it came to {found}"


def boot(card: Path, image: Path) -> tuple[float | None, str]:
    """Boot a card in an emulated Pi; return how long after its login prompt the page is there."""
    if os.geteuid() != 0:
        return None, "only root may lay out a Debian"
    if why := lacking(*BOOTS):
        return None, why
    try:
        pi = machine.write_card(ARM64, "trixie", card, CARDS["trixie of the imager"][0], image)
    except NotApart as fault:
        return None, f"no Debian of another processor can be had here: {fault}"
    try:
        with machine.switched_on(pi, BOOTED_S) as its:
            login_s = its.sees(machine.LOGIN, BOOTED_S)
            return round(its.sees(machine.PAGE, BOOTED_S) - login_s, 1), ""
    except AssertionError as fault:
        return None, f"its page did not come: {fault}"


def go_on(table: InstalledTable, newer: Path, key: Path) -> Figures:
    """Go on to a newer version by a file, as the pages ask root to, and back."""
    public = key.with_suffix(".pub").read_text("ascii")
    signers = table.places.settings / payload.SIGNERS
    signers.write_text(f'bench namespaces="{payload.NAME}" {public}', "ascii")
    asked = care.request_folder(table.folder)
    asked.mkdir(mode=0o700, exist_ok=True)
    shutil.copyfile(newer, asked / care.UPDATE)
    table.status()
    figures = {}
    for verb, words, name in (
        ("update", {"source": "file"}, "update_s"),
        ("roll_back", {}, "rollback_s"),
    ):
        begun_s = time.monotonic()
        care.ask(table.folder, verb, table.port, **words)
        state = root_care.carry_out(table.places, table.run)
        if state is not CareState.DONE:
            raise CompanionError(f"{verb}: {care.answer(table.folder)}")
        figures[name] = round(time.monotonic() - begun_s, 1)
    return figures


def measure(matches: int, *, full: bool = False) -> Figures:
    """Return all figures, and why some are none."""
    found: Figures = {
        "first_page_s": None,
        "steps_to_first_page": steps((ROOT / GUIDE).read_text("utf-8")),
        "offline": None,
    }
    why = {"first_page_s": NOT_ASKED}
    with TemporaryDirectory() as kept:
        folder, root = Path(kept), Path(kept, "root")
        (root / "etc").mkdir(parents=True)
        (root / "etc/hostname").write_text("raspberrypi\n", "utf-8")
        table = InstalledTable(root)
        lay(table.folder / "journal", matches)
        (folder / "empty").mkdir()
        found |= keep(table.folder, folder / "empty")
        try:
            card, newer = make(folder)
        except (CompanionError, OSError, subprocess.CalledProcessError) as fault:
            missing = ("offline", "deb_kb", "card_zip_mb", "update_s", "rollback_s", "first_page_s")
            found |= dict.fromkeys(missing)
            return found | {"why": why | dict.fromkeys(missing, f"no release was made: {fault}")}
        (package,) = card.parent.glob("*.deb")
        found["deb_kb"] = round(package.stat().st_size / 1000)
        found["card_zip_mb"] = round(card.stat().st_size / 1e6, 1)
        if full:
            found["first_page_s"], reason = boot(card, folder / "pi.img")
            why = {"first_page_s": reason} if reason else {}
        found["offline"], reason = arrive(card, root)
        if not found["offline"]:
            found |= dict.fromkeys(("update_s", "rollback_s"))
            why |= dict.fromkeys(("offline", "update_s", "rollback_s"), reason)
            return found | {"why": why}
        with table:
            found |= go_on(table, newer, folder / "key")
    return found | {"why": why}


def main() -> None:
    """Measure and print."""
    asked = parser("arrival", __doc__)
    asked.add_argument("--full", action="store_true", help="also what takes a machine that boots")
    asked.add_argument("--matches", type=int, default=MATCHES)
    options = asked.parse_args()
    found = measure(options.matches, full=options.full)
    found |= {"version": __version__, "python": platform.python_version()}
    tell(found, as_json=options.json)


if __name__ == "__main__":
    main()
