"""The pins of a Pi's header are found by the name of their chip, whatever its number is."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.devices import gpio
from companion.devices.gpio import Pins
from companion.i18n.translate import say
from companion.maintenance.checks import stoppers
from companion.maintenance.checks.result import translated
from companion.system.status import Condition, Status

PI_5_OLD = {0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1", 10: "raspberrypi-exp-gpio"}
PI_5 = {0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500", 11: "gpio-brcmstb@107d517c00"}
PI_4 = {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}
ZERO_2 = {0: "raspberrypi-exp-gpio", 1: "pinctrl-bcm2835"}


def chips(
    monkeypatch: pytest.MonkeyPatch, folder: Path, labels: dict[int, str], locked: int = -1
) -> None:
    """Let these be the chips of the kernel."""

    def opened(number: int) -> int:
        if number == locked:
            raise OSError("can not open gpiochip")
        return 100 + number

    for number in labels:
        (folder / f"gpiochip{number}").touch()
    module = SimpleNamespace(
        gpiochip_open=opened,
        gpiochip_close=lambda _: None,
        gpio_get_chip_info=lambda handle: [0, 54, f"gpiochip{handle - 100}", labels[handle - 100]],
    )
    monkeypatch.setitem(sys.modules, "lgpio", module)
    monkeypatch.setattr(gpio, "DEVICES", folder)


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        (PI_5_OLD, (4, "pinctrl-rp1")),
        (PI_5, (0, "pinctrl-rp1")),
        (PI_4, (0, "pinctrl-bcm2711")),
        (ZERO_2, (1, "pinctrl-bcm2835")),
        ({0: "hid-cp2112"}, None),
    ],
)
def test_the_header_is_found_by_its_name(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    labels: dict[int, str],
    found: tuple[int, str] | None,
) -> None:
    chips(monkeypatch, tmp_path, labels)
    assert gpio.header() == found


def test_a_chip_nobody_may_open_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chips(monkeypatch, tmp_path, PI_5, locked=10)
    assert gpio.header() == (0, "pinctrl-rp1")
    assert gpio.chip_name(Pins(SimpleNamespace(chip=0))) == "gpiochip0 (pinctrl-rp1)"
    assert gpio.chip_name(Pins(SimpleNamespace())) is None


def test_the_doctor_says_which_chip_it_is() -> None:
    class Part(Status):
        WORKS = "It works."

        @property
        def fine(self) -> bool:
            return True

    (one,) = stoppers.judge_parts([Condition(Part.WORKS, 0, {"pin": 4})], "gpiochip0 (pinctrl-rp1)")
    assert "1, on gpiochip0 (pinctrl-rp1)" in translated(one, say).told
