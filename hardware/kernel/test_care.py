"""Care under a real systemd, with --full: what the pages ask of root by a file, and restoring.

The path unit, the oneshot, its limits, and what begins a table anew are systemd's own; nothing is
built at this table.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from companion.journal import Journal, NewEntry
from companion.maintenance import care
from companion.system import paths
from companion.system.text import Text
from companion.web.common.server import USUAL_PORT
from hardware.kernel.machine import Machine
from hardware.kernel.test_kernel import PYTHON, booted, main_pid, state
from tests.maintenance.backup_files import backed_up

HERE: Final = f"http://127.0.0.1:{USUAL_PORT}"
DATA, CARE = "/var/lib/rappelwacht", "/opt/rappelwacht/care"
ASKED: Final = f"{DATA}/care"
TESTED, OTHER = (f"/opt/rappelwacht/releases/{name}" for name in ("tested", "other"))
CURRENT: Final = "/opt/rappelwacht/current"
UNIT: Final = "rappelwacht-care"
NOTHING: Final = care.CareAnswer("", "", care.CareState.DOING, Text(""))
BEGIN: Final = f"""
set -e
mkdir -p {CARE}
echo > /etc/rappelwacht/table.toml
systemctl start rappelwacht rappelwacht-care.path
"""
HOSTILE: Final = {  # how somebody makes it who got hold of the service, and why it is refused
    "ln -s /etc/shadow new": "request.json: Too many levels of symbolic links",
    "ln /etc/hostname new": "request.json: another user's",
    "head -c 5000 /dev/zero >new; chown rappelwacht new": "request.json: too large",
    "echo '{more}' >new; chown rappelwacht new": "request.json: other parts than a request has",
}


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with booted(tmp_path) as computer:
        yield computer


@pytest.mark.slow  # it boots a Debian in software
def test_root_does_what_the_pages_ask_by_a_file(machine: Machine, tmp_path: Path) -> None:
    machine.run("sh", "-c", BEGIN)
    the_service_is_begun_anew(machine)
    what_is_hostile_is_refused(machine)
    what_was_restored_is_there_once_it_began_anew(machine, tmp_path)
    going_back_uses_the_version_before(machine)
    a_version_that_does_not_start_is_left(machine)
    journal = machine.run("journalctl", "--no-pager", "-u", UNIT, "-u", "rappelwacht")
    assert "Traceback" not in journal


def the_service_is_begun_anew(machine: Machine) -> None:
    before = main_pid(machine)
    assert done(machine, "restart") == ("done", "The table was restarted.")
    assert main_pid(machine) not in (before, "0")
    assert state(machine) == {"ActiveState": "active", "NRestarts": "0", "Result": "success"}
    nothing_but_the_answer_is_left(machine)


def what_is_hostile_is_refused(machine: Machine) -> None:
    boot, pid = machine.ask("read", str(care.BOOT)).strip(), main_pid(machine)
    asked = {"request": "0" * 16, "verb": "restart", "port": USUAL_PORT, "boot": boot, "words": {}}
    more = json.dumps(asked | {"more": 1})
    answered = machine.ask("read", f"{CARE}/{care.ANSWER}")
    for make, why in HOSTILE.items():
        line = f"cd {ASKED}; {make.replace('{more}', more)}; mv new {care.REQUEST}"
        machine.run("sh", "-c", line)
        machine.until(
            lambda: state(machine, UNIT)["ActiveState"] == "failed", f"not refused: {make}"
        )
        said = machine.run("journalctl", "-u", UNIT, "-o", "cat", "-n", "8")
        assert f"Nothing was done: {why}" in said
        nothing_but_the_answer_is_left(machine)
        machine.run("systemctl", "reset-failed", UNIT)
    assert machine.ask("read", f"{CARE}/{care.ANSWER}") == answered
    assert main_pid(machine) == pid


def what_was_restored_is_there_once_it_began_anew(machine: Machine, tmp_path: Path) -> None:
    """A phone sends a backup to a table that has nothing, and confirms it, as its page does."""
    assert api(machine, "/api/matches")["matches"] == []
    folder = tmp_path / "kept"
    folder.mkdir()
    journal = Journal(folder / paths.JOURNAL)
    match = journal.start(NewEntry("begun", {}))
    journal.append(match, 1, NewEntry("won", {}, ends=True))
    journal.close()
    data = backed_up(folder, tmp_path / "backup.zip").read_bytes()
    pid, pin = main_pid(machine), machine.ask("read", f"{DATA}/table/phone.pin").strip()
    assert api(machine, "/api/pair", {"pin": pin})["role"] == "table"
    part = {"at": 0, "size": len(data), "data": base64.b64encode(data).decode()}
    assert api(machine, "/api/care/upload", part) == {"at": len(data)}
    assert "1 match" in api(machine, "/api/care/look", {})["holds"]
    for again in (False, True):
        confirmed = api(machine, "/api/care/confirm", {"act": "restore", "again": again})
        assert confirmed["confirmed"] is again
    assert api(machine, "/api/care/restore", {})["before"]
    active = {"ActiveState": "active", "NRestarts": "1", "Result": "success"}
    machine.until(lambda: main_pid(machine) not in (pid, "0"), "it does not end")
    machine.until(lambda: state(machine) == active, "it does not begin anew")
    assert [kept["id"] for kept in api(machine, "/api/matches")["matches"]] == [match]
    assert api(machine, "/api/pair")["role"] == "table"  # phones that were let in stay


def going_back_uses_the_version_before(machine: Machine) -> None:
    machine.run("mkdir", OTHER)
    machine.run("sh", "-c", f"cp -r {TESTED}/[!v]* {OTHER} && ln -s {TESTED}/venv {OTHER}/venv")
    for version in (TESTED, OTHER):
        mark = "import sys; print('Python {}.{}'.format(*sys.version_info))"
        machine.run("sh", "-c", f'python3 -c "{mark}" >{version}/.whole')
    machine.run("ln", "-s", "releases/other", "/opt/rappelwacht/previous")
    assert done(machine, "roll_back") == ("done", "Rappelwacht other is used now.")
    assert "releases/other" in machine.run("readlink", CURRENT)
    nothing_but_the_answer_is_left(machine)


def a_version_that_does_not_start_is_left(machine: Machine) -> None:
    machine.run("sh", "-c", f"echo 'raise SystemExit(1)' >{TESTED}/companion/table/table.py")
    machine.run("sh", "-c", f"rm {TESTED}/companion/table/__pycache__/table.*")
    state_, sentence = done(machine, "roll_back")
    assert state_ == "back"
    assert "it does not start" in sentence
    assert "releases/other" in machine.run("readlink", CURRENT)
    assert state(machine)["ActiveState"] == "active"
    nothing_but_the_answer_is_left(machine)


# --- what is asked of it --------------------------------------------------------------------------


def done(machine: Machine, verb: str) -> tuple[str, str]:
    """Have the service's user ask for something; return what came of it, and what is said."""
    ask = f"print(care.ask(Path('{DATA}/table'), '{verb}', {USUAL_PORT}))"
    words = f"from pathlib import Path; from companion.maintenance import care; {ask}"
    api(machine, "/api/pair")  # here the first answer takes longer than others
    machine.ask("start", PYTHON, "-P", "-c", words)
    asked = machine.ask("heard").strip()
    machine.ask("stop")

    machine.until(lambda: answer(machine).request == asked, f"nobody does it: {verb}")
    machine.until(lambda: state(machine, UNIT)["ActiveState"] == "inactive", "it does not end")
    return answer(machine).state.value, str(answer(machine).sentence)


def answer(machine: Machine) -> care.CareAnswer:
    """Return what became of what was asked last, once that is over."""
    data = machine.ask("read", f"{CARE}/{care.ANSWER}")
    read = NOTHING if data is None else care.from_json(data.encode())
    return NOTHING if read.state is care.CareState.DOING else read


def nothing_but_the_answer_is_left(machine: Machine) -> None:
    listed = machine.run("ls", "-A", CARE, ASKED).split()
    assert listed == [f"{CARE}:", care.ANSWER, f"{ASKED}:"]


def api(machine: Machine, path: str, body: object = None) -> Any:
    """Ask the table as a phone does, and with a body tell it something."""
    return machine.ask("call", f"{HERE}{path}", body)
