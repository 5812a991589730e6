"""The same circuits before a second judge: the electrical rules check of SKiDL.

Its packages have no wheels for 32 bits, so there it is skipped.
"""

import warnings
from pathlib import Path
from typing import Any

import pytest

from hardware.tests import plan, ways
from hardware.tests.plan import Does, Leg
from hardware.tests.test_netlist import rewired

PLAN = plan.load()
KINDS = {
    Does.GIVES: "PWROUT",
    Does.TAKES: "PWRIN",
    Does.GROUND: "PWRIN",
    Does.PASSIVE: "PASSIVE",
    Does.OUT: "OUTPUT",
    Does.IN: "INPUT",
    Does.SENSES: "PASSIVE",
    Does.SDA: "BIDIR",
    Does.SCL: "BIDIR",
    Does.SINK: "OPENCOLL",
    Does.FREE: "NOCONNECT",
    Does.STRAP: "INPUT",
    Does.ENABLE: "INPUT",
    Does.DRAIN: "OPENCOLL",
    Does.CHARGES: "PASSIVE",
    Does.PROGRAMS: "PASSIVE",
    Does.CC: "PASSIVE",
    Does.CLAMP: "PASSIVE",
}


@pytest.fixture
def skidl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)  # it writes its findings where it runs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of its own and of what it imports
        return pytest.importorskip("skidl", reason="SKiDL is not for 32 bits")


def findings(skidl: Any, circuit: plan.Circuit) -> tuple[int, int]:
    """Return how many errors and warnings SKiDL finds in a circuit."""
    judged, pins = skidl.Circuit(), dict[Leg, Any]()
    for name, part in circuit.parts.items():
        made = [
            skidl.Pin(num=str(n), name=pin, func=getattr(skidl.pin.pin_types, KINDS[role.does]))
            for n, (pin, role) in enumerate(part.pins.items())
        ]
        kind = skidl.Part(name=part.kind, tool=skidl.SKIDL, dest=skidl.TEMPLATE, pins=made)
        placed = kind(circuit=judged)
        placed.ref = name
        pins |= {Leg(name, pin): at for pin, at in zip(part.pins, placed.pins, strict=True)}
    for name, legs in circuit.nets.items():
        net = skidl.Net(name, circuit=judged)
        net += [pins[leg] for leg in legs]
        if ways.grounded(circuit, name) or ways.given(circuit, name):
            net.drive = skidl.POWER  # ground, or what comes through a fuse or diode
    for leg, pin in pins.items():
        pin.do_erc = circuit.role(leg).does is not Does.FREE
    errors, warned = skidl.erc_logger.error.count, skidl.erc_logger.warning.count
    judged.ERC()
    return skidl.erc_logger.error.count - errors, skidl.erc_logger.warning.count - warned


@pytest.mark.slow
@pytest.mark.parametrize("name", list(PLAN.circuits))
def test_skidl_finds_nothing_wrong(skidl: Any, name: str) -> None:
    assert findings(skidl, PLAN.circuits[name]) == (0, 0)


@pytest.mark.slow
def test_skidl_would_find_two_outputs_on_one_wire(skidl: Any) -> None:
    broken = rewired(PLAN.circuits["breadboard"], INT1="U1.moved U2.INT1 U1.led", LAMP="R3.1")
    errors, _ = findings(skidl, broken)
    assert errors
