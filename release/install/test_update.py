"""Another version by the Workshop page: checked, tried out, and back by itself if it is ill."""

import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from companion.cli.install import care as root_care
from companion.cli.install import own_wifi, payload, releases, system
from companion.cli.install.care import TRIAL, CareHealth, CareTrial
from companion.cli.install.places import Places
from companion.journal import Journal, NewEntry
from companion.maintenance import care
from companion.maintenance.backup import read_backup
from companion.maintenance.care import CareAnswer, CareState
from companion.system.errors import CompanionError
from companion.system.paths import JOURNAL
from release.install.roots import Pi
from tests.programs import need

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
        kept = care.asked_in(self.table)
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


class _Pages(BaseHTTPRequestHandler):
    table: ClassVar[Updated]

    def do_GET(self) -> None:
        answer = self.table.answers(self.path)
        self.send_response(503 if answer is None else 200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def table(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> Iterator[Updated]:
    """Return such a Pi; a match was played there."""
    monkeypatch.setattr(releases, "name", lambda: OLD)
    pi.carry_out("install")
    updated = Updated(pi)
    updated.table.mkdir()
    play(updated.table, over=True)
    handler = type("_", (_Pages,), {"table": updated})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    updated.port = server.server_port
    yield updated
    server.shutdown()
    server.server_close()
    thread.join()


def play(folder: Path, *, over: bool) -> None:
    journal = Journal(folder / JOURNAL)
    match = journal.start(NewEntry("begun", {}))
    if over:
        journal.append(match, 1, NewEntry("won", {}, ends=True))
    journal.close()


# --- what a release is ----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two keys: of whom the table knows, and of a stranger."""
    need("ssh-keygen")
    folder = tmp_path_factory.mktemp("keys")
    for name in ("maker", "stranger"):
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(folder / name)]
        subprocess.run(make, check=True)
    return folder


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


@pytest.fixture
def making(table: Updated, keys: Path, tmp_path: Path) -> Making:
    public = (keys / "maker.pub").read_text().split()
    signers = table.pi.places.settings / payload.SIGNERS
    signers.write_text(f"releases@example.org {public[0]} {public[1]}\n")
    return Making(tmp_path / "made", keys)


# --- good, and not well ---------------------------------------------------------------------------


def test_a_signed_newer_version_is_used_once_it_is_well(table: Updated, making: Making) -> None:
    table.lay(making.zip())
    answered = table.ask()
    assert (answered.state, table.used) == (CareState.DONE, NEW)
    assert str(answered.sentence) == f"Rappelwacht {NEW} is used now."
    assert table.pi.places.previous.readlink().name == OLD
    assert table.is_tidy()
    assert not (care.asked_in(table.table) / care.UPDATE).exists()  # cards are small
    words = " ".join(next(words for words in table.pi.tools.calls if "companion" in words))
    assert "--keep-name" in words
    assert f"--port {table.port}" in words


def test_what_it_needs_comes_from_the_file_alone(table: Updated, making: Making) -> None:
    calls = len(table.pi.tools.calls)
    table.lay(making.zip())
    table.ask()
    words = [word for call in table.pi.tools.calls[calls:] for word in call]
    assert "apt-get" not in words
    assert "--from" in words


def test_a_backup_is_made_before(table: Updated, making: Making) -> None:
    table.lay(making.zip())
    table.ask()
    file = care.asked_in(table.table) / "before-update-table.zip"
    assert read_backup(file).counts() == {"matches": 1}
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_table_with_software_barrels_is_backed_up_and_not_disturbed_either(
    table: Updated, making: Making
) -> None:
    apart = table.table / "simulated"
    apart.mkdir()
    play(apart, over=True)
    table.lay(making.zip())
    assert table.ask().state is CareState.DONE
    held = read_backup(care.asked_in(table.table) / "before-update-table.zip").files
    assert [file.name.rpartition("/")[0] for file in held].count("simulated/journal") == 1
    play(apart, over=False)
    assert "A match is not finished" in str(table.ask("roll_back").sentence)
    assert care.asked_in(apart) == care.asked_in(table.table)
    assert care.is_there(apart)


@pytest.mark.parametrize(
    ("ill", "why"),
    [
        ({"/": None}, "its page does not open"),
        ({"/api/matches?limit=500": None}, "it cannot read what was played"),
        ({"/api/matches?limit=500": {"matches": [1]}}, "it cannot read what was played"),
        ({"/api/matches?limit=500": {"matches": 7}}, "it cannot read what was played"),
        ({"/api/workshop": {"hub_firmware": None}}, "it does not hear the hub"),
    ],
)
def test_a_version_that_is_not_well_is_left_within_a_minute_and_it_is_said_why(
    table: Updated, making: Making, ill: dict[str, object], why: str
) -> None:
    before = table.pi.tree()
    table.ill = ill
    table.lay(making.zip())
    answered = table.ask()
    assert (answered.state, table.used) == (CareState.BACK, OLD)
    assert why in str(answered.sentence)
    assert table.now_s < 50  # and then it starts, which takes ten seconds
    assert table.is_tidy()
    assert not (table.pi.places.releases / NEW).exists()
    assert unchanged(before, table.pi.tree())


def unchanged(before: dict[str, tuple[int, str]], now: dict[str, tuple[int, str]]) -> bool:
    """Tell whether a root holds what it held, but for what is asked and answered."""
    kept = [
        {name: held for name, held in tree.items() if "rappelwacht/care/" not in name}
        for tree in (before, now)
    ]
    return kept[0] == kept[1]


def test_a_version_that_does_not_start_is_left(table: Updated, making: Making) -> None:
    table.starts = False
    table.lay(making.zip())
    answered = table.ask()
    assert (answered.state, table.used) == (CareState.BACK, OLD)
    assert "it does not start" in str(answered.sentence)
    assert table.is_tidy()


def test_what_was_not_well_before_need_not_be_afterwards(table: Updated, making: Making) -> None:
    table.ill = {"/api/workshop": {"hub_firmware": None}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(WELL, "/api/workshop", {"hub_firmware": None})
        table.lay(making.zip())
        assert table.ask().state is CareState.DONE
    assert table.used == NEW


def test_what_cannot_be_installed_changes_nothing(table: Updated, making: Making) -> None:
    before = table.pi.tree()
    table.pi.tools.failing = ("requirements.lock",)
    table.lay(making.zip())
    answered = table.ask()
    assert (answered.state, table.used) == (CareState.REFUSED, OLD)
    assert unchanged(before, table.pi.tree())


def test_one_can_go_back_and_forth(table: Updated, making: Making) -> None:
    table.lay(making.zip())
    table.ask()
    assert table.ask("roll_back").state is CareState.DONE
    assert table.used == OLD
    table.ill = {"/": None}
    answered = table.ask("roll_back")
    assert (answered.state, table.used) == (CareState.BACK, OLD)
    assert "its page does not open" in str(answered.sentence)


def test_there_is_nothing_to_go_back_to_after_the_first(table: Updated) -> None:
    answered = table.ask("roll_back")
    assert answered.state is CareState.REFUSED
    assert "no version to go back to" in str(answered.sentence)


def test_never_in_the_middle_of_a_match(table: Updated, making: Making) -> None:
    play(table.table, over=False)
    table.lay(making.zip())
    for verb in ("update", "roll_back"):
        answered = table.ask(verb)
        assert (answered.state, table.used) == (CareState.REFUSED, OLD)
        assert "A match is not finished" in str(answered.sentence)


def test_the_newest_file_on_the_card_is_taken(table: Updated, making: Making) -> None:
    card = table.pi.root / "boot/firmware"
    for version in ("0.9", "9.9.9"):
        shutil.copy2(making.zip(version), card)
    (card / "rappelwacht-99-card.zip.part").touch()
    assert table.ask(source="card").state is CareState.DONE
    assert table.used == NEW


def test_without_a_file_it_says_so(table: Updated) -> None:
    assert "send it once more" in str(table.ask().sentence)
    assert "lies on the card" in str(table.ask(source="card").sentence)


# --- what is not to be trusted --------------------------------------------------------------------


def unsigned(making: Making) -> Path:
    return making.zip(signed=None)


def signed_by_a_stranger(making: Making) -> Path:
    return making.zip(signed="stranger")


def signed_for_something_else(making: Making) -> Path:
    folder = making.folder()
    making.sign(folder, "maker", "git")
    return making.packed(folder)


def with_another_signature(making: Making) -> Path:
    folder, other = making.folder(), making.folder(what="# other")
    shutil.copy2(other / payload.SIGNATURE, folder)
    return making.packed(folder)


def no_signature_at_all(making: Making) -> Path:
    folder = making.folder()
    (folder / payload.SIGNATURE).write_bytes(b"\0" * 100_000)
    return making.packed(folder)


def changed_after_signing(making: Making) -> Path:
    folder = making.folder()
    (wheel,) = folder.glob("wheels/*")
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    return making.packed(folder)


def sealed_again_after_signing(making: Making) -> Path:
    folder = making.folder()
    (wheel,) = folder.glob("wheels/*")
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    payload.seal(folder)
    return making.packed(folder)


def older(making: Making) -> Path:
    return making.zip("0.0.9")


def half(making: Making) -> Path:
    file = making.zip()
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    return file


def empty(making: Making) -> Path:
    file = making.zip()
    file.write_bytes(b"")
    return file


def with_entry(
    making: Making, name: str, data: bytes = b"x", packing: int = zipfile.ZIP_STORED, mode: int = 0
) -> Path:
    """Return a release with an entry more."""
    file = making.zip()
    info = zipfile.ZipInfo(name)
    info.compress_type, info.external_attr = packing, mode << 16
    with zipfile.ZipFile(file, "a") as files, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name may be there already
        files.writestr(info, data)
    return file


def climbing(making: Making) -> Path:
    return with_entry(making, "rappelwacht/../../../etc/rappelwacht/climbed")


def absolute(making: Making) -> Path:
    return with_entry(making, "rappelwacht//etc/climbed")


def twice(making: Making) -> Path:
    return with_entry(making, f"rappelwacht/{payload.SUMS}")


def link(making: Making) -> Path:
    return with_entry(making, "rappelwacht/wheels/evil.whl", b"/etc/shadow", mode=0o120777)


def bomb(making: Making) -> Path:
    return with_entry(making, "rappelwacht/bomb", b"\0" * (101 << 20), zipfile.ZIP_DEFLATED)


def bomb_of_another_packing(making: Making) -> Path:
    return with_entry(making, "rappelwacht/bomb", b"\0" * (9 << 20), zipfile.ZIP_LZMA)


def bomb_that_lies(making: Making) -> Path:
    """Return one whose directory says that it holds little."""
    file = with_entry(making, "rappelwacht/bomb", b"\0" * (9 << 20), zipfile.ZIP_DEFLATED)
    data = file.read_bytes()
    file.write_bytes(data.replace((9 << 20).to_bytes(4, "little"), (9).to_bytes(4, "little")))
    return file


def broken_inside(making: Making) -> Path:
    file = with_entry(making, "rappelwacht/README.txt", os.urandom(9_000), zipfile.ZIP_DEFLATED)
    data = bytearray(file.read_bytes())
    at = data.rindex(b"rappelwacht/README.txt", 0, len(data) - 200) + 400
    data[at : at + 50] = b"\xff" * 50
    file.write_bytes(data)
    return file


def locked(making: Making) -> Path:
    """Return one of which an entry wants a password."""
    file = with_entry(making, "rappelwacht/README.txt")
    data = bytearray(file.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 8] |= 1
    file.write_bytes(data)
    return file


def many(making: Making) -> Path:
    file = making.zip()
    with zipfile.ZipFile(file, "a") as files:
        for number in range(payload.MOST_FILES):
            files.writestr(f"rappelwacht/wheels/{number}.whl", b"")
    return file


def no_zip(making: Making) -> Path:
    file = making.zip()
    file.write_bytes(b"PK\x05\x06" + os.urandom(500))
    return file


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (unsigned, "it is not signed"),
        (signed_by_a_stranger, "nobody whom this table knows"),
        (signed_for_something_else, "belongs to something else"),
        (with_another_signature, "belongs to something else"),
        (no_signature_at_all, "nobody whom this table knows|too large"),
        (changed_after_signing, "not as it was made"),
        (sealed_again_after_signing, "belongs to something else"),
        (older, "is older than 0.1.0"),
        (half, "not whole"),
        (empty, "not whole"),
        (climbing, "not whole"),
        (absolute, "not whole"),
        (twice, "not whole"),
        (link, "does not belong"),
        (bomb, "not whole"),
        (bomb_of_another_packing, "not whole"),
        (bomb_that_lies, "not whole"),
        (broken_inside, "not whole|does not belong"),
        (locked, "not whole"),
        (many, "not whole"),
        (no_zip, "not whole"),
    ],
)
def test_what_is_not_to_be_trusted_changes_nothing(
    table: Updated, making: Making, make: Callable[[Making], Path], why: str
) -> None:
    table.lay(make(making))
    before = table.pi.tree()
    answered = table.ask()
    assert answered.state is CareState.REFUSED, answered
    assert re.search(why, str(answered.sentence)), answered.sentence
    assert table.used == OLD
    assert table.is_tidy()
    assert unchanged(before, table.pi.tree())


