"""A hall that runs for days lets go of what nobody needs, without stopping for long."""

import gc
from collections.abc import Iterator
from weakref import ref

import pytest

from companion.cli import hall
from companion.devices.hardware import Watchdog

LONGEST = 600  # looks, of a millisecond each


class Ring:
    """What only the tidying can let go of."""

    def __init__(self) -> None:
        self.itself = self


class Tables:
    """Tables whose looks are a test's steps; after the last one the hall is ended."""

    def __init__(self, steps: Iterator[None]) -> None:
        self._steps = steps

    def restart_ended(self) -> None:
        if next(self._steps, self) is self:
            raise KeyboardInterrupt


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall, "LOOK_S", 0.001)
    monkeypatch.setattr(hall, "TIDY_S", 0.02)


def goes_on(steps: Iterator[None]) -> None:
    tables: object = Tables(steps)
    with pytest.raises(KeyboardInterrupt), hall.rare_full_collections():
        hall.go_on(tables, Watchdog())  # type: ignore[arg-type]


def let_go(what: ref[Ring]) -> Iterator[None]:
    for _ in range(LONGEST):
        if what() is None:
            return
        yield
    pytest.fail("it is still there")


def test_what_is_new_is_let_go_of_soon() -> None:
    def steps() -> Iterator[None]:
        yield from let_go(ref(Ring()))

    goes_on(steps())
    assert gc.get_freeze_count() == 0


def test_what_was_there_for_long_is_let_go_of_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall, "TIDY_ALL_S", 0.2)

    def steps() -> Iterator[None]:
        old = Ring()
        for _ in range(LONGEST):
            if all(one is not old for one in gc.get_objects()):
                break  # nobody looks at it any more, but now and then
            yield
        known = ref(old)
        del old
        yield from let_go(known)

    goes_on(steps())
