"""`card`: a card just written with Raspberry Pi OS becomes one whose first boot is a table.

It is given the card's boot partition, and only adds: a folder with all that is needed, and what
begins it. What the Imager wrote there stays, and all of it can be taken back.
"""

import hashlib
import re
import secrets
import shutil
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.cli.install import own_wifi, payload, places, system
from companion.present.terminal import TerminalScreen, bar, show_progress
from companion.system import errors, paths, private_files
from companion.system.text import Text

HOOK: Final = b"/boot/firmware/rappelwacht/first-boot.sh"
WORDS: Final = (  # of the kernel's command line, as the Imager itself has a script run
    b" systemd.run=" + HOOK + b" systemd.run_success_action=reboot"
    b" systemd.unit=kernel-command-line.target"
)
LINE: Final = b"sh " + HOOK + b"\n"  # of the script that the Imager wrote
MARK: Final = b"a table of Rappelwacht"  # in the vendor-data that is ours
HOOKS: Final = {payload.VENDOR_DATA: MARK, "cmdline.txt": WORDS, "firstrun.sh": LINE}
ISSUE: Final = re.compile(rb"Raspberry Pi reference (\d{4}-\d\d-\d\d)")
COUNTRIES: Final = (  # where the Imager says in which one the Wi-Fi is
    rb"^ *regulatory-domain: *['\"]?([A-Z]{2})\b",
    rb"\bcfg80211\.ieee80211_regdom=([A-Z]{2})\b",
    rb"set_wlan .*' '.*' '([A-Z]{2})'",
)
OLDEST: Final = "2023-10-10"  # the first with Bookworm
MOST: Final = 1 << 20  # bytes of a file that is changed
CLUSTER: Final = 1 << 15  # what a file takes at least
SETTINGS, WIFI, OWN_WIFI = "settings", "wifi.nmconnection", "own-wifi.nmconnection"
PARTS: Final = {*payload.LEFT, payload.SUMS, payload.SIGNATURE, "wheels", ".DS_Store"}
ZONES: Final = Path("/usr/share/zoneinfo")


@dataclass(frozen=True, slots=True)
class BootPartition:
    """The boot partition of a card, and what is written there."""

    path: Path
    made: str  # the date of its Raspberry Pi OS
    cloud: bool  # cloud-init sets it up, and has not begun
    imager: bytes  # all that the Imager wrote

    @property
    def folder(self) -> Path:
        return self.path / payload.NAME

    def says(self, *patterns: bytes) -> str:
        """Return what the Imager wrote of something; empty: nothing."""
        matches = [re.search(pattern, self.imager, re.MULTILINE) for pattern in patterns]
        return next((match[1].decode("utf-8", "replace") for match in matches if match), "")


def card(options: Namespace, screen: TerminalScreen, run: system.Run = system.run_quietly) -> int:
    """Say what will be done to a card, and do it if that is wanted."""
    its = _read(Path(options.path))
    if options.undo:
        return _take_back(its, screen, yes=options.yes)
    _demand_ours(its)
    settings = {"pin": _pin(its), **dict(_settings(options, its))}
    _tell(its, options, screen)
    if not options.yes:
        screen.tell("Nothing was changed. To do it, type the same again with --yes.")
        return 0
    network = _network(options, screen)
    with _source(options.source, run) as folder:
        version = payload.check(folder)
        _demand_room(its, folder)
        if options.source is not None:
            _tell_if_unsigned(options.source, folder, screen)
        _unhook(its)  # nothing is begun by half a folder
        _copy(its, folder, settings, network)
    payload.check(its.folder)
    _hook(its)
    screen.tell(
        "The card is ready, with version {version}. Take it out as this computer wants it, put it "
        "into the Pi, and switch that on. What goes wrong there is written to {file} on the card.",
        version=version,
        file=f"{payload.NAME}/first-boot.txt",
    )
    screen.tell("The PIN that lets phones in: {pin}", pin=settings["pin"])
    name, password = own_wifi.name_and_key(its.folder / OWN_WIFI)
    screen.tell(
        "Where it finds no network a minute after its start, it opens its own Wi-Fi, if it knows "
        "its country: {name}, with the password {password}.",
        name=name,
        password=password,
    )
    return 0


