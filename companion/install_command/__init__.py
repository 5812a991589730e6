"""`install`, `roll-back` and `uninstall`: a table on its Pi, as a service that begins with it.

It must not know the table. It runs before anything is installed, so it needs Python alone; all of
it may be done again, and then does only what is still missing.
"""

from __future__ import annotations

import os
import secrets
import shutil
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from companion import config
from companion.errors import CompanionError
from companion.install_command import midgame, releases, system
from companion.install_command.alone import alone
from companion.install_command.places import FILES, PROGRAMS, Places
from companion.install_command.written import remove_block, write, write_block
from companion.present.screen import Screen
from companion.program import program_for_root
from companion.project_files import project_file

FAILED: Final = 1
SERVICE: Final = "hardware/service"  # of the project: what the system is told
I2C: Final = "[all]\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000"
NAME: Final = "rappelwacht"
NAME_BEFORE: Final = "name-before"
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # none is taken for another


def install(options: Namespace, screen: Screen, run: system.Run = system.run) -> int:
    """Install this version, or go on to it; begin the table as a service."""
    places = _places(options)
    with _told():
        places.run.mkdir(parents=True, exist_ok=True)
        with alone(places):
            return _install(options, places, screen, run)


def _install(options: Namespace, places: Places, screen: Screen, run: system.Run) -> int:
    had = releases.in_use(places)
    newer = had is not None and had != releases.name()
    if newer:
        _demand_quiet(options, places)
    system.provide_packages(places, run)
    release = releases.provide(places, run)
    if not places.config.exists():  # what people wrote stays as it is
        write(places.config, config.TEMPLATE)
    if not options.keep_name:
        _take_name(places, run)
    if options.hotspot:
        _offer_hotspot(places, screen, run)
    restart = _switch_on_i2c(places)
    if newer:
        _demand_quiet(options, places)  # once more: all that took its time
    _write_files(places, release)  # not before: what runs till then is started as it wants
    system.provide_user(places, run)
    earlier = releases.before(places)
    releases.switch(places, release)
    if not system.start(places, run, anew=had != release):
        return _go_back(places, had, earlier, screen, run)
    releases.clear(places)
    screen.tell("Rappelwacht {release} is installed.", release=release)
    if restart:
        screen.tell("Restart the Pi once: only then the I2C bus runs fast enough.")
    screen.tell(
        "Say how your table is wired in {file}, then: sudo systemctl restart rappelwacht – and see "
        "what 'rappelwacht doctor' finds.",
        file=places.config,
    )
    return 0


def roll_back(options: Namespace, screen: Screen, run: system.Run = system.run) -> int:
    """Go back to the version before; once more is forward again."""
    places = _places(options)
    with _told(), alone(places):
        had, earlier = releases.in_use(places), releases.before(places)
        if earlier is None:
            raise CompanionError("There is no version to go back to.")
        _demand_quiet(options, places)
        releases.switch(places, earlier)
        _write_files(places, earlier)
        if not system.start(places, run, anew=True):
            return _go_back(places, had, earlier, screen, run)
    screen.tell("Rappelwacht {release} is used now.", release=earlier)
    return 0


def uninstall(options: Namespace, screen: Screen, run: system.Run = system.run) -> int:
    """Remove all but what people wrote and played; with --purge that, too."""
    places = _places(options)
    with _told(), alone(places):
        return _uninstall(options, places, screen, run)


def _uninstall(options: Namespace, places: Places, screen: Screen, run: system.Run) -> int:
    left = [places.opt, *([places.settings, places.data] if options.purge else [])]
    if not any(map(os.path.lexists, left)):
        raise CompanionError("Rappelwacht is not installed here.")
    _demand_quiet(options, places)
    _take_out(places, run)
    if options.purge:
        _remove(places.settings)
        _remove(places.data)
        system.remove_user(places, run)
        screen.tell("Rappelwacht is gone, with all that was played.")
    else:
        screen.tell(
            "Rappelwacht is removed. What you wrote is still in {settings}, what was played in "
            "{data}.",
            settings=places.settings,
            data=places.data,
        )
    return 0


def _take_out(places: Places, run: system.Run) -> None:
    """Remove service, name, bus and program; the program last, so that it can be said again."""
    system.stop(places, run)
    for place in FILES.values():
        (places.root / place).unlink(missing_ok=True)
    places.hotspot.unlink(missing_ok=True)
    if places.boot_config is not None:
        remove_block(places.boot_config)
    _give_name_back(places, run)
    shutil.rmtree(places.opt, ignore_errors=True)
    if places.live:
        run(["systemctl", "daemon-reload"])


