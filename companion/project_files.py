"""Finds what the program needs beside its own package: firmware, service files, the lock file.

In a copy of the project they lie beside the package. A wheel carries them inside it, as
pyproject.toml says, because nothing of ours may lie loose among other people's packages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parent
CARRIED: Final = "project"  # the folder of the package that only a wheel has


def project_file(name: str) -> Path:
    """Return where a file or folder of the project is, by its name in a copy of the project.

    >>> project_file("companion") == PACKAGE
    True
    """
    carried = PACKAGE / CARRIED / name
    return carried if carried.exists() else PACKAGE.parent / name
