"""The wheel is whole: built from a source archive, installed far from any copy of the project.

Only the packages of others are shared with the tests, by a .pth file; nothing asks a network.
"""

import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

import pytest

from companion import __version__
from companion.cli.install import releases
from companion.cli.install.places import FILES, Places
from companion.devices.firmware.image import KINDS, firmware_files
from hardware.flash.board import Board, Repl

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
SHARED = sysconfig.get_path("purelib")
TOOL = '#!/bin/sh\necho "{name} $*" >>"$CALLS"\n{does}\n'
TOOLS = {  # of the system, as far as a folder to install into needs them
    "systemctl": "",
    "systemd-sysusers": "",
    "sync": "",
    "python3": 'mkdir -p "$4/bin" "$4/lib/python3.11/site-packages"; ln -s "$TRUE" "$4/bin/python"',
}


@dataclass(frozen=True, slots=True)
class Installed:
    """The program in an environment of its own, and somebody who types in a folder beside it."""

    folder: Path
    wheel: Path

    def type(self, *words: object, code: int = 0) -> str:
        """Say `rappelwacht …`; return what it says."""
        return self._run(self.folder / "venv/bin/rappelwacht", *words, code=code)

    def python(self, program: str) -> str:
        """Run a program of Python's in the environment."""
        return self._run(self.folder / "venv/bin/python", "-P", "-c", program)

    def calls(self) -> list[str]:
        """Tell how the tools of the system were called."""
        return (self.folder / "calls").read_text("utf-8").splitlines()

    def _run(self, *words: object, code: int = 0) -> str:
        done = subprocess.run(
            list(map(str, words)),
            cwd=self.folder,
            env={
                "PATH": f"{self.folder / 'bin'}:{self.folder / 'venv/bin'}:/usr/bin:/bin",
                "HOME": str(self.folder),
                "LANG": "C.UTF-8",
                "CALLS": str(self.folder / "calls"),
                "TRUE": shutil.which("true") or "true",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, (words, done.stdout, done.stderr)
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a source archive, and the wheel that was built from what it holds."""
    folder = tmp_path_factory.mktemp("built")
    build = [sys.executable, "-P", "-m", "hatchling", "build"]
    subprocess.run([*build, "-t", "sdist", "-d", str(folder)], cwd=ROOT, check=True)
    (source,) = folder.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        if hasattr(tarfile, "data_filter"):  # the Python of Debian 12 has none
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(folder)  # noqa: S202 - a wheel that this test built
    here = folder / source.name.removesuffix(".tar.gz")
    subprocess.run([*build, "-t", "wheel", "-d", str(folder)], cwd=here, check=True)
    (wheel,) = folder.glob("*.whl")
    shutil.rmtree(here)
    return source, wheel


@pytest.fixture(scope="module")
def installed(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel as people do."""
    folder = tmp_path_factory.mktemp("far away")
    venv.create(folder / "venv", symlinks=True, with_pip=True)
    pip = [str(folder / "venv/bin/python"), "-P", "-m", "pip"]
    words = [*pip, "install", "--quiet", "--no-index", "--no-deps", str(built[1])]
    subprocess.run(words, cwd=folder, check=True)
    (packages,) = (folder / "venv/lib").glob("python3*/site-packages")
    (folder / "others").mkdir()
    for package in Path(SHARED).iterdir():
        if not package.name.startswith(("rappelwacht", "_editable")):  # what is ours is not shared
            (folder / "others" / package.name).symlink_to(package)
    (packages / "others.pth").write_text(
        f"{folder / 'others'}\n", "utf-8"
    )  # those in it do nothing
    (folder / "bin").mkdir()
    for name, does in TOOLS.items():
        (folder / "bin" / name).write_text(TOOL.format(name=name, does=does), "utf-8")
        (folder / "bin" / name).chmod(0o755)
    return Installed(folder, built[1])


def metadata(wheel: Path) -> Message:
    """Return what a wheel says of itself."""
    with ZipFile(wheel) as files:
        text = files.read(f"rappelwacht-{__version__}.dist-info/METADATA").decode()
    return HeaderParser().parsestr(text)


def test_it_says_its_name_its_version_its_licence_and_what_it_needs(
    built: tuple[Path, Path],
) -> None:
    source, wheel = built
    assert source.name == f"rappelwacht-{__version__}.tar.gz"
    assert wheel.name == f"rappelwacht-{__version__}-py3-none-any.whl"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    told = metadata(wheel)
    assert (told["Name"], told["Version"]) == ("rappelwacht", __version__)
    assert told["License-Expression"] == "MIT"
    assert told["Requires-Python"] == project["requires-python"]
    assert sorted(told.get_all("Requires-Dist", [])) == sorted(project["dependencies"])
    assert told["Author"] == "The Rappelwacht contributors"
    assert "](" not in str(told.get_payload())  # beside it lies no picture, and no other page


def test_all_of_it_lies_in_one_package(built: tuple[Path, Path]) -> None:
    with ZipFile(built[1]) as files:
        tops = {name.partition("/")[0] for name in files.namelist()}
    assert tops == {"companion", f"rappelwacht-{__version__}.dist-info"}


def test_what_only_researchers_need_is_another_wheel(installed: Installed, tmp_path: Path) -> None:
    """No Pi has it; who asks for it is told which file to install, and then has it."""
    refused = installed.type("study", "nim", "--language", "en", code=2)
    (wheel,) = re.findall(r"-m pip install (\./\S+\.whl)", " ".join(refused.split()))
    build = [sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run([*build, "-d", str(installed.folder)], cwd=ROOT / "research", check=True)
    target = ("--target", str(tmp_path))  # and so the others of these tests go without it
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, *target, wheel], cwd=installed.folder, check=True)
    played = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from companion.cli.main import main; "
    )
    played += "raise SystemExit(main(['study', 'blackmore', '--games', '2', '--seed', '1']))"
    assert "Blackmore" in installed.python(played)


