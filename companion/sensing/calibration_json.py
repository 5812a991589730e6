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
import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from enum import Enum
from hashlib import sha256
from math import hypot
from typing import Any, Final

from companion.sensing import settings, weighing
from companion.sensing.calibration import Calibration, StopperCalibration
from companion.system.codec import Codec
from companion.system.errors import Unreadable
from companion.system.safe_json import BadJson, JsonFault, load_json

FORMAT: Final = 2
NAME: Final = "rappelwacht-calibration"
OLD_DOUBT_MG: Final = 500.0  # what a foot weighs at a hand's tilt, in format 1
LEAST_SD_MG, LEAST_SHOWN = 1e-3, 0.1  # nothing is surer, and no cell shows less
NODE: Final = re.compile("[0-9a-fA-F]{12}")
CODEC: Final = Codec(largest=1 << 31)


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
    try:
        calibration = CODEC.read(Calibration, body, "calibration", exact=False)
    except Unreadable:
        return Unusable.WRONG
    if body[NAME] < FORMAT:
        old = tuple(map(_from_format_1, calibration.stoppers))
        calibration = replace(calibration, stoppers=old)
    return calibration if _fits(calibration) else Unusable.WRONG


def _check(body: Mapping[str, Any]) -> str:
    return sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:16]


def _fits(calibration: Calibration) -> bool:
    """Tell whether it can be so: no two stoppers are the same, nor hold the same number."""
    kept = calibration.stoppers
    barrels = [stopper.barrel for stopper in kept if stopper.barrel is not None]
    numbers = {stopper.stopper for stopper in kept}
    each_once = len({stopper.node for stopper in kept}) == len(numbers) == len(kept)
    each_once = each_once and len(set(barrels)) == len(barrels)
    known = numbers.union(barrels) <= {*range(1, settings.BARRELS + 1)}
    stone_mg = calibration.stone_mg or 0.0
    return each_once and known and stone_mg >= 0.0 and all(map(_is_possible, kept))


def _is_possible(kept: StopperCalibration) -> bool:
    gain, loaded = kept.gain, kept.gain.loaded if kept.gain else None
    weighed = all(
        mass.sd_mg >= LEAST_SD_MG and mass.times >= 1 and mass.squares >= 0.0
        for mass in (kept.empty, kept.whole, loaded)
        if mass is not None
    )
    shown = gain is None or (
        gain.shows >= LEAST_SHOWN and gain.doubt >= 0.0 and gain.known_mg >= 1.0
    )
    return bool(NODE.fullmatch(kept.node)) and 0.0 <= kept.sure <= 1.0 and weighed and shown


def _from_format_1(kept: StopperCalibration) -> StopperCalibration:
    return replace(kept, gain=None, empty=_doubted(kept.empty), whole=_doubted(kept.whole))


def _doubted(mass: weighing.Mass | None) -> weighing.Mass | None:
    if mass is None:
        return None
    return replace(mass, sd_mg=hypot(mass.sd_mg, OLD_DOUBT_MG), squares=0.0)
