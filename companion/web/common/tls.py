"""The HTTPS port: one thread does TLS for all phones, and passes them on to the HTTP server.

Each line of a phone becomes a pair of sockets of which the server gets one half, as if somebody had
called at the plain port. So a stream can be handed over as ever, and whoever shakes hands slowly,
or never, keeps neither the server's thread nor another phone waiting.

    https = Https(folder, here)
    https.open(server.take)  # once there is a certificate, calls wait at its port
    https.look()             # and again, now and then: it renews itself
"""

import errno
import select
import socket
import ssl
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final

from companion.maintenance.checks import result
from companion.system import certificates, format_names, private_files, status
from companion.system.errors import CompanionError
from companion.web.common import addresses, server

SHAKE_S: Final = 10.0  # within which a phone has to say all of its greeting
CLOSE_S: Final = 10.0  # within which it has to take something of what is left to say
SHAKING: Final = 128  # at a time; of more, whoever began first where most of them are
MOST: Final = 4_000  # files of lines, two each: twice as many as the server has for all
CHUNK: Final = 16 * 1024  # as much as one record of TLS holds, so that none is left unnoticed
ROOM_BYTES: Final = 32 * 1024  # what lies there is outdated when it is read
LOOK_S: Final = 1.0  # how often somebody is looked for who takes too long
STOP_S: Final = 2.0
DEAD: Final = select.EPOLLHUP | select.EPOLLERR

Take = Callable[[socket.socket, Any], object]


def context_of(certificate: Path) -> ssl.SSLContext:
    """Return what a phone is greeted with: a file with a key, its certificate and who signed it."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    made.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    made.set_alpn_protocols(["http/1.1"])
    made.load_cert_chain(certificate)
    return made


class _Line:
    """A phone's line, and the half of a pair by which the server is told, once they shook hands."""

    __slots__ = ("address", "answer", "asked", "home", "inner", "over", "since_s", "tls", "wants")

    def __init__(self, tls: ssl.SSLSocket, address: Any, now_s: float) -> None:
        self.tls, self.address, self.home = tls, address, addresses.neighbourhood(address[0])
        self.inner: socket.socket | None = None
        self.asked = self.answer = memoryview(b"")  # what the other side has yet to take
        self.over = False  # the server has hung up
        self.since_s = now_s  # when it began, or when something of what is left to say was taken
        self.wants = (select.EPOLLIN, select.EPOLLIN)  # of the phone's side, and of the server's


