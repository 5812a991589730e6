r"""A Pi that is software: QEMU boots a Debian of its processor, and a card's boot partition.

Kernel, initial file system, systemd and cloud-init are Debian's. As a Pi's firmware does, each
start takes the kernel's words from `cmdline.txt` on the card. There is no network card. Whoever
pulls the plug takes from the guest what it has not yet written.

    with Machine(disks) as machine:
        machine.sees(LOGIN, 600)
        machine.sees(PAGE, 600)
"""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Thread
from typing import Final, Self

from companion.cli import card
from companion.cli.options import read_options
from companion.present.terminal import TerminalScreen
from hardware.arm import debian
from hardware.arm.emulated import Processor

LITE: Final = (  # of what Raspberry Pi OS Lite has, what starts with it and what a table uses
    *("systemd-sysv", "udev", "dbus", "libpam-systemd", "kmod", "python3-venv", "avahi-daemon"),
    *("network-manager", "openssh-server"),
)
KERNELS: Final = {"arm64": "linux-image-cloud-arm64"}  # no armhf boots yet
CLOUD: Final = ("cloud-init", "python3-cffi-backend")
BOARDS: Final = {  # with the processor of a Pi 5
    "arm64": ("qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a76"),
}
WORDS: Final = (
    *("-accel", "tcg", "-smp", "2", "-m", "1024", "-nodefaults", "-no-user-config"),
    *("-display", "none", "-no-reboot", "-serial", "stdio"),
)
CARD_MB, SYSTEM_MB = 256, 4096
BOOT: Final = Path("boot/firmware")
CONSOLE: Final = "console=ttyAMA0 root=/dev/vda rw panic=-1 systemd.show_status=0"
OF_THE_BOARD: Final = re.compile(r"\b(?:console|root|rootfstype|init)=\S+")  # only a Pi has those
LOGIN: Final = re.compile(r"^\S+ login: ", re.MULTILINE)
PAGE: Final = re.compile(r"^page: 200\b", re.MULTILINE)
RESTARTS: Final = re.compile(r"^.*reboot: Restarting system", re.MULTILINE)
LAST_WORDS: Final = 3000
SOURCE: Final = """\
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
"""  # as Raspberry Pi OS says where cloud-init looks
FSTAB: Final = "/dev/vda / ext4 defaults,noatime 0 1\n/dev/vdb /boot/firmware vfat defaults 0 2\n"
# Asks for the page with what bash has in itself, to take little of the time that it measures.
PROBE: Final = r"""#!/bin/bash
exec 4<> <(:) 3</dev/null
until read -r -t 60 _ code _ <&3; do
  read -r -t 0.5 <&4
  exec 3</dev/null
  exec 3<>/dev/tcp/127.0.0.1/8000 &&
    printf 'GET / HTTP/1.0\r\nHost: 127.0.0.1:8000\r\n\r\n' >&3
done 2>/dev/null
printf '\npage: %s after %s s\n' "$code" "$(cut -d' ' -f1 /proc/uptime)" >/dev/console
"""
PROBES: Final = """\
[Unit]
Description=The page is asked for
[Service]
ExecStart=/bin/bash /usr/local/bin/page-probe
[Install]
WantedBy=multi-user.target
"""
NOT_THERE: Final = (  # on Raspberry Pi OS, where NetworkManager is all there is
    *("systemd-networkd.service", "systemd-networkd-wait-online.service"),
    "systemd-networkd.socket",
)
HELPER: Final = '#!/bin/sh\n[ "$1" != set_hostname ] || echo "$2" >/etc/hostname\n'
FILES: Final = {
    "etc/hostname": "raspberrypi\n",
    "etc/hosts": "127.0.0.1 localhost\n127.0.1.1 raspberrypi\n",
    "etc/fstab": FSTAB,
    "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": SOURCE,
    "etc/machine-id": "uninitialized\n",
    "etc/systemd/system/page-probe.service": PROBES,
    "usr/local/bin/page-probe": PROBE,
    "usr/lib/raspberrypi-sys-mods/imager_custom": HELPER,
}


@dataclass(frozen=True, slots=True)
class Disks:
    """What such a Pi boots of: its system, and the boot partition of its card."""

    processor: Processor
    folder: Path

    @property
    def system(self) -> Path:
        return self.folder / "system.img"

    @property
    def card(self) -> Path:
        return self.folder / "card.img"

    def copied(self, folder: Path) -> "Disks":
        """Return the same once more, to be written to."""
        folder.mkdir()
        for image in (self.system, self.card):
            _run("cp", "--sparse=always", str(image), str(folder))
        for name in ("vmlinuz", "initrd"):
            (folder / name).symlink_to((self.folder / name).resolve())
        return Disks(self.processor, folder)

    def read(self, name: str) -> str:
        """Return a file of the card; empty: it is not there."""
        line = ["mcopy", "-n", "-i", str(self.card), f"::{name}", "-"]
        done = subprocess.run(line, capture_output=True, check=False)
        return done.stdout.decode("utf-8", "replace")

    def empty(self, name: str) -> None:
        """Have a file of the card hold nothing."""
        line = ["mcopy", "-o", "-i", str(self.card), "/dev/null", f"::{name}"]
        subprocess.run(line, check=True)


