"""`install`, `roll-back` and `uninstall`: a table on its Pi, or a hall, as a service.

It runs before anything is installed, so it needs Python alone; all of it may be done again, and
then does only what is still missing.
"""

import os
import shutil
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile

from companion.cli.install import match_guard, own_wifi, payload, releases, system
from companion.cli.install.places import PROGRAMS, SHARED, Places
from companion.cli.install.releases import alone
from companion.mqtt import join_code
from companion.mqtt.join_code import HALL_FILE, Joining
from companion.present.terminal import TerminalScreen
from companion.system import config, signals
from companion.system.errors import CompanionError
from companion.system.text import program_for_root

FAILED: Final = 1
SERVICE: Final = "hardware/service"  # of the project: what the system is told
I2C: Final = "[all]\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000"
HALL_WORDS: Final = """\
# What else the hall is told when it starts. Without a word here it begins a Mosquitto of its own.
# HALL_WORDS=--broker HOST --authority /etc/rappelwacht/broker.pem --password /etc/rappelwacht/word
"""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be done, where, and by which commands."""

    options: Namespace
    screen: TerminalScreen
    run: system.Run
    places: Places


def install(options: Namespace, screen: TerminalScreen, run: system.Run = system.run) -> int:
    """Install this version, or go on to it; begin the table, or the hall, as a service."""
    joining = None if options.join is None else join_code.read(options.join)
    asked = _Asked(options, screen, run, _places(options))
    with _told():
        if options.source is None:
            return _installed(asked, None, joining)
        with payload.open_payload(Path(options.source)) as folder:
            if payload.runs(folder):
                return _installed(asked, folder, joining)
            if not options.unsigned:
                payload.demand_signed(folder, asked.places.settings)
            with TemporaryDirectory(prefix="rappelwacht-") as program:
                with ZipFile(payload.wheel(folder)) as files:
                    files.extractall(program)
                return run(_words(options, program, folder, screen.language))


def _words(options: Namespace, program: str, folder: Path, language: str) -> list[str]:
    """Return the line that has another version of this program install itself."""
    line = ["env", f"PYTHONPATH={program}", "python3", "-B", "-P", "-m", "companion", "install"]
    line += ["--from", str(folder), "--root", options.root, "--port", str(options.port)]
    for word in ("hall", "hotspot", "keep_name", "anyway", "verbose"):
        if getattr(options, word):
            line.append(f"--{word.replace('_', '-')}")
    join = [] if options.join is None else ["--join", options.join]
    return [*line, *join, "--language", language]


def _installed(asked: _Asked, folder: Path | None, joining: Joining | None) -> int:
    places = asked.places
    places.run.mkdir(parents=True, exist_ok=True)
    with alone(places):
        code = _install(asked, folder, joining)
        if folder is not None and code == 0:  # the table answers already
            releases.complete(places, asked.run)
    return code


def _install(asked: _Asked, folder: Path | None, joining: Joining | None) -> int:
    options, screen, run, places = asked.options, asked.screen, asked.run, asked.places
    role = system.wanted_role(places, hall=options.hall, joins=joining is not None)
    had = releases.in_use(places)
    anew = had != releases.name() or joining is not None
    if anew and had is not None:
        _demand_quiet(options, places)
    with signals.postponed():  # packages that were unpacked in part stop all other installations
        pins = role.wired and places.is_pi
        system.provide_packages(places, run, role.packages, pins=pins, offline=folder is not None)
    release = releases.provide(places, run, folder)
    file, text = places.config, config.TEMPLATE
    if role is system.HALL:
        file, text = places.settings / "hall.conf", HALL_WORDS
    if not file.exists():  # what people wrote stays as it is
        system.write(file, text)
    if not options.keep_name:
        system.take_name(places, role.name, run)
    if role is system.TABLE:
        _offer_hotspot(asked)
    restart = role.wired and _switch_on_i2c(places)
    if anew and had is not None:
        _demand_quiet(options, places)  # once more: all that took its time
    with signals.postponed():  # else one version would be used, and another one run
        write_files(places, release, role)  # not before: what runs till then starts as it wants
        system.provide_user(places, run)
        if joining is not None:
            _join(places, joining)
        if role.more:
            places.care.mkdir(exist_ok=True)
        earlier = releases.before(places)
        releases.switch(places, release)
        if not system.start(places, run, role, anew=anew):
            return _go_back(asked, role, had, earlier)
        releases.clear(places)
    screen.tell("Rappelwacht {release} is installed.", release=release)
    _say_where(asked, role)
    if role is system.HALL:
        return 0
    if joining is not None:
        screen.tell(
            "The table belongs to the hall at {host}, as {table}.",
            host=joining.host.split()[0],
            table=joining.table,
        )
    if restart:
        screen.tell("Restart the Pi once: only then will the I2C bus run fast enough.")
    screen.tell(
        "Write how your table is wired into {file}, then: sudo systemctl restart rappelwacht – "
        "and see what 'rappelwacht doctor' finds.",
        file=places.config,
    )
    return 0


def _join(places: Places, joining: Joining) -> None:
    """Join a hall, by a file that is the table's own."""
    with match_guard.as_owner_of(places.data):
        folder = places.data / "table"
        folder.mkdir(mode=0o700, exist_ok=True)
        HALL_FILE.save(folder, joining)


def _say_where(asked: _Asked, role: system.Role) -> None:
    """Say where the pages are, and what lets people in."""
    options, screen, places = asked.options, asked.screen, asked.places
    name = (places.root / "etc/hostname").read_text("utf-8").strip() if options.keep_name else ""
    address = f"{name or role.name}.local:{options.port}"
    if role is system.HALL:
        screen.tell(
            "The hall is at {address}; its Tables page has a code for each table. To see the PIN, "
            "run: sudo cat {file}",
            address=address,
            file=places.data / "hall" / "hall-pin",
        )
    else:
        screen.tell(
            "On a phone, open {address}. To see the PIN, run: sudo cat {file}",
            address=address,
            file=places.data / "table" / "phone.pin",
        )


