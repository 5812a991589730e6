"""Serves the pages to phones from threads of its own.

To the table it is an output: whatever is new only rings, and each phone's thread looks what it is.

64 threads answer. At most 48 of them hold a stream, so that there are always some for those who
ask. A phone that fell asleep or left the Wi-Fi without a word is given up by the kernel, and one
that reads nothing blocks only the thread that serves it, for as long as the kernel waits for it.

    with PhoneServer(room, folder) as phones:
        phones.start(8000)
"""

from __future__ import annotations

import logging
import socket
import time
from collections import deque
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Any, Final

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

from companion.condition import Report
from companion.errors import CompanionError
from companion.frame.addresses import Whereabouts
from companion.frame.port import USUAL_PORT, listening
from companion.outputs.output import NEVER_US
from companion.outputs.web import table_page
from companion.outputs.web.kept_phones import Hold
from companion.outputs.web.no_request import NoRequest
from companion.outputs.web.pairing import Pairing
from companion.outputs.web.phones import Phones
from companion.outputs.web.recent import Recent
from companion.outputs.web.room import Room
from companion.outputs.web.stream import Stream
from companion.outputs.web.views import HANG_UP
from companion.outputs.web.web import create_app
from companion.people.kept_people import KeptPeople
from companion.present.hands import Hands
from companion.present.reader import Reader
from companion.referee.snapshot import Snapshot
from companion.text import seat_word

THREADS: Final = 64
CONNECTIONS: Final = 400
WHOLE_REQUEST_S: Final = 20  # within which a request has to arrive, and another on the same line
WAITING_BYTES: Final = 16 * 1024
LARGEST_BYTES: Final = 256 * 1024  # of a body; the gate takes less, and says so more kindly
HEADER_BYTES: Final = 16 * 1024
STOP_S: Final = 2
KEEP_S: Final = 5.0  # how often phones' data that have to be kept are written


