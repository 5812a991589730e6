"""What QEMU starts: a Debian kernel, and archives with a small Debian and this project in it.

What is others' is kept in the cache and made once; ours is made again each time. All lies where
`./run install` lays it, so that the units are the real ones.
"""

import hashlib
import lzma
import struct
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath
from typing import Final
from zipfile import ZipFile

from companion.cli.install.places import FILES, PROGRAMS
from companion.cli.install.releases import PARTS
from hardware.kernel import packages
from hardware.kernel.cpio import MERGED, Archive
from hardware.kernel.packages import Packages
from release.install.roots import ROOT

HERE: Final = Path(__file__).parent
RELEASE: Final = "opt/rappelwacht/releases/tested"
# Where the head of a kernel says how it is packed, by Linux's x86 boot protocol.
SETUP_SECTORS, PAYLOAD, XZ = 0x1F1, 0x248, b"\xfd7zXZ\0"
MODULES: Final = frozenset(
    ("hid", "uhid", "hid-cp2112", "i2c-dev", "usb-common", "usbcore", "cdc-acm", "usbserial")
)
LISTS: Final = frozenset(("modules.builtin", "modules.builtin.modinfo", "modules.order"))
SKIPPED: Final = (  # of Debian's files
    *(f"usr/share/{name}/" for name in ("doc", "man", "locale", "info", "lintian", "bug", "i18n")),
    *("usr/share/zoneinfo/", "usr/share/perl", "usr/lib/udev/hwdb.d/", "lib/udev/hwdb.d/"),
    *("usr/lib/x86_64-linux-gnu/perl-base/", "usr/lib/x86_64-linux-gnu/gconv/"),
    *("usr/lib/systemd/boot/", "lib/systemd/boot/"),
)
UNWANTED: Final = (  # units that take long, or need what this guest has not
    *("systemd-hwdb-update.service", "ldconfig.service", "systemd-journal-catalog-update.service"),
    *("systemd-firstboot.service", "systemd-random-seed.service", "systemd-update-utmp.service"),
    *("systemd-update-utmp-runlevel.service", "systemd-logind.service", "getty.target"),
    *("systemd-udev-settle.service", "systemd-pstore.service", "systemd-binfmt.service"),
    *("proc-sys-fs-binfmt_misc.automount", "systemd-remount-fs.service", "dev-hugepages.mount"),
    *("systemd-udev-trigger.service", "systemd-journal-flush.service", "dev-mqueue.mount"),
    *("systemd-tmpfiles-setup.service", "systemd-tmpfiles-setup-dev.service", "timers.target"),
    *("systemd-sysctl.service", "systemd-user-sessions.service", "systemd-initctl.socket"),
    *(f"systemd-ask-password-{name}.path" for name in ("console", "wall")),
    *(f"sys-kernel-{name}.mount" for name in ("debug", "tracing", "config")),
    *(f"modprobe@{name}.service" for name in ("dm_mod", "loop", "fuse", "configfs", "efi_pstore")),
)
# gpiozero uses the pins of a Pi only, so this PC says that it is a Pi 3.
PI: Final = b"Hardware\t: BCM2835\nRevision\t: a02082\n"
# It is also slower than any Pi, and waits for whatever else this computer does.
SAYS_PI: Final = b"""[Service]
BindReadOnlyPaths=/etc/pi-cpuinfo:/proc/cpuinfo
TimeoutStartSec=600
TimeoutStopSec=300
WatchdogSec=300
"""


@dataclass(frozen=True, slots=True)
class Image:
    """The kernel, and the archives that it unpacks in this order."""

    kernel: Path
    archives: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class More:
    """What a test needs besides: packages, modules of the kernel, and how files are changed."""

    packages: tuple[str, ...]
    modules: frozenset[str]
    files: tuple[tuple[str, bytes], ...] = ()
    links: tuple[tuple[str, str], ...] = ()


def image(made_in: Path, more: More | None = None) -> Image:
    """Have all of it; raise Unavailable."""
    made = _image(made_in)
    if more is None:
        return made
    base, kept = packages.chosen(), packages.cache()
    debian = packages.chosen(more.packages)
    words = (HERE / "image.py").read_text("utf-8")
    known_by = f"{debian.all} {sorted(more.modules)} {more.files} {more.links} {words}"
    there = kept / f"{hashlib.sha256(known_by.encode()).hexdigest()[:16]}.more"
    if not there.exists():
        with Archive(there) as archive:
            for deb in packages.fetched(debian):
                if deb.name.startswith("linux-image-"):
                    _add_kernel(archive, deb, None, more.modules)
                elif not any(deb.name.startswith(f"{_file_name(name)}_") for name in base.all):
                    with packages.unpacked(deb) as tar:
                        archive.tar(tar, SKIPPED)
            for name, data in more.files:
                archive.file(name, data)
            for name, target in more.links:
                archive.link(name, target)
    return Image(made.kernel, (*made.archives[:-1], there, made.archives[-1]))


def _file_name(package: str) -> str:
    return package.replace("=", "_").replace(":", "%3a")


def _image(made_in: Path) -> Image:
    debian, kept = packages.chosen(), packages.cache()
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    words = "".join((HERE / name).read_text("utf-8") for name in ("image.py", "cpio.py"))
    known_by = "\n".join((*debian.all, sys.version, sys.prefix, lock, words)).encode()
    name = hashlib.sha256(known_by).hexdigest()[:16]
    kernel, base, venv = (kept / f"{name}{kind}" for kind in (".vmlinux", ".cpio", ".venv.cpio"))
    made = Image(kernel, (base, venv, made_in / "project.cpio"))
    same_python = debian.python == f"{sys.version_info.major}.{sys.version_info.minor}"
    if not (kernel.exists() and base.exists() and venv.exists()):
        with Archive(base, compiled=same_python) as archive:
            _add_debian(archive, packages.fetched(debian), kernel)
        with Archive(venv, compiled=same_python) as archive:
            _add_venv(archive, debian)
        _forget({kernel, base, venv}, kept)
    with Archive(made.archives[-1], compiled=same_python) as archive:
        _add_project(archive)
    return made


