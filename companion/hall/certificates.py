"""The hall's own authority, and its broker's certificate, which is renewed before it expires.

Tables are told the authority when they join, and believe nobody else. It signs nothing but the
broker's certificate, under one name, so a hall may change its address, its computer's name and that
certificate, and no table has to be told. All of it begins years ago: a table whose clock was never
set wakes up in the past. The program openssl does it; each file has its key, for its owner alone.
"""

import logging
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Final, Self

from companion.mqtt import join_code
from companion.system import errors, status, text
from companion.system.small_files import KeptAside, SmallFile

LOG: Final = logging.getLogger(__name__)

AUTHORITY, BROKER = "authority.pem", "certificate.pem"
BEGINS: Final = datetime(2020, 1, 1, tzinfo=UTC)
AUTHORITY_ENDS: Final = datetime(2069, 12, 31, tzinfo=UTC)
LASTS: Final = timedelta(days=800)
LEFT: Final = timedelta(days=400)  # with less it is renewed
PATIENCE_S: Final = 60.0
WORDS: Final = """
[ca]
default_ca = hall
[hall]
database = index
new_certs_dir = .
rand_serial = yes
unique_subject = no
default_md = sha256
policy = policy
[policy]
commonName = supplied
[req]
distinguished_name = name
prompt = no
[name]
CN = $ENV::CALLED
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = none
authorityKeyIdentifier = none
[broker]
basicConstraints = CA:FALSE
authorityKeyIdentifier = none
subjectAltName = $ENV::FOUND
"""
NO_TABLE_TRUSTS: Final = text.Text(
    "The hall has a new authority, which no table trusts yet: have each table join again, or stop "
    "the hall and put a copy of the old file in its place."
)
Now = Callable[[], datetime]
Report = Callable[[status.Condition | text.Text], object]


def program() -> str:
    """Return where openssl is, or raise how to install it."""
    if (path := shutil.which("openssl")) is None:
        raise errors.CompanionError(
            "A hall needs the program openssl for its certificate; install it with: sudo apt-get "
            "install openssl"
        )
    return path


def authority(folder: Path, report: Report = lambda _: None) -> str:
    """Return the certificate of the hall's authority in PEM; it is made when first asked for.

    A damaged one is kept aside and replaced: a hall that starts is worth more than tables that have
    to join again. CompanionError: it may well be whole, but cannot be read.
    """
    pem = AUTHORITY_FILE.load(folder, b"", partial(_tell_aside, report))
    if not pem:
        with OpensslRun() as desk:
            pem = desk.signed("authority", join_code.AUTHORITY, "ed25519", AUTHORITY_ENDS)
            AUTHORITY_FILE.save(folder, pem)
    return _certificate(pem)


def _tell_aside(report: Report, condition: status.Condition) -> None:
    if condition.state is not KeptAside.ASIDE:
        raise errors.CompanionError(condition.state.template, **condition.values)
    LOG.warning("%s", NO_TABLE_TRUSTS)
    report(condition)
    report(NO_TABLE_TRUSTS)


def kept(folder: Path) -> str | None:
    """Return the certificate of the authority in a folder; None: there is none."""
    pem = AUTHORITY_FILE.read(folder)
    return None if pem is None else _certificate(pem)


def _certificate(pem: bytes) -> str:
    certificate = join_code.CERTIFICATE.search(pem.decode("ascii"))
    return f"{certificate.group()}\n" if certificate else ""


def _whole(pem: bytes) -> bytes:
    """Return a key and its certificate, of which both must be in order and belong together."""
    with NamedTemporaryFile() as file:  # for its owner alone
        file.write(pem)
        file.flush()
        SSLContext(PROTOCOL_TLS_SERVER).load_cert_chain(file.name, password=str)
    if not _certificate(pem):
        raise ValueError("there is no certificate")
    return pem