def test_what_lies_beside_the_folder_in_a_zip_goes_nowhere(
    table: Updated, making: Making, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    table.lay(with_entry(making, str(outside)))
    assert table.ask().state is CareState.DONE
    assert not outside.exists()


def test_the_owner_may_install_what_nobody_signed(table: Updated, making: Making) -> None:
    """Only on the command line, where nobody comes by a phone."""
    file = making.zip(signed=None)
    with pytest.raises(CompanionError, match="not to be trusted"):
        table.pi.carry_out("install", source=str(file))
    table.pi.carry_out("install", source=str(file), unsigned=True)
    assert [call for call in table.pi.tools.calls if "companion" in call]


def test_without_ssh_keygen_nothing_is_trusted(
    table: Updated, making: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.lay(making.zip())
    monkeypatch.setattr(payload, "KEYGEN", "no-such-program")
    answered = table.ask()
    assert answered.state is CareState.REFUSED
    assert "apt-get install openssh-client" in str(answered.sentence)


def _link(file: Path) -> None:
    file.rename(file.with_name("real.zip"))
    file.symlink_to("real.zip")


def _hard_link(file: Path) -> None:
    file.with_name("other.zip").hardlink_to(file)


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _large(file: Path) -> None:
    os.truncate(file, care.UPDATE_BYTES + 1)


def _anothers(file: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root, who gives files away")
    os.chown(file, 4321, 4321)


@pytest.mark.parametrize("spoil", [_link, _hard_link, _pipe, _large, _anothers])
def test_nothing_but_an_ordinary_file_of_the_pages_is_read(
    table: Updated, making: Making, spoil: Callable[[Path], None]
) -> None:
    table.lay(making.zip())
    spoil(care.asked_in(table.table) / care.UPDATE)
    answered = table.ask()
    assert answered.state is CareState.REFUSED, answered
    assert table.used == OLD
    assert table.is_tidy()


def test_whoever_changes_the_file_after_it_was_checked_changes_nothing(
    table: Updated, making: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    evil = making.packed(making.folder(signed=None, what="raise SystemExit"))
    checked = payload.demand_signed
    copied: list[bytes] = []

    def swap(folder: Path, settings: Path) -> None:
        checked(folder, settings)
        shutil.copyfile(evil, care.asked_in(table.table) / care.UPDATE)
        there = [path for path in folder.rglob("*") if path.is_file()]
        assert {path.stat().st_uid for path in there} == {os.geteuid()}
        assert (table.pi.places.care / root_care.WORK).stat().st_mode & 0o777 == 0o700
        copied.append(payload.wheel(folder).read_bytes())

    monkeypatch.setattr(payload, "demand_signed", swap)
    table.lay(making.zip())
    assert table.ask().state is CareState.DONE
    assert b"SystemExit" not in copied[0]


def test_too_little_room_is_said_before_anything_is_done(
    table: Updated, making: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.lay(making.zip())
    usage = shutil.disk_usage("/")._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert "too little room" in str(table.ask().sentence)
    assert table.used == OLD


# --- cut off --------------------------------------------------------------------------------------


class Cut(BaseException):
    """The power goes."""


class Power:
    """Lets the power go at the n-th thing that is done to files or programs, and stay away."""

    EVENTS = ("open", "os.", "shutil.", "subprocess.")

    def __init__(self) -> None:
        self.left: int | None = None
        self.root = ""
        sys.addaudithook(self._hear)

    def _hear(self, event: str, words: tuple[object, ...]) -> None:
        if self.left is None or not event.startswith(self.EVENTS):
            return
        if self.root not in " ".join(map(str, words)):
            return
        self.left -= 1
        if self.left < 0:
            raise Cut

    @contextlib.contextmanager
    def lasting(self, steps: int) -> Iterator[list[Cut]]:
        """Have it go after so many; what is lent is not empty afterwards if it did."""
        went = list[Cut]()
        self.left = steps
        try:
            yield went
        except Cut as cut:
            went.append(cut)
        finally:
            self.left = None


@pytest.fixture(scope="session")
def power() -> Power:
    return Power()


@pytest.mark.parametrize("verb", ["update", "roll_back"])
@pytest.mark.parametrize("ill", [False, True])
def test_wherever_the_power_goes_a_whole_version_runs_afterwards(  # noqa: PLR0917 - two matrices
    table: Updated, making: Making, power: Power, verb: str, ill: bool, full: bool
) -> None:
    """A new one that is well, or all is as it was; also if it goes again while that is done."""
    power.root = str(table.pi.root)
    table.lay(making.zip())
    if verb == "roll_back":
        table.ask()
        table.ask(verb)  # so that going back leads to the newer one
    template = table.pi.root.with_name("template")
    shutil.copytree(table.pi.root, template, symlinks=True)
    table.ill = {"/": None} if ill else {}
    words = {"source": "file"} if verb == "update" else {}
    source, steps, used = random.Random(36), 0, list[str]()
    while True:
        shutil.rmtree(table.pi.root)
        shutil.copytree(template, table.pi.root, symlinks=True)
        care.ask(table.table, verb, table.port, **words)
        with power.lasting(steps) as went:
            root_care.carry_out(table.pi.places, table.run, table.clock_s, table.wait)
        if not went:
            break
        with power.lasting(source.randrange(2 * steps + 20)):
            table.restart()
        table.restart()
        used.append(table.used)
        assert_whole(table, steps)
        steps += 1 if full else source.randrange(1, 25)
    assert steps > 50
    assert table.used == (OLD if ill else NEW)
    assert {*used} == ({OLD} if ill else {OLD, NEW})


def assert_whole(table: Updated, steps: int) -> None:
    """The system's files are those of the version that is used, and nothing is left behind."""
    assert releases.whole(table.pi.places.current), steps
    left = {path.name for path in table.pi.places.care.iterdir()}
    assert left <= {care.ANSWER, f".{care.ANSWER}.new", f".{TRIAL.name}.new"}, steps
    assert not care.is_busy(table.table), steps
    for name, place in system.TABLE.files.items():
        ours = table.pi.places.current / "hardware/service" / name
        assert (table.pi.root / place).read_bytes() == ours.read_bytes(), (steps, name)
    answered = care.answer(table.table)
    assert answered is None or answered.state is not CareState.DOING, steps


@pytest.mark.parametrize("had", [OLD, None])
def test_what_another_version_wrote_down_stops_nothing(table: Updated, had: str | None) -> None:
    place = table.pi.places.care
    (place / TRIAL.name).write_text(json.dumps({"request": "1", "had": had, "what": "is this?"}))
    assert root_care.finish(table.pi.places, table.run) is CareState.REFUSED
    assert table.is_tidy()


def test_a_shutdown_that_was_cut_off_is_not_done_again(table: Updated) -> None:
    TRIAL.save(
        table.pi.places.care, CareTrial("0" * 16, "shut_down", 8000, None, None, CareHealth())
    )
    calls = len(table.pi.tools.calls)
    assert table.restarted().state is CareState.DONE
    assert len(table.pi.tools.calls) == calls
    assert root_care.finish(table.pi.places, table.run) is None


@pytest.mark.parametrize("verb", ["wifi_own", "wifi_home"])
def test_a_move_to_another_wifi_that_was_cut_off_is_cleared_away(
    table: Updated, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleared = list[Places]()
    monkeypatch.setattr(own_wifi, "clear", cleared.append)
    for begun in (verb, "restart"):
        TRIAL.save(table.pi.places.care, CareTrial("0" * 16, begun, 8000))
        assert table.restarted().state is CareState.REFUSED
    assert [places.root for places in cleared] == [table.pi.root]


@pytest.mark.parametrize(
    ("said", "lasts"),
    [
        ("overlayroot=tmpfs:recurse=0 console=tty1 rootwait", False),
        ("boot=overlay console=tty1", False),
        ("console=tty1 overlayroot=disabled rootwait", True),
        ("console=tty1 root=PARTUUID=1-2 rootwait", True),
    ],
)
def test_nothing_is_installed_that_the_computer_forgets(
    table: Updated, making: Making, said: str, *, lasts: bool
) -> None:
    cmdline = table.pi.root / "proc/cmdline"
    cmdline.parent.mkdir()
    cmdline.write_text(said)
    table.lay(making.zip())
    answered = table.ask()
    assert (answered.state is CareState.DONE) == lasts
    assert ("Overlay File System" in str(answered.sentence)) != lasts
    assert table.used == (NEW if lasts else OLD)
    assert table.is_tidy()
