"""Writes a calibration as JSON and reads it back, or says why it cannot be used.

    {"rappelwacht-calibration": 2,      the version of this format; a greater one is not read
     "saved": "2026-11-21T20:15:00Z",   by the host's clock, for people to choose by
     "stone_mg": 372.1,                 mean of a stone, or null
     "stoppers": [
       {"stopper": 1,                   the host's number for it, 1 to 13
        "node": "7cdfa1000001",         the radio's address, which is what it is known by
        "empty": {"mg": 22013.2, "sd_mg": 26.1, "times": 3, "squares": 1.7},    or null
        "gain": {"shows": 1.041,        what its cell shows of each gram
                 "doubt": 0.004,        σ of that, as a share
                 "known_mg": 33852.0,   the known mass that it was found with
                 "at": "2026-11-21T19:32:10Z", "temperature_cc": 2140,
                 "loaded": {"mg": …, "sd_mg": …, "times": 4, "squares": …}},    or null
        "barrel": 7,                    its number, 1 to 13, or null
        "sure": 0.9998,                 probability that this is right when it was enrolled
        "read": false,                  whether people have read the number
        "enrolled": "2026-11-21T20:14:02Z",                     or null
        "whole": {"mg": …, "sd_mg": …, "times": 1, "squares": 0.0},     with its stones, or null
        "zeros": [{"at": "…", "raw": 8123, "temperature_cc": 2140}, …]}],   kept; none is added
     "check": "9f86d081884c7d65"}       start of SHA-256 over all else, as this module writes it

In format 1 nothing was known of gains, nor that a lifted foot weighs: its weights come back with
so much doubt that they enrol nobody.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from enum import Enum
from hashlib import sha256
from math import hypot, isfinite
from typing import Any, Final

from companion.sensing import load_cell_faults, settings, weighing
from companion.sensing.calibration import Calibration, StopperCalibration, Zeroed
from companion.system.safe_json import BadJson, JsonFault, load_json

FORMAT: Final = 2
NAME: Final = "rappelwacht-calibration"
OLD_DOUBT_MG: Final = 500.0  # what a foot weighs at a hand's tilt, in format 1
LEAST_SD_MG, LEAST_SHOWN = 1e-3, 0.1  # nothing is surer, and no cell shows less


class Unusable(Enum):
    """Why a text is not a calibration, as a sentence."""

    TORN = "This calibration is damaged, perhaps by a power cut."
    FOREIGN = "This is not a calibration of Rappelwacht."
    NEWER = "This calibration was saved by a newer Rappelwacht: update this one to use it."
    WRONG = "This calibration holds impossible values, as if it had been edited by hand."


def write(calibration: Calibration) -> bytes:
    """Return it as JSON.

    >>> read(write(Calibration("2026-11-21T20:15:00Z")))
    Calibration(saved='2026-11-21T20:15:00Z', stoppers=(), stone_mg=None)
    """
    body = {
        NAME: FORMAT,
        "saved": calibration.saved,
        "stone_mg": calibration.stone_mg,
        "stoppers": [asdict(kept) for kept in calibration.stoppers],
    }
    text = json.dumps(body | {"check": _check(body)}, indent=1, allow_nan=False)
    return f"{text}\n".encode()


def read(data: bytes) -> Calibration | Unusable:
    """Return what was written, or why it cannot be used."""
    try:
        body = load_json(data)
    except BadJson as bad:
        return Unusable.WRONG if bad.fault is JsonFault.NUMBER else Unusable.TORN
    if not isinstance(body, dict) or type(body.get(NAME)) is not int:
        return Unusable.FOREIGN
    if body[NAME] > FORMAT:
        return Unusable.NEWER
    if body.pop("check", None) != _check(body):
        return Unusable.TORN
    kept = _kept if body[NAME] == FORMAT else _old_kept
    try:
        calibration = Calibration(
            _text(body["saved"]),
            tuple(kept(entry) for entry in body["stoppers"]),
            None if body["stone_mg"] is None else _figure(body["stone_mg"], least=0.0),
        )
    except (KeyError, TypeError, ValueError):
        return Unusable.WRONG
    return calibration if _fits(calibration) else Unusable.WRONG


def _check(body: Mapping[str, Any]) -> str:
    return sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:16]


def _fits(calibration: Calibration) -> bool:
    """Tell whether no two stoppers are the same, nor hold the same number."""
    barrels = [kept.barrel for kept in calibration.stoppers if kept.barrel is not None]
    nodes = {kept.node for kept in calibration.stoppers}
    numbers = {kept.stopper for kept in calibration.stoppers}
    each_once = len(nodes) == len(numbers) == len(calibration.stoppers)
    return each_once and len(set(barrels)) == len(barrels)


def _kept(entry: Mapping[str, Any]) -> StopperCalibration:
    node = _text(entry["node"])
    if len(bytes.fromhex(node)) != 6:
        raise ValueError(node)
    if type(entry["read"]) is not bool:
        raise TypeError(entry["read"])
    return StopperCalibration(
        _whole(entry["stopper"], 1, settings.BARRELS),
        node,
        _mass(entry["empty"]),
        None if entry["barrel"] is None else _whole(entry["barrel"], 1, settings.BARRELS),
        _figure(entry["sure"], least=0.0, most=1.0),
        entry["read"],
        None if entry["enrolled"] is None else _text(entry["enrolled"]),
        _mass(entry["whole"]),
        tuple(
            Zeroed(_text(zero["at"]), _whole(zero["raw"]), _whole(zero["temperature_cc"]))
            for zero in entry["zeros"]
        ),
        _gain(entry["gain"]),
    )


def _old_kept(entry: Mapping[str, Any]) -> StopperCalibration:
    """Return what format 1 kept of a stopper."""

    def doubted(mass: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        if mass is None:
            return None
        return {**mass, "sd_mg": hypot(_figure(mass["sd_mg"]), OLD_DOUBT_MG), "squares": 0.0}

    known = {
        **entry,
        "gain": None,
        "empty": doubted(entry["empty"]),
        "whole": doubted(entry["whole"]),
    }
    return _kept(known)


def _mass(fields: Mapping[str, Any] | None) -> weighing.Mass | None:
    if fields is None:
        return None
    return weighing.Mass(
        _figure(fields["mg"]),
        _figure(fields["sd_mg"], least=LEAST_SD_MG),
        _whole(fields["times"], 1),
        _figure(fields["squares"], least=0.0),
    )


def _gain(fields: Mapping[str, Any] | None) -> load_cell_faults.Gain | None:
    if fields is None:
        return None
    return load_cell_faults.Gain(
        _figure(fields["shows"], least=LEAST_SHOWN),
        _figure(fields["doubt"], least=0.0),
        _figure(fields["known_mg"], least=1.0),
        _text(fields["at"]),
        _whole(fields["temperature_cc"]),
        _mass(fields["loaded"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _whole(value: object, least: int = -(1 << 31), most: int = 1 << 31) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(value)
    return value


def _figure(value: object, least: float = -1e9, most: float = 1e9) -> float:
    if type(value) not in (int, float) or not isinstance(value, int | float):
        raise TypeError(value)
    if not isfinite(value) or not least <= value <= most:
        raise ValueError(value)
    return float(value)
