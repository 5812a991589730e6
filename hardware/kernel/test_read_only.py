"""A card that nothing writes to, with --full: what the table keeps lies on a disk of its own.

The whole system lies in memory, as with a Pi's overlay, and what the guide says is typed. The power
goes in the middle of a match.
"""

import json
import re
from pathlib import Path
from typing import Final

import pytest

from companion.referee.handlers import usual_match
from companion.web.views import as_attribute
from examples.readme.lines import of, text
from hardware.kernel.image import More
from hardware.kernel.machine import Machine
from hardware.kernel.test_care import DATA, api
from hardware.kernel.test_kernel import booted, state

STICK, THERE = "/dev/sda1", "/dev/vda"  # in the guide, and here
SIZE_BYTES: Final = 64 << 20
(FSTAB,) = re.findall(r"^LABEL=rappelwacht .*\n", text("hardware/pi.md"), re.MULTILINE)
CMDLINE: Final = "/boot/firmware/cmdline.txt"
DISK: Final = More(
    ("util-linux", "e2fsprogs", "sed"),
    frozenset(
        (
            *("virtio", "virtio_ring", "virtio_pci", "virtio_pci_modern_dev", "virtio_blk"),
            *("virtio_pci_legacy_dev", "ext4", "jbd2", "mbcache", "crc16", "crc32c_generic"),
        )
    ),
    (
        ("etc/fstab", FSTAB.encode()),
        ("etc/modules-load.d/disk.conf", b"virtio_pci\nvirtio_blk\n"),
        (CMDLINE.removeprefix("/"), b"overlayroot=tmpfs console=tty1 rootwait\n"),
    ),
)
BARE: Final = ("sh", "-c", "echo > /etc/rappelwacht/table.toml")
START: Final = ("systemctl", "start", "rappelwacht")


@pytest.mark.slow  # it boots a Debian in software, twice
def test_a_table_goes_on_after_a_power_cut_though_its_system_forgets_all(tmp_path: Path) -> None:
    disk = tmp_path / "stick.img"
    disk.write_bytes(b"")
    with disk.open("r+b") as stick:
        stick.truncate(SIZE_BYTES)
    with booted(tmp_path, DISK, disk) as machine:
        machine.run(*BARE)
        without_its_stick_it_does_not_start(machine)
        what_the_guide_says_is_typed(machine)
        machine.run(*START)
        match = a_match_is_begun(machine)
    with booted(tmp_path, DISK, disk) as machine:  # it was cut off from its power
        machine.run(*BARE)
        machine.run(*START)
        assert api(machine, "/api/snapshot")["match"] == match
        assert "Traceback" not in machine.run("journalctl", "--no-pager", "-u", "rappelwacht")


def without_its_stick_it_does_not_start(machine: Machine) -> None:
    code, _ = machine.ask("run", *START)
    assert code != 0
    assert state(machine)["ActiveState"] == "inactive"
    assert not machine.ask("exists", f"{DATA}/table")


def what_the_guide_says_is_typed(machine: Machine) -> None:
    machine.run("sh", "-c", f"mkdir -p /mnt {DATA}/table; touch {DATA}/table/played")
    for line in (command.text.removeprefix("sudo ") for command in of("on a stick")):
        if not line.startswith(("raspi-config", "systemctl reboot")):
            machine.run("sh", "-c", line.replace(STICK, THERE))
    assert machine.ask("read", CMDLINE).startswith("overlayroot=tmpfs:recurse=0 console=")
    machine.run("rm", "-r", f"{DATA}/table")


def a_match_is_begun(machine: Machine) -> str:
    """Return by which name the table has it, once it has acknowledged that."""
    assert machine.ask("exists", f"{DATA}/table/played")
    pin = machine.ask("read", f"{DATA}/table/phone.pin").strip()
    assert api(machine, "/api/pair", {"pin": pin})["role"] == "table"
    wish = json.loads(as_attribute(usual_match(("red", "blue"))))
    api(machine, "/api/commands", {"request": "begin", "wish": wish})
    return str(api(machine, "/api/snapshot")["match"])