class TlsPort:
    """Serves those who call at a socket that listens."""

    def __init__(
        self,
        ear: socket.socket,
        context: ssl.SSLContext,
        take: Take,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.context, self._ear, self._take, self._clock_s = context, ear, take, clock_s
        self.port: int = ear.getsockname()[1]
        self._lines: dict[int, _Line] = {}  # by the numbers of both files
        self._shaking: dict[int, _Line] = {}  # by the number of the phone's; the oldest first
        self._leaving: dict[int, _Line] = {}  # the server has hung up, and some is left to say
        self._closing: list[socket.socket] = []  # their numbers are used again only after a turn
        self._bell, self._hears = socket.socketpair()
        self._poll = select.epoll()
        self._thread = Thread(target=self._run, name="https", daemon=True)

    def start(self) -> None:
        self._ear.setblocking(False)
        self._poll.register(self._ear, select.EPOLLIN)
        self._poll.register(self._hears, select.EPOLLIN)
        self._thread.start()

    def stop(self) -> None:
        """Hang up on everybody; no thread is left."""
        with suppress(OSError):
            self._bell.send(b"!")
        if self._thread.is_alive():
            self._thread.join(STOP_S)
        for file in (self._bell, self._hears, self._ear):
            file.close()

    @property
    def shaking(self) -> int:
        """Return how many have not finished their greeting."""
        return len(self._shaking)

    @property
    def held(self) -> int:
        """Return how many phones have a line."""
        return len({*self._lines.values()})

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    # --- its thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        look_s = self._clock_s() + LOOK_S
        while self._turn():
            for file in self._closing:
                file.close()
            self._closing.clear()
            if (now_s := self._clock_s()) >= look_s:
                look_s = now_s + LOOK_S
                self._give_up(now_s)
        for line in {*self._lines.values()}:
            self._drop(line)
        for file in self._closing:
            file.close()
        self._poll.close()

    def _turn(self) -> bool:
        """Do what has happened; False: it is to end."""
        for number, what in self._poll.poll(LOOK_S):
            if number == self._hears.fileno():
                return False
            if number == self._ear.fileno():
                self._accept()
            elif (known := self._lines.get(number)) is not None:
                self._serve(known, number, what)
        return True

    def _accept(self) -> None:
        try:
            raw, address = self._ear.accept()
        except OSError as error:
            if error.errno in {errno.EMFILE, errno.ENFILE}:
                self._make_room(self._leaving or self._shaking)
            return
        try:
            raw.setblocking(False)
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            tls = self.context.wrap_socket(raw, server_side=True, do_handshake_on_connect=False)
        except (OSError, ValueError):  # it is gone already
            raw.close()
            return
        line = _Line(tls, address, self._clock_s())
        self._lines[tls.fileno()] = self._shaking[tls.fileno()] = line
        self._poll.register(tls, line.wants[0])
        if len(self._shaking) > SHAKING:
            self._make_room(self._shaking)
        elif len(self._lines) > MOST:
            self._make_room(self._leaving or self._shaking)

    def _make_room(self, among: Mapping[int, _Line]) -> None:
        """Close the oldest line of the address that has most of these lines."""
        lines = among.values()
        for home, _ in Counter(line.home for line in lines).most_common(1):
            self._drop(next(line for line in lines if line.home == home))

    def _give_up(self, now_s: float) -> None:
        for lines, patience_s in ((self._shaking, SHAKE_S), (self._leaving, CLOSE_S)):
            for line in [*lines.values()]:
                if now_s - line.since_s > patience_s:
                    self._drop(line)

    def _serve(self, line: _Line, number: int, what: int) -> None:
        if what & DEAD and number == line.tls.fileno():
            self._drop(line)
        elif line.inner is None and not line.over:
            self._shake(line)
        else:
            if what & DEAD:
                self._hang_up(line)
            self._pass(line)

    def _shake(self, line: _Line) -> None:
        try:
            line.tls.do_handshake()
        except ssl.SSLWantReadError:
            self._want(line, select.EPOLLIN)
        except ssl.SSLWantWriteError:
            self._want(line, select.EPOLLOUT)
        except (OSError, ValueError):
            self._drop(line)
        else:
            try:
                self._open(line)
            except OSError:  # there are no more files
                self._drop(line)
            else:
                self._pass(line)

    def _open(self, line: _Line) -> None:
        """Hand a phone whose TLS handshake is done to the server."""
        line.inner, theirs = socket.socketpair()
        line.inner.setblocking(False)
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM_BYTES)
        del self._shaking[line.tls.fileno()]
        self._lines[line.inner.fileno()] = line
        self._poll.register(line.inner, line.wants[1])
        self._take(theirs, line.address)

    def _hang_up(self, line: _Line) -> None:
        """Note that the server has hung up; what it said before is still passed on."""
        if not line.over and line.inner is not None:
            line.over, line.since_s = True, self._clock_s()
            self._leaving[line.tls.fileno()] = line
            self._poll.unregister(line.inner)  # it would ring all the time
            del self._lines[line.inner.fileno()]

    def _drop(self, line: _Line) -> None:
        number = line.tls.fileno()
        if self._lines.pop(number, None) is None:
            return
        self._shaking.pop(number, None)
        self._leaving.pop(number, None)
        if line.inner is not None:
            self._lines.pop(line.inner.fileno(), None)
            self._closing.append(line.inner)
        if line.over:
            with suppress(OSError, ValueError):
                line.tls.unwrap()  # says goodbye, and waits for no answer
        self._closing.append(line.tls)
        self._poll.unregister(line.tls)

    def _want(self, line: _Line, phone: int, server: int | None = None) -> None:
        """Register for what may happen on either side of a line."""
        wants = (phone, line.wants[1] if server is None else server)
        if wants[0] != line.wants[0]:
            self._poll.modify(line.tls, wants[0])
        if wants[1] != line.wants[1] and line.inner is not None and not line.over:
            self._poll.modify(line.inner, wants[1])
        line.wants = wants

    # --- passing on ---------------------------------------------------------------------------

    def _pass(self, line: _Line) -> None:
        """Pass on what either side has said, as far as the other takes it now."""
        try:
            phone = self._in(line) | self._out(line)
        except (OSError, ValueError):
            self._drop(line)
            return
        if line.over and not line.answer:
            self._drop(line)
            return
        server = (0 if line.answer else select.EPOLLIN) | (select.EPOLLOUT if line.asked else 0)
        self._want(line, phone, server)

    def _in(self, line: _Line) -> int:
        """Pass on what the phone says; return what has to happen before there is more."""
        if line.over or line.inner is None:
            return 0
        if not line.asked:
            try:
                data = line.tls.recv(CHUNK)
            except ssl.SSLWantReadError:
                return select.EPOLLIN
            except ssl.SSLWantWriteError:
                return select.EPOLLOUT
            if not data:
                raise ConnectionResetError
            line.asked = memoryview(data)
        with suppress(BlockingIOError):
            try:
                line.asked = line.asked[line.inner.send(line.asked) :]
            except (BrokenPipeError, ConnectionResetError):  # the server may have answered before
                self._hang_up(line)
                return 0
        return 0 if line.asked else select.EPOLLIN

    def _out(self, line: _Line) -> int:
        """Pass on what the server answers; return what has to happen before there is more."""
        while line.answer or self._next(line):
            try:
                sent = line.tls.send(line.answer)
            except ssl.SSLWantWriteError:
                return select.EPOLLOUT
            except ssl.SSLWantReadError:
                return select.EPOLLIN
            line.answer, line.since_s = line.answer[sent:], self._clock_s()
            if not line.over and not line.answer:
                break  # others come first
        return 0

    def _next(self, line: _Line) -> bool:
        """Read more of the answer; False: there is none now."""
        if line.inner is None:
            return False
        try:
            data = line.inner.recv(CHUNK)
        except BlockingIOError:
            return False
        except ConnectionResetError:
            data = b""
        if not data:
            self._hang_up(line)
        line.answer = memoryview(data)
        return bool(data)


