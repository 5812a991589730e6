"""Port and name, with sockets of a test on this computer alone."""

import errno
import socket
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread

import pytest

from companion.maintenance.checks import network
from companion.maintenance.checks.network import Name, PortCheck, ProxyCheck, WifiCheck, check_name
from companion.maintenance.health import says

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
    assert not network.is_avahi_running(path)
    with closing(socket.socket(socket.AF_UNIX)) as line:
        line.bind(str(path))
        assert not network.is_avahi_running(path)  # as where its daemon was killed
        line.listen(1)
        assert network.is_avahi_running(path)


def test_without_a_network_nobody_can_look_for_the_name(tmp_path: Path) -> None:
    assert check_name((), "rappelwacht", tmp_path / "gone").condition.state is Name.UNKNOWN


def test_a_port_is_free_until_somebody_has_it() -> None:
    with closing(socket.create_server(("", 0))) as line:
        port = line.getsockname()[1]
        assert network.check_port(port).condition.state is PortCheck.TAKEN
    assert network.check_port(port).condition.state is PortCheck.FREE


def test_a_port_that_only_root_may_have_is_told_from_one_that_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    assert network.check_port(80).condition.state is PortCheck.DENIED


IW = "phy#0\n\tInterface wlan0\n\t\ttype managed\n\t\tchannel {} ({} MHz), width: 20 MHz\n"
IDLE = "phy#0\n\tInterface wlan0\n\t\ttype managed\n"
NMCLI = "no:2412 MHz\nyes:{} MHz\nno:5180 MHz\n"


@pytest.mark.parametrize(
    ("program", "answer", "channel", "judged"),
    [
        ("iw", IW.format(6, 2437), 6, (WifiCheck.APART, 6)),
        ("iw", IW.format(6, 2437), 1, (WifiCheck.APART, 6)),
        ("iw", IW.format(6, 2437), 2, (WifiCheck.CLOSE, 6)),
        ("iw", IW.format(6, 2437), 10, (WifiCheck.CLOSE, 6)),
        ("iw", IW.format(13, 2472), None, (WifiCheck.UNSAID, 13)),
        ("/usr/sbin/iw", IW.format(11, 2462), 9, (WifiCheck.CLOSE, 11)),
        ("iw", IW.format(36, 5180), 1, (WifiCheck.FAR, None)),
        ("iw", IDLE, 1, (WifiCheck.IDLE, None)),
        ("nmcli", NMCLI.format(2457), 6, (WifiCheck.CLOSE, 10)),
        ("nmcli", NMCLI.format(5500), 6, (WifiCheck.FAR, None)),
        ("none", "", 6, (WifiCheck.UNKNOWN, None)),
    ],
)
def test_the_own_wi_fi_is_on_the_hubs_channel_or_far_from_it(
    tmp_path: Path,
    program: str,
    answer: str,
    channel: int | None,
    judged: tuple[WifiCheck, int | None],
) -> None:
    def ask(command: Sequence[str]) -> str | None:
        return answer if command[0] == program else None

    (tmp_path / "sys/class/net/wlan0/wireless").mkdir(parents=True)
    condition = network.check_wifi(channel, tmp_path, ask).condition
    assert (condition.state, condition.values.get("wifi")) == judged


def test_a_computer_without_wi_fi_says_so_and_asks_no_program(tmp_path: Path) -> None:
    (tmp_path / "sys/class/net/eth0").mkdir(parents=True)
    asked = list[Sequence[str]]()
    result = network.check_wifi(6, tmp_path, asked.append)
    assert not asked
    assert result.condition.state is WifiCheck.NONE


def test_a_program_that_is_missing_or_fails_says_nothing() -> None:
    assert says(["/nowhere/iw"]) is None
    assert says(["false"]) is None
    assert says(["echo", "channel"]) == "channel\n"


TCP = "  sl  local_address rem_address   st\n   0: {}:{:04X} 00000000:0000 {}\n"


@pytest.mark.parametrize(
    ("file", "line", "proxies", "judged"),
    [
        ("tcp", TCP.format("00000000", 443, "0A"), (), (ProxyCheck.UNNAMED, 443)),
        ("tcp6", TCP.format(32 * "0", 80, "0A"), (), (ProxyCheck.UNNAMED, 80)),
        ("tcp", TCP.format("00000000", 443, "0A"), ("127.0.0.1",), (ProxyCheck.NAMED, None)),
        ("tcp", TCP.format("00000000", 443, "01"), (), (ProxyCheck.NONE, None)),  # somebody's page
        ("tcp", TCP.format("00000000", 8000, "0A"), (), (ProxyCheck.NONE, None)),
        ("udp", "", (), (ProxyCheck.NONE, None)),
    ],
)
def test_a_web_server_beside_the_table_is_to_be_named(
    tmp_path: Path,
    file: str,
    line: str,
    proxies: tuple[str, ...],
    judged: tuple[ProxyCheck, int | None],
) -> None:
    (tmp_path / "proc/net").mkdir(parents=True)
    (tmp_path / "proc/net" / file).write_text(line, "ascii")
    condition = network.check_proxy(proxies, tmp_path).condition
    assert (condition.state, condition.values.get("port")) == judged
