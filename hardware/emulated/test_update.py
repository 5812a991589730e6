"""A new firmware by radio: what arrives, what is refused, and power that is cut at any moment."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest

from companion import wire
from companion.simulator.flash import Disk, File, Flash
from hardware.emulated import bench
from hardware.emulated.source import load

slots, update = load("slots"), load("stopper.update")
OLD = {"loop.mpy": b"old loop", "stopper/clock.mpy": b"same in both", "gone.mpy": b"no more"}
NEW = {"loop.mpy": b"new loop" * 40, "stopper/clock.mpy": b"same in both", "wire.mpy": bytes(300)}
VERSION, PIECE = 0x000200, 150


def listed(files: Mapping[str, bytes]) -> bytes:
    lines = (f"{name} {len(data)} {sha256(data).hexdigest()}\n" for name, data in files.items())
    return "".join(lines).encode()


class Cut(BaseException):
    """The power is gone: nothing that comes after is run."""


class Power:
    """What counts operations, and perhaps stops them: at one, and at every later one."""

    def __init__(self) -> None:
        self.done = 0
        self.left: int | None = None  # how many more; None: no limit

    def use(self) -> None:
        """Count an operation, or fail at it."""
        if self.left is not None:
            if self.left == 0:
                raise Cut
            self.left -= 1
        self.done += 1


class CutFlash(Flash):
    """Flash whose power may be cut."""

    def __init__(self, power: Power) -> None:
        super().__init__()
        self.power = power

    def save(self, name: str, data: bytes) -> None:
        self.power.use()
        super().save(name, data)


class CutFile(File):
    """A file of that flash that is written: what was not closed in time is not there."""

    def __init__(self, disk: CutDisk, path: str) -> None:
        super().__init__(disk, path)
        self._power = disk.power

    def write(self, data: Any, /) -> int:
        self._power.use()
        return super().write(data)

    def close(self) -> None:
        if self._power.left == 0:
            self._reads = True  # nothing of it is kept
        super().close()


class CutDisk(Disk):
    """Files of that flash; an operation takes place, or the power is cut before it."""

    def __init__(self) -> None:
        super().__init__()
        self.power = Power()

    def open(self, path: str, mode: str) -> File:
        if mode == "rb":
            return super().open(path, mode)
        self.power.use()
        super().open(path, mode)  # from now on it is empty
        return CutFile(self, path)

    def make(self, folder: str) -> None:
        self.power.use()
        super().make(folder)

    def remove(self, path: str) -> None:
        self.power.use()
        super().remove(path)

    def rename(self, path: str, to: str) -> None:
        self.power.use()
        super().rename(path, to)


class Board:
    """A stopper's flash; slot a runs, and b holds an older firmware."""

    def __init__(self) -> None:
        self.disk = CutDisk()
        self.flash = CutFlash(self.disk.power)
        self.disk.files |= {"/a": None, "/b": None, "/b/stopper": None}
        self.disk.files |= {f"/b/{name}": data for name, data in OLD.items()}
        self.disk.files["/b/new"] = b"a rest"
        self.boot()

    def boot(self) -> Board:
        """Start over, as its selector does."""
        self.disk.power.left = None
        self.slot, self.trial = slots.chosen(self.flash)
        self.update = update.Update(self, VERSION)
        return self

    def takes(self, name: str, hindrance: int = 0, **fields: Any) -> Any:
        values = {"update": 1, **fields}
        return SimpleNamespace(**self.update.take(name, SimpleNamespace(**values), 0, hindrance))

    def begins(self, files: Mapping[str, bytes] = NEW, **other: Any) -> Any:
        whole = listed(files)
        fields = {"kind": 0, "firmware": VERSION, "size": len(whole)}
        return self.takes("UPDATE_BEGIN", **{**fields, "hash": sha256(whole).digest(), **other})

    def runs(self, **more: Any) -> Any:
        return self.takes("UPDATE_DO", deed=1, **more)


def piece(files: Mapping[str, bytes], said: Any) -> dict[str, Any]:
    """Return what is wanted."""
    data = listed(files) if said.file == 0 else list(files.values())[said.file - 1]
    piece = data[said.offset : said.offset + PIECE]
    return {"file": said.file, "offset": said.offset, "data": piece}


def sent(board: Board, files: Mapping[str, bytes] = NEW) -> Any:
    """Send all that is wanted."""
    said = board.begins(files)
    while wire.UPDATE_STATES[said.state] == "wants":
        said = board.takes("UPDATE_PIECE", **piece(files, said))
    return said