def roll_back(options: Namespace, screen: TerminalScreen, run: system.Run = system.run) -> int:
    """Go back to the version before; once more is forward again."""
    places = _places(options)
    asked = _Asked(options, screen, run, places)
    with _told(), alone(places):
        had, earlier = releases.in_use(places), releases.before(places)
        if earlier is None:
            raise CompanionError("There is no version to go back to.")
        _demand_quiet(options, places)
        role = system.installed_role(places) or system.TABLE
        with signals.postponed():
            releases.switch(places, earlier)
            write_files(places, earlier, role)
            if not system.start(places, run, role, anew=True):
                return _go_back(asked, role, had, earlier)
    screen.tell("Rappelwacht {release} is used now.", release=earlier)
    return 0


def uninstall(options: Namespace, screen: TerminalScreen, run: system.Run = system.run) -> int:
    """Remove all but what people wrote and played; with --purge that, too."""
    places = _places(options)
    with _told(), alone(places):
        return _uninstall(options, places, screen, run)


def _uninstall(options: Namespace, places: Places, screen: TerminalScreen, run: system.Run) -> int:
    left = [places.opt, *([places.settings, places.data] if options.purge else [])]
    if not any(map(os.path.lexists, left)):
        raise CompanionError("Rappelwacht is not installed here.")
    _demand_quiet(options, places)
    with signals.postponed():
        _take_out(places, run)
    if options.purge:
        _remove(places.settings)
        _remove(places.data)
        system.remove_user(places, run)
        screen.tell("Rappelwacht is gone, with everything that was played.")
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
    if (role := system.installed_role(places)) is not None:
        system.stop(places, run, role)
    for place in [place for role in system.ROLES for place in role.files.values()]:
        (places.root / place).unlink(missing_ok=True)
    places.hotspot.unlink(missing_ok=True)
    (places.settings / own_wifi.BY_ITSELF).unlink(missing_ok=True)
    if places.boot_config is not None:
        system.remove_block(places.boot_config)
    system.give_name_back(places, run)
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
        raise CompanionError("{folder} is not a folder; name one.", folder=options.root) from None
    if places.real and os.geteuid() != 0:
        raise CompanionError(
            "Only root may do that; run: sudo {program} {command}",
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
            "{file} cannot be changed: {reason}. Put that right, then run the same command "
            "again; what is already done stays done.",
            file=error.filename2 or error.filename or "?",
            reason=error.strerror or "?",
        ) from None


def _demand_quiet(options: Namespace, places: Places) -> None:
    """Raise in the middle of a match, unless somebody insists."""
    if options.anyway:
        return
    try:
        match_guard.demand_none(places.data / "table", options.port)
    except CompanionError as why:
        raise CompanionError("{reason} To insist, add --anyway.", reason=why) from None


def _go_back(asked: _Asked, role: system.Role, had: str | None, earlier: str | None) -> int:
    """Use again what was used, because what was switched to does not start."""
    places, screen = asked.places, asked.screen
    fault = CompanionError(
        "This version does not start; see why with: journalctl -u {service}",
        service=role.service.removesuffix(".service"),
    )
    code = screen.complain(FAILED, fault)
    if had == releases.in_use(places) and earlier is not None:
        screen.tell(
            "The previous version is still there; go back to it with: rappelwacht roll-back"
        )
    elif had is not None and had != releases.in_use(places):
        use_again(places, role, had, earlier, asked.run)
        screen.tell("Rappelwacht {release} is used now.", release=had)
    return code


def use_again(
    places: Places, role: system.Role, had: str, earlier: str | None, run: system.Run
) -> bool:
    """Use what was used before something else was switched to; return whether it starts."""
    releases.restore(places, had, earlier)
    write_files(places, had, role)
    started = system.start(places, run, role, anew=True)
    releases.clear(places)
    return started


# --- files ------------------------------------------------------------------------------------


def write_files(places: Places, release: str, role: system.Role) -> None:
    """Write the system's files as a version brings them."""
    for name, place in role.files.items():
        source = places.releases / release / SERVICE / name
        if source.exists():
            text = source.read_text("utf-8")
            system.write(places.root / place, text, 0o755 if name in PROGRAMS else 0o644)
        else:  # an earlier version did without
            (places.root / place).unlink(missing_ok=True)
    (places.root / SHARED).unlink(missing_ok=True)


def _switch_on_i2c(places: Places) -> bool:
    """Switch on the I2C bus, and make it fast; return whether the Pi must restart for it."""
    return places.boot_config is not None and system.write_block(places.boot_config, I2C)


def _offer_hotspot(asked: _Asked) -> None:
    """Prepare a Wi-Fi of the table's own; with --hotspot it opens by itself, and is told of."""
    places, opens = asked.places, asked.options.hotspot
    own_wifi.provide(places, by_itself=opens)
    answers = not places.live or asked.run(["nmcli", "connection", "reload"]) == 0
    if not opens:
        return
    if not answers:
        places.hotspot.unlink()
        raise CompanionError(
            "NetworkManager does not answer, and the Pi needs it to open its own Wi-Fi; install "
            "it with: sudo apt-get install network-manager"
        )
    name, password = own_wifi.name_and_key(places.hotspot)
    asked.screen.tell(
        "Where it finds no network a minute after its start, the Pi opens its own Wi-Fi: {name}, "
        "with the password {password}.",
        name=name,
        password=password,
    )
