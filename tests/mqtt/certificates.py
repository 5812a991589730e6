"""Certificates for a broker of the tests: the hall's own, and others with something wrong."""

from datetime import UTC, datetime
from pathlib import Path

from companion.mqtt import accounts
from companion.mqtt.client import Broker as Address
from companion.system import certificates
from tests.mqtt.broker import LOOPBACK, Broker, free_port
from tests.programs import need

SOON = datetime(2066, 1, 1, tzinfo=UTC)  # a day at which clocks of the tests do not stand
LONG_AGO = datetime(2020, 6, 1, tzinfo=UTC)


def made(
    folder: Path,
    *,
    called: str = certificates.HALL_BROKER,
    by: str = certificates.HALL,
    begins: datetime = certificates.BEGINS,
    ends: datetime = SOON,
) -> str:
    """Have an authority and a broker's certificate in a folder; return the authority."""
    need("openssl")
    folder.mkdir(exist_ok=True)
    with certificates.OpensslRun(called) as desk:
        whole = desk.signed("authority", by, "ed25519", certificates.AUTHORITY_ENDS)
        (folder / certificates.AUTHORITY).write_bytes(whole)
        dates = {"ends": ends, "begins": begins}
        own = desk.signed("broker", called, "ec", by=folder / certificates.AUTHORITY, **dates)
    (folder / certificates.BROKER).write_bytes(own)
    (folder / certificates.BROKER).chmod(0o600)
    return certificates.authority(folder)


class TlsBroker(Broker):
    """A broker that speaks TLS, too, at one more port, with what lies in a folder."""

    def __init__(self, folder: Path, own: Path | None = None) -> None:
        if own is None:
            need("openssl")
            own = folder / "own"
            own.mkdir()
            certificates.renew(own)
        self.own, self.authority, self.tls_port = own, certificates.authority(own), free_port()
        one = accounts.Listener(self.tls_port, LOOPBACK, own / certificates.BROKER)
        lines = accounts.configuration([one], folder).splitlines()
        begin = next(n for n, line in enumerate(lines) if line.startswith("listener "))
        more = "\n".join(lines[begin:]) + "\n"
        super().__init__(folder, more=more, more_ports=[self.tls_port])

    def safely(self, account: str) -> Address:
        """Return how an account reaches it by TLS."""
        plain = self.of(account)
        return Address(LOOPBACK, self.tls_port, account, plain.password, self.authority)
