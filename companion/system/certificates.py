"""Certificate authorities (CA) of our own: a hall's for its broker, a table's for its pages.

Tables are told the hall's when they join, and believe nobody else. It signs nothing but the
broker's certificate, under one name, so a hall may change its address, its computer's name and that
certificate, and no table has to be told. All of it begins years ago: a table whose clock was never
set wakes up in the past.

A table's authority is for browsers. What signs the certificate of its pages may do so for names and
addresses of a home alone, and itself was signed by a key that was thrown away at once: whoever
steals all that there is cannot pretend to be the bank, even where a browser asks only of those in
between what they may do. The certificate follows the names of the computer, and is renewed.

The program openssl does it; each file has its key, for its owner alone.
"""

import logging
import re
import secrets
import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Any, Final, Self

from companion.system import errors, private_files, status, text
from companion.system.small_files import KeptAside, SmallFile

LOG: Final = logging.getLogger(__name__)

HALL: Final = "Rappelwacht"  # the name of a hall's own authority
HALL_BROKER: Final = "hall.rappelwacht"  # and its broker, wherever that is
AUTHORITY, BROKER = "authority.pem", "certificate.pem"
CERTIFICATE: Final = re.compile(
    "-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.DOTALL
)
BEGINS: Final = datetime(2020, 1, 1, tzinfo=UTC)
AUTHORITY_ENDS: Final = datetime(2069, 12, 31, tzinfo=UTC)
LASTS: Final = timedelta(days=800)
LEFT: Final = timedelta(days=400)  # with less it is renewed
PATIENCE_S: Final = 60.0
WORDS: Final = """
[ca]
default_ca = own
[own]
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
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
nameConstraints = critical, $ENV::PERMITTED
[between]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
nameConstraints = critical, $ENV::PERMITTED
[pages]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
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
            "This needs the program openssl; install it with: sudo apt-get install openssl"
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
            pem = desk.signed("authority", HALL, "ed25519", AUTHORITY_ENDS)
            AUTHORITY_FILE.save(folder, pem)
    return _certificate(pem)


def _tell_aside(report: Report, condition: status.Condition) -> None:
    _tell_lost(report, condition)
    LOG.warning("%s", NO_TABLE_TRUSTS)
    report(NO_TABLE_TRUSTS)


def _tell_lost(report: Callable[[status.Condition], object], condition: status.Condition) -> None:
    """Report an authority that is kept aside; one that cannot be read now is never replaced."""
    if condition.state is not KeptAside.ASIDE:
        raise errors.CompanionError(condition.state.template, **condition.values)
    report(condition)


def authority_certificate(folder: Path) -> str | None:
    """Return the certificate of the authority in a folder; None: there is none."""
    pem = AUTHORITY_FILE.read(folder)
    return None if pem is None else _certificate(pem)


def _certificate(pem: bytes) -> str:
    certificate = CERTIFICATE.search(pem.decode("ascii"))
    return f"{certificate.group()}\n" if certificate else ""


def _whole(pem: bytes) -> bytes:
    """Return a key and its certificate, of which both must be in order and belong together."""
    with NamedTemporaryFile() as file:  # for its owner alone
        file.write(pem)
        file.flush()
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file.name, password=str)
    if not _certificate(pem):
        raise ValueError("there is no certificate")
    return pem


AUTHORITY_FILE: Final[SmallFile[bytes]] = SmallFile(AUTHORITY, bytes, _whole, 20_000)
CERTIFICATE_FILE: Final[SmallFile[bytes]] = SmallFile(BROKER, bytes, _whole, 20_000)


def renew(
    folder: Path, now: Now = lambda: datetime.now(UTC), report: Report = lambda _: None
) -> bool:
    """Renew the certificate of the broker if needed; return whether it is a new one."""
    by = authority(folder, report)
    if _lasts(folder, by):
        return False
    with OpensslRun() as desk:
        ends = max(now(), BEGINS) + LASTS  # a clock that was never set may say anything
        made = desk.signed("broker", HALL_BROKER, "ec", ends, folder / AUTHORITY)
        CERTIFICATE_FILE.save(folder, made)
    return True


def _lasts(folder: Path, by: str) -> bool:
    """Tell whether the broker's certificate is from this authority and will stay valid for long."""
    file = folder / BROKER
    if not CERTIFICATE_FILE.load(folder, b""):
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

    def __init__(self, *names: str, permitted: Iterable[str] = ()) -> None:
        self._found = ",".join(map(_alternative, names or (HALL_BROKER,)))
        self._permitted = ",".join(f"permitted;{limit}" for limit in permitted)
        self._program, self._there = program(), TemporaryDirectory(prefix="certificates-")
        self.folder = Path(self._there.name)

    def __enter__(self) -> Self:
        (self.folder / "words").write_text(WORDS, "ascii")
        (self.folder / "index").touch()
        return self

    def __exit__(self, *_: object) -> None:
        self._there.cleanup()

    def does(self, *words: str) -> bool:
        """Run openssl; return whether it succeeded."""
        return self._run(words).returncode == 0

    def says(self, *words: str) -> str:
        return self._run(words).stdout.decode("utf-8", "replace")

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
                "The certificate cannot be made ({reason}); see what this says: openssl version",
                reason=lines[-1] if lines else done.returncode,
            )

    def _run(self, words: Sequence[str], called: str = "") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(  # noqa: S603 - a program that we looked for, and no shell
            [self._program, *words],
            cwd=self.folder,
            env={
                "CALLED": called,
                "FOUND": self._found,
                "PERMITTED": self._permitted,
                "PATH": "/usr/bin:/bin",
                "LC_ALL": "C",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=PATIENCE_S,
        )


def _written(moment: datetime) -> str:
    return moment.strftime("%Y%m%d%H%M%SZ")


def _alternative(name: str) -> str:
    return f"{'DNS' if _address(name) is None else 'IP'}:{name}"


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


# --- the pages of a table -------------------------------------------------------------------------

FOLDER: Final = "https"  # in the table's folder
EARLIEST: Final = datetime(2026, 11, 1, tzinfo=UTC)  # an earlier clock is wrong: this is younger
ROOT_ENDS: Final = datetime(2049, 12, 31, tzinfo=UTC)
BEFORE: Final = timedelta(days=30)  # so far may a phone's clock be behind
AHEAD: Final = timedelta(days=365)  # with the former less than 398 days, which browsers allow
SOON: Final = timedelta(days=90)  # with less it is renewed
HOME_NAMES: Final = ("local", "localhost", "home.arpa", "internal", "lan", "home")
HOME_NETWORKS: Final = (  # of a home, a VPN, this computer itself, and what has no network
    *map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8")),
    *map(ip_network, ("169.254.0.0/16", "100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10")),
)
MADE: Final = 2  # certificates of an authority: its own, and the one between it and the pages
THIS_COMPUTER: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class PagesCertificate:
    """The certificate of a table's pages, which browsers may see."""

    root: bytes  # what phones may trust, in DER
    called: str  # as its name stands in their lists
    names: frozenset[str]
    begins: datetime
    ends: datetime
    far: tuple[str, ...] = ()  # names besides a home's that phones would believe of it

    def lasts(self, names: Iterable[str], now: datetime) -> bool:
        """Tell whether it is good for these names, now and for a while."""
        return self.names >= {*names} and self.begins <= now <= self.ends - SOON


def is_plausible_clock(now: datetime) -> bool:
    """Tell whether a clock may be right."""
    return EARLIEST <= now < ROOT_ENDS - AHEAD


def read_pages(folder: Path, report: status.Report = lambda _: None) -> PagesCertificate | None:
    """Return the certificate of the pages as it is kept; None: there is none that can be used."""
    whole = CERTIFICATE_FILE.load(folder, b"", report)
    by = AUTHORITY_FILE.load(folder, b"", report)
    if not whole or not by:
        return None
    root = CERTIFICATE.findall(by.decode("ascii"))[-1]
    with OpensslRun() as desk:
        (desk.folder / "root.pem").write_text(f"{root}\n", "ascii")
        pages = str((folder / BROKER).resolve())
        checked = ["-purpose", "sslserver", "-no_check_time", "-CAfile", "root.pem"]
        if not desk.does("verify", *checked, "-untrusted", pages, pages):
            return None
        says = desk.says("x509", "-noout", "-dates", "-ext", "subjectAltName", "-in", pages)
    begins, ends = (
        datetime.fromtimestamp(ssl.cert_time_to_seconds(date), UTC)
        for date in re.findall(r"^not\w+=(.*)$", says, re.MULTILINE)
    )
    names = (str(_address(name) or name) for name in _NAMED.findall(says))
    der = ssl.PEM_cert_to_DER_cert(root)
    far = tuple(name for name in _vouched_for(der) or () if name not in HOME_NAMES)
    return PagesCertificate(der, _called(der), frozenset(names), begins, ends, far)


def _called(der: bytes) -> str:
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trust.load_verify_locations(cadata=der)
    subjects: Any = [known["subject"] for known in trust.get_ca_certs()]
    return next((str(value) for part in subjects[0] for _, value in part), HALL)


_NAMED: Final = re.compile(r"(?:DNS|IP Address):([^\s,]+)")
_PERMITTED: Final = re.compile(r"DNS:(\S+)")


def renew_pages(
    folder: Path, names: Sequence[str], now: datetime, report: status.Report = lambda _: None
) -> PagesCertificate | None:
    """Make a new certificate for the pages, and what signs it, if there is none; None: it fails."""
    folder.mkdir(mode=private_files.FOLDER, exist_ok=True)
    if not AUTHORITY_FILE.load(folder, b"", partial(_tell_lost, report)):
        AUTHORITY_FILE.save(folder, _made_authority(names))
    own = folder / AUTHORITY
    with OpensslRun() as desk:
        limits = desk.says("x509", "-noout", "-ext", "nameConstraints", "-in", str(own.resolve()))
    permitted = [name for name in names if is_permitted(name, _PERMITTED.findall(limits))]
    with OpensslRun(*dict.fromkeys((*THIS_COMPUTER, *permitted))) as desk:
        made = desk.signed("pages", "Rappelwacht", "ec", now + AHEAD, own, begins=now - BEFORE)
    between = CERTIFICATE.findall(own.read_text("ascii"))[0]
    CERTIFICATE_FILE.save(folder, made + f"{between}\n".encode())
    return read_pages(folder)


def demand_limits(authority: bytes, file: Path) -> None:
    """Raise CompanionError if an authority may vouch for more than the addresses of a table.

    These are a home's, and whole names for people far away; a domain such as `com` is none. A
    damaged one, which has no certificate, vouches for nothing.
    """
    pems = CERTIFICATE.findall(authority.decode("ascii", "replace"))
    if len(pems) > MADE or any(_vouched_for(_der_of(pem)) is None for pem in pems):
        raise errors.CompanionError(
            "{file}: what phones would trust may vouch for more addresses than a table has, so "
            "nothing was changed.",
            file=file,
        )


def _der_of(pem: str) -> bytes:
    try:
        return ssl.PEM_cert_to_DER_cert(pem)
    except ValueError:
        return b""


def _vouched_for(der: bytes) -> list[str] | None:
    """Return for which names a certificate may vouch; None: for more than a table has.

    Whoever made it chose what openssl shows of it, line breaks, too. So that counts only if it is
    all that the certificate's own bytes say.
    """
    with OpensslRun() as desk:
        (desk.folder / "der").write_bytes(der)
        shown = ("-noout", "-ext", "nameConstraints", "-inform", "DER", "-in", "der")
        limits = desk.says("x509", *shown)
    names = _PERMITTED.findall(limits)
    networks = [_network(*parts) for parts in re.findall(r"IP:([^\s/]+)/(\S+)", limits)]
    written = [_tagged(DNS_NAME, name.encode()) for name in names]
    written += [
        _tagged(IP_NETWORK, ip.network_address.packed + ip.netmask.packed) for ip in networks
    ]
    permitted = _tagged(PERMITTED, b"".join(_tagged(SEQUENCE, limit) for limit in written))
    is_all = der.count(LIMITS) == 1 and (
        LIMITS + CRITICAL + _tagged(OCTETS, _tagged(SEQUENCE, permitted)) in der
    )
    is_home = bool(
        limits
        and names
        and all(name in HOME_NAMES or "." in name.strip(".") for name in names)
        and {network.version for network in networks} == {4, 6}
        and {*networks} <= {*HOME_NETWORKS}
    )
    return names if is_all and is_home else None


def _network(address: str, mask: str) -> IPv4Network | IPv6Network:
    return ip_network((address, int(ip_address(mask)).bit_count()))


LIMITS: Final = bytes.fromhex("0603551d1e")  # what certificates call their name constraints
CRITICAL: Final = bytes.fromhex("0101ff")
OCTETS, SEQUENCE, PERMITTED, DNS_NAME, IP_NETWORK = 0x04, 0x30, 0xA0, 0x82, 0x87


def _tagged(tag: int, content: bytes) -> bytes:
    """Return a part of a certificate in DER."""
    size, long = len(content), b""
    if size > 0x7F:
        long = size.to_bytes((size.bit_length() + 7) // 8, "big")
        size = 0x80 | len(long)
    return bytes((tag, size)) + long + content


def is_permitted(name: str, names: Iterable[str] = HOME_NAMES) -> bool:
    """Tell whether the authority of a table may vouch for a name or an address.

    >>> [is_permitted(name) for name in ("zapp.local", "192.168.7.5", "fd00::7", "localhost")]
    [True, True, True, True]
    >>> [is_permitted(name) for name in ("bank.example", "8.8.8.8", "2001:db8::7", "notlocal")]
    [False, False, False, False]
    """
    address = _address(name)
    if address is None:
        return any(f".{name}".endswith(f".{permitted}") for permitted in names)
    return any(address.version == home.version and address in home for home in HOME_NETWORKS)


def _made_authority(names: Sequence[str]) -> bytes:
    """Return what signs for the pages: its key and certificate, and the one of the root.

    Names that it may vouch for besides those of a home are the table's own for people far away.
    """
    own = [name for name in names if _address(name) is None and not is_permitted(name)]
    limits = [f"DNS:{name}" for name in (*HOME_NAMES, *own)]
    limits += [f"IP:{home.network_address}/{home.netmask}" for home in HOME_NETWORKS]
    host = next((name.partition(".")[0] for name in names if _address(name) is None), "")
    called = " ".join(filter(None, (HALL, host[:40], secrets.token_hex(2).upper())))
    with OpensslRun(permitted=limits) as desk:
        root = desk.signed("root", called, "ec", ROOT_ENDS)
        by = desk.folder / "root"
        private_files.write(by, root)
        between = desk.signed("between", f"{called} pages", "ec", ROOT_ENDS, by)
    return between + (_certificate(root)).encode()
