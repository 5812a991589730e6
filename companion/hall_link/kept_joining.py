"""What a table keeps of the hall that it joined by a code: a file of its own, for its owner alone.

It must not know how a hall is reached: a table is installed by these words before anything else is.
"""

from __future__ import annotations

import json
import ssl
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion import private_files
from companion.errors import CompanionError
from companion.hall_link.join_code import Joining
from companion.hall_link.topics import is_name

FILE: Final = "hall.json"
MOST_BYTES: Final = 20_000


def keep(folder: Path, joining: Joining) -> None:
    """Belong to a hall from now on."""
    said = {
        "host": joining.host,
        "port": joining.port,
        "table": joining.table,
        "secret": joining.secret,
        "authority": joining.authority and ssl.DER_cert_to_PEM_cert(joining.authority),
    }
    private_files.write(folder / FILE, json.dumps(said).encode())


def kept(folder: Path) -> Joining | None:
    """Return what is kept; None: the table joined no hall. CompanionError: it cannot be read."""
    try:
        said: dict[str, Any] = json.loads(private_files.read(folder / FILE, MOST_BYTES))
        authority = said["authority"] and ssl.PEM_cert_to_DER_cert(said["authority"])
        host, port = str(said["host"]), int(said["port"])
        found = Joining(host, port, str(said["table"]), str(said["secret"]), authority)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise _unread(folder) from None
    if not is_name(found.table):
        raise _unread(folder)
    return found


def leave(folder: Path) -> bool:
    """Leave the hall; return whether it belonged to one."""
    with suppress(FileNotFoundError):
        (folder / FILE).unlink()
        return True
    return False


def _unread(folder: Path) -> CompanionError:
    return CompanionError(
        "{file} cannot be read; join the hall again with its code.", file=folder / FILE
    )