def _pin(its: BootPartition) -> str:
    """Return what will let phones in: as before, if a card is made once more."""
    before = re.search(rb"^pin=(\d{6})$", _held(its.folder / SETTINGS), re.MULTILINE)
    return before[1].decode() if before else f"{secrets.randbelow(10**6):06}"


def _read(path: Path) -> BootPartition:
    """Return what lies there; CompanionError: no card that we know."""
    if not path.is_dir():
        raise errors.CompanionError(
            "There is no folder '{path}'; name the card's boot partition, such as "
            "/media/you/bootfs.",
            path=path,
        )
    for name in ("config.txt", "cmdline.txt"):
        if not (path / name).is_file():
            raise errors.CompanionError(
                "{path} is not the boot partition of a Pi's card: {file} is not there. Write "
                "Raspberry Pi OS with the Imager, put the card in again, and name its drive, "
                "bootfs.",
                path=path,
                file=name,
            )
    issue = ISSUE.search(_held(path / "issue.txt"))
    if issue is None:
        raise errors.CompanionError(
            "The card in {path} holds another system; write Raspberry Pi OS with the Imager.",
            path=path,
        )
    made = issue[1].decode()
    if made < OLDEST:
        raise errors.CompanionError(
            "The Raspberry Pi OS in {path} is of {date}, and Bookworm or newer is needed; write a "
            "newer one with the Imager.",
            path=path,
            date=made,
        )
    fresh = b" resize" in _held(path / "cmdline.txt")  # gone after the first boot
    names = ("user-data", "network-config", "firstrun.sh", "cmdline.txt")
    return BootPartition(
        path=path,
        made=made,
        cloud=fresh and (path / "meta-data").is_file(),
        imager=b"\n".join(_held(path / name) for name in names),
    )


def _held(file: Path) -> bytes:
    """Return what a small file holds; nothing where there is none."""
    return private_files.read(file, MOST) if file.is_file() else b""


def _demand_ours(its: BootPartition) -> None:
    """Raise if something is in our place that is not ours, or if nothing can be begun."""
    if its.folder.is_symlink() or (its.folder.exists() and not its.folder.is_dir()):
        strange = [payload.NAME]
    else:
        strange = sorted(f"{payload.NAME}/{path.name}" for path in _others(its))
    vendor = its.path / payload.VENDOR_DATA
    if vendor.exists() and MARK not in _held(vendor):
        strange.append(payload.VENDOR_DATA)
    if strange:
        raise errors.CompanionError(
            "{file} on the card is not of Rappelwacht; move it away first.", file=strange[0]
        )
    runs = b"systemd.run=" in _held(its.path / "cmdline.txt").replace(WORDS, b"")
    if not its.cloud and runs and not _held(its.path / "firstrun.sh").startswith(b"#!"):
        raise errors.CompanionError(
            "cmdline.txt on the card has something of its own run at the first boot; write the "
            "card anew with the Imager."
        )


def _others(its: BootPartition) -> Iterator[Path]:
    """Yield what is in our folder and nothing of ours, nor half of that."""
    ours = PARTS | {path.name for path in paths.project_file(payload.ON_CARDS).iterdir()}
    for path in its.folder.iterdir() if its.folder.is_dir() else ():
        hidden = path.name.startswith("._") or path.name.endswith(".new")
        if path.is_symlink() or not (hidden or path.name in ours):
            yield path


# --- what is asked for ------------------------------------------------------------------------


def _settings(options: Namespace, its: BootPartition) -> Iterator[tuple[str, str]]:
    """Yield what the Pi is to be told besides."""
    zone = options.time_zone
    if zone is not None:
        if already := its.says(rb"^timezone: (\S+)", rb"set_timezone '?([^\s']+)"):
            raise errors.CompanionError(
                "The Imager has written the time zone {zone}, which stays; leave out --time-zone.",
                zone=already,
            )
        if ".." in zone or not re.fullmatch(r"[A-Za-z0-9_+/-]+", zone) or not _is_zone(zone):
            raise errors.CompanionError(
                "'{zone}' is no time zone; write one such as Europe/Berlin.", zone=zone
            )
        yield "time-zone", zone
    if options.key is not None:
        yield "key", _key(Path(options.key))
    country = options.country
    if country is None and options.wifi is not None:
        country = its.says(*COUNTRIES) or None
    if country is not None:
        if re.fullmatch("[A-Z]{2}", country) is None:
            raise errors.CompanionError(
                "'{country}' is no country; write its two letters, such as DE.", country=country
            )
        yield "country", country
    elif options.wifi is not None:
        raise errors.CompanionError(
            "A Pi keeps its Wi-Fi off until it knows its country: add --country, such as DE."
        )


