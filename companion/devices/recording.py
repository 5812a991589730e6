"""Records every byte of the hub's line with its time, and replays it into the same messages.

A recording is text, one thing a line, times in microseconds:

    rappelwacht link 1
    12000 open 24:0a:c4:00:00:01 /dev/ttyACM0     the id that is wanted, or -
    12400 out 0bc1…                               bytes to the hub, in hexadecimal
    15100 in 0281…                                bytes from the hub, as they came
    99000 close

A recording of a whole table begins with `rappelwacht link 2`, and what else came in stands between
those lines, as JSON: pads and phases, see `sensing.observations`.

    16000 note {"kind":"pad","seat":"red","closed":true,"at_us":15200}

That of a table with two hubs begins with `rappelwacht link 3`; the words of the second hub's line
have a 2 behind them, such as `in2`, and what it heard comes by the clock of the first, as it did
when it was recorded.

Times never go backwards. What is strange in a port's name stands escaped, as in Python. Each line
is handed to the system at once, so that whatever ends the program costs none. A last line without
its end, as a power cut leaves it, is not read. A recording never takes the place of another file.
What is read may be compressed by gzip.
"""

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, Final, TextIO, cast

from companion.devices.hub_discovery import HubMessage, HubProtocol, MergedHubs
from companion.system import format_names, status
from companion.system.errors import CompanionError
from companion.system.private_files import open_to_read, opener

FIRST_LINE: Final = "rappelwacht link 1\n"
NOTED_LINE: Final = "rappelwacht link 2\n"  # of a recording with notes
TWO_HUBS_LINE: Final = "rappelwacht link 3\n"  # the same, of a table with two hubs
WORDS: Final = {"open": 2, "in": 1, "out": 1, "close": 0, "note": 1}  # and how many things follow
SECOND: Final = "2"  # behind a word: of the second hub's line
PACKED: Final = b"\x1f\x8b"  # how gzip begins
LONGEST_LINE: Final = 65_536  # characters; what is read at once takes 8192, the longest path 16384
LATEST_US: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Note:
    """What a recording holds beside the link."""

    at_us: int  # when it was written
    what: dict[str, Any]


@format_names.format_name("RecordingState")
class RecordingState(status.Status):
    RUNNING = status.Fine("The link is being recorded to {file}.")
    BROKEN = "The recording to {file} has stopped ({reason}); the game goes on."
    OFF = status.Fine("The recording to {file} is complete.")


class Recorder:
    """Writes a recording; a full disk ends the recording and nothing else.

    Any thread may write; what is late by the time of another's line gets that line's time. `hub` is
    what stands behind the words of that hub's line.
    """

    def __init__(
        self, path: Path, report: status.Report = lambda _: None, *, first: str = FIRST_LINE
    ) -> None:
        self._path, self._lock, self._newest_us = path, Lock(), 0
        self._file: TextIO | None = None
        self._watched = status.StatusReporter(RecordingState.OFF, report)
        try:
            self._file = _begun(path)
            self._watched.becomes(RecordingState.RUNNING, 0, file=path)
            self._file.write(first)
        except OSError as error:
            self._fail(error, 0)

    @property
    def condition(self) -> status.Condition:
        return self._watched.condition

    def record_open(self, at_us: int, wanted: str | None, port: str, hub: str = "") -> None:
        name = port.encode("unicode_escape").decode("ascii")
        self._write_line(at_us, f"open{hub} {wanted or '-'} {name}")

    def record_in(self, at_us: int, data: bytes, hub: str = "") -> None:
        self._write_line(at_us, f"in{hub} {data.hex()}")

    def record_out(self, at_us: int, data: bytes, hub: str = "") -> None:
        self._write_line(at_us, f"out{hub} {data.hex()}")

    def record_close(self, at_us: int, hub: str = "") -> None:
        self._write_line(at_us, f"close{hub}")

    def record_note(self, at_us: int, what: dict[str, Any]) -> None:
        """Note what came in elsewhere; only where the first line says that there are notes."""
        self._write_line(at_us, f"note {json.dumps(what, separators=(',', ':'))}")

    def close(self, now_us: int) -> None:
        with self._lock:
            if self._file is not None:
                try:
                    self._file.close()
                except OSError as error:
                    self._fail(error, now_us)
                else:
                    self._watched.becomes(RecordingState.OFF, now_us, file=self._path)
                self._file = None

    def _write_line(self, at_us: int, what: str) -> None:
        with self._lock:
            if self._file is not None:
                self._newest_us = max(self._newest_us, at_us)
                try:
                    self._file.write(f"{self._newest_us} {what}\n")
                except OSError as error:
                    self._fail(error, at_us)

    def _fail(self, error: OSError, now_us: int) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):  # its reason is the same
                file.close()
        reason = error.strerror or str(error)
        self._watched.becomes(RecordingState.BROKEN, now_us, file=self._path, reason=reason)


