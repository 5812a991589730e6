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

from companion.cli.install import payload
from hardware.arm.emulated import ARM64, ARMHF, NotApart
from hardware.arm.imager import CARDS
from hardware.arm.machine import PAGE, RESTARTS, Card, Machine, switched_on, write_card
from hardware.debian.test_card_in_debian import source as source  # noqa: PLC0414 - a fixture
from tests.programs import need

WITHIN_S: Final = 1800  # with that much patience; alone on a computer a boot takes two minutes
DONE: Final = re.compile("was installed from here")
WRONG: Final = re.compile("This Pi is not a table yet")
CUTS: Final = 10
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


def shows_page(pi: Card, *, done: bool = False) -> float:
    """Have it on until all is done, or its page is there; return how long the latter took."""
    begun_s = time.monotonic()
    with switched_on(pi, WITHIN_S) as machine:
        took_s = machine.on_s + machine.sees(PAGE, WITHIN_S) - begun_s
        if done:
            machine.sees(DONE, WITHIN_S)
        machine.shut_down(WITHIN_S)
    assert "systemd.run" not in pi.read("cmdline.txt")
    return took_s


def cut_off(pi: Card, after_s: float) -> None:
    """Pull the plug so long after it was switched on, which may be after a restart."""
    until_s = time.monotonic() + after_s
    while (left_s := until_s - time.monotonic()) > 0:
        with Machine(pi) as machine:
            assert not machine.ends(left_s) or RESTARTS.search(machine.said)


@pytest.mark.slow  # it emulates a computer for many minutes
def test_its_first_boot_shows_the_page_and_so_does_the_second(fresh: Card, tmp_path: Path) -> None:
    pi = fresh.copied(tmp_path / "card.img")
    shows_page(pi, done=True)
    assert "The PIN is" in pi.read("rappelwacht/installed.txt")
    shows_page(pi)


@pytest.mark.slow
def test_after_a_power_cut_at_any_instant_it_becomes_one_all_the_same(
    fresh: Card, tmp_path: Path
) -> None:
    took_s = shows_page(fresh.copied(tmp_path / "whole.img"))
    for at in range(CUTS):
        pi = fresh.copied(tmp_path / f"{at}.img")
        cut_off(pi, took_s * (at + 1) / CUTS)  # the last: when the page is there
        shows_page(pi)
        pi.image.unlink()


@pytest.mark.slow
def test_what_goes_wrong_is_on_console_and_card(fresh: Card, tmp_path: Path) -> None:
    pi = fresh.copied(tmp_path / "card.img")
    pi.empty(f"rappelwacht/{payload.SUMS}")
    with switched_on(pi, WITHIN_S) as machine:
        machine.sees(WRONG, WITHIN_S)
    assert "is damaged" in machine.said
    assert "is damaged" in pi.read("rappelwacht/first-boot.txt")
