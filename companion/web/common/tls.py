"""The HTTPS port, and a certificate for it that renews itself.

https = Https(folder, here)
https.open(server)  # once there is a certificate, calls are taken at a port of their own
https.look()        # and again, now and then: it renews itself
"""

import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Final

from companion.maintenance.checks import result
from companion.system import certificates, format_names, private_files, status
from companion.system.errors import CompanionError
from companion.web.common import addresses, server


def context_of(certificate: Path) -> ssl.SSLContext:
    """Return what a phone is greeted with: a file with a key, its certificate and who signed it."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    made.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    made.set_alpn_protocols(["http/1.1"])
    made.load_cert_chain(certificate)
    return made


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
        self._server: server.Server | None = None  # also once it has ended
        self._opening = Lock()
        self.line: server.TlsPort | None = None
        self._again = status.Backoff(AGAIN_US, AGAIN_LIMIT_US)
        self._refused = frozenset[str]()  # names that this authority may not vouch for
        self.certificate: certificates.PagesCertificate | None = None
        self.condition = status.Condition(HttpsState.OFF, 0)
        if self._folder is not None:
            self._becomes(HttpsState.MAKING)

    def open(self, by: server.Server) -> None:
        """Serve callers from now on, as soon as there is a certificate."""
        self._server = by

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
            elif self._server is not None:
                self.line = self._server.open_tls(_listening(plain, self._host), context)

    def _becomes(self, state: HttpsState, **values: object) -> None:
        self.condition = status.Condition(state, 0, values)

    def checks(self) -> tuple[result.CheckResult, ...]:
        """Return how it is, as a finding of the doctor, where it is wanted at all."""
        wanted = self.condition.state is not HttpsState.OFF
        return (result.CheckResult("https", self.condition),) * wanted

    def stop(self) -> None:
        """Open no port from now on; the server that has it lets go of it."""
        with self._opening:
            self._server = self.line = None


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
