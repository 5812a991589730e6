"""A root to install into: a folder with what a Pi has, and tools that note how they are called."""

import shutil
from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from io import StringIO
from pathlib import Path

from companion import __version__
from companion.cli import install
from companion.cli.install.places import Places
from companion.cli.install.releases import PARTS
from companion.present.terminal import TerminalScreen

ROOT = Path(__file__).parent.parent.parent
PROJECT = (*PARTS, "run", "pyproject.toml", "hatch_build.py", "README.md", "CHANGELOG.md")
NOT_IN_GIT = (".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
BOOT = "# For more options see the documentation\ndtparam=audio=on"  # without a line's end
HOSTS = "127.0.0.1\tlocalhost\n"


def all_parts() -> list[str]:
    """Return what git would lay into a folder."""
    names = [file.name for file in ROOT.iterdir()]
    return [name for name in names if not any(fnmatch(name, one) for one in NOT_IN_GIT)]


def copy_project(folder: Path, parts: Iterable[str] = PROJECT) -> None:
    """Lay the project into a folder, as git would, or parts of it."""
    for part in parts:
        copy = folder / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, copy, ignore=shutil.ignore_patterns(*NOT_IN_GIT))
        else:
            shutil.copy2(ROOT / part, copy)


def renumbered(project: Path, version: str) -> None:
    """Let a copy of the project be another version."""
    number = project / "companion/__init__.py"
    number.write_text(
        number.read_text("utf-8").replace(f'"{__version__}"', f'"{version}"'), "utf-8"
    )


@dataclass
class Tools:
    """Stands for the system's own tools: notes each call, and fails where a test wants it."""

    calls: list[list[str]] = field(default_factory=list)
    failing: tuple[str, ...] = ()

    def run(self, words: Sequence[str]) -> int:
        self.calls.append(list(words))
        if any(word in " ".join(words) for word in self.failing):
            return 1
        if list(words[1:3]) == ["-m", "venv"]:
            packages = Path(words[-1]) / "lib/python3.11/site-packages"
            packages.mkdir(parents=True)
            (Path(words[-1]) / "bin").mkdir()
        return 0

    def asked(self, part: str) -> list[list[str]]:
        """Return the calls in which a word stands."""
        return [words for words in self.calls if part in words]


@dataclass
class Pi:
    """A Pi in a folder."""

    root: Path
    tools: Tools = field(default_factory=Tools)
    out: StringIO = field(default_factory=StringIO)

    def __post_init__(self) -> None:
        for name, text in (
            ("etc/hostname", "raspberrypi\n"),
            ("etc/hosts", HOSTS),
            ("boot/firmware/config.txt", BOOT),
        ):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

    @property
    def places(self) -> Places:
        return Places(self.root)

    def carry_out(self, command: str, **options: object) -> int:
        """Do `install`, `roll_back` or `uninstall`."""
        given: dict[str, object] = {"hotspot": False, "keep_name": False, "purge": False}
        given |= {"hall": False, "join": None, "source": None, "verbose": False}
        given |= {"unsigned": False}
        given |= {"anyway": False, "root": str(self.root), "port": 1, "command": command}
        act = getattr(install, command)
        code: int = act(Namespace(**given | options), TerminalScreen(self.out), self.tools.run)
        return code

    def read(self, name: str) -> str:
        return (self.root / name).read_text("utf-8")

    def tree(self) -> dict[str, tuple[int, str]]:
        """Return every file below the root with its mode and what it says, links included."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if path.is_symlink():
                found[name] = (0, str(path.readlink()))
            elif path.is_file():
                found[name] = (path.stat().st_mode & 0o7777, path.read_text("utf-8", "replace"))
        return found
