"""Checks the computer: Python, the user's groups, the I2C bus, firmware, voice, its health."""

import grp
import os
import pwd
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.maintenance import health
from companion.maintenance.checks.result import CheckResult, check_result
from companion.maintenance.stopper_status import shipped_version
from companion.system import config, format_names, status

SYSTEM: Final = Path("/")
NEEDED: Final = (3, 11)
CLOCK: Final = "sys/class/i2c-adapter/i2c-{bus}/of_node/clock-frequency"  # 32 bits, big-endian
FAST_KHZ: Final = 350  # a bus that was set to 400 is a little slower on some models
CHECKS: Final = ("disk", "clock", "voltage", "warmth")  # as `health.conditions` orders them


@format_names.format_name("Python")
class Python(status.Status):
    GOOD = status.Fine("Python {version} is new enough.")
    OLD = "Python {version} is too old; install Debian 12 or newer, which has 3.11."


@format_names.format_name("Groups")
class Groups(status.Status):
    """Whether the user may use what is wired."""

    ALL = status.Fine("The user {user} may use everything that is wired.")
    MISSING = (
        "The user {user} is not in {groups:#the group|the groups} {groups:and}; run: sudo "
        "usermod -aG {words} {user} – and then log in again."
    )
    LATER = (
        "The user {user} joined {groups:#the group|the groups} {groups:and} after logging in; "
        "log in again."
    )
    ABSENT = (
        "There is no group {groups:and} on this computer; run: sudo groupadd --system {first} – "
        "and then run the doctor again."
    )


@format_names.format_name("BusSpeed")
class BusSpeed(status.Status):
    """How fast the I2C bus is."""

    FAST = status.Fine("The I2C bus {bus} runs at {khz} kHz.")
    SLOW = (
        "The I2C bus {bus} runs at only {khz} kHz, which makes the lights jerky; write "
        "dtparam=i2c_arm_baudrate=400000 into /boot/firmware/config.txt and restart the Pi."
    )
    UNKNOWN = status.Fine("This computer does not say how fast the I2C bus {bus} runs.")


@dataclass(frozen=True, slots=True)
class UserGroups:
    """Whose this process is, and what that user may do."""

    user: str
    root: bool
    now: frozenset[str]  # the groups of this process
    listed: frozenset[str]  # the groups that the user has after the next login
    known: frozenset[str]  # all groups that there are


def wanted_groups(wiring: config.TableWiring) -> tuple[str, ...]:
    """Return the groups without which a part cannot be used.

    >>> wanted_groups(config.TableWiring(hub=config.Hub()))
    ('dialout',)
    """
    wanted = {"dialout": wiring.hub, "gpio": any(wiring.pins()), "i2c": wiring.light_board}
    return tuple(group for group, part in wanted.items() if part)


def groups_here() -> UserGroups:
    user = pwd.getpwuid(os.geteuid())
    names = {group.gr_gid: group.gr_name for group in grp.getgrall()}
    now = {names.get(number, "") for number in (*os.getgroups(), os.getegid())}
    listed = {group.gr_name for group in grp.getgrall() if user.pw_name in group.gr_mem}
    return UserGroups(
        user.pw_name,
        user.pw_uid == 0,
        frozenset(now),
        frozenset(listed | {names.get(user.pw_gid, "")}),
        frozenset(names.values()),
    )


def check_computer(wiring: config.TableWiring, folder: Path) -> Iterator[CheckResult]:
    """Look at this computer, on whose disk the folder of a table is."""
    yield check_python(sys.version_info[:3])
    yield check_groups(wanted_groups(wiring), groups_here())
    if wiring.light_board is not None:
        yield check_bus(wiring.light_board.bus)
    yield from map(CheckResult, CHECKS, health.conditions(folder))


def check_python(version: tuple[int, ...]) -> CheckResult:
    state = Python.OLD if version < NEEDED else Python.GOOD
    return check_result("python", state, version=".".join(map(str, version)))


