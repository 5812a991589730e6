"""The real thing, with --full: a Debian kernel, its own I2C and pins, and systemd with our unit.

QEMU starts it in software. In it, a CP2112 that is software is plugged in at /dev/uhid; from there
up, through hid-cp2112, /dev/i2c-0, /dev/gpiochip0, smbus2, lgpio and gpiozero, all is real.
"""

import platform
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from companion.devices.light_board import CONFIG, RUNNING, LightBoardState, Rgb
from companion.web.common.server import USUAL_PORT
from hardware.kernel.image import More, image
from hardware.kernel.machine import QEMU, Machine
from hardware.kernel.packages import Unavailable
from hardware.kernel.parts import PICTURE
from tests.programs import need

PYTHON = "/opt/rappelwacht/current/venv/bin/python"
PAIR = f"http://127.0.0.1:{USUAL_PORT}/api/pair"
PAD, BUTTON, LIGHT = 2, 3, 4  # of red, in table.toml
LIT = str(LightBoardState.LIT.value)
# Through a CP2112 the kernel cannot tell a chip that is gone from a line that is held down: both
# come as ETIMEDOUT. (A Pi's own bus says EREMOTEIO, and the driver: check its cable.)
GONE = LightBoardState.STUCK.template.format(bus=0)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with booted(tmp_path) as computer:
        yield computer


@contextmanager
def booted(folder: Path, more: More | None = None, disk: Path | None = None) -> Iterator[Machine]:
    """Have a computer that is switched on, or skip the test."""
    if platform.machine() != "x86_64":
        pytest.skip("the guest is a PC, and so must this computer be")
    need(QEMU)
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        pytest.skip("needs a Debian, of whose packages the guest is made")
    try:
        made = image(folder, more)
    except Unavailable as reason:
        pytest.skip(f"no Debian can be had here: {reason}")
    with Machine(made, folder / "console.txt", disk) as computer:
        yield computer


@pytest.mark.slow  # it boots a Debian in software
def test_parts_and_service_on_a_real_kernel(machine: Machine) -> None:
    the_devices_belong_to_the_groups_of_the_service(machine)
    the_parts_start(machine)
    a_picture_is_in_the_registers(machine)
    switches_and_lights_work(machine)
    a_chip_that_is_gone_is_told_of_and_lit_again(machine)
    code, _ = machine.ask("stop")
    assert code == 0
    assert dark(machine)

    the_service_starts(machine)
    a_press_of_a_button_lets_a_phone_in(machine)
    it_starts_again_when_it_was_killed(machine)
    it_stops_and_leaves_all_dark(machine)


def the_devices_belong_to_the_groups_of_the_service(machine: Machine) -> None:
    """By the rules of udev that `./run install` lays down."""
    for path, group in (("/dev/i2c-0", "i2c"), ("/dev/gpiochip0", "gpio")):
        machine.until(partial(given_to, machine, path, group), f"{path} is not given to {group}")


def the_parts_start(machine: Machine) -> None:
    """As the user of the service."""
    machine.ask("start", PYTHON, "-P", "-m", "hardware.kernel.parts")


def a_picture_is_in_the_registers(machine: Machine) -> None:
    machine.hears(LIT)
    assert machine.heard.count("The button of red on GPIO 3 works.") == 1
    assert picture(machine) == PICTURE
    assert not dark(machine)
    assert machine.ask("look", "strays") == []


def switches_and_lights_work(machine: Machine) -> None:
    assert not lit(machine)
    machine.ask("close", PAD)
    machine.hears("red: a barrel")
    machine.ask("open", PAD)
    machine.hears("red: no barrel")
    machine.ask("close", BUTTON)
    machine.hears("red: long press")  # told while it is held
    machine.ask("open", BUTTON)
    machine.until(lambda: lit(machine), "the light of red stays dark")


def a_chip_that_is_gone_is_told_of_and_lit_again(machine: Machine) -> None:
    machine.ask("unplug")
    machine.hears(GONE)
    machine.ask("plug")
    machine.hears(LIT)
    assert picture(machine) == PICTURE


def the_service_starts(machine: Machine) -> None:
    machine.run("systemctl", "enable", "--now", "rappelwacht")  # comes back when it says READY
    assert state(machine) == {"ActiveState": "active", "NRestarts": "0", "Result": "success"}
    machine.until(lambda: not dark(machine), "the board stays dark")


def a_press_of_a_button_lets_a_phone_in(machine: Machine) -> None:
    assert machine.ask("call", PAIR, {"seat": "red"})["role"] is None
    machine.ask("close", BUTTON)
    machine.until(lambda: machine.ask("call", PAIR)["role"] == "red", "it lets nobody in")
    machine.ask("open", BUTTON)


def it_starts_again_when_it_was_killed(machine: Machine) -> None:
    before, resets = main_pid(machine), machine.ask("look", "resets")
    machine.run("systemctl", "kill", "--signal=KILL", "--kill-whom=main", "rappelwacht")
    machine.until(lambda: machine.ask("look", "resets") > resets, "nobody sets the board up anew")
    again = {"ActiveState": "active", "NRestarts": "1", "Result": "success"}
    machine.until(lambda: state(machine) == again, "it does not say again that it is ready")
    assert main_pid(machine) not in (before, "0")
    assert not dark(machine)


def it_stops_and_leaves_all_dark(machine: Machine) -> None:
    machine.run("systemctl", "stop", "rappelwacht")
    assert state(machine)["ActiveState"] == "inactive"
    assert state(machine)["Result"] == "success"
    assert dark(machine)
    assert not lit(machine)
    assert "Traceback" not in machine.run("journalctl", "--no-pager", "--unit=rappelwacht")


def given_to(machine: Machine, path: str, group: str) -> bool:
    """Whether a device is there, and a group may use it."""
    if not machine.ask("exists", path):
        return False
    return machine.run("stat", "--format=%G %a", path).split() == [group, "660"]


def picture(machine: Machine) -> tuple[Rgb, ...]:
    """Return what the light board shows."""
    red_green_blue = machine.ask("look", "lights")
    return tuple((red, green, blue) for red, green, blue in red_green_blue)


def lit(machine: Machine) -> bool:
    """Whether the light of red shines."""
    driven, high = machine.ask("look", "outputs"), machine.ask("look", "levels")
    return bool(driven & high & 1 << LIGHT)


def dark(machine: Machine) -> bool:
    """Whether the light board does not run."""
    return bytes.fromhex(machine.ask("look", "registers"))[CONFIG] != RUNNING


def state(machine: Machine, unit: str = "rappelwacht") -> dict[str, str]:
    """Return how systemd says that a service is."""
    shown = machine.run("systemctl", "show", "--property=ActiveState,NRestarts,Result", unit)
    return dict(line.split("=") for line in shown.split())


def main_pid(machine: Machine) -> str:
    """Return the number of the service's process."""
    return machine.run("systemctl", "show", "--property=MainPID", "--value", "rappelwacht").strip()