AUTHORITY_FILE: Final[SmallFile[bytes]] = SmallFile(AUTHORITY, bytes, _whole, 20_000)
BROKER_FILE: Final[SmallFile[bytes]] = SmallFile(BROKER, bytes, _whole, 20_000)


def renew(
    folder: Path, now: Now = lambda: datetime.now(UTC), report: Report = lambda _: None
) -> bool:
    """Renew the certificate of the broker if needed; return whether it is a new one."""
    by = authority(folder, report)
    if _lasts(folder, by):
        return False
    with OpensslRun() as desk:
        ends = max(now(), BEGINS) + LASTS  # a clock that was never set may say anything
        made = desk.signed("broker", join_code.BROKER, "ec", ends, folder / AUTHORITY)
        BROKER_FILE.save(folder, made)
    return True


def _lasts(folder: Path, by: str) -> bool:
    """Tell whether the broker's certificate is from this authority and will stay valid for long."""
    file = folder / BROKER
    if not BROKER_FILE.load(folder, b""):
        return False
    with OpensslRun() as desk:
        (desk.folder / "by.pem").write_text(by, "ascii")
        whole = desk.does("verify", "-CAfile", "by.pem", str(file.resolve()))
        left_s = str(round(LEFT.total_seconds()))
        return whole and desk.does(
            "x509", "-noout", "-checkend", left_s, "-in", str(file.resolve())
        )


class OpensslRun:
    """A folder in which openssl works; nothing of it stays."""

    def __init__(self, name: str = join_code.BROKER) -> None:
        self._found = f"{'IP' if name[:1].isdecimal() else 'DNS'}:{name}"
        self._program, self._there = program(), TemporaryDirectory(prefix="hall-")
        self.folder = Path(self._there.name)

    def __enter__(self) -> Self:
        (self.folder / "words").write_text(WORDS, "ascii")
        (self.folder / "index").touch()
        return self

    def __exit__(self, *_: object) -> None:
        self._there.cleanup()

    def does(self, *words: str, called: str = "") -> bool:
        """Have openssl do something; return whether it did."""
        return self._run(words, called).returncode == 0

    def signed(  # noqa: PLR0913 - as much as a certificate says
        self,
        kind: str,
        called: str,
        key: str,
        ends: datetime,
        by: Path | None = None,
        *,
        begins: datetime = BEGINS,
    ) -> bytes:
        """Return a new key and its certificate, signed by an authority, or by itself."""
        curve = ["-pkeyopt", "ec_paramgen_curve:P-256"] if key == "ec" else []
        asked = ["req", "-new", "-config", "words", "-newkey", key, *curve, "-nodes"]
        self._must([*asked, "-keyout", "key", "-out", "request"], called)
        signs = ["-selfsign", "-keyfile", "key"]
        if by is not None:
            signs = ["-cert", str(by.resolve()), "-keyfile", str(by.resolve())]
        dates = ["-startdate", _written(begins), "-enddate", _written(ends)]
        done = ["ca", "-batch", "-notext", "-config", "words", *signs, *dates]
        self._must([*done, "-extensions", kind, "-in", "request", "-out", "made"], called)
        return (self.folder / "key").read_bytes() + (self.folder / "made").read_bytes()

    def _must(self, words: list[str], called: str) -> None:
        done = self._run(words, called)
        if done.returncode != 0:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise errors.CompanionError(
                "The hall's certificate cannot be made ({reason}); see what this says: openssl "
                "version",
                reason=lines[-1] if lines else done.returncode,
            )

    def _run(
        self, words: list[str] | tuple[str, ...], called: str
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(  # noqa: S603 - a program that we looked for, and no shell
            [self._program, *words],
            cwd=self.folder,
            env={"CALLED": called, "FOUND": self._found, "PATH": "/usr/bin:/bin", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=PATIENCE_S,
        )


def _written(moment: datetime) -> str:
    return moment.strftime("%Y%m%d%H%M%SZ")
