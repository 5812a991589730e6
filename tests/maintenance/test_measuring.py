"""A table is measured: hands do what is asked, and what the sensors told is judged by that."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from companion.devices.recording import Note, replay_all
from companion.maintenance.measurement import MeasuredShare, MeasuredTable, MeasuringStep, Task
from companion.maintenance.measuring import Measuring, MeasuringSession
from companion.maintenance.view import MeasuringShown
from companion.referee.commands import GiveUp
from companion.referee.maintenance_commands import (
    BeginMeasuring,
    RepeatStep,
    SkipStep,
    StepUnnoticed,
    StopMeasuring,
)
from companion.sensing.observations import PadChanged
from companion.simulator.live.auto_measure import AutoMeasure
from companion.simulator.live.live import PeriodicTask
from rappelwacht_research.notes import from_notes
from tests.maintenance.benches import barrels_of, opened, wants
from tests.scenarios.refereed import Refereed


def asked(evening: Refereed) -> MeasuringShown | None:
    found = evening.table.workshop.opened
    return None if found is None else found.measuring


def measuring(folder: Path, stoppers: tuple[int, ...] | None) -> Refereed:
    """Return a table at which a measure has begun, and somebody who does what is asked."""
    evening = Refereed(folder, guests=False)
    evening.plan = replace(evening.plan, simulated=True)
    evening.cut_the_power().wait(4)
    follower = AutoMeasure(evening.sim, lambda: asked(evening))
    evening.also.append(PeriodicTask(100_000, follower.go))
    assert wants(evening, BeginMeasuring(stoppers)).refused is None
    return evening


def recording(evening: Refereed) -> Path:
    return evening.plan.folder / "measured.link"


def result(evening: Refereed, within_s: float = 300.0) -> MeasuredTable:
    evening.until(lambda: asked(evening) is None, within_s)
    found = opened(evening).measured
    assert found is not None
    return found


def test_hands_that_do_as_asked_give_the_table_its_own_page(tmp_path: Path, full: bool) -> None:
    stoppers = (1, 5, 9) if full else (5,)
    with measuring(tmp_path, stoppers) as evening:
        found = result(evening)
    looks, handled = len(stoppers), 5 * len(stoppers)
    assert found.simulated
    assert found.looks == MeasuredShare(looks, looks)
    assert found.handled == MeasuredShare(handled, handled)
    assert found.spread_df > 0  # barrels were weighed again


def step(evening: Refereed) -> tuple[str, int | None]:
    """Return what is asked, and of which stopper."""
    shown = asked(evening)
    assert shown is not None
    stopper = shown.asked.values.get("stopper")
    assert stopper is None or isinstance(stopper, int)
    return shown.asked.state.name, stopper


def hint(evening: Refereed) -> str | None:
    shown = asked(evening)
    return None if shown is None or shown.hint is None else shown.hint.state.name


def alone(folder: Path, stoppers: tuple[int, ...]) -> Refereed:
    """Return a table at which the first barrel is asked for, and nobody who does it."""
    evening = measuring(folder, stoppers)
    evening.also.clear()
    return evening.until(lambda: step(evening)[0] == "SHAKE", 30)


def lift(evening: Refereed, stopper: int) -> Refereed:
    (barrel,) = barrels_of(evening, [stopper])
    return evening.people(f"red lifts {barrel}\n+1 red puts back {barrel}")


def test_another_barrel_than_asked_does_not_count_and_is_told(tmp_path: Path) -> None:
    with alone(tmp_path, (1, 5)) as evening:
        lift(evening, 7).until(lambda: hint(evening) == "OTHER", 5)
        evening.rest(3)
        assert (step(evening), hint(evening)) == (("SHAKE", 1), None)
        lift(evening, 1).rest(3)
        assert step(evening) == ("SHAKE", 5)


def test_a_step_that_was_not_done_as_asked_is_repeated_and_counts_once(tmp_path: Path) -> None:
    with alone(tmp_path, (1,)) as evening:
        lift(evening, 1).rest(3)
        assert step(evening) == ("LOOK", 1)
        wants(evening, RepeatStep())
        assert step(evening) == ("SHAKE", 1)
        lift(evening, 1).rest(3)
        wants(evening, SkipStep())
        assert step(evening) == ("PLAY", 1)
        wants(evening, RepeatStep())  # what was left out, does not take away what counts
        assert step(evening) == ("LOOK", 1)
        wants(evening, StopMeasuring())
        found = opened(evening).measured
        assert found is not None
        assert (found.accused, found.looks) == (MeasuredShare(0, 1), MeasuredShare(0, 0))
    notes = [one.what for one in replay_all(recording(evening)) if isinstance(one, Note)]
    assert [one.step.task for one in from_notes(iter(notes))] == [Task.REST, Task.SHAKE]


def test_what_nobody_notices_is_asked_about_and_counts_as_that(tmp_path: Path) -> None:
    with alone(tmp_path, (1,)) as evening:
        evening.until(lambda: hint(evening) == "SILENT", 30)
        wants(evening, StepUnnoticed())
        assert step(evening) == ("LOOK", 1)
        wants(evening, StopMeasuring())
        found = opened(evening).measured
        assert found is not None
        assert found.handled == MeasuredShare(0, 1)


def test_nothing_can_be_said_of_a_measure_that_does_not_run(tmp_path: Path) -> None:
    with Refereed(tmp_path, guests=False) as evening:
        evening.wait(4)
        for wish in (SkipStep(), RepeatStep(), StepUnnoticed()):
            assert wants(evening, wish).refused is not None
        assert wants(evening, BeginMeasuring((99,))).refused is not None
        assert asked(evening) is None


def test_a_match_that_begins_ends_it_and_what_came_before_is_kept_over_a_restart(
    tmp_path: Path,
) -> None:
    with alone(tmp_path, (1, 5)) as evening:
        lift(evening, 1).rest(3)
        evening.begins("red", "blue")
        evening.wait(1)
        assert evening.table.workshop.opened is None
        assert wants(evening, BeginMeasuring()).refused is not None
        evening.says("red", "roll 9")
        evening.people("red lifts 8\nred places 8\nblue lifts 4\nblue places 4").rest()
        assert evening.placed == {"red", "blue"}  # the match is none the worse for it
        evening.says("red", GiveUp())
        evening.cut_the_power().wait(4)
        found = opened(evening).measured
        assert found is not None
        assert found.handled == MeasuredShare(1, 1)
        assert evening.table.recording() is None  # which stayed on the disk before


def test_what_is_kept_is_for_its_owner_alone(tmp_path: Path) -> None:
    with alone(tmp_path, (1,)) as evening:
        lift(evening, 1).rest(3)
        wants(evening, StopMeasuring())
        files = list(evening.plan.folder.glob("measured*"))
    assert {file.name for file in files} == {"measured.json", "measured.link"}
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)


def test_a_pad_that_closed_ends_a_step_of_which_no_stopper_told_anything() -> None:
    notes: list[dict[str, object]] = []
    aid = SimpleNamespace(weight=lambda _: None, note=lambda what, _: notes.append(what))
    session = cast("MeasuringSession", aid)
    one = Measuring((MeasuringStep(Task.PLACE, 3, "red"), MeasuringStep(Task.REST)), session)
    one.handle_event(1_000_000, PadChanged("red", occupied=True, at_us=900_000))
    one.tick(3_000_000)
    (done,) = one.got.done
    assert (done.step.task, done.noticed) == (Task.PLACE, False)
