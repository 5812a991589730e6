"""Port and name, with sockets of a test on this computer alone."""

import errno
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread

import pytest

from companion.maintenance.checks.network import (
    Name,
    PortCheck,
    check_name,
    check_port,
    is_avahi_running,
)

OWN = ("192.168.7.5", "fe80::1")


@contextmanager
def avahi(folder: Path, answer: bytes) -> Iterator[Path]:
    """Answer once as avahi does, and check what was asked."""
    path = folder / "socket"
    with closing(socket.socket(socket.AF_UNIX)) as line:
        line.bind(str(path))
        line.listen(1)

        def serve() -> None:
            caller, _ = line.accept()
            with closing(caller):
                assert caller.recv(100) == b"RESOLVE-HOSTNAME-IPV4 rappelwacht.local\n"
                caller.sendall(answer)

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield path
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (b"+ 2 0 rappelwacht.local 192.168.7.5\n", Name.FOUND),
        (b"+ 1 0 rappelwacht.local 127.0.1.1\n", Name.FOUND),
        (b"+ 2 0 rappelwacht.local 192.168.7.9\n", Name.TAKEN),
        (b"-15 Timeout reached\n", Name.UNANSWERED),
        (b"", Name.UNANSWERED),
        (b"\xff\n", Name.UNANSWERED),
    ],
)
def test_avahi_is_asked_for_the_name(tmp_path: Path, answer: bytes, state: Name) -> None:
    with avahi(tmp_path, answer) as path:
        found = check_name(OWN, "Rappelwacht.fritz.box", path)
    assert found.condition.state is state


def test_without_avahi_nobody_answers_for_the_name(tmp_path: Path) -> None:
    gone, program = tmp_path / "gone", tmp_path / "avahi-daemon"
    assert check_name(OWN, "rappelwacht", gone, program).condition.state is Name.NOBODY
    program.touch()  # installed, but not running, as in many a container
    assert check_name(OWN, "rappelwacht", gone, program).condition.state is Name.STOPPED
    (tmp_path / "dead").touch()  # a socket whose daemon is gone
    assert check_name(OWN, "rappelwacht", tmp_path / "dead").condition.state is Name.UNANSWERED


def test_whether_avahi_is_there_is_known_without_asking_it(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    assert not is_avahi_running(path)
    with closing(socket.socket(socket.AF_UNIX)) as line:
        line.bind(str(path))
        assert not is_avahi_running(path)  # as where its daemon was killed
        line.listen(1)
        assert is_avahi_running(path)


def test_without_a_network_nobody_can_look_for_the_name(tmp_path: Path) -> None:
    assert check_name((), "rappelwacht", tmp_path / "gone").condition.state is Name.UNKNOWN


def test_a_port_is_free_until_somebody_has_it() -> None:
    with closing(socket.create_server(("", 0))) as line:
        port = line.getsockname()[1]
        assert check_port(port).condition.state is PortCheck.TAKEN
    assert check_port(port).condition.state is PortCheck.FREE


def test_a_port_that_only_root_may_have_is_told_from_one_that_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    assert check_port(80).condition.state is PortCheck.DENIED
