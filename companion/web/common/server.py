"""The HTTP server: waitress with a few threads, which hands connections of streams to the fan-out.

A stream costs no thread: once its head is sent, its connection leaves waitress. No thread waits for
anybody who does not read. A line by TLS is one like any other, once they have shaken hands; until
then it is one on which no whole request came yet.

Limits go by the address from which somebody calls. As long as there are free lines, one address may
have them all, as a whole household, a café or a proxy has but one; once there are none, whoever has
most gives one up, and that is never one of the few that a browser has. Addresses take turns at
being answered, so that nobody waits for all that another sends.
"""

import errno
import json
import logging
import re
import resource
import secrets
import socket
import ssl
import time
from collections import Counter, OrderedDict, deque
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask

from companion.i18n.translate import say
from companion.system.errors import CompanionError
from companion.web.common import addresses, errors, fanout, live, proxies
from companion.web.common.request_guard import HEADERS

THREADS: Final = 8
THREADS_EACH: Final = 4  # for one address at a time, so that slow answers leave some to the others
CONNECTIONS: Final = 1_000
CONNECTIONS_EACH: Final = 8  # which nobody has to give up while asking; a browser opens six
SPARE: Final = 16  # for those who come before the server looks again who has too many
SHAKES: Final = 16  # of hands by TLS, which take a while each, before it is others' turn
WHOLE_REQUEST_S: Final = 20  # within which a request has to arrive, and another on the same line
WAITING_BYTES: Final = 16 * 1024
UNREAD_BYTES: Final = 16 * 1024 * 1024  # of all answers that are not read yet
LARGEST_BYTES: Final = 256 * 1024  # of a body; the gate takes less, and says so more kindly
HEADER_BYTES: Final = 16 * 1024
TRANSFER_ENCODING: Final = re.compile(rb"\ntransfer-encoding:[ \t]*([^\r]*)", re.IGNORECASE)
TLS: Final = b"\x16\x03"  # how its first message begins
TLS_RECORD_BYTES: Final = 16 * 1024  # at most, so that none is left unnoticed
STOP_S: Final = 2
OPEN_FILES: Final = 8_192  # Linux gives a program 1,024 unless it asks for more


class _RequestParser(HTTPRequestParser):
    """Refuses a request if a proxy in front might see its end elsewhere than waitress does."""

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        codings = [coding.strip().lower() for coding in TRANSFER_ENCODING.findall(header_plus)]
        by_length = "CONTENT_LENGTH" in self.headers
        if codings and (codings != [b"chunked"] or by_length or self.version != "1.1"):
            raise ParsingError("Transfer-Encoding leaves it open where the request ends")


class _Task(WSGITask):
    def get_environment(self) -> dict[str, Any]:
        """Return what is known of the request, and how its line is handed over."""
        environ = super().get_environment()
        environ[live.TAKE] = self._hand_over
        server: Any = self.channel.server  # the stubs know it as something else
        trusted: proxies.TrustedProxies = server.proxies
        scheme = environ["wsgi.url_scheme"] = getattr(self.channel, "scheme", "http")
        if trusted:
            environ[proxies.PROXIED] = True
            caller = trusted.caller(environ["REMOTE_ADDR"], environ, scheme)
            if caller is None:
                environ[proxies.CONTRADICTION] = True
            else:
                environ["REMOTE_ADDR"], environ["wsgi.url_scheme"] = caller.address, caller.scheme
        return environ

    def _hand_over(self, taker: live.Taker) -> None:
        """Hand the connection over once this answer is sent; the answer ends with it."""
        self.version = "1.0"
        if isinstance(self.channel, _Channel):
            self.channel.hand_over(taker)


class _NoRequest(ErrorTask):
    """Answers what is not sound HTTP, or too much of it, in the shape of all other faults."""

    def execute(self) -> None:
        """Write the answer; no page and no language is known here."""
        request: Any = self.request  # the stubs know it as something else
        code = request.error.code
        status = 413 if code == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE else code
        status = status if status in errors.FAULTS else 400
        name, text = errors.FAULTS[status]
        body = json.dumps({"error": {"code": name, "sentence": say(text)}}).encode()
        self.status = f"{status} {HTTPStatus(status).phrase}"
        self.response_headers = [("Content-Type", "application/json"), *HEADERS.items()]
        self.content_length = len(body)
        self.set_close_on_finish()
        self.write(body)