def check_groups(wanted: Sequence[str], its: UserGroups) -> CheckResult:
    """Judge the groups; root may do all."""
    missing = tuple(group for group in wanted if group not in its.now)
    if its.root or not missing:
        return check_result("groups", Groups.ALL, user=its.user)
    absent = tuple(group for group in missing if group not in its.known)
    if absent:
        return check_result("groups", Groups.ABSENT, groups=absent, first=absent[0])
    unlisted = tuple(group for group in missing if group not in its.listed)
    if not unlisted:
        return check_result("groups", Groups.LATER, user=its.user, groups=missing)
    values = {"user": its.user, "groups": unlisted, "words": ",".join(unlisted)}
    return check_result("groups", Groups.MISSING, **values)


def check_bus(bus: int, system: Path = SYSTEM) -> CheckResult:
    """Judge how fast a bus was set to, if the kernel tells."""
    written = b""
    with suppress(OSError):
        written = (system / CLOCK.format(bus=bus)).read_bytes()
    if len(written) != 4:
        return check_result("i2c-speed", BusSpeed.UNKNOWN, bus=bus)
    khz = int.from_bytes(written, "big") // 1000
    state = BusSpeed.FAST if khz >= FAST_KHZ else BusSpeed.SLOW
    return check_result("i2c-speed", state, bus=bus, khz=khz)


@format_names.format_name("Firmware")
class FirmwareCheck(status.Status):
    """Whether the boards run what came with this program."""

    NEWEST = status.Fine("Every stopper that was heard runs the newest firmware, {version}.")
    STOPPERS_OLD = (
        "{stoppers:#Stopper|Stoppers} {stoppers:and} {stoppers:#does|do} not run firmware "
        "{version}, which came with this program; update {stoppers:#it|them} by radio, in the "
        "workshop or by: {program} update"
    )
    HUB_OLD = (
        "The hub runs firmware {found}, and {version} came with this program; run: {program} "
        "flash hub"
    )
    UNKNOWN = status.Fine("No board has said yet which firmware it runs.")


def judge_firmware(stoppers: Mapping[int, str], hub: str | None = None) -> tuple[CheckResult, ...]:
    """Return what is to be said of the versions that boards told."""
    ours, hubs = shipped_version("stopper"), shipped_version("hub")
    if ours is None or hubs is None or not (stoppers or hub is not None):
        return (check_result("firmware", FirmwareCheck.UNKNOWN),)
    faults = []
    others = tuple(sorted(number for number, version in stoppers.items() if version != ours))
    if others:
        faults.append(
            check_result("firmware", FirmwareCheck.STOPPERS_OLD, stoppers=others, version=ours)
        )
    if hub is not None and hub != hubs:
        faults.append(check_result("firmware", FirmwareCheck.HUB_OLD, found=hub, version=hubs))
    return tuple(faults) or (check_result("firmware", FirmwareCheck.NEWEST, version=ours),)


TRY_S = 15.0  # it says one sentence


@format_names.format_name("Voice")
class VoiceCheck(status.Status):
    SPEAKS = status.Fine("The table speaks: it has just said so through its loudspeaker.")
    MISSING = "The table cannot speak; run: sudo apt-get install espeak-ng"
    UNSPOKEN = (
        "The table cannot speak in the language {language}; write another under [voice] in the "
        "configuration."
    )
    UNHEARD = (
        "The table speaks, but nobody can hear it ({reason}); connect a loudspeaker, and test it "
        "with: speaker-test -t wav"
    )
    HANGS = "The table's voice is stuck; restart the Pi, and test it with: speaker-test -t wav"


def judge_voice(command: Sequence[str], language: str, sentence: str) -> CheckResult:
    """Have it say a sentence, and return how that went."""
    try:
        done = subprocess.run(  # noqa: S603 - words, and no shell
            command, input=f"{sentence}\n".encode(), capture_output=True, timeout=TRY_S, check=False
        )
    except OSError:
        return check_result("voice", VoiceCheck.MISSING)
    except subprocess.TimeoutExpired:
        return check_result("voice", VoiceCheck.HANGS)
    if done.returncode != 0:
        return check_result("voice", VoiceCheck.UNSPOKEN, language=language)
    complaints = done.stderr.decode("utf-8", "replace").splitlines()
    failed = [line for line in complaints if line.startswith("error")]  # it goes on all the same
    if failed:
        return check_result(
            "voice", VoiceCheck.UNHEARD, reason=failed[-1].partition(":")[2].strip()
        )
    return check_result("voice", VoiceCheck.SPEAKS)