def state(said: Any) -> str:
    return wire.UPDATE_STATES[said.state]


def test_all_files_arrive_and_nothing_else_is_left_in_the_slot() -> None:
    board = Board()
    assert state(sent(board)) == "whole"
    assert board.disk.slot("b") == NEW
    board.runs()
    assert board.update.over(0, False)
    assert (board.boot().slot, board.trial) == ("b", True)


def test_what_is_there_already_is_not_sent_again() -> None:
    board, asked = Board(), set[int]()
    said = board.begins()
    while state(said) == "wants":
        asked.add(said.file)
        said = board.takes("UPDATE_PIECE", **piece(NEW, said))
    assert asked == {0, 1, 3}


def test_lost_repeated_and_reordered_pieces_do_no_harm() -> None:
    board = Board()
    said, late = board.begins(), dict[str, Any]()
    for turn in range(200):
        if state(said) != "wants":
            break
        now = piece(NEW, said)
        if turn % 4 == 0:
            late = now  # it comes later, out of its order
        else:
            said = board.takes("UPDATE_PIECE", **now)
            board.takes("UPDATE_PIECE", **now)
            said = board.takes("UPDATE_PIECE", **late)
    assert state(said) == "whole"
    assert board.disk.slot("b") == NEW


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"kind": 1}, "other"),
        ({"firmware": VERSION - 1}, "older"),
        ({"size": 0}, "failed"),
        ({"size": 9000}, "failed"),
        ({"hindrance": update.MOVED}, "moved"),
        ({"hindrance": update.WEAK}, "weak"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_touched(
    other: dict[str, Any], told: str
) -> None:
    board = Board()
    before = dict(board.disk.files)
    assert state(board.begins(**other)) == told
    assert board.disk.files == before
    assert state(board.runs()) != "whole"
    assert not board.update.over(0, True)


def test_a_list_that_is_not_what_was_announced_is_refused() -> None:
    board = Board()
    said = board.begins()
    while said.file == 0 and state(said) == "wants":
        wrong = piece(NEW, said)
        wrong["data"] = b"x" + wrong["data"][1:]
        said = board.takes("UPDATE_PIECE", **wrong)
    assert state(said) == "failed"
    assert board.disk.slot("b").items() >= OLD.items()


@pytest.mark.parametrize(
    "name", ["../a/loop.mpy", "/main.py", "a/b/c.mpy", "..", "new", "", "x/new", "./x"]
)
def test_a_file_that_lies_elsewhere_is_refused(name: str) -> None:
    board = Board()
    assert state(sent(board, {name: b"evil"})) == "failed"
    assert "/main.py" not in board.disk.files


def begun_with(whole: bytes) -> tuple[Board, str]:
    """Return what comes of a list that makes no sense."""
    board = Board()
    said = board.begins(size=len(whole), hash=sha256(whole).digest())
    while said.file == 0 and state(said) == "wants":
        data = whole[said.offset : said.offset + PIECE]
        said = board.takes("UPDATE_PIECE", file=0, offset=said.offset, data=data)
    return board, state(said)


@pytest.mark.parametrize(
    "files",
    [
        [("loop.mpy", "400001")],  # more than there is room for
        [("loop.mpy", "300000"), ("wire.mpy", "200000")],
        [("loop.mpy", "-1"), ("wire.mpy", "5")],
        [("loop.mpy", "5"), ("loop.mpy", "6")],
        [("loop.mpy", "many")],
    ],
)
def test_a_list_that_would_fill_flash_or_contradicts_itself_is_refused(
    files: list[tuple[str, str]],
) -> None:
    lines = (f"{name} {size} {'00' * 32}\n" for name, size in files)
    board, told = begun_with("".join(lines).encode())
    assert told == "failed"
    assert board.disk.slot("b").items() >= OLD.items()


class Full(CutDisk):
    """A disk with no room for what is written, but for its name."""

    def open(self, path: str, mode: str) -> Any:
        if mode == "rb":
            return super().open(path, mode)
        self.files[path] = b"what there was room for"
        return SimpleNamespace(write=self._refuse, close=lambda: None)

    def _refuse(self, _: bytes) -> None:
        raise OSError(28, "ENOSPC")


def test_where_flash_is_full_nothing_of_it_stays_in_the_way() -> None:
    board = Board()
    full = Full()
    full.files |= board.disk.files
    board.disk = full
    assert state(sent(board.boot())) == "failed"
    assert "/b/new" not in full.files


def test_a_file_that_arrives_damaged_is_asked_for_again_and_then_given_up() -> None:
    board = Board()
    said, damaged = board.begins(), 0
    while state(said) == "wants":
        now = piece(NEW, said)
        if said.file == 1:
            now["data"] = bytes(len(now["data"]))
            damaged += said.offset == 0
        said = board.takes("UPDATE_PIECE", **now)
    assert (state(said), damaged) == ("failed", 3)
    assert (
        "loop.mpy" not in board.disk.slot("b")
        or board.disk.slot("b")["loop.mpy"] == OLD["loop.mpy"]
    )


def test_more_than_was_announced_is_refused() -> None:
    board = Board()
    said = board.begins()
    now = piece(NEW, said)
    assert state(board.takes("UPDATE_PIECE", **{**now, "data": bytes(1000)})) == "failed"


def test_moved_in_the_middle_it_waits_and_goes_on() -> None:
    board = Board()
    said = board.begins()
    moved = board.takes("UPDATE_PIECE", **piece(NEW, said), hindrance=update.MOVED)
    assert (state(moved), moved.file, moved.offset) == ("moved", said.file, said.offset)
    assert state(sent(board)) == "whole"
    assert state(board.runs(hindrance=update.MOVED)) == "moved"
    assert not board.update.over(0, True)


def test_another_update_s_pieces_are_not_taken() -> None:
    board = Board()
    said = board.begins()
    assert board.takes("UPDATE_PIECE", **{**piece(NEW, said), "update": 2}).offset == said.offset


def test_what_flash_forgot_is_not_run() -> None:
    board = Board()
    sent(board)
    board.disk.files["/b/wire.mpy"] = b"rotten"
    assert state(board.runs()) == "wants"
    assert not board.update.over(0, True)


def test_a_new_firmware_that_hears_its_host_is_kept() -> None:
    board = Board()
    sent(board)
    board.runs()
    board.boot()
    assert state(board.begins()) == "trial"  # the other slot is the one to go back to
    assert not board.update.over(update.PROVEN_MS, False)
    assert not board.update.over(update.PROVEN_MS - 1, True)
    assert not board.update.over(update.PROVEN_MS, True)
    assert [(board.boot().slot, board.trial) for _ in range(5)] == [("b", False)] * 5


def test_one_that_hears_nobody_gives_itself_up_and_the_old_one_runs_again() -> None:
    board = Board()
    sent(board)
    board.runs()
    board.boot()
    assert board.update.over(update.HOPELESS_MS, False)
    found = [(board.boot().slot, board.trial) for _ in range(4)]
    assert found == [("b", True), ("b", True), ("a", False), ("a", False)]


@pytest.mark.parametrize("kept", [b"c", b"", b"a", b"ab", b"a\x02", b"b", b"b\xff\xff", b"\0\0"])
def test_nothing_that_is_kept_can_stop_a_boot(kept: bytes) -> None:
    for name in ("slot", "trial"):
        board = Board()
        board.flash[name] = kept
        assert {board.boot().slot for _ in range(5)} <= {"a", "b"}
        assert not board.boot().trial


def cuts() -> Iterator[int]:
    """Yield after how many operations power is cut: each that a whole update has, and the trial."""
    board = Board()
    before = board.disk.power.done
    whole(board)
    yield from range(board.disk.power.done - before + 1)


def whole(board: Board) -> None:
    """Carry out an update up to the moment at which it is kept."""
    sent(board)
    board.runs()
    board.slot, board.trial = slots.chosen(board.flash)
    board.update = update.Update(board, VERSION)
    board.update.over(update.PROVEN_MS, True)


def test_power_that_is_cut_at_any_moment_leaves_the_old_or_the_new_whole() -> None:
    ended = set[str]()
    for left in cuts():
        board = Board()
        board.disk.power.left = left
        with contextlib.suppress(Cut):
            whole(board)
        board.boot()
        if board.slot == "b":
            assert board.disk.slot("b") == NEW, left
        ended.add(board.slot)
        if not board.trial:  # and it is taken up again from there
            target = "b" if board.slot == "a" else "a"
            assert state(sent(board)) == "whole", left
            assert board.disk.slot(target) == NEW
    assert ended == {"a", "b"}


# --- as a stopper does it ---------------------------------------------------------------------


def stopper(
    script: bench.Script | None = None, keys: Mapping[str, bytes] | None = None
) -> bench.Board:
    """Return a stopper that stands, with a disk; with `keys` that are none, an open one."""
    board = bench.Board(script or bench.Script().stand(60))
    if keys is not None:
        board.flash = bench.Flash(keys)
        board.radio.gate = wire.Gate(wire.OPEN_KEY, bench.NODE, wire.UP)
        board.radio.acknowledges = False
    for name, value in {"disk": Disk(), "slot": "a", "trial": False}.items():
        setattr(board, name, value)
    return board.run(5_000_000)


def begin(**other: Any) -> dict[str, Any]:
    whole = listed(NEW)
    fields = {"update": 1, "kind": 0, "firmware": 0x7FFFFFFF, "size": len(whole)}
    return {**fields, "hash": sha256(whole).digest(), **other}


def answers(board: bench.Board) -> list[str]:
    return [state(f.fields) for f in board.radio.frames if f.name == "UPDATE"]


def test_only_what_is_sealed_with_its_own_key_now_begins_an_update() -> None:
    board = stopper()
    foreign = wire.Seal(bytes(16), bench.NODE, board.radio.gate.boot, 500)
    older = wire.Seal(bench.KEY, bench.NODE, board.radio.gate.boot - 1, 500)
    elsewhere = wire.Seal(bench.KEY, bench.HUB, board.radio.gate.boot, 500)
    packets = [seal.packet("UPDATE_BEGIN", 0, **begin()) for seal in (foreign, older, elsewhere)]
    board.radio.inbox += [(bench.HUB, packet, -50) for packet in packets]
    board.radio.command("UPDATE_BEGIN", **begin())
    _, packet, _ = board.radio.inbox.pop()
    board.radio.inbox += [(bench.HUB, packet[:-1] + bytes((packet[-1] ^ 1,)), -50)]
    board.radio.inbox += [(bench.HUB, packet[:-9], -50)]
    board.run(6_000_000)
    assert answers(board) == []
    board.radio.inbox += [(bench.HUB, packet, -50)] * 3
    board.run(7_000_000)
    assert answers(board) == ["wants"]  # the same again is a replay


@pytest.mark.parametrize("kept", [None, b"short", wire.OPEN_KEY])
def test_a_stopper_without_a_key_of_its_own_takes_none_from_anybody(kept: bytes | None) -> None:
    """Everybody has the open key, so whoever is near could put any program into it."""
    board = stopper(keys={} if kept is None else {"key": kept})
    seal = wire.Seal(wire.OPEN_KEY, bench.NODE, board.radio.gate.boot, 500)
    board.radio.inbox += [
        (bench.HUB, seal.packet("UPDATE_BEGIN", 0, **begin()), -50),
        (bench.HUB, seal.packet("HELLO_REQUEST", 0), -50),
    ]
    board.run(6_000_000)
    assert answers(board) == []
    hellos = [frame.fields for frame in board.radio.frames if frame.name == "HELLO"]
    assert hellos[-1].commands_heard == 502
    assert not hellos[-1].can >> wire.CAN.index("update") & 1


def test_in_a_hand_and_with_an_empty_battery_it_takes_none() -> None:
    board = stopper(script=bench.Script().stand(4).hold(3).stand(20))
    board.radio.command("UPDATE_BEGIN", **begin())
    board.run(6_000_000)
    assert answers(board) == ["moved"]
    board.run(12_000_000)
    board.battery = 3400
    board.radio.command("UPDATE_BEGIN", **begin())
    board.run(13_000_000)
    board.battery, board.box, board.charger = 3400, False, False
    assert answers(board) == ["moved", "weak"]


def test_meanwhile_it_stays_awake_and_listens_and_afterwards_rests() -> None:
    board = stopper()
    assert board.stopper.at_rest
    board.radio.command("UPDATE_BEGIN", **begin())
    board.run(8_000_000)
    assert not board.stopper.at_rest
    board.run(15_000_000)
    assert board.stopper.at_rest


def test_an_older_stopper_says_that_it_cannot_and_this_one_that_it_can() -> None:
    bit = 1 << wire.CAN.index("update")
    without = bench.Board(bench.Script().stand(5)).run()
    assert (stopper().last("HELLO").can & bit, without.last("HELLO").can & bit) == (bit, 0)