def _remove(folder: Path) -> None:
    """Remove a folder with all that is in it, also where a link leads to it: a bigger disk."""
    shutil.rmtree(folder.resolve(), ignore_errors=True)
    if folder.is_symlink():
        folder.unlink()


def _places(options: Namespace) -> Places:
    os.umask(0o022)  # what is installed is for everybody to read
    try:
        places = Places(Path(options.root).resolve())
    except (OSError, RuntimeError):  # by the version of Python
        raise CompanionError(
            "{folder} leads nowhere; name a folder.", folder=options.root
        ) from None
    if places.real and os.geteuid() != 0:
        raise CompanionError(
            "Only root may do that; say: sudo {program} {command}",
            program=program_for_root(),
            command=options.command,
        )
    return places


@contextmanager
def _told() -> Iterator[None]:
    """Say what a full or failing card does; whatever is half done is done by the same words."""
    try:
        yield
    except OSError as error:
        raise CompanionError(
            "{file} cannot be changed: {reason}. Put that right, then say the same again; what is "
            "done already stays done.",
            file=error.filename2 or error.filename or "?",
            reason=error.strerror or "?",
        ) from None


def _demand_quiet(options: Namespace, places: Places) -> None:
    """Raise in the middle of a match, unless somebody insists."""
    if not options.anyway:
        midgame.demand_none(places.data / "table", options.port)


def _go_back(
    places: Places, had: str | None, earlier: str | None, screen: Screen, run: system.Run
) -> int:
    """Use again what was used, because what was switched to does not start."""
    fault = CompanionError("This version does not start; see why with: journalctl -u rappelwacht")
    code = screen.complain(FAILED, fault)
    if had == releases.in_use(places) and earlier is not None:
        screen.tell("The version before is still there; go back to it with: rappelwacht roll-back")
    elif had is not None and had != releases.in_use(places):
        releases.restore(places, had, earlier)
        _write_files(places, had)
        system.start(places, run, anew=True)
        releases.clear(places)
        screen.tell("Rappelwacht {release} is used now.", release=had)
    return code


# --- files ------------------------------------------------------------------------------------


def _write_files(places: Places, release: str) -> None:
    """Have the system's files as a version brings them."""
    for name, place in FILES.items():
        text = (places.releases / release / SERVICE / name).read_text("utf-8")
        write(places.root / place, text, 0o755 if name in PROGRAMS else 0o644)


def _switch_on_i2c(places: Places) -> bool:
    """Have the bus on and fast; return whether the Pi must restart for it."""
    return places.boot_config is not None and write_block(places.boot_config, I2C)


def _take_name(places: Places, run: system.Run) -> None:
    """Be called rappelwacht, so that phones find rappelwacht.local; remember the name before."""
    hostname = places.root / "etc/hostname"
    before = hostname.read_text("utf-8").strip() if hostname.exists() else ""
    if before == NAME:
        return
    write(places.settings / NAME_BEFORE, f"{before}\n")
    write_block(places.root / "etc/hosts", f"127.0.1.1 {NAME}")
    write(hostname, f"{NAME}\n")
    system.rename(places, run)


def _give_name_back(places: Places, run: system.Run) -> None:
    kept = places.settings / NAME_BEFORE
    remove_block(places.root / "etc/hosts")
    if kept.exists():
        hostname = places.root / "etc/hostname"
        ours = hostname.exists() and hostname.read_text("utf-8").strip() == NAME
        if ours and (before := kept.read_text("utf-8").strip()):
            write(hostname, f"{before}\n")
            system.rename(places, run)
        kept.unlink()


def _offer_hotspot(places: Places, screen: Screen, run: system.Run) -> None:
    """Have a Wi-Fi of the table's own, for places without one; say its password."""
    if not places.hotspot.exists():
        password = "".join(secrets.choice(LETTERS) for _ in range(10))
        text = project_file(f"{SERVICE}/hotspot.nmconnection").read_text("utf-8")
        write(places.hotspot, text.replace("@PASSWORD@", password), 0o600)
    if places.live and run(["nmcli", "connection", "reload"]) != 0:
        places.hotspot.unlink()
        raise CompanionError(
            "NetworkManager does not answer, and only with it the Pi can open a Wi-Fi; install it "
            "with: sudo apt-get install network-manager"
        )
    screen.tell(
        "Where no Wi-Fi is known, the Pi opens one of its own: Rappelwacht, with the password "
        "{password}.",
        password=_password(places.hotspot.read_text("utf-8").splitlines()),
    )
    screen.tell("A Pi that was not told its country keeps its Wi-Fi off: sudo raspi-config")


def _password(lines: Sequence[str]) -> str:
    return next((line.removeprefix("psk=") for line in lines if line.startswith("psk=")), "?")