class _Channel(HTTPChannel):
    task_class, error_task_class, parser_class = _Task, _NoRequest, _RequestParser
    clock_s = staticmethod(time.monotonic)
    scheme = "http"
    _active_s = 0.0
    _taker: live.Taker | None = None

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:  # noqa: A002 - waitress calls it so
        self.home = addresses.neighbourhood(addr[0])
        super().__init__(server, sock, addr, adj, map)

    @property
    def last_activity(self) -> float:
        """Return when it was last active, by a clock that never jumps."""
        return self._active_s

    @last_activity.setter
    def last_activity(self, _: float) -> None:
        """Note that it is active; waitress says when by the wall clock."""
        self._active_s = self.clock_s()

    def handle_read(self) -> None:
        """Take what came; a request that only drips in does not keep the line open."""
        before = self._active_s
        super().handle_read()
        if self.request is not None:
            self._active_s = before

    def received(self, data: bytes) -> bool:
        """Take some of a request; a browser that tries https first need not wait for an answer."""
        if self.request is None and data.startswith(TLS):
            self.handle_close()
            return False
        return bool(super().received(data))

    def send_continue(self) -> None:
        """Ask for the body that a request announces; of one without a body nothing more comes."""
        if self.request is not None and not self.request.completed:
            super().send_continue()

    def _flush_outbufs_below_high_watermark(self) -> None:
        """Hold no thread for one that does not read; it gets no further answers instead."""
        if len(self.requests) > 1 and self.total_outbufs_len > self.adj.outbuf_high_watermark:
            self.close_when_flushed = True
            self.requests = self.requests[:1]

    def find_home(self) -> None:
        """Note from where the request came that waits: behind a proxy each may be another's."""
        server: Any = self.server
        if not server.proxies:
            return
        headers = {f"HTTP_{name}": text for name, text in self.requests[0].headers.items()}
        caller = server.proxies.caller(self.addr[0], headers)
        self.home = addresses.neighbourhood(self.addr[0] if caller is None else caller.address)

    def service(self) -> None:
        """Answer a request; then it is another's turn."""
        home = self.home
        try:
            super().service()
        finally:
            dispatcher: Any = self.server.task_dispatcher
            with dispatcher.lock:
                dispatcher.queue.done(home)

    def hand_over(self, taker: live.Taker) -> None:
        """Give the line away once all is sent, or tell the taker that it is gone already."""
        with self.outbuf_lock:
            gone = not self.connected
            if not gone:
                self._taker = taker
        if gone:
            taker(None)

    def handle_close(self) -> None:
        """Close the line, or give it away."""
        with self.outbuf_lock:
            taker, self._taker = self._taker, None
            whole, self.connected = self.connected and not self.total_outbufs_len, False
            line = None
            if taker is not None and whole:
                line, self.socket = self.socket, None
        super().handle_close()
        if taker is not None:
            taker(line)


class _TlsChannel(_Channel):
    """A line by TLS: they shake hands first, however slowly that goes."""

    scheme = "https"
    _shaking = True
    _blocked = False  # by its own greeting, which the phone has to take first
    _came = b""

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:  # noqa: A002 - waitress calls it so
        self._turn = Lock()  # of whoever reads or writes: OpenSSL takes one at a time
        super().__init__(server, sock, addr, adj, map)

    def writable(self) -> bool:
        return self._blocked or bool(super().writable())

    def handle_write(self) -> None:
        if self._blocked and not self.will_close:
            self._shake()
        else:
            super().handle_write()

    def handle_read(self) -> None:
        if self._shaking:
            self._shake()
            return
        try:
            with self._turn:
                self._came = self._line.recv(TLS_RECORD_BYTES)
        except fanout.NOT_NOW:  # only a part of what hides a request
            return
        except OSError:
            self._came = b""
        super().handle_read()

    def _shake(self) -> None:
        server: Any = self.server  # the stubs know it as something else
        if not server.shakes:
            return
        server.shakes -= 1
        try:
            self._line.do_handshake()
        except ssl.SSLWantReadError:
            self._blocked = False
        except ssl.SSLWantWriteError:
            self._blocked = True
        except (OSError, ValueError):
            self.handle_close()
        else:
            self._shaking = self._blocked = False

    @property
    def _line(self) -> ssl.SSLSocket:
        assert isinstance(self.socket, ssl.SSLSocket)
        return self.socket

    def recv(self, buffer_size: int) -> bytes:  # noqa: ARG002 - waitress asks so
        """Return what was just deciphered; nothing: the phone has hung up."""
        came, self._came = self._came, b""
        if not came:
            self.handle_close()
        return came

    def send(self, data: bytes, do_close: bool = True) -> int:
        try:
            with self._turn:  # once both have said goodbye, a socket would send it in clear
                return self._line.send(data) if self._line.version() else 0
        except fanout.NOT_NOW:
            return 0
        except OSError:
            if do_close:
                self.handle_close()
            return 0

    def handle_close(self) -> None:
        """Close the line with a goodbye that waits for no answer, or give it away."""
        if self.socket is not None and self._taker is None:
            with suppress(OSError, ValueError), self._turn:
                self._line.unwrap()
        super().handle_close()


