"""A Pi that a newer version can be sent to, and whoever makes such versions."""

import contextlib
import json
import shutil
import subprocess
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import ClassVar

import pytest

from companion.cli.install import care as root_care
from companion.cli.install import payload, releases, system
from companion.journal import Journal, NewEntry
from companion.maintenance import care
from companion.maintenance.care import CareAnswer
from companion.system.paths import JOURNAL
from release.install.roots import Pi

OLD, NEW = "0.1.0-0000000000", "9.9.9-1111111111"
WELL: dict[str, object] = {
    "/": "page",
    "/api/matches?limit=500": {"matches": [1, 2]},
    "/api/workshop": {"hub_firmware": "1.2.3"},
    "/api/snapshot": {"match": None, "over": False},
}


@dataclass
class Updated:
    """A Pi with a table that runs, which a newer version can be sent to."""

    pi: Pi
    ill: dict[str, object] = field(default_factory=dict)  # what the newer version answers instead
    starts: bool = True  # whether the newer version does
    port: int = 0
    now_s: float = 0.0

    @property
    def table(self) -> Path:
        return self.pi.places.data / "table"

    @property
    def used(self) -> str:
        return self.pi.places.current.readlink().name

    def answers(self, path: str) -> object:
        """Return what the version that is used says to phones; None: nothing."""
        answers = WELL | (self.ill if self.used == NEW else {})
        return answers.get(path)

    def run(self, words: Sequence[str]) -> int:
        """Stand for all programs, also for the newer version that installs itself."""
        if "companion" not in words:
            return self.pi.tools.run(words)
        self.pi.tools.calls.append(list(words))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(releases, "name", lambda: NEW)
            if not self.starts:
                patch.setattr(system, "start", self._start)
            return self.pi.carry_out("install", keep_name=True, port=self.port)

    def _start(self, *_: object, **__: object) -> bool:
        return self.used != NEW

    def clock_s(self) -> float:
        return self.now_s

    def wait(self, seconds: float) -> None:
        self.now_s += seconds

    def lay(self, file: Path) -> None:
        """Have the pages lay a file there."""
        kept = care.request_folder(self.table)
        kept.mkdir(exist_ok=True)
        shutil.copyfile(file, kept / care.UPDATE)

    def ask(self, verb: str = "update", **words: str) -> CareAnswer:
        """Have something done; return what the page shows then."""
        given = {"source": "file"} | words if verb == "update" else words
        care.ask(self.table, verb, self.port, **given)
        root_care.carry_out(self.pi.places, self.run, self.clock_s, self.wait)
        return self.answer

    def restarted(self) -> CareAnswer:
        """Start the computer again; return what the page shows then."""
        self.restart()
        return self.answer

    def restart(self) -> None:
        """Start the computer again: root's part begins if there is something for it to do."""
        root_care.finish(self.pi.places, self.run, self.clock_s, self.wait)
        with contextlib.suppress(root_care.Hostile):  # asked before the start
            root_care.carry_out(self.pi.places, self.run, self.clock_s, self.wait)

    @property
    def answer(self) -> CareAnswer:
        answered = care.answer(self.table)
        assert answered is not None
        return answered

    def is_tidy(self) -> bool:
        """Whether nothing is left of what was tried."""
        left = {path.name for path in self.pi.places.care.iterdir()}
        return left == {care.ANSWER}


class UpdatedPages(BaseHTTPRequestHandler):
    table: ClassVar[Updated]

    def do_GET(self) -> None:
        answer = self.table.answers(self.path)
        self.send_response(503 if answer is None else 200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_: object) -> None:
        pass


def play(folder: Path, *, over: bool) -> None:
    journal = Journal(folder / JOURNAL)
    match = journal.start(NewEntry("begun", {}))
    if over:
        journal.append(match, 1, NewEntry("won", {}, ends=True))
    journal.close()


def unchanged(before: dict[str, tuple[int, str]], now: dict[str, tuple[int, str]]) -> bool:
    """Tell whether a root holds what it held, but for what is asked and answered."""
    kept = [
        {name: held for name, held in tree.items() if "rappelwacht/care/" not in name}
        for tree in (before, now)
    ]
    return kept[0] == kept[1]


@dataclass
class Making:
    """Makes releases, and has the table know who signs them."""

    at: Path
    keys: Path

    def folder(self, version: str = "9.9.9", signed: str | None = "maker", what: str = "") -> Path:
        folder = self.at / f"{version}{what}" / payload.NAME
        (folder / "wheels").mkdir(parents=True)
        wheel = folder / f"wheels/rappelwacht-{version}-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as files:
            files.writestr("companion/__init__.py", f'__version__ = "{version}"\n{what}')
        (folder / payload.VENDOR_DATA).write_text("#cloud-config\n")
        payload.seal(folder)
        if signed:
            self.sign(folder, signed)
        return folder

    def sign(self, folder: Path, who: str, space: str = payload.NAME) -> None:
        (folder / payload.SIGNATURE).unlink(missing_ok=True)
        sign = ["ssh-keygen", "-q", "-Y", "sign", "-n", space, "-f", str(self.keys / who)]
        subprocess.run([*sign, folder / payload.SUMS], check=True, capture_output=True)

    def zip(self, version: str = "9.9.9", signed: str | None = "maker") -> Path:
        return self.packed(self.folder(version, signed))

    def packed(self, folder: Path) -> Path:
        file = folder.parent / f"rappelwacht-{folder.parent.name}-card.zip"
        payload.pack(folder, file)
        return file