# --- a certificate that stays valid ---------------------------------------------------------------

ABOVE: Final = 443  # so much higher than the plain port is that of https, if it is free
USUAL: Final = {80: 443}
NEXT: Final = 10  # of which one is tried after the other: two tables may stand on one computer
AGAIN_US: Final = 60_000_000  # after this time it is tried again, then after ever longer ones
AGAIN_LIMIT_US: Final = 3_600_000_000


@format_names.format_name("Https")
class HttpsState(status.Status):
    """Whether the pages are served by https, too."""

    OFF = status.Fine("The pages are not served by https here.")
    MAKING = status.Fine("A certificate for https is being made.")
    SERVED = status.Fine(
        "By https the pages are at port {port}; the certificate is good until {date}, and is "
        "renewed by itself."
    )
    CLOCK = (
        "This computer's clock says {date}, which cannot be, so there is no certificate for https "
        "yet: connect it to the Internet for a minute, or set it with: sudo date"
    )
    NONE = status.Fine("The certificate for https is made when the table starts.")
    KEPT = status.Fine("The certificate for https is there; the table renews it by itself.")
    OPEN = "The key in {file} can be read by others on this computer; take that away: chmod 600"
    FAULT = "The pages cannot be served by https: {fault}"

    @property
    def quiet(self) -> bool:
        """Whether that may wait until after the evening: the plain pages are as they were."""
        return True


