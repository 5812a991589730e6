"""A Pi for one test: this computer with folders, network and name of its own, and root in it.

What only a real Pi has is played by programs that note how they are called; they know the units and
connections that were installed, and refuse all others.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from examples.readme.typed import LONG_S, Said, possible
from hardware.flash.board import Board, Repl
from release.install.roots import copy_project

HERE: Final = Path(__file__).parent
HOME: Final = "/run/home/mira"
SPACES: Final = ("--mount", "--uts", "--net", "--ipc")
NEEDED: Final = ("bash", "nsenter", "runuser", "systemd-analyze", "systemd-sysusers", "unshare")
PORT: Final = "/dev/ttyACM0"
NOTE: Final = '#!/bin/bash\necho "{name} $*" >>"{calls}"\n'
PLAYED: Final = {
    "sudo": 'exec "$@"',
    "nano": "",
    "journalctl": "",
    "poweroff": "",
    "raspi-config": "",
    "udevadm": "",
    "hostname": "",
    "apt-get": "[[ $* == *update* || $* == *install* ]]",
    "systemctl": """
        for word; do
          [[ $word != rappelwacht* || -e /etc/systemd/system/${word%.service}.service ]] || exit 5
        done""",
    "nmcli": """
        [[ $2 == reload ]] && exit
        grep -q "^id=$3$" /etc/NetworkManager/system-connections/*.nmconnection""",
    "systemd-analyze": """
        exec /usr/bin/systemd-analyze "$1" --offline=yes "/etc/systemd/system/$2.service" """,
    "python3": """
        [[ "$1 $2" == "-m venv" ]] || exec "{python}" "$@"
        venv=${{@: -1}}
        "{python}" -m venv --without-pip "$venv"
        packages=$(echo "$venv"/lib/python3*/site-packages)
        mkdir "$packages/pip"
        touch "$packages/pip/__init__.py"
        cp "{here}/played_pip.py" "$packages/pip/__main__.py"
        echo "{packages}" >"$packages/of-the-tests.pth"
        printf '#!/bin/bash\\nexec "%s/bin/python" -m pip "$@"\\n' "$venv" >"$venv/bin/pip"
        chmod +x "$venv/bin/pip" """,
}


@dataclass(frozen=True, slots=True)
class Pi:
    """Somebody called mira is logged in, and has a copy of the project."""

    folder: Path
    process: int
    project: Path

    def type(self, line: str, folder: Path | None = None) -> Said:
        """Have a line carried out; return what came of it."""
        done = subprocess.run(
            [*self._enter(), "bash", "-c", f'cd "$0"\n{line}', str(folder or self.project)],
            env={
                "PATH": f"{self.folder / 'bin'}:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "HOME": HOME,
                "LANG": "C.UTF-8",
                "CALLS": str(self.folder / "calls"),
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONG_S,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    def _enter(self) -> tuple[str, ...]:
        return "nsenter", f"--target={self.process}", *SPACES

    def calls(self) -> list[str]:
        """Tell how the played programs were called since the last time."""
        file = self.folder / "calls"
        lines = [line.strip() for line in file.read_text("utf-8").splitlines()]
        file.write_text("", "utf-8")
        return lines

    def renew(self) -> None:
        """Let the copy of the project be a newer one."""
        with (self.project / "firmware/README.md").open("a", encoding="utf-8") as told:
            told.write("Newer.\n")

    @contextmanager
    def plugged_in(self, chip: str) -> Iterator[None]:
        """Plug a board with MicroPython in."""
        folder = self.folder / chip
        folder.mkdir(exist_ok=True)
        (folder / "board.json").write_text(f'{{"chip": "module with {chip}"}}')
        repl = Repl(Board(folder))
        Path(repl.port).chmod(0o666)
        assert self.type(f"ln -sfn {repl.port} {PORT}").code == 0
        try:
            yield
        finally:
            repl.close()


@contextmanager
def booted(folder: Path) -> Iterator[Pi]:
    """Have a Pi; skip where no such thing can be had."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing or os.geteuid() != 0 or not possible("unshare", *SPACES):
        pytest.skip(f"needs root, namespaces and {' '.join(missing) or 'a kernel that has them'}")
    project = folder / "rappelwacht"
    copy_project(project)
    _play(folder)
    places = [Path(sys.base_prefix).resolve(), Path(sysconfig.get_path("purelib")).resolve()]
    with subprocess.Popen(
        ["unshare", *SPACES, "bash", str(HERE / "apart.sh"), str(folder), *map(str, places)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        ready = holder.stdout.readline() == "ready\n"
        try:
            if ready:
                yield Pi(folder, holder.pid, project)
        finally:
            _, complaints = holder.communicate("over\n")
    if not ready:
        pytest.skip(f"this kernel refuses: {complaints.strip()[-200:]}")


def _play(folder: Path) -> None:
    """Put the played programs on PATH."""
    (folder / "bin").mkdir()
    (folder / "calls").touch()
    python = Path(sys.executable).resolve()
    packages = sysconfig.get_path("purelib")
    venv = PLAYED["python3"].format(python=python, here=HERE, packages=packages)
    for name, does in (PLAYED | {"python3": venv}).items():
        file = folder / "bin" / name
        file.write_text(NOTE.format(name=name, calls=folder / "calls") + does + "\n", "utf-8")
        file.chmod(0o755)