def disks(
    processor: Processor, suite: str, source: Path, files: Mapping[str, str], folder: Path
) -> Disks:
    """Make those of a Pi that was never on, its card made of a zip by `card`; raise NotApart."""
    cloud = CLOUD if suite == "trixie" else ()
    root, made = folder / "root", Disks(processor, folder)
    told = processor.told(shutil.which(processor.emulator) or "")
    more = (*LITE, KERNELS[processor.debian], *cloud)
    debian.copied(processor, told, root, suite, more)
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (root / "usr/lib/raspberrypi-sys-mods/imager_custom").chmod(0o755)
    wants = root / "etc/systemd/system/multi-user.target.wants"
    (wants / "page-probe.service").symlink_to("../page-probe.service")
    shadow = root / "etc/shadow"  # root needs no password at the console
    shadow.write_text(re.sub("(?m)^root:[^:]*:", "root::", shadow.read_text("utf-8")), "utf-8")
    for name in NOT_THERE:
        (root / "etc/systemd/system" / name).symlink_to("/dev/null")
    (root / BOOT).mkdir(parents=True)
    _make_card(source, files, folder)
    for name, found in (("vmlinuz", "vmlinuz-*"), ("initrd", "initrd.img-*")):
        (kept,) = (root / "boot").glob(found)
        shutil.copy(kept, folder / name)
    _run("mke2fs", "-q", "-t", "ext4", "-d", str(root), str(made.system), f"{SYSTEM_MB}M")
    shutil.rmtree(root)
    return made


def _make_card(source: Path, files: Mapping[str, str], folder: Path) -> None:
    """Have `card` make one of what the Imager left, and lay that into a FAT."""
    at = folder / "bootfs"
    at.mkdir()
    for name, text in files.items():
        (at / name).write_bytes(text.encode())
    options = read_options("en", ["card", str(at), "--yes", "--from", str(source)])
    with (folder / "told").open("w", encoding="utf-8") as out:
        assert card.card(options, TerminalScreen(out)) == 0
    image = folder / "card.img"
    with image.open("wb") as file:
        file.truncate(CARD_MB << 20)
    _run("mkfs.vfat", "-F", "32", "-n", "bootfs", str(image))
    _run("mcopy", "-s", "-i", str(image), *map(str, sorted(at.iterdir())), "::")


def _run(*line: str) -> None:
    path = f"{os.environ['PATH']}:/usr/sbin"
    env = os.environ | {"PATH": path, "MTOOLS_SKIP_CHECK": "1"}
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL, env=env)


class Machine(AbstractContextManager["Machine"]):
    """One such Pi, switched on while the block is not left; then the plug is pulled."""

    def __init__(self, disks: Disks) -> None:
        self._disks = disks
        self._changed = Condition()
        self._heard: list[tuple[float, int]] = []  # when, and up to where it had said something
        self.said = ""
        self._ended = False

    def __enter__(self) -> Self:
        """Switch it on."""
        its = self._disks
        words = OF_THE_BOARD.sub("", its.read("cmdline.txt")).split()
        line = [*BOARDS[its.processor.debian], *WORDS]
        line += ["-kernel", str(its.folder / "vmlinuz"), "-initrd", str(its.folder / "initrd")]
        line += ["-append", " ".join((CONSOLE, *words))]
        for number, image in enumerate((its.system, its.card)):
            line += ["-drive", f"if=none,id=d{number},file={image},format=raw"]
            line += ["-device", f"virtio-blk-pci,drive=d{number},addr={number + 2}"]
        self.on_s = time.monotonic()
        self._qemu = subprocess.Popen(
            line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Pull the plug."""
        self._qemu.kill()
        self._reader.join()
        self._qemu.communicate()

    def sees(self, sign: re.Pattern[str], within_s: float) -> float:
        """Wait until its console shows something; return when, in seconds since it was on."""
        until_s = time.monotonic() + within_s
        with self._changed:
            while (match := sign.search(self.said)) is None:
                left_s = until_s - time.monotonic()
                assert left_s > 0, f"no {sign.pattern} within {within_s} s:{self._last_words()}"
                assert not self._ended, f"it ended without {sign.pattern}:{self._last_words()}"
                self._changed.wait(left_s)
        return next(at_s for at_s, end in self._heard if end >= match.end()) - self.on_s

    def type(self, line: str) -> None:
        """Type a line at its console."""
        assert self._qemu.stdin is not None
        self._qemu.stdin.write(f"{line}\n".encode())
        self._qemu.stdin.flush()

    def ends(self, within_s: float) -> bool:
        """Wait for it to switch itself off, or to begin anew; tell whether it does."""
        try:
            self._qemu.wait(within_s)
        except subprocess.TimeoutExpired:
            return False
        self._reader.join()
        return True

    def _last_words(self) -> str:
        return f"\n{self.said[-LAST_WORDS:]}"

    def _read(self) -> None:
        assert self._qemu.stdout is not None
        while data := os.read(self._qemu.stdout.fileno(), 1 << 16):
            with self._changed:
                self.said += data.decode("utf-8", "replace").replace("\r", "")
                self._heard.append((time.monotonic(), len(self.said)))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()


@contextmanager
def switched_on(disks: Disks, within_s: float) -> Iterator[Machine]:
    """Switch it on, and once more if it wishes to begin anew; it has a login prompt then."""
    with Machine(disks) as machine:
        machine.sees(re.compile(f"{LOGIN.pattern}|{RESTARTS.pattern}", re.MULTILINE), within_s)
        if not RESTARTS.search(machine.said):
            yield machine
            return
        assert machine.ends(within_s), "it says that it restarts, and does not"
    with Machine(disks) as machine:
        machine.sees(LOGIN, within_s)
        yield machine