def _forget(wanted: set[Path], kept: Path) -> None:
    """Delete what was made of other packages, or in another way."""
    for path in (*kept.glob("*.cpio"), *kept.glob("*.vmlinu?")):
        if path not in wanted:
            path.unlink()


# --- Debian's part -----------------------------------------------------------------------------


def _add_debian(archive: Archive, debs: list[Path], kernel: Path) -> None:
    for name in MERGED:
        archive.folder(f"usr/{name}")
        archive.link(name, f"usr/{name}")
    for name in ("proc", "sys", "dev", "run", "root", "var/log"):
        archive.folder(name)
    archive.folder("tmp", 0o1777)
    for deb in debs:
        if deb.name.startswith("linux-image-"):
            _add_kernel(archive, deb, kernel)
            continue
        with packages.unpacked(deb) as tar:
            archive.tar(tar, SKIPPED)
    archive.link("usr/bin/sh", "dash")
    archive.file("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\n")
    archive.file("etc/group", b"root:x:0:\n")
    archive.file("etc/machine-id", b"0123456789abcdef0123456789abcdef\n")
    archive.file("etc/hostname", b"table\n")
    archive.link("etc/systemd/system/default.target", "/lib/systemd/system/multi-user.target")
    for name in UNWANTED:
        archive.link(f"etc/systemd/system/{name}", "/dev/null")


def _add_kernel(
    archive: Archive, deb: Path, kernel: Path | None, modules: frozenset[str] = MODULES
) -> None:
    """Lay the kernel beside the archive, and into it the modules that are needed."""
    with packages.unpacked(deb) as tar:
        for member in tar:
            path = PurePosixPath(member.name)
            data = tar.extractfile(member) if member.isfile() else None
            if data is None:
                continue
            if path.name.startswith("vmlinuz-"):
                if kernel is not None:
                    kernel.write_bytes(plain(data.read()))
            elif path.name.split(".ko")[0] in modules or path.name in LISTS:
                archive.file(member.name.removeprefix("./"), data.read())


def plain(kernel: bytes) -> bytes:
    """Return a kernel as it is when it has unpacked itself, which takes long in software."""
    setup_sectors = kernel[SETUP_SECTORS]
    offset, length = struct.unpack_from("<II", kernel, PAYLOAD)
    start = (setup_sectors + 1) * 512 + offset
    packed = kernel[start : start + length]
    if not packed.startswith(XZ):  # then it does that itself
        return kernel
    return lzma.LZMADecompressor().decompress(packed)  # what follows is its size


# --- our part ----------------------------------------------------------------------------------


def _add_project(archive: Archive) -> None:
    """Add what `./run install` makes, by its own tables, and the guest's side of the tests."""
    for part in (*PARTS, "hardware/kernel", "hardware/__init__.py"):
        found = ROOT / part
        for path in sorted(found.rglob("*")) if found.is_dir() else [found]:
            if path.is_file() and "__pycache__" not in path.parts:
                archive.file(f"{RELEASE}/{path.relative_to(ROOT)}", path.read_bytes())
    archive.link("opt/rappelwacht/current", "releases/tested")
    for name, place in FILES.items():
        data = (ROOT / "hardware/service" / name).read_bytes()
        archive.file(place, data, 0o755 if name in PROGRAMS else 0o644)
    archive.file("etc/rappelwacht/table.toml", (HERE / "table.toml").read_bytes())
    archive.file("etc/pi-cpuinfo", PI)
    for unit in ("rappelwacht.service", "guest.service"):
        archive.file(f"etc/systemd/system/{unit}.d/pi.conf", SAYS_PI)
    for unit in ("guest.service", "modules-known.service"):
        archive.file(f"etc/systemd/system/{unit}", (HERE / unit).read_bytes())
    archive.file("etc/modules-load.d/guest.conf", b"uhid\n")
    wants = "etc/systemd/system/{}.target.wants/{}"
    archive.link(wants.format("multi-user", "guest.service"), "../guest.service")
    archive.link(wants.format("sysinit", "modules-known.service"), "../modules-known.service")


def _add_venv(archive: Archive, debian: Packages) -> None:
    venv = f"{RELEASE}/venv"
    archive.file(f"{venv}/pyvenv.cfg", b"home = /usr/bin\ninclude-system-site-packages = true\n")
    archive.link(f"{venv}/bin/python", "/usr/bin/python3")
    site = f"{venv}/lib/python{debian.python}/site-packages"
    archive.file(f"{site}/rappelwacht.pth", b"../../../..\n")
    for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines():
        if line[:1].isalpha():
            _add_distribution(archive, site, line.split("==")[0])
    if not debian.has_pins:
        with ZipFile(packages.wheel(debian.python)) as wheel:
            for name in wheel.namelist():
                archive.file(f"{site}/{name}", wheel.read(name), 0o755)


def _add_distribution(archive: Archive, site: str, name: str) -> None:
    """Add a package as it lies in this very environment; what is not in it, is not needed here."""
    try:
        files = distribution(name).files or []
    except PackageNotFoundError:
        return
    for file in files:
        if ".." not in file.parts and file.suffix != ".pyc" and name != "setuptools":
            archive.file(f"{site}/{file}", Path(str(file.locate())).read_bytes())
