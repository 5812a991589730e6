"""The points of an evidence chart as a short text: a finding is told again and again, all of it.

    n-280,3,38 20,0,2 0,-2 s1,5

Each point says how it differs from the one before: in milliseconds, degrees and permille; without
the first of them time goes on as before. s: it stands, n: not, u: nobody knows; without such a
letter, as before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

STANDS: Final = {"s": True, "n": False, "u": None}
LETTERS: Final = {stands: letter for letter, stands in STANDS.items()}
NUMBER: Final = r"-?[0-9]{1,9}"
WRITTEN: Final = re.compile(rf"([snu]?)(?:({NUMBER}),)?({NUMBER}),({NUMBER})")
MOST: Final = 10_000  # points; a chart has some hundred


Points = Iterable[Mapping[str, Any]]  # as JSON has them


def written(points: Points) -> str:
    """Return points as text.

    >>> first = {"at_ms": -280, "tilt_deg": 3, "deviation_permille": 38, "stands": False}
    >>> written((first, first | {"at_ms": -260}, first | {"at_ms": -240, "stands": True}))
    'n-280,3,38 20,0,0 s0,0'
    """
    return " ".join(_written(points))


def _written(points: Points) -> Iterator[str]:
    before, step, letter = (0, 0, 0), None, ""
    for point in points:
        now = point["at_ms"], point["tilt_deg"], point["deviation_permille"]
        more = [new - old for new, old in zip(now, before, strict=True)]
        stands = LETTERS[point["stands"]]
        told = more[more[0] == step :]  # without the time, where it goes on as before
        yield ("" if stands == letter else stands) + ",".join(map(str, told))
        before, step, letter = now, more[0], stands


def read(text: str) -> list[dict[str, Any]]:
    """Return the points of a text, as JSON has them; ValueError if there are none in it.

    >>> read("n-280,3,38 20,0,2")[1]
    {'at_ms': -260, 'tilt_deg': 3, 'deviation_permille': 40, 'stands': False}
    """
    found: list[dict[str, Any]] = []
    at_ms = step = tilt = deviation = 0
    letter = ""
    for word in text.split(" ", MOST):
        point = WRITTEN.fullmatch(word)
        if point is None or not (letter := point[1] or letter):
            raise ValueError(f"{word[:40]!r} is not a point")
        step = int(point[2] or step)
        at_ms, tilt, deviation = at_ms + step, tilt + int(point[3]), deviation + int(point[4])
        numbers = {"at_ms": at_ms, "tilt_deg": tilt, "deviation_permille": deviation}
        found.append(numbers | {"stands": STANDS[letter]})
    return found
