"""A Pi to install on: with a few files, as nothing depends on how many, or with all there are."""

import subprocess
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from companion.cli.install import payload, releases
from release.install.roots import Pi
from release.install.updates import OLD, Making, Updated, UpdatedPages, play
from tests.programs import need


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pi:
    """Return a Pi on which a version is a few files."""
    monkeypatch.setattr(releases, "PARTS", ("hardware/service", "run"))
    return Pi(tmp_path / "root")


@pytest.fixture
def whole_pi(tmp_path: Path) -> Pi:
    """Return a Pi on which a version is the whole program."""
    return Pi(tmp_path / "root")


@pytest.fixture
def table(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> Iterator[Updated]:
    """Return such a Pi; a match was played there."""
    monkeypatch.setattr(releases, "name", lambda: OLD)
    pi.carry_out("install")
    updated = Updated(pi)
    updated.table.mkdir()
    play(updated.table, over=True)
    handler = type("_", (UpdatedPages,), {"table": updated})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    updated.port = server.server_port
    yield updated
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two keys: of whom the table knows, and of a stranger."""
    need("ssh-keygen")
    folder = tmp_path_factory.mktemp("keys")
    for name in ("maker", "stranger"):
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(folder / name)]
        subprocess.run(make, check=True)
    return folder


@pytest.fixture
def making(table: Updated, keys: Path, tmp_path: Path) -> Making:
    public = (keys / "maker.pub").read_text().split()
    signers = table.pi.places.settings / payload.SIGNERS
    signers.write_text(f"releases@example.org {public[0]} {public[1]}\n")
    return Making(tmp_path / "made", keys)
