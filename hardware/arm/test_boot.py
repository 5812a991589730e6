"""A card's first boot in earnest, with --full: emulated Pis become tables, after power cuts, too.

systemd, cloud-init and NetworkManager are Debian's, and there is no network.
`hardware/debian/test_card_in_debian.py` goes through more kinds of cards, faster, without a boot.
"""

import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from companion import __version__
from companion.cli.install import payload
from hardware.arm.emulated import ARM64, ARMHF, NotApart
from hardware.arm.imager import CARDS
from hardware.arm.machine import LAST_WORDS, PAGE, RESTARTS, Card, Machine, switched_on, write_card
from hardware.debian.test_card_in_debian import source as source  # noqa: PLC0414 - a fixture
from tests.programs import need

WITHIN_S: Final = 1800  # with that much patience; alone on a computer a boot takes two minutes
DONE: Final = re.compile("was installed from here")
OURS: Final = f"wheels/rappelwacht-{__version__}-py3-none-any.whl"
DAMAGED: Final = re.compile("The folder rappelwacht on the card is damaged")
EVERY_S: Final = 4.0
CUTS: Final = {"arm64 trixie of the imager": 10, "arm64 bookworm of the imager": 4}
HALVES: Final = (
    ("arm64 trixie of the imager", OURS),
    ("arm64 trixie of the imager", "first-boot.sh"),
    ("arm64 bookworm of the imager", OURS),
)
KINDS: Final = {
    "armhf trixie": (ARMHF, "trixie", "trixie"),
    "arm64 trixie of the imager": (ARM64, "trixie", "trixie of the imager"),
    "arm64 bookworm of the imager": (ARM64, "bookworm", "bookworm of the imager"),
    "arm64 bookworm": (ARM64, "bookworm", "bookworm"),
}


def left_by_imager(kind: str) -> dict[str, str]:
    """Return what it left; a Pi's own first boot mends the paths, as Bookworm moved the card."""
    left = CARDS[kind][0]
    return {
        name: re.sub("/boot/(firstrun|cmdline)", r"/boot/firmware/\1", left[name]) for name in left
    }


@pytest.fixture(scope="module", params=KINDS)
def fresh(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, source: Path
) -> Iterator[Card]:
    """Yield a Pi that was never switched on, with a card that was made for it."""
    if os.geteuid() != 0:
        pytest.skip("needs root, who may lay out a Debian")
    need("debootstrap", "qemu-arm-static", "qemu-system-aarch64", "mcopy", "mkfs.vfat", "mke2fs")
    processor, suite, kind = KINDS[request.param]
    folder = tmp_path_factory.mktemp("pi")
    try:
        yield write_card(processor, suite, source, left_by_imager(kind), folder / "card.img")
    except NotApart as reason:
        pytest.skip(f"no Debian of another processor can be had here: {reason}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def shows_page(pi: Card, *, done: bool = False) -> None:
    """Have it on until its page is there, and all is done."""
    with switched_on(pi, WITHIN_S) as machine:
        machine.sees(PAGE, WITHIN_S)
        if done:
            machine.sees(DONE, WITHIN_S)
        machine.shut_down(WITHIN_S)
    assert "systemd.run" not in pi.read("cmdline.txt")


def cut_off(pi: Card, cuts: int) -> list[Card]:
    """Return what so many power cuts at instants of its boot leave, the last when it has a page."""
    left, every_s, page = list[Card](), EVERY_S, False
    while not page:  # it may begin anew
        with Machine(pi) as machine:
            while not page and not machine.ends(every_s):
                page = PAGE.search(machine.said) is not None
                left.append(machine.unplugged(pi.image.with_name(f"{time.monotonic_ns()}.img")))
                if len(left) == 2 * cuts and not page:
                    _forget(left[::2])
                    left, every_s = left[1::2], every_s * 2
            assert page or RESTARTS.search(machine.said), machine.said[-LAST_WORDS:]
    kept = [left[(len(left) * at - 1) // cuts] for at in range(1, cuts + 1)]
    _forget([card for card in left if card not in kept])
    return kept


def _forget(cards: list[Card]) -> None:
    for card in cards:
        card.image.unlink()


@pytest.mark.slow  # it emulates a computer for many minutes
def test_its_first_boot_shows_the_page_and_so_does_the_second(fresh: Card, tmp_path: Path) -> None:
    pi = fresh.copied(tmp_path / "card.img")
    shows_page(pi, done=True)
    assert "The PIN is" in pi.read(f"{payload.NAME}/installed.txt")
    shows_page(pi)


@pytest.mark.slow
@pytest.mark.parametrize(("fresh", "cuts"), CUTS.items(), indirect=["fresh"])
def test_after_a_power_cut_at_any_instant_it_becomes_one_all_the_same(
    fresh: Card, cuts: int, tmp_path: Path
) -> None:
    for pi in cut_off(fresh.copied(tmp_path / "card.img"), cuts):
        with switched_on(pi, WITHIN_S) as machine:
            machine.sees(PAGE, WITHIN_S)
        pi.image.unlink()


@pytest.mark.slow
@pytest.mark.parametrize(("fresh", "part"), HALVES, indirect=["fresh"])
def test_half_a_card_boots_and_says_so_there_and_at_the_console(
    fresh: Card, part: str, tmp_path: Path
) -> None:
    pi = fresh.copied(tmp_path / "card.img")
    pi.halve(f"{payload.NAME}/{part}")
    with switched_on(pi, WITHIN_S) as machine:
        machine.sees(DAMAGED, WITHIN_S)
        machine.shut_down(WITHIN_S)
    assert "is damaged" in pi.read(f"{payload.NAME}/first-boot.txt")
