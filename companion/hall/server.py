"""Serves the hall's pages: waitress answers, and hands the connections of streams to the fan-out.

A stream costs no thread: once its head is sent, the connection leaves waitress as a file of its
own, and what waitress closes is only a copy.
"""

from __future__ import annotations

import logging
import resource
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, Final

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

TAKE: Final = "companion.take"  # where a request finds the way to hand over its connection
THREADS: Final = 8
CONNECTIONS: Final = 1_000
WHOLE_REQUEST_S: Final = 20
LARGEST_BYTES: Final = 256 * 1024
HEADER_BYTES: Final = 16 * 1024
STOP_S: Final = 2
OPEN_FILES: Final = 8_192  # Linux gives a program 1,024 unless it asks for more

Taker = Callable[[socket.socket], object]


class _Task(WSGITask):
    def get_environment(self) -> dict[str, Any]:
        environ = super().get_environment()
        environ[TAKE] = self._hand_over
        return environ

    def _hand_over(self, taker: Taker) -> None:
        """Have the connection taken over once this answer is sent; the answer ends with it."""
        self.version = "1.0"
        if isinstance(self.channel, _Channel):
            self.channel.taker = taker


class _Channel(HTTPChannel):
    task_class = _Task
    taker: Taker | None = None

    def send_continue(self) -> None:
        """Ask for the body that a request announces; of one without a body nothing more comes."""
        if self.request is not None and not self.request.completed:
            super().send_continue()

    def handle_close(self) -> None:
        """Close the connection, or give it away."""
        taker, self.taker = self.taker, None
        if taker is not None and self.socket is not None and self.connected:
            with suppress(OSError):
                taker(self.socket.dup())
        super().handle_close()


class Server(TcpWSGIServer):
    """Waitress, with a loop that can be ended from outside."""

    channel_class = _Channel

    def __init__(self, app: Callable[..., Any], line: socket.socket) -> None:
        _raise_limit()
        _quieten()
        self.lines: Any = {}
        self._ending = False
        line.setblocking(False)
        super().__init__(
            app,
            self.lines,
            _sock=line,
            adj=Adjustments(
                threads=THREADS,
                connection_limit=CONNECTIONS,
                channel_timeout=WHOLE_REQUEST_S,
                cleanup_interval=5,
                max_request_body_size=LARGEST_BYTES,
                max_request_header_size=HEADER_BYTES,
                asyncore_use_poll=True,
                log_socket_errors=False,
                clear_untrusted_proxy_headers=False,
                ident="",
            ),
            sockinfo=(line.family, line.type, line.proto, line.getsockname()),
            bind_socket=False,
        )
        self._thread = Thread(target=self._serve, name="hall pages", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def _serve(self) -> None:
        while not self._ending:
            wasyncore.loop(timeout=1, use_poll=True, map=self.lines, count=1)

    def stop(self) -> None:
        """Leave no connection and no thread behind."""
        self._ending = True
        self.pull_trigger()
        self._thread.join(STOP_S)
        for channel in [one for one in list(self.lines.values()) if isinstance(one, HTTPChannel)]:
            channel.handle_close()
        self.task_dispatcher.shutdown(timeout=STOP_S)
        wasyncore.close_all(self.lines)


def _raise_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _quieten() -> None:
    for name in ("waitress", "waitress.queue"):
        logging.getLogger(name).setLevel(logging.ERROR)
