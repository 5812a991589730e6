"""Makes the Debian package: the folder of a card, and scripts that install from it.

Why wheels, and neither Debian's own packages nor an unpacked program: Debian 12 has paho-mqtt 1.6
and no openskill at all, and only what is locked is tested. One package does for three processors
and two versions of Python, because each takes the wheels that fit. What installs from it is what
also installs from a card, so updates, roll-back and removal are the same; and while dpkg unpacks,
the version that runs is left alone, which a power cut in the middle then finds whole.
"""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import textwrap
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.cli.install import system

SCRIPTS: Final = Path(__file__).parent / "debian"
RUN: Final = ("preinst", "postinst", "prerm", "postrm")
MAINTAINER: Final = "The Rappelwacht contributors <maintainers@rappelwacht.invalid>"
CHANGELOG: Final = f"""\
rappelwacht ({{version}}) stable; urgency=medium

{{news}}
 -- {MAINTAINER}  {{day}}
"""
COPYRIGHT: Final = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: *
Copyright: The Rappelwacht contributors
License: Expat
Comment: The wheels of others have their licences inside.

License: Expat
"""


def build(payload: Path, into: Path, version: str, news: str, made: int) -> Path:
    """Make the package of a card's folder, as if at a moment; return the file."""
    file = into / f"rappelwacht_{version}_all.deb"
    with TemporaryDirectory() as kept:
        root = Path(kept, "root")
        shutil.copytree(payload, root / "usr/lib/rappelwacht")
        doc = root / "usr/share/doc/rappelwacht"
        doc.mkdir(parents=True)
        changelog = CHANGELOG.format(
            version=version,
            news=_wrapped(news),
            day=format_datetime(datetime.fromtimestamp(made, UTC)),
        )
        (doc / "changelog.gz").write_bytes(gzip.compress(changelog.encode(), 9, mtime=0))
        (doc / "copyright").write_text(COPYRIGHT + _licence(), "utf-8")
        _describe(root, version)
        for path in sorted(root.rglob("*"), reverse=True):  # a folder after what lies in it
            runs = path.is_dir() or path.name in RUN or path.suffix == ".sh"
            path.chmod(0o755 if runs else 0o644)
            os.utime(path, (made, made))
        root.chmod(0o755)
        os.utime(root, (made, made))
        line = ["dpkg-deb", "--root-owner-group", "-Zgzip", "--build"]  # wheels are packed already
        env = os.environ | {"SOURCE_DATE_EPOCH": str(made)}
        words = [*line, str(root), str(file)]
        subprocess.run(words, env=env, stdout=subprocess.DEVNULL, check=True)
    return file


def _wrapped(news: str) -> str:
    r"""Return a changelog's part as Debian wants it: indented, and in short lines.

    >>> _wrapped("### New\n\n- One more\n  thing.\n")
    '  * New\n\n  - One more thing.\n'
    """
    items = re.split(r"\n(?=\n|- |### )", news.strip())
    lines = (
        textwrap.fill(
            " ".join(item.split()).replace("### ", "* "),
            78,
            initial_indent="  ",
            subsequent_indent="    ",
        )
        for item in items
    )
    return "\n".join(lines) + "\n"


def _describe(root: Path, version: str) -> None:
    """Write what dpkg wants to know of the files in a folder."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    told = root / "DEBIAN"
    told.mkdir()
    sums = (f"{_md5(path)}  {path.relative_to(root)}\n" for path in files)
    (told / "md5sums").write_text("".join(sums), "ascii")
    for name in (*RUN, "triggers"):
        shutil.copyfile(SCRIPTS / name, told / name)
    control = (SCRIPTS / "control").read_text("ascii")
    values = {
        "VERSION": version,
        "SIZE": str(sum(-(-path.stat().st_size // 1024) for path in files)),
        "MAINTAINER": MAINTAINER,
        "NEEDED": ", ".join(system.NEEDED),
    }
    for name, value in values.items():
        control = control.replace(f"@{name}@", value)
    (told / "control").write_text(control, "ascii")


def _md5(path: Path) -> str:
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


def _licence() -> str:
    """Return our licence as a field of that file."""
    text = (SCRIPTS.parent.parent / "LICENSE").read_text("utf-8")
    return "".join(f" {line.strip() or '.'}\n" for line in text.strip().splitlines())