class Https:
    """The pages of a table by https; only one thread looks after it, and any may ask how it is."""

    def __init__(
        self,
        folder: Path | None = None,  # of the table; None: they are not served so
        here: addresses.OwnAddresses | None = None,
        host: str = "",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        report: status.Report = lambda _: None,
    ) -> None:
        self._folder = None if folder is None else folder / certificates.FOLDER
        self._here, self._host, self._now, self._report = here, host, now, report
        self._take: Take | None = None  # also once it has ended
        self._opening = Lock()
        self.line: TlsPort | None = None
        self._again = status.Backoff(AGAIN_US, AGAIN_LIMIT_US)
        self._refused = frozenset[str]()  # names that this authority may not vouch for
        self.certificate: certificates.PagesCertificate | None = None
        self.condition = status.Condition(HttpsState.OFF, 0)
        if self._folder is not None:
            self._becomes(HttpsState.MAKING)

    def open(self, take: Take) -> None:
        """Serve whoever calls by this from now on, as soon as there is a certificate."""
        self._take = take

    @property
    def port(self) -> int | None:
        """Return the port at which the pages are served; None: they are not yet."""
        return None if self.line is None else self.line.port

    @property
    def links(self) -> tuple[str, ...]:
        """Return what to open, the best first: what the certificate is good for."""
        if self.certificate is None or self.line is None or self._here is None:
            return ()
        hosts = [host for host in self._here.hosts if host in self.certificate.names]
        hosts = hosts or [*self._here.hosts]  # browsers warn of these, and let one through
        bracketed = (f"[{host}]" if ":" in host else host for host in hosts)
        return tuple(f"https://{host}:{self.line.port}" for host in bracketed)

    def look(self) -> None:
        """Renew the certificate for all names of this computer, and listen with it."""
        now_us = time.monotonic_ns() // 1000
        if self._folder is None or self._here is None or now_us < self._again.due_us:
            return
        try:
            self._look(self._folder, self._here)
        except CompanionError as fault:
            self._again.failed(now_us)
            self._becomes(HttpsState.FAULT, fault=fault)
        except (OSError, ValueError, subprocess.SubprocessError) as fault:
            self._again.failed(now_us)
            reason = getattr(fault, "strerror", None) or type(fault).__name__
            self._becomes(HttpsState.FAULT, fault=reason)
        else:
            self._again.worked()

    def _look(self, folder: Path, here: addresses.OwnAddresses) -> None:
        now, before = self._now(), self.certificate
        if before is None:
            self.certificate = certificates.read_pages(folder, self._report)
        names = [here.name, *(name.partition(":")[0].lower() for name in here.web.names)]
        names += filter(certificates.is_permitted, here.addresses)
        wanted = {*names} - self._refused
        if self.certificate is None or not self.certificate.lasts(wanted, now):
            if certificates.is_plausible_clock(now):
                made = certificates.renew_pages(folder, names, now, self._report)
                self.certificate = made or self.certificate
            if self.certificate is not None:
                self._refused = frozenset({*names} - self.certificate.names)
        if self.certificate is None:
            self._becomes(HttpsState.CLOCK, date=now.date().isoformat())
            return
        if before is not self.certificate:
            self._show(context_of(folder / certificates.BROKER), here.port)
        ends = self.certificate.ends.date().isoformat()
        self._becomes(HttpsState.SERVED, port=self.port, date=ends)

    def _show(self, context: ssl.SSLContext, plain: int) -> None:
        with self._opening:
            if self.line is not None:
                self.line.context = context  # to whoever calls from now on
            elif self._take is not None:
                self.line = TlsPort(_listening(plain, self._host), context, self._take)
                self.line.start()

    def _becomes(self, state: HttpsState, **values: object) -> None:
        self.condition = status.Condition(state, 0, values)

    def checks(self) -> tuple[result.CheckResult, ...]:
        """Return how it is, as a finding of the doctor, where it is wanted at all."""
        wanted = self.condition.state is not HttpsState.OFF
        return (result.CheckResult("https", self.condition),) * wanted

    def stop(self) -> None:
        """Hang up on everybody."""
        with self._opening:
            self._take, line, self.line = None, self.line, None
        if line is not None:
            line.stop()


def check_kept(folder: Path, now: datetime) -> result.CheckResult:
    """Judge what is kept in a table's folder for https, and whether more of it can be made."""
    kept = folder / certificates.FOLDER
    try:
        certificates.program()
        files = [file for file in kept.iterdir() if file.suffix == ".pem"] if kept.exists() else []
        for file in files:
            if file.stat().st_mode & private_files.OTHERS:
                return result.check_result("https", HttpsState.OPEN, file=file)
    except CompanionError as fault:
        return result.check_result("https", HttpsState.FAULT, fault=fault)
    except OSError as fault:
        return result.check_result("https", HttpsState.FAULT, fault=fault.strerror or fault)
    if not certificates.is_plausible_clock(now):
        return result.check_result("https", HttpsState.CLOCK, date=now.date().isoformat())
    return result.check_result("https", HttpsState.KEPT if files else HttpsState.NONE)


def _listening(plain: int, host: str) -> socket.socket:
    """Return a socket at a port that follows from the plain one, or at any that is free."""
    first = USUAL.get(plain, plain + ABOVE)
    for port in range(first, min(first + NEXT, 65_536)):
        with suppress(CompanionError):
            return server.listening(port, host)
    return server.listening(0, host)