def _is_zone(zone: str) -> bool:
    return (ZONES / zone).is_file() or not ZONES.is_dir()


def _key(file: Path) -> str:
    """Return the public key that a file holds."""
    try:
        text = private_files.read(file, 1 << 14).decode("utf-8", "replace").strip()
    except OSError:  # none is there, or it is far too large
        text = ""
    if re.fullmatch(r"(?:ssh|ecdsa|sk)-[\w.@-]+ [A-Za-z0-9+/=]+(?: [^\n\r]*)?", text) is None:
        raise errors.CompanionError(
            "{file} is no public ssh key; name one such as ~/.ssh/id_ed25519.pub.", file=file
        )
    return text


def _network(options: Namespace, screen: TerminalScreen) -> str:
    """Return a Wi-Fi as NetworkManager reads it, with the password that somebody types."""
    if options.wifi is None:
        return ""
    name = options.wifi.encode()
    if not 1 <= len(name) <= 32:
        raise errors.CompanionError("A Wi-Fi's name has 1 to 32 letters.")
    question = Text("Password of {name} (empty: it has none): ", name=options.wifi)
    password = screen.ask(screen.say(question))
    if password and not 8 <= len(password.encode()) <= 63:
        raise errors.CompanionError("A Wi-Fi's password has 8 to 63 letters.")
    key = hashlib.pbkdf2_hmac("sha1", password.encode(), name, 4096, 32).hex()
    named = "id=rappelwacht-home\nautoconnect=true"
    return own_wifi.wifi_profile(named, name, key if password else "")


def _tell_if_unsigned(source: str, folder: Path, screen: TerminalScreen) -> None:
    """Say if nobody vouches for it: whoever makes a card owns the table, and may trust anybody."""
    try:
        payload.demand_signed(folder, places.Places().settings)
    except errors.CompanionError:
        screen.tell(
            "{file} is not signed, or by nobody whom this program knows: use the card only if you "
            "trust whom that came from.",
            file=source,
        )


def _tell(its: BootPartition, options: Namespace, screen: TerminalScreen) -> None:
    """Say what is there, and what will be done."""
    screen.tell("{path} is a card with Raspberry Pi OS of {date}.", path=its.path, date=its.made)
    if its.folder.is_dir():
        screen.tell(
            "- The folder {folder} is written anew, with the program and all that it needs, so "
            "that the Pi needs no Internet.",
            folder=payload.NAME,
        )
    else:
        screen.tell(
            "- The folder {folder} is added, with the program and all that it needs, so that the "
            "Pi needs no Internet.",
            folder=payload.NAME,
        )
    screen.tell(
        "- {file} begins it at the first boot; what the Imager wrote stays.", file=_hooked(its)
    )
    name = its.says(rb"^hostname: *['\"]?([\w-]+)", rb"set_hostname '?([\w-]+)") or "raspberrypi"
    keeps = name != "raspberrypi"
    screen.tell(
        "- Phones will find it at http://{name}.local:8000 (a second one of that name in the same "
        "house at {name}-2).",
        name=name if keeps else payload.NAME,
    )
    wifi = its.says(rb"^ +(access-points):", rb"(set_wlan)")
    if options.wifi is not None:
        screen.tell("- It will know the Wi-Fi {name}.", name=options.wifi)
    elif not wifi and (options.country is not None or its.says(*COUNTRIES)):
        screen.tell("- It knows no Wi-Fi: without a network cable it opens its own.")
    elif not wifi:
        screen.tell(
            "- It knows no Wi-Fi: plug in a network cable, or add --wifi NAME --country DE; with "
            "--country alone it opens its own."
        )


