"""A certificate for a broker of the tests, made as an organiser's computer makes its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

from companion.hall_link import accounts
from tests.hall_link.broker import LOOPBACK, Broker, free_port
from tests.programs import need


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """Make a certificate that nobody else has signed, and its key."""
    need("openssl")
    made, key = folder / f"{name}.pem", folder / f"{name}.key"
    words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    words += ["-nodes", "-subj", f"/CN={name}", "-keyout", str(key), "-out", str(made)]
    subprocess.run(words, check=True, capture_output=True)
    return made, key


class TlsBroker(Broker):
    """A broker that speaks TLS only, at one more port."""

    def __init__(self, folder: Path) -> None:
        made, key = certificate(folder, "hall")
        self.authority, self.tls_port = made.read_text("ascii"), free_port()
        one = accounts.Listener(self.tls_port, LOOPBACK, made, key)
        lines = accounts.configuration([one], folder).splitlines()
        begin = next(n for n, line in enumerate(lines) if line.startswith("listener "))
        super().__init__(folder, more="\n".join(lines[begin:]) + "\n")
