"""Files of the system: written whole or not at all, and blocks of ours in files of others.

Everything may be done again, and then changes nothing.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion import private_files

BEGIN, END = "# rappelwacht: begin", "# rappelwacht: end"
BLOCK: Final = re.compile(rf"^{BEGIN}\n.*?^{END}\n", re.DOTALL | re.MULTILINE)


def write(path: Path, text: str, mode: int = 0o644) -> bool:
    """Have a file say this; return whether it said something else before."""
    with suppress(OSError, UnicodeDecodeError):
        if path.read_text("utf-8") == text and path.stat().st_mode & 0o7777 == mode:
            return False
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        private_files.write(path, text.encode(), mode)
    except OSError as error:  # such as a full disk, which has no name for the file
        raise OSError(error.errno, error.strerror, str(path)) from None
    return True


def write_block(path: Path, lines: str) -> bool:
    """Have a block of ours at the end of a file; return whether that changed it."""
    before = path.read_text("utf-8") if path.exists() else ""
    others = BLOCK.sub("", before)
    if others and not others.endswith("\n"):
        others += "\n"
    return write(path, f"{others}{BEGIN}\n{lines}\n{END}\n", _mode(path))


def remove_block(path: Path) -> None:
    """Take our block out of a file again."""
    if path.exists():
        write(path, BLOCK.sub("", path.read_text("utf-8")), _mode(path))


def _mode(path: Path) -> int:
    """Return the mode that a file keeps: a card's FAT knows only its own."""
    return path.stat().st_mode & 0o7777 if path.exists() else 0o644
