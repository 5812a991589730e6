"""What phones keep hangs on no clock: theirs, ours before a restart, or ours after it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from select import select

import pytest

from companion.web.server import PhoneServer
from tests.programs import need
from tests.web.attacking import plant, stolen
from tests.web.room import PIN, FakeRoom, app, client, phones
from tests.web.test_server import DEADLINE_S, HERE

DAY_S = 24 * 3600.0
TODAY_S = 1_800_000_000.0
CLOCKS = {  # before a restart and after it
    "a minute back": (TODAY_S, TODAY_S - 60),
    "45 minutes back": (TODAY_S, TODAY_S - 45 * 60),
    "32 days on": (TODAY_S, TODAY_S + 32 * DAY_S),
    "years on": (TODAY_S, TODAY_S + 4000 * DAY_S),
    "1970, then today": (3600.0, TODAY_S),
    "today, then 1970": (TODAY_S, 3600.0),
}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Return a wall clock that a test can move: its last entry is the time."""
    told = [TODAY_S]
    with monkeypatch.context() as moved:
        moved.setattr(time, "time", lambda: told[-1])
        moved.setattr(time, "time_ns", lambda: int(told[-1] * 1e9))
        yield told


def entered(port: int, pin: str) -> str:
    """Have a phone enter the PIN for red, and return the cookie as a browser keeps it."""
    headers = {"Origin": f"http://{HERE}:{port}", "Content-Type": "application/json"}
    with closing(HTTPConnection(HERE, port, timeout=60)) as line:
        line.request("POST", "/api/pair", f'{{"pin": "{pin}", "seat": "red"}}', headers)
        answer = line.getresponse()
        assert answer.status == 200
        (kept,) = SimpleCookie(answer.headers["Set-Cookie"]).values()
    return f"{kept.key}={kept.value}"


def role(port: int, cookie: str) -> str:
    """Ask what the phone with this cookie may do."""
    with closing(HTTPConnection(HERE, port, timeout=60)) as line:
        line.request("GET", "/api/pair", headers={"Cookie": cookie})
        answer = line.getresponse().read().decode()
    return answer.replace(" ", "").strip()


@pytest.mark.parametrize("clocks", CLOCKS.values(), ids=CLOCKS)
def test_a_phone_is_known_after_a_restart_whatever_the_clock_says(
    tmp_path: Path, clock: list[float], clocks: tuple[float, float]
) -> None:
    before, after = clocks
    clock.append(before)
    with PhoneServer(FakeRoom("red", "blue"), tmp_path) as first:
        port = first.start(0, HERE).here.port
        cookie = entered(port, first.pairing.pin)
    clock.append(after)
    with PhoneServer(FakeRoom("red", "blue"), tmp_path) as second:
        port = second.start(0, HERE).here.port
        assert role(port, cookie) == '{"role":"red","waits_s":0}'
        assert role(port, cookie.partition("=")[0] + "=x") == '{"role":null,"waits_s":0}'


@pytest.mark.parametrize("clocks", CLOCKS.values(), ids=CLOCKS)
def test_a_phone_is_known_however_the_clock_jumps_while_it_is_in(
    clock: list[float], clocks: tuple[float, float]
) -> None:
    clock.append(clocks[0])
    phone = client(FakeRoom("red", "blue"), "red")
    clock.append(clocks[1])
    assert phone.get("/api/pair").json == {"role": "red", "waits_s": 0}


def test_no_cookie_bears_a_date_which_could_have_passed_where_it_arrives() -> None:
    """A Pi in 1970 would have told a phone of today to drop at once what it just got."""
    phone = client(FakeRoom("red", "blue"))
    answers = [
        phone.post("/language", data={"language": "de"}),
        phone.post("/api/pair", json={"pin": PIN}),
        phone.post("/api/unpair", json={}),
    ]
    kept = [answer.headers["Set-Cookie"] for answer in answers]
    assert not [one for one in kept if "expires" in one.lower()]
    ages = [one.split("Max-Age=")[1].split(";")[0] for one in kept]
    assert ages == [str(400 * 24 * 3600)] * 2 + ["0"]


def test_the_language_that_somebody_chose_is_kept_whoever_is_let_in_or_goes() -> None:
    phone = client(FakeRoom("red", "blue"), "red")
    phone.post("/language", data={"language": "de"})
    assert phone.get("/api/pair").json == {"role": "red", "waits_s": 0}
    phone.post("/api/unpair", json={})
    assert '<html lang="de"' in phone.get("/join").text


def test_a_phone_at_two_tables_of_one_computer_is_in_at_both(tmp_path: Path) -> None:
    """Browsers send a host's cookies to all its ports."""
    with (
        PhoneServer(FakeRoom("red", "blue"), tmp_path / "one") as one,
        PhoneServer(FakeRoom("red", "blue"), tmp_path / "other") as other,
    ):
        ports = [table.start(0, HERE).here.port for table in (one, other)]
        names = [
            entered(port, table.pairing.pin)
            for port, table in zip(ports, (one, other), strict=True)
        ]
        jar = "; ".join(names)
        assert [role(port, jar) for port in ports] == ['{"role":"red","waits_s":0}'] * 2


def test_a_name_that_was_made_up_is_nobodys() -> None:
    whole = phones()
    made = app(whole)
    name = stolen(client(made, "table"), whole)
    for guessed in (name[:-1], name + "x", name.swapcase(), "", f'"{name} "'):
        thief = client(made)
        plant(thief, whole, guessed)
        assert thief.get("/api/pair").json == {"role": None, "waits_s": 0}


# --- a program with another clock ---------------------------------------------------------------


SERVES = """
import sys
from pathlib import Path
from companion.web.server import PhoneServer
from tests.web.room import FakeRoom
with PhoneServer(FakeRoom("red", "blue"), Path(sys.argv[1])) as server:
    print(server.start(0, "127.0.0.1").here.port, server.pairing.pin, flush=True)
    sys.stdin.read()
"""


def test_a_phone_is_known_by_a_program_that_was_killed_and_lives_at_another_time(
    tmp_path: Path,
) -> None:
    need("faketime")
    cookie = ""
    for moved in ("@1970-01-02 00:00:00", "+0", "-45m", "+32d"):
        program = subprocess.Popen(
            ["faketime", "-f", moved, sys.executable, "-c", SERVES, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        with program:
            try:
                assert program.stdout is not None
                assert select([program.stdout], [], [], DEADLINE_S)[0]
                port, pin = program.stdout.readline().split()
                if cookie:
                    assert role(int(port), cookie) == '{"role":"red","waits_s":0}'
                else:
                    cookie = entered(int(port), pin)
            finally:
                os.killpg(program.pid, signal.SIGKILL)
        for left in Path("/dev/shm").glob(f"*faketime*_{program.pid}"):  # noqa: S108 - faketime's
            left.unlink()