def _hooked(its: BootPartition) -> str:
    """Return the file that begins it."""
    if its.cloud:
        return payload.VENDOR_DATA
    return "firstrun.sh" if (its.path / "firstrun.sh").is_file() else "cmdline.txt"


# --- what is written --------------------------------------------------------------------------


@contextmanager
def _source(named: str | None, run: system.Run) -> Iterator[Path]:
    """Lend the folder to copy: out of a zip that is named, or made of this version."""
    if named is not None:
        with payload.open_payload(Path(named)) as folder:
            yield folder
        return
    with TemporaryDirectory(prefix="rappelwacht-") as kept:
        folder = Path(kept, payload.NAME)
        payload.build(folder, run)
        yield folder


def _demand_room(its: BootPartition, folder: Path) -> None:
    """Raise if the card is too full for it."""
    needed = _size(folder) - (_size(its.folder) if its.folder.is_dir() else 0)
    free = shutil.disk_usage(its.path).free
    if needed + CLUSTER > free:
        raise errors.CompanionError(
            "The card has {free} MB of room there, and {needed} MB are needed; write it anew with "
            "the Imager.",
            free=free >> 20,
            needed=(needed >> 20) + 1,
        )


def _size(folder: Path) -> int:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sum(-(-path.stat().st_size // CLUSTER) * CLUSTER for path in files)


def _copy(its: BootPartition, folder: Path, settings: dict[str, str], network: str) -> None:
    """Copy the folder to the card, its checksums last."""
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    names.sort(key=lambda name: name == payload.SUMS)
    _empty(its, {*names, SETTINGS, OWN_WIFI})  # with PIN and password as they were told
    for index, name in enumerate(names):
        show_progress(f"  {bar(100 * index // len(names))}")
        target = its.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        private_files.write(target, (folder / name).read_bytes())
    text = "".join(f"{name}={value}\n" for name, value in settings.items())
    private_files.write(its.folder / SETTINGS, text.encode())
    if network:
        private_files.write(its.folder / WIFI, network.encode())
    if not (its.folder / OWN_WIFI).exists():
        private_files.write(its.folder / OWN_WIFI, own_wifi.profile().encode())
    show_progress("")


def _empty(its: BootPartition, kept: set[str]) -> None:
    """Remove of our folder on the card all but some files."""
    if not its.folder.is_dir():
        return
    for path in sorted(its.folder.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            with suppress(OSError):  # something is still in it
                path.rmdir()
        elif str(path.relative_to(its.folder)) not in kept:
            path.unlink()


def _hook(its: BootPartition) -> None:
    """Have the first boot run the installation."""
    name = _hooked(its)
    file = its.path / name
    before = _held(file)
    if name == payload.VENDOR_DATA:
        after = _held(its.folder / name)
    elif name == "cmdline.txt":
        line = before.rstrip()
        after = line + WORDS + before[len(line) :]
    else:
        first, _, rest = before.partition(b"\n")
        after = first + b"\n" + LINE + rest
    private_files.write(file, after)


def _unhook(its: BootPartition) -> None:
    """Remove the hook of the first boot, byte for byte."""
    for name, part in HOOKS.items():
        file = its.path / name
        file.with_name(f".{name}.new").unlink(missing_ok=True)  # of an attempt that was cut off
        if part not in (before := _held(file)):
            continue
        if name == payload.VENDOR_DATA:  # all of it is ours
            file.unlink()
            private_files.sync_folder(file)
        else:
            private_files.write(file, before.replace(part, b""))


def _take_back(its: BootPartition, screen: TerminalScreen, *, yes: bool) -> int:
    """Restore the card as it was before."""
    _demand_ours(its)
    begun = any(part in _held(its.path / name) for name, part in HOOKS.items())
    if not (begun or its.folder.is_dir()):
        raise errors.CompanionError(
            "There is nothing of Rappelwacht on the card in {path}.", path=its.path
        )
    if not yes:
        screen.tell(
            "The folder {folder} and what begins it will be removed; all else stays.",
            folder=payload.NAME,
        )
        screen.tell("Nothing was changed. To do it, type the same again with --yes.")
        return 0
    _unhook(its)
    _empty(its, set())
    if its.folder.is_dir():
        its.folder.rmdir()
    screen.tell("The card is as it was before.")
    return 0
