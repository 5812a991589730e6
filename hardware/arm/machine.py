r"""A Pi that is software: QEMU boots a card that is a file, with a Debian of its processor.

Kernel, initial file system, systemd and cloud-init are Debian's. As a Pi's firmware does, each
start takes the kernel and its words from the card's boot partition. There is no network card, but
for whoever asks for ports; nothing gets out through that one. Whoever pulls the plug takes from the
guest what it has not yet written.

    with Machine(card) as machine:
        machine.sees(LOGIN, 600)
        machine.sees(PAGE, 600)
"""

import os
import re
import shutil
import signal
import struct
import subprocess
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Condition, Thread
from typing import Final, Self

from companion.cli import card as command
from companion.cli.options import read_options
from companion.present.terminal import TerminalScreen
from hardware.arm import debian
from hardware.arm.emulated import Processor

LITE: Final = (  # of what Raspberry Pi OS Lite has, what starts with it and what a table uses
    *("systemd-sysv", "udev", "dbus", "libpam-systemd", "kmod", "python3-venv", "avahi-daemon"),
    *("network-manager", "openssh-server"),
)
KERNELS: Final = {"arm64": "linux-image-cloud-arm64", "armhf": "linux-image-armmp"}
CLOUD: Final = ("cloud-init", "python3-cffi-backend")
HERE: Final = "127.0.0.1"
KERNEL: Final = {"kernel": "vmlinuz-*", "initrd": "initrd.img-*"}  # on the card, and Debian's
BOARDS: Final = {  # with the processors of a Pi 5 and of a Pi 2, which finds nothing above 4 GB
    "arm64": ("-machine", "virt", "-cpu", "cortex-a76"),
    "armhf": ("-machine", "virt,highmem=off", "-cpu", "cortex-a7"),
}
QEMU: Final = "qemu-system-aarch64"  # knows 32 bits, too
WORDS: Final = (
    *("-accel", "tcg", "-smp", "2", "-m", "1024", "-nodefaults", "-no-user-config"),
    *("-display", "none", "-no-reboot", "-serial", "chardev:console"),
)
BOOT_AT: Final = 4 << 20  # where on a card its boot partition begins
BOOT_MB, SYSTEM_MB = 512, 4096
SECTOR: Final = 512
FAT, LINUX = 0x0C, 0x83  # kinds of partitions
BOOT: Final = Path("boot/firmware")
CONSOLE: Final = "console=ttyAMA0 root=/dev/vda2 rw panic=-1 loglevel=4 systemd.show_status=0"
OF_THE_BOARD: Final = re.compile(r"\b(?:console|root|rootfstype|init)=\S+")  # only a Pi has those
LOGIN: Final = re.compile(r"^\S+ login: ", re.MULTILINE)
SHELL: Final = re.compile("root@.*# ")
PAGE: Final = re.compile(r"^page: (?:200|302)\b", re.MULTILINE)  # 302: to the simulated barrels
RESTARTS: Final = re.compile(r"^.*reboot: Restarting system", re.MULTILINE)
LAST_WORDS: Final = 3000
SOURCE: Final = """\
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
"""  # as Raspberry Pi OS says where cloud-init looks
FSTAB: Final = "/dev/vda2 / ext4 defaults,noatime 0 1\n/dev/vda1 /boot/firmware vfat defaults 0 2\n"
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
class Card:
    """A card in a file, as such a Pi boots of it: boot partition, and behind that its system."""

    processor: Processor
    image: Path

    @property
    def boot(self) -> str:
        """Return the boot partition by the name that it has for mtools."""
        return f"{self.image}@@{BOOT_AT}"

    def copied(self, image: Path) -> "Card":
        """Return the same once more, to be written to."""
        _run("cp", "--sparse=always", str(self.image), str(image))
        return Card(self.processor, image)

    def read(self, name: str) -> str:
        """Return a file of the boot partition; empty: it is not there."""
        line = ["mcopy", "-n", "-i", self.boot, f"::{name}", "-"]
        done = subprocess.run(line, capture_output=True, check=False)
        return done.stdout.decode("utf-8", "replace")

    def halve(self, name: str) -> None:
        """Have half a file lie on the boot partition, as if it had been pulled out too early."""
        with TemporaryDirectory(dir=self.image.parent) as kept:
            half = Path(kept, "half")
            _run("mcopy", "-i", self.boot, f"::{name}", str(half))
            os.truncate(half, half.stat().st_size // 2)
            _run("mcopy", "-o", "-i", self.boot, str(half), f"::{name}")


def write_card(
    processor: Processor, suite: str, source: Path | None, files: Mapping[str, str], image: Path
) -> Card:
    """Write what the Imager leaves, and have `card` make it a table's; raise NotApart."""
    cloud = CLOUD if suite == "trixie" else ()
    told = processor.told(shutil.which(processor.emulator) or "")
    more = (*LITE, KERNELS[processor.debian], *cloud)
    with TemporaryDirectory(prefix="rappelwacht-arm-", dir=image.parent) as kept:
        root, at = Path(kept, "root"), Path(kept, "bootfs")
        debian.copied(processor, told, root, suite, more)
        _set_up(root)
        at.mkdir()
        for name, text in files.items():
            (at / name).write_bytes(text.encode())
        for name, found in KERNEL.items():
            (packed,) = (root / "boot").glob(found)
            shutil.copy(packed, at / name)
        words = ["card", str(at), "--yes", *(() if source is None else ("--from", str(source)))]
        with Path(kept, "told").open("w", encoding="utf-8") as out:
            assert command.card(read_options("en", words), TerminalScreen(out)) == 0
        made = Card(processor, Path(kept, "card.img"))
        _lay_out(made, root, at)
        made.image.rename(image)
    return Card(processor, image)


def _set_up(root: Path) -> None:
    """Have a Debian be as Raspberry Pi OS is."""
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


def _lay_out(card: Card, root: Path, at: Path) -> None:
    """Lay both partitions into a file, and before them what says where they begin."""
    system_at = BOOT_AT + (BOOT_MB << 20)
    parts = ((FAT, BOOT_AT, BOOT_MB), (LINUX, system_at, SYSTEM_MB))
    table = b"".join(
        struct.pack("<B3xB3xII", 0, kind, start // SECTOR, (mb << 20) // SECTOR)
        for kind, start, mb in parts
    )
    image = str(card.image)
    with card.image.open("wb") as file:
        file.write(bytes(446) + table.ljust(64, b"\0") + b"\x55\xaa")
        file.truncate(system_at + (SYSTEM_MB << 20))
    where = ("--offset", str(BOOT_AT // SECTOR), image, str(BOOT_MB << 10))
    _run("mkfs.vfat", "-F", "32", "-n", "bootfs", *where)
    _run("mcopy", "-s", "-i", card.boot, *map(str, sorted(at.iterdir())), "::")
    where = ("-E", f"offset={system_at}", image, f"{SYSTEM_MB}M")
    _run("mke2fs", "-q", "-F", "-t", "ext4", "-d", str(root), *where)


def _run(*line: str) -> None:
    path = f"{os.environ['PATH']}:/usr/sbin"
    env = os.environ | {"PATH": path, "MTOOLS_SKIP_CHECK": "1"}
    done = subprocess.run(line, check=False, capture_output=True, text=True, env=env)
    assert done.returncode == 0, f"{line[0]} fails: {done.stderr[-LAST_WORDS:]}"


class Machine(AbstractContextManager["Machine"]):
    """One such Pi, switched on while the block is not left; then the plug is pulled.

    What it says at its console is also in a file beside the card. `ports` are this computer's, with
    those of the Pi that answer there.
    """

    def __init__(self, card: Card, ports: Mapping[int, int] | None = None) -> None:
        self._card, self._ports = card, ports
        self.console = card.image.with_suffix(".console")
        self._changed = Condition()
        self._heard: list[tuple[float, int]] = []  # when, and up to where it had said something
        self.said = ""
        self._ended = False

    def __enter__(self) -> Self:
        """Switch it on."""
        its = self._card
        words = OF_THE_BOARD.sub("", its.read("cmdline.txt")).split()
        self._loaded = TemporaryDirectory(prefix="rappelwacht-arm-")
        for name in KERNEL:
            _run("mcopy", "-i", its.boot, f"::{name}", self._loaded.name)
        console = f"stdio,id=console,logfile={self.console}"
        line = [QEMU, *BOARDS[its.processor.debian], *WORDS, "-chardev", console]
        line += [word for name in KERNEL for word in (f"-{name}", f"{self._loaded.name}/{name}")]
        line += ["-append", " ".join((CONSOLE, *words))]
        line += ["-drive", f"if=none,id=card,file={its.image},format=raw"]
        line += ["-device", "virtio-blk-pci,drive=card,addr=2"]
        if self._ports is not None:
            ways = [f"hostfwd=tcp:{HERE}:{here}-:{its}" for here, its in self._ports.items()]
            line += ["-netdev", ",".join(("user,id=net,restrict=on", *ways))]
            line += ["-device", "virtio-net-pci,netdev=net,addr=3,romfile="]
        self.on_s = time.monotonic()
        self._qemu = subprocess.Popen(
            line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            process_group=0,  # Ctrl-C is for us
        )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Pull the plug."""
        self._qemu.kill()
        self._reader.join()
        self._qemu.communicate()
        self._loaded.cleanup()

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
        """Type a line at its console; nothing is heard of that where it has ended."""
        assert self._qemu.stdin is not None
        with suppress(BrokenPipeError):
            self._qemu.stdin.write(f"{line}\n".encode())
            self._qemu.stdin.flush()

    def shut_down(self, within_s: float) -> None:
        """Have root type that it be switched off, and wait until it is."""
        self.type("root")
        self.sees(SHELL, within_s)
        self.type("poweroff")
        assert self.ends(within_s), f"it does not switch itself off:{self._last_words()}"

    def unplugged(self, image: Path) -> Card:
        """Return the card as it were if the plug had been pulled now."""
        self._qemu.send_signal(signal.SIGSTOP)
        try:
            return self._card.copied(image)
        finally:
            self._qemu.send_signal(signal.SIGCONT)

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
        letters = getincrementaldecoder("utf-8")("replace")  # one may come in two parts
        while data := os.read(self._qemu.stdout.fileno(), 1 << 16):
            with self._changed:
                self.said += letters.decode(data).replace("\r", "")
                self._heard.append((time.monotonic(), len(self.said)))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()


@contextmanager
def switched_on(card: Card, within_s: float) -> Iterator[Machine]:
    """Switch it on, and once more if it wishes to begin anew; it has a login prompt then."""
    with Machine(card) as machine:
        machine.sees(re.compile(f"{LOGIN.pattern}|{RESTARTS.pattern}", re.MULTILINE), within_s)
        if not RESTARTS.search(machine.said):
            yield machine
            return
        assert machine.ends(within_s), "it says that it restarts, and does not"
    with Machine(card) as machine:
        machine.sees(LOGIN, within_s)
        yield machine