class PhoneServer(AbstractContextManager["PhoneServer"]):
    """The pages of one table."""

    def __init__(
        self,
        room: Room,
        folder: Path | None = None,
        hands: Hands | None = None,
        report: Report = lambda _: None,  # any thread may call it
    ) -> None:
        self._hold = Hold(folder)
        self.stream, self.pairing = Stream(), Pairing(self._hold.folder, report=report)
        self.people = KeptPeople(self._hold.folder, report)
        self._room, self._hands, self._folder = room, hands, folder
        self.server: _Server | None = None
        self._thread: Thread | None = None
        self._keeper: Thread | None = None
        self._ended = Event()
        self._recent = Recent()
        self._workshop = room.workshop  # as it was when phones were told last

    def start(self, port: int | None = 0, host: str = "") -> Phones:
        """Serve at a port, 0 being any that is free; return all that the pages consist of.

        None is the usual port or, if that is taken, any.
        """
        line = _usual(host) if port is None else listening(port, host)
        here = Whereabouts(line.getsockname()[1])
        phones = Phones(
            self._room,
            self.pairing,
            self.stream,
            here,
            self._hands,
            self._folder,
            self._recent,
            self.people,
        )
        self.pairing.changed = self.people.changed = self.stream.changed
        _quieten(logging.getLogger("waitress"))
        self.server = _Server(create_app(phones), line, self.stream)
        serving = Thread(target=self.server.serve, name="phones", daemon=True)
        serving.start()
        self._thread = serving
        keeper = Thread(target=self._keep, args=(phones,), name="keeper", daemon=True)
        keeper.start()
        self._keeper = keeper
        return phones

    def _keep(self, phones: Phones) -> None:
        """Write now and then what a disk did not take, or what a press let in; and in the end.

        First of all the table is drawn once for nobody, so that the first phone need not wait.
        """
        table_page.live(phones, Reader())
        while not self._ended.wait(KEEP_S):
            self._write()
        self._write()

    def _write(self) -> None:
        self.pairing.keep()
        self.people.keep()

    @property
    def due_us(self) -> int:
        """Return when there is something new though no snapshot is: now, if the workshop's is."""
        return NEVER_US if self._room.workshop is self._workshop else 0

    def show(self, snapshot: Snapshot, now_us: int) -> None:  # noqa: ARG002 - the contract has it
        """Have every phone look what is new."""
        seats = tuple(seat.colour for seat in snapshot.seats)
        bots = tuple(seat_word(bot.seat) for bot in snapshot.house.bots) if snapshot.house else ()
        self.people.playing(snapshot.match, seats, over=snapshot.over, bots=bots)
        self._workshop = self._room.workshop
        self._recent.see(snapshot)
        self.stream.changed()

    def close(self, now_us: int) -> None:  # noqa: ARG002 - the contract has it
        """Let go of all, also of what was never started; once more does no harm."""
        self.stop()

    def stop(self) -> None:
        """End every stream, and let go of the port; no thread is left."""
        self.stream.close()
        server, self.server = self.server, None
        if server is not None and self._thread is not None:
            server.end()
            self._thread.join(STOP_S)
            server.clear()
        self._ended.set()
        if self._keeper is not None:
            self._keeper.join(STOP_S)  # longer only a disk takes that hangs
        self._hold.release()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop serving."""
        self.stop()


def _usual(host: str) -> socket.socket:
    try:
        return listening(USUAL_PORT, host)
    except CompanionError:
        return listening(0, host)


class _Task(WSGITask):
    """The answer to one request."""

    def get_environment(self) -> dict[str, Any]:
        """Return what is known of the request, and how its line is ended."""
        environ = super().get_environment()
        if isinstance(self.channel, _Channel):
            environ[HANG_UP] = self.channel.hang_up
        return environ


class _Channel(HTTPChannel):
    """The line to one phone."""

    task_class, error_task_class = _Task, NoRequest
    clock_s = staticmethod(time.monotonic)
    _active_s = 0.0

    @property
    def last_activity(self) -> float:
        """Return when it was last active, by a clock that never jumps."""
        return self._active_s

    @last_activity.setter
    def last_activity(self, _: float) -> None:
        """Take note that it is active; waitress says when by the wall clock."""
        self._active_s = self.clock_s()

    def handle_read(self) -> None:
        """Take what came; a request that only drips in does not keep the line open."""
        before = self._active_s
        super().handle_read()
        if self.request is not None:
            self._active_s = before

    def send_continue(self) -> None:
        """Ask for the body that a request announces; of one without a body nothing more comes."""
        if self.request is not None and not self.request.completed:
            super().send_continue()

    def hang_up(self) -> None:
        """End the line at once, whether or not its phone reads; any thread may call this."""
        if isinstance(self.server, _Server):
            self.server.leaving.append(self)
            self.server.pull_trigger()

    def _flush_outbufs_below_high_watermark(self) -> None:
        """Wait until the phone has read, but not for one that asks for more meanwhile.

        That holds a thread, as streams do; but streams are counted. It gets no more instead.
        """
        if len(self.requests) > 1 and self.total_outbufs_len > self.adj.outbuf_high_watermark:
            self.close_when_flushed = True
            self.requests = self.requests[:1]
        else:
            super()._flush_outbufs_below_high_watermark()  # type: ignore[misc] # not in the stubs

    def handle_close(self) -> None:
        """Forget the line, and let its stream give its place back now."""
        super().handle_close()
        if self.requests and isinstance(self.server, _Server):
            self.server.stream.stir()


class _Server(TcpWSGIServer):
    """Waitress, with a loop that can be ended from outside."""

    channel_class = _Channel

    def __init__(self, app: Flask, line: socket.socket, stream: Stream) -> None:
        self.stream = stream
        self.lines: Any = {}  # by the number of its file; the stubs know it as something else
        self.leaving: deque[HTTPChannel] = deque()  # lines that have to be closed
        self._ending = False
        line.setblocking(False)
        super().__init__(
            app.wsgi_app,
            self.lines,
            _sock=line,
            adj=Adjustments(
                threads=THREADS,
                connection_limit=CONNECTIONS,
                channel_timeout=WHOLE_REQUEST_S,
                cleanup_interval=5,
                channel_request_lookahead=1,  # while a stream goes out: notice that a phone leaves
                max_request_body_size=LARGEST_BYTES,
                max_request_header_size=HEADER_BYTES,
                outbuf_high_watermark=WAITING_BYTES,
                asyncore_use_poll=True,
                log_socket_errors=False,
                clear_untrusted_proxy_headers=False,  # they are believed by nobody, but noticed
                ident="",
            ),
            sockinfo=(line.family, line.type, line.proto, line.getsockname()),
            bind_socket=False,
        )

    def serve(self) -> None:
        """Serve until the end; a thread is wholly there for this."""
        while not self._ending:
            self.make_room()
            self.next_channel_cleanup = 0  # at once: what it waits for is told by the wall clock
            wasyncore.loop(timeout=1, use_poll=True, map=self.lines, count=1)

    def maintenance(self, _: float) -> None:
        """Give up lines on which no whole request came in time, whatever the wall clock says."""
        super().maintenance(int(_Channel.clock_s()))

    def make_room(self) -> None:
        """Have a line left for the next phone: those that were silent longest are given up."""
        while self.leaving:
            self.leaving.popleft().handle_close()
        for _ in range(len(self.lines) - CONNECTIONS + 1):
            silent = [line for line in self.phones() if not line.requests]
            if silent:
                min(silent, key=lambda line: line.last_activity).handle_close()

    def phones(self) -> list[HTTPChannel]:
        """Return the lines that are open now."""
        return [line for line in list(self.lines.values()) if isinstance(line, HTTPChannel)]

    def end(self) -> None:
        """Have the loop end; any thread may call this."""
        self._ending = True
        self.pull_trigger()

    def clear(self) -> None:
        """Leave no line and no thread, once the loop has ended."""
        for channel in self.phones():
            channel.handle_close()
        self.task_dispatcher.shutdown(timeout=STOP_S)
        wasyncore.close_all(self.lines)


class _Plain(logging.Filter):
    """Keeps the comings and goings of phones out of the log; what is a mistake of ours stays."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether this is worth a line."""
        return record.levelno >= logging.ERROR


def _quieten(log: logging.Logger) -> None:
    for one in (log, logging.getLogger("waitress.queue")):
        if not one.filters:
            one.addFilter(_Plain())
