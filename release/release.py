"""Makes what a release consists of, from what is committed; made again, it is the same to the byte.

A folder then holds the wheel, that for researchers, the source archive, the card's zip, the Debian
package, a bill of materials, what is new in this version, and the checksums of all these. With a
key, such as `ssh-keygen -t ed25519` makes, the checksums are signed.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.cli.install import payload, system
from companion.system.errors import CompanionError
from release import deb, sbom

ROOT: Final = Path(__file__).parent.parent
SUMS: Final = payload.SUMS
SIGNERS: Final = Path("companion/cli/install", payload.SIGNERS)  # the program's own
CARRY: Final = ("*-card.zip", "*.deb", f"{SUMS}*")  # the signature, or its checksum
TOOLS: Final = {"dpkg-deb": "dpkg", "git": "git", "ssh-keygen": "openssh-client"}
SIGNED_FOR: Final = "rappelwacht"  # so that a signature under something else is none here
HATCHLING: Final = (sys.executable, "-P", "-m", "hatchling", "build")
UNSIGNED: Final = """\
Nothing is signed: whoever installs it has to trust the place it came from. To sign, name the \
maintainers' key with --key.
"""
SIGNED: Final = """\
These carry the signature, so they differ from those of an unsigned release; publish all of them, \
or none: {files}
"""
UNKNOWN: Final = """\
No table will take this release from its pages: its key is not in {file}. Only a table does whose \
owner has that key in /etc/rappelwacht/allowed_signers.
"""


def main(words: Sequence[str], root: Path = ROOT, run: system.Run = system.run_quietly) -> int:
    """Do what the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser("./run release", description=__doc__)
    parser.add_argument("folder", type=Path, help="a new one, or one with nothing in it")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the private half of a key")
    asked = parser.parse_args(words)
    if asked.key is not None and not asked.key.is_file():
        parser.error(f"{asked.key} is no file, so it is no key.")
    if asked.folder.exists() and (not asked.folder.is_dir() or any(asked.folder.iterdir())):
        parser.error(f"{asked.folder} holds something already; name a new folder.")
    if lacking := [name for name in TOOLS if shutil.which(name) is None]:
        packages = " ".join(TOOLS[name] for name in lacking)
        parser.error(f"{' and '.join(lacking)} is missing: sudo apt-get install {packages}")
    if changed := _git(root, "status", "--porcelain"):
        parser.error(f"A release is what is committed, and this is not:\n{changed}")
    asked.folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as kept:
        try:
            made = committed(root, Path(kept))
            make(Path(kept), asked.folder, made, asked.key, run)
        except subprocess.CalledProcessError as fault:
            failed = f"This failed, and so did the release: {' '.join(map(str, fault.cmd))}\n"
            parser.exit(1, f"{fault.stdout or ''}{failed}")
        except CompanionError as fault:
            parser.exit(1, f"{fault}\n")
    for file in sorted(asked.folder.iterdir()):
        sys.stdout.write(f"{file.stat().st_size:>12,}  {file}\n")
    sys.stdout.write(UNSIGNED if asked.key is None else signature(asked.folder, root))
    return 0


def signature(folder: Path, root: Path) -> str:
    """Return which files of a release carry its signature, and whether tables believe that."""
    carry = sorted(file.name for kind in CARRY for file in folder.glob(kind))
    signed = SIGNED.format(files=", ".join(carry))
    try:
        payload.demand_signed(folder, (root / SIGNERS).parent)
    except CompanionError:
        return signed + UNKNOWN.format(file=SIGNERS)
    return signed


def _git(root: Path, *words: str) -> str:
    line = ["git", "-C", str(root), *words]
    return subprocess.run(line, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def committed(root: Path, folder: Path) -> int:
    """Lay what is committed into a folder; return when it was, in seconds since 1970."""
    laid = folder / "laid.tar"
    _git(root, "archive", "-o", str(laid), "HEAD")
    unpack(laid, folder)
    laid.unlink()
    return int(_git(root, "log", "-1", "--format=%ct"))


def make(
    source: Path,
    folder: Path,
    made: int,
    key: Path | None = None,
    run: system.Run = system.run_quietly,
) -> None:
    """Make all of it from a copy of the project, as if at a moment in seconds since 1970."""
    wheel = build(source, folder, made)
    version = wheel.name.split("-")[1]
    sbom.write(folder / f"rappelwacht-{version}.cdx.json", source, wheel, made)
    news = changes((source / "CHANGELOG.md").read_text("utf-8"), version)
    (folder / f"rappelwacht-{version}-changes.md").write_text(news, "utf-8")
    with TemporaryDirectory() as kept:
        carried = Path(kept, payload.NAME)
        payload.build(carried, run, wheel)
        if key is not None:
            sign(carried / payload.SUMS, key)
        payload.pack(carried, folder / f"rappelwacht-{version}-card.zip")
        deb.build(carried, folder, version, news, made)
    add_up(folder)
    if key is not None:
        sign(folder / SUMS, key)


def build(source: Path, folder: Path, made: int) -> Path:
    """Build the source archive, and both wheels from what it holds; return the companion's."""
    _build("sdist", source, folder, made)
    (archive,) = folder.glob("*.tar.gz")
    with TemporaryDirectory() as kept:
        unpack(archive, Path(kept))
        (here,) = Path(kept).iterdir()
        for part in (here, here / "research"):
            _build("wheel", part, folder, made)
    (wheel,) = folder.glob("rappelwacht-*.whl")
    return wheel


def _build(what: str, source: Path, folder: Path, made: int) -> None:
    env = os.environ | {"SOURCE_DATE_EPOCH": str(made)}
    words = [*HATCHLING, "-t", what, "-d", str(folder.resolve())]
    subprocess.run(
        words,
        cwd=source,
        env=env,
        check=True,
        stdout=subprocess.PIPE,  # shown only if it fails
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


def unpack(archive: Path, folder: Path) -> None:
    """Unpack what this project packed."""
    with tarfile.open(archive) as packed:
        if hasattr(tarfile, "data_filter"):  # the Python of Debian 12 has none
            packed.extraction_filter = tarfile.data_filter
        packed.extractall(folder)  # noqa: S202 - it is our own


def changes(changelog: str, version: str) -> str:
    r"""Return what a changelog says of a version.

    >>> changes("# Changes\n\n## 0.2.0, 2027-01-31\n\nNew.\n\n## 0.1.0, 2026-12-24\n", "0.2.0")
    'New.\n'
    """
    _, *parts = re.split(r"^## ", changelog, flags=re.MULTILINE)
    (part,) = (part for part in parts if part.startswith(f"{version},"))
    return part.partition("\n")[2].strip() + "\n"


def add_up(folder: Path) -> None:
    """Write the checksum of every file of a folder, as `sha256sum --check` reads them."""
    files = sorted(file for file in folder.iterdir() if file.name not in {SUMS, f"{SUMS}.sig"})
    lines = (f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (folder / SUMS).write_text("".join(lines), "ascii")


def sign(file: Path, key: Path) -> None:
    """Sign a file, beside it; a key with a passphrase asks for it."""
    words = ["ssh-keygen", "-q", "-Y", "sign", "-n", SIGNED_FOR, "-f", str(key), str(file)]
    file.with_name(f"{file.name}.sig").unlink(missing_ok=True)
    subprocess.run(words, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
