"""The log holds no secret, however much of it is wished for and however long is played."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.games.zapp_zerapp.rules import Phase, View
from companion.simulator.boards import key
from companion.system.logs import OURS, Lines
from tests.web.attacking import stolen
from tests.web.room import PIN, app, client, phones
from tests.web.test_secrets_of_a_table import FALSE, TRUE, Stack

STOPPERS = range(1, 14)
ROLES = (None, "red", "table")  # the first one has no cookie


class Kept(logging.Handler):
    """Keeps all lines, as the log writes them."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(Lines().format(record))


@contextmanager
def kept() -> Iterator[list[str]]:
    """Have the log tell all there is."""
    log, kept_ = logging.getLogger(), Kept()
    levels = log.level, logging.getLogger(OURS).level
    log.addHandler(kept_)
    log.setLevel(logging.DEBUG)
    logging.getLogger(OURS).setLevel(logging.DEBUG)
    try:
        yield kept_.lines
    finally:
        log.removeHandler(kept_)
        log.setLevel(levels[0])
        logging.getLogger(OURS).setLevel(levels[1])


def logged(folder: Path, labels: dict[int, int], round_: int) -> list[str]:
    """Play up to a flip at a table that believes these labels, and return its log."""
    with kept() as lines:
        table = Stack(folder, labels)
        with table.evening as evening:
            evening.until_phase(Phase.FLIP, round_)
            return [line.replace(str(folder), "…") for line in lines]


@pytest.mark.slow
def test_before_the_flip_two_tables_that_differ_in_their_numbers_log_the_same(
    tmp_path: Path,
) -> None:
    one, other = (
        logged(tmp_path / name, labels, 1) for name, labels in (("one", TRUE), ("other", FALSE))
    )
    assert len(one) > 3
    assert one == other


def test_no_key_no_pin_and_no_cookie_is_in_the_log_of_a_match(tmp_path: Path, full: bool) -> None:
    with kept() as lines:
        table = Stack(tmp_path / "table", TRUE, 1 if full else 13)  # which is sooner over
        with table.evening as evening:
            whole = phones(room=table)
            made = app(whole)
            paired = [client(made, role) for role in ROLES]
            while not (evening.now.over or (moving(table) and not full)):
                table.until_something_is_done()
                for phone in paired:
                    assert phone.get("/api/snapshot").status_code == 200
                    phone.get("/").close()
                    phone.post("/api/commands", json={"request": "x", "wish": {"kind": "take"}})
            secrets = [PIN, *(stolen(phone, whole) for phone in paired[1:])]
            secrets += list(whole.pairing.roles)
    secrets += [written for one in STOPPERS for written in (key(one).hex(), repr(key(one)))]
    text = "\n".join(lines)
    assert len(secrets) >= 2 * len(STOPPERS) + 5
    assert "GET /api/snapshot: 200" in text
    for secret in secrets:
        assert secret not in text, secret
    shown = re.compile(r"(?i)barrel\W+\d|=\s*\{?\d+: ?\d+")  # any number of a barrel by name
    assert not shown.search(text), shown.search(text)


def moving(table: Stack) -> bool:
    view = table.snapshot.view
    return isinstance(view, View) and view.phase is Phase.MOVE


@pytest.mark.parametrize("level", [logging.WARNING, logging.DEBUG])
def test_what_would_be_found_is_found(level: int) -> None:
    with kept() as lines:
        logging.getLogger("companion.of_no_use").log(level, "The PIN is %s.", PIN)
    assert PIN in "".join(lines)