class _Turns:
    """Who waits to be answered: the addresses by turns, and none has all threads.

    It stands where waitress has a queue, and is empty where nobody may be answered now.
    """

    def __init__(self) -> None:
        self._of = OrderedDict[str, deque[_Channel]]()  # whose turn it is next comes first
        self._running = Counter[str]()

    def _next(self) -> str | None:
        return next((home for home in self._of if self._running[home] < THREADS_EACH), None)

    def __len__(self) -> int:
        return int(self._next() is not None)

    def append(self, channel: _Channel) -> None:
        channel.find_home()
        self._of.setdefault(channel.home, deque()).append(channel)

    def popleft(self) -> _Channel:
        home = self._next()
        if home is None:
            raise IndexError
        waiting = self._of.pop(home)
        channel = waiting.popleft()
        if waiting:
            self._of[home] = waiting
        self._running[home] += 1
        return channel

    def done(self, home: str) -> None:
        self._running -= Counter((home,))


class Server(TcpWSGIServer):
    """Waitress, with a loop that can be ended from outside."""

    channel_class = _Channel

    def __init__(
        self, app: Flask, line: socket.socket, trusted: proxies.TrustedProxies | None = None
    ) -> None:
        _raise_limit()
        _quieten()
        self.proxies = trusted or proxies.TrustedProxies()
        self.lines: Any = {}  # by the number of its file; the stubs know it as something else
        self._ending = False
        self.shakes = 0
        line.setblocking(False)
        dispatcher: Any = ThreadedTaskDispatcher()
        dispatcher.queue = _Turns()
        dispatcher.set_thread_count(THREADS)
        super().__init__(
            app.wsgi_app,
            self.lines,
            _sock=line,
            dispatcher=dispatcher,
            adj=Adjustments(
                threads=THREADS,
                connection_limit=CONNECTIONS + 2,  # it counts itself and its bell, too
                channel_timeout=WHOLE_REQUEST_S,
                cleanup_interval=5,
                max_request_body_size=LARGEST_BYTES,
                max_request_header_size=HEADER_BYTES,
                outbuf_high_watermark=WAITING_BYTES,
                asyncore_use_poll=True,
                log_socket_errors=False,
                clear_untrusted_proxy_headers=False,  # `proxies` knows whom to believe
                ident="",
            ),
            sockinfo=(line.family, line.type, line.proto, line.getsockname()),
            bind_socket=False,
        )
        self._thread = Thread(target=self._serve, name="pages", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _serve(self) -> None:
        while not self._ending:
            self._make_room()
            self.shakes = SHAKES
            self.next_channel_cleanup = 0  # at once: what it waits for is told by the wall clock
            wasyncore.loop(timeout=1, use_poll=True, map=self.lines, count=1)

    def open_tls(self, line: socket.socket, context: ssl.SSLContext) -> "TlsPort":
        """Serve those, too, who call at a socket that listens; any thread may call it."""
        port = TlsPort(self, line, context)
        self.pull_trigger()
        return port

    def handle_accept(self) -> None:
        """Accept waiting connections."""
        for _ in range(SPARE):
            before = len(self.lines)
            if before < CONNECTIONS:
                super().handle_accept()
            if len(self.lines) == before:
                return

    def maintenance(self, _: float) -> None:
        """Close lines on which no whole request came in time, whatever the wall clock says."""
        super().maintenance(int(_Channel.clock_s()))

    def _make_room(self) -> None:
        """Close idle lines, so that there are some for who comes next; else they have to wait."""
        while lines := self._too_many():
            lines.sort(key=lambda line: (bool(line.requests), line.last_activity))
            for line in lines[: 1 + len(lines) // 16]:  # to look seldom, where many come
                line.handle_close()

    def _too_many(self) -> list[_Channel]:
        """Return those lines of which some have to be given up now."""
        lines = self.phones()
        unread = [line for line in lines if line.total_outbufs_len]
        if sum(line.total_outbufs_len for line in unread) > UNREAD_BYTES:
            return _crowd(unread)
        if len(lines) > CONNECTIONS - SPARE:
            return _crowd(lines) or [line for line in lines if not line.requests]
        return []

    def phones(self) -> list[_Channel]:
        return [line for line in [*self.lines.values()] if isinstance(line, _Channel)]

    def stop(self) -> None:
        """Leave no connection and no thread behind."""
        self._ending = True
        self.pull_trigger()
        if self._thread.is_alive():
            self._thread.join(STOP_S)
        for channel in self.phones():
            channel.handle_close()
        self.task_dispatcher.shutdown(timeout=STOP_S)
        wasyncore.close_all(self.lines)


class TlsPort(wasyncore.dispatcher):
    """The port at which lines by TLS begin, which then are the server's."""

    def __init__(self, by: Server, line: socket.socket, context: ssl.SSLContext) -> None:
        self._server, self.context = by, context
        self.port: int = line.getsockname()[1]
        self.accepting = True
        super().__init__(line, map=by.lines)

    def readable(self) -> bool:
        return len(self._server.lines) < CONNECTIONS

    def writable(self) -> bool:
        return False

    def handle_accept(self) -> None:
        """Accept waiting connections."""
        for _ in range(SPARE):
            with suppress(OSError, ValueError):  # it is gone already, or there are no more files
                accepted = self.accept() if self.readable() else None
                if accepted is None:
                    return
                self._greet(*accepted)

    def _greet(self, raw: socket.socket, address: Any) -> None:
        with raw:  # unless it becomes another
            raw.setblocking(False)
            self._server.set_socket_options(raw)
            line = self.context.wrap_socket(raw, server_side=True, do_handshake_on_connect=False)
        _TlsChannel(self._server, line, address, self._server.adj, map=self._server.lines)


def _crowd(lines: list[_Channel]) -> list[_Channel]:
    """Return the lines of the address that has most, if that is more than a browser has."""
    ((home, most),) = Counter(line.home for line in lines).most_common(1)
    return [line for line in lines if line.home == home] if most > CONNECTIONS_EACH else []


def _raise_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _quieten() -> None:
    """Keep the comings and goings of browsers out of the log; what is a mistake of ours stays."""
    for name in ("waitress", "waitress.queue"):
        logging.getLogger(name).setLevel(logging.ERROR)


USUAL_PORT: Final = 8000
LAST_PORT: Final = 65_535
NEAR: Final = 10  # so many ports are tried before any other
SILENT_MS: Final = 25_000  # the kernel waits this long; with a heartbeat before: less than 40 s
SEND_BUFFER_BYTES: Final = 64 * 1024  # what lies there is outdated when it is read
LENT: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")  # which ports the kernel lends
FIRST_PORT: Final = 20_000
TRIES: Final = 100


def listening(port: int | None, host: str = "") -> socket.socket:
    """Return a socket at which phones call; what is set here, each of their lines inherits.

    None is the usual port or, if that is taken, one soon after it, else any that is free, as 0 is.
    """
    if port is None:
        for near in range(USUAL_PORT, USUAL_PORT + NEAR):
            with suppress(CompanionError):
                return listening(near, host)
        return listening(0, host)
    everywhere = not host and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if everywhere or ":" in host else socket.AF_INET
    try:
        line = socket.create_server((host, port), family=family, dualstack_ipv6=everywhere)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CompanionError(
                "Port {port} is in use, perhaps by another table; stop that one, or use another "
                "port: --port {other}",
                port=port,
                other=port + 1 if port < LAST_PORT else USUAL_PORT,
            ) from None
        raise CompanionError(
            "The pages cannot be served at port {port} ({reason}); use another port.",
            port=port,
            reason=error.strerror,
        ) from None
    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)
    return line


def free_port(host: str) -> int:
    """Return a port that nobody listens at, and that stays so.

    The kernel lends high ports to whoever calls somewhere: one of these may be taken for a moment
    whenever its owner begins again.
    """
    try:
        end = int(LENT.read_text("ascii").split()[0])
    except (OSError, ValueError, IndexError):
        end = 0
    for _ in range(TRIES if end > FIRST_PORT else 0):
        port = FIRST_PORT + secrets.randbelow(end - FIRST_PORT)
        if is_free(host, port):
            return port
    with socket.create_server((host, 0)) as line:
        lent: int = line.getsockname()[1]
    return lent


def is_free(host: str, port: int) -> bool:
    try:
        socket.create_server((host, port)).close()
    except OSError:
        return False
    return True
