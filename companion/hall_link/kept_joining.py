"""What a table keeps of the hall that it joined by a code: a file of its own, for its owner alone.

It must not know how a hall is reached: a table is installed by these words before anything else is.
"""

from __future__ import annotations

import ssl
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.hall_link.join_code import Joining, is_sound
from companion.small_files import SmallFile, object_in, to_json

FILE: Final = "hall.json"


def _packed(joining: Joining | None) -> bytes:
    assert joining is not None
    said = {
        "host": joining.host,
        "port": joining.port,
        "table": joining.table,
        "secret": joining.secret,
        "authority": joining.authority and ssl.DER_cert_to_PEM_cert(joining.authority),
    }
    return to_json(said)


def _unpacked(data: bytes) -> Joining | None:
    said: dict[str, Any] = object_in(data)
    authority = said["authority"] and ssl.PEM_cert_to_DER_cert(said["authority"])
    found = Joining(said["host"], said["port"], said["table"], said["secret"], authority)
    if not is_sound(found):
        raise ValueError("no table joined such a hall")
    return found


HALL_FILE: Final[SmallFile[Joining | None]] = SmallFile(FILE, _packed, _unpacked, 20_000)


def keep(folder: Path, joining: Joining) -> None:
    """Belong to a hall from now on; CompanionError, OSError: that cannot be written."""
    HALL_FILE.save(folder, joining)


def leave(folder: Path) -> bool:
    """Leave the hall; return whether it belonged to one."""
    with suppress(FileNotFoundError):
        (folder / FILE).unlink()
        return True
    return False
