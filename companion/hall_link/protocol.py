"""The version of the protocol between halls and tables, and whether two of them fit together.

Of `1.4` the four counts up when a part is added that others may leave unread; the one when that
would not do. What says it is read in every version: `online` of a table, `have` of a hall.

>>> fits("1.0"), fits("1.97"), fits("2.0"), fits("")
(True, True, False, True)
>>> is_older("0.9.2", "0.10.0"), is_older("0.10.0", "0.9.2"), is_older("bench", "0.9.2")
(True, False, None)
"""

from __future__ import annotations

import re
from typing import Final

PROTOCOL: Final = "1.1"  # tables and halls say it since 1.1
NUMBERED: Final = re.compile(r"\d{1,6}(?:\.\d{1,6}){1,3}")


def fits(protocol: str) -> bool:
    """Tell whether another's protocol is understood here; the first version did not name itself."""
    return protocol.partition(".")[0] in {"", PROTOCOL.partition(".")[0]}


def is_older(program: str, other: str) -> bool | None:
    """Tell whether a version of the program comes before another one; None: nobody knows."""
    if not NUMBERED.fullmatch(program) or not NUMBERED.fullmatch(other) or program == other:
        return None
    first, second = ([int(one) for one in words.split(".")] for words in (program, other))
    return first < second