def test_it_is_not_the_copy_of_the_project_that_runs(installed: Installed) -> None:
    said = installed.python("import companion; print(companion.__file__)")
    assert said.startswith(str(installed.folder))
    assert installed.type("--version") == f"rappelwacht {__version__}\n"


def test_a_game_is_played_to_its_end(installed: Installed) -> None:
    said = installed.type("play", "--bots", "2", "--seed", "3", "--no-board", "--language", "en")
    assert said.splitlines()[-1]
    assert " win" in said


@pytest.mark.slow
def test_a_whole_game_is_refereed(installed: Installed) -> None:
    table = ("--bots", "2", "--seat", "none", "--port", "0", "--folder", installed.folder / "table")
    installed.type("--games", "1", "--seed", "3", "--speed", "1000", *table)
    listed = installed.type("journal", "list", "--folder", installed.folder / "table")
    assert "zapp" in listed.lower()


def test_a_board_is_flashed(installed: Installed) -> None:
    board = installed.folder / "board"
    repl = Repl(Board(board))
    try:
        said = installed.type("flash", "stopper", "--port", repl.port, "--language", "en")
    finally:
        repl.close()
    assert "every file was read back" in " ".join(said.split())
    for name, data in firmware_files(KINDS["stopper"]).items():
        assert (board / "flash" / name).read_bytes() == data, name


def test_the_service_is_laid_out_as_from_a_copy_of_the_project(installed: Installed) -> None:
    root = installed.folder / "root"
    assert "is installed" in installed.type("install", "--root", root, "--language", "en")
    release = Places(root).current
    assert release.readlink().name == releases.name()  # the very files of the project
    assert (release / "firmware/main_hub.py").is_file()
    assert not (release / "companion/project").exists()
    for name, place in FILES.items():
        there = (root / place).read_bytes()
        assert there == (ROOT / "hardware/service" / name).read_bytes(), name
    assert f"systemctl --root={root} enable rappelwacht.service" in installed.calls()