def new_recording_path(file: str | None) -> Path | None:
    """Return where a recording is to be written; raise that another file would be destroyed."""
    if file is None:
        return None
    path = Path(file)
    if path.is_file():
        raise CompanionError(
            "'{file}' already exists; choose another name, or remove it first.", file=file
        )
    return path


def start_recording(path: Path, report: status.Report, *, two_hubs: bool = False) -> Recorder:
    """Begin a recording with notes; raise why it cannot be written."""
    recorder = Recorder(path, report, first=TWO_HUBS_LINE if two_hubs else NOTED_LINE)
    if recorder.condition.state is not RecordingState.RUNNING:
        raise CompanionError(
            "{file}: the recording cannot be written ({reason}).", **recorder.condition.values
        )
    return recorder


def _begun(path: Path) -> TextIO:
    """Open a new file, to be written line by line; only devices and pipes may be there already."""
    if path.exists() and not path.is_file():
        return path.open("w", 1, "ascii", "backslashreplace", "\n")
    return open(path, "x", 1, "ascii", "backslashreplace", "\n", opener=opener)


def replay(path: Path) -> Iterator[HubMessage]:
    """Yield what the listener heard when this was recorded, with the same times."""
    return (entry for entry in replay_all(path) if isinstance(entry, HubMessage))


def replay_all(path: Path) -> Iterator[HubMessage | Note]:
    """Yield the same, and in between what was noted beside the link."""
    try:
        with (
            open_to_read(path) as raw,
            TextIOWrapper(_unpacked(raw), "ascii", newline="\n") as file,
        ):
            yield from _replay(file, path)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise CompanionError("{file}: this is not a recording of a link.", file=path) from None
    except OSError as error:
        raise CompanionError(
            "{file}: the file cannot be read ({reason}).", file=path, reason=error.strerror
        ) from None
    except UnicodeDecodeError:
        raise CompanionError("{file}: this is not a recording of a link.", file=path) from None


def _unpacked(file: BinaryIO) -> BinaryIO:
    packed = file.read(len(PACKED)) == PACKED
    file.seek(0)
    return cast("BinaryIO", gzip.GzipFile(fileobj=file)) if packed else file


def _replay(file: TextIO, path: Path) -> Iterator[HubMessage | Note]:
    first = file.readline(len(FIRST_LINE))
    if first not in (FIRST_LINE, NOTED_LINE, TWO_HUBS_LINE):
        raise CompanionError("{file}: this is not a recording of a link.", file=path)
    protocols, merged = {"": HubProtocol(None), SECOND: HubProtocol(None)}, MergedHubs()
    now_us, second = 0, SECOND if first == TWO_HUBS_LINE else None
    for number in count(2):
        line = file.readline(LONGEST_LINE)
        if not line.endswith("\n") and len(line) < LONGEST_LINE:
            return
        try:
            now_us, what, hub, rest = _parse(line, now_us, second)
            data = bytes.fromhex(rest[0]) if what in ("in", "out") else b""
            note = _object(rest[0]) if what == "note" else {}
        except (ValueError, RecursionError):
            raise CompanionError(
                "{file}, line {number}: this is damaged; delete the line to go on without it.",
                file=path,
                number=number,
            ) from None
        if what == "open":
            protocols[hub] = HubProtocol(None if rest[0] == "-" else rest[0])
        elif what == "in":
            for heard in protocols[hub].feed(now_us, data)[0]:
                known = merged.second(heard) if hub else merged.first(heard)
                if known is not None:
                    yield known
        elif what == "note":
            yield Note(now_us, note)


def _parse(line: str, earliest_us: int, second: str | None) -> tuple[int, str, str, list[str]]:
    """Return the time of a line, its word, whose it is, and what follows; raise ValueError."""
    at, what, *rest = line.removesuffix("\n").split(" ", 3)  # a port's name may have spaces
    hub = ""
    if second is not None and what.endswith(second) and what != f"note{second}":
        what, hub = what.removesuffix(second), second
    if what == "note":
        rest = [" ".join(rest)]
    if not line.endswith("\n") or not at.isdigit() or not earliest_us <= int(at) <= LATEST_US:
        raise ValueError(line)
    if len(rest) != WORDS.get(what) or "" in rest:
        raise ValueError(line)
    return int(at), what, hub, rest


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if isinstance(value, dict):
        return value
    raise ValueError(text)
