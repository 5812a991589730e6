"""Other people's recordings: every usual way of writing them is read, and judged by the truth."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from math import cos, radians, sin
from pathlib import Path

import pytest

from research.bench import _habits, corpora
from research.bench._corpora import (
    AXES,
    NotReadableError,
    StrangersMotion,
    look_spans,
    means,
    read_folder,
    read_table,
)
from tests.programs import corpus

G = 9.80665
STEPS = range(0, 3000, 20)  # ms
Writes = Callable[[], tuple[str, str]]


def tilt_at(ms: int) -> float:
    """Tilt about y: upright, at 100° from 1 s to 2 s, and upright again."""
    return 100.0 * max(0.0, min(1.0, (ms - 700) / 300, (2300 - ms) / 300))


def force(ms: int) -> tuple[float, float, float]:
    tilt = radians(tilt_at(ms))
    x, y, z = (0.02 * sin(ms / slow) for slow in (23, 20, 17))  # no hand is quite still
    return x - sin(tilt), y, z + cos(tilt)


def _quaternion(ms: int) -> tuple[float, float, float, float]:
    half = radians(tilt_at(ms)) / 2
    return cos(half), 0.0, sin(half), 0.0


def written_as_metres() -> tuple[str, str]:
    lines = ["timestamp,accelerometer_x,accelerometer_y,accelerometer_z"]
    lines += [
        f"{1_762_000_000_000 + ms},{','.join(f'{G * v:.4f}' for v in force(ms))}" for ms in STEPS
    ]
    return "metres.csv", "\n".join(lines)


def written_with_units() -> tuple[str, str]:
    lines = ["time[s];acc_x[mg];acc_y[mg];acc_z[mg]"]
    lines += [f"{ms / 1000};{';'.join(f'{1000 * v:.1f}' for v in force(ms))}" for ms in STEPS]
    return "milli.csv", "\n".join(lines)


def written_as_an_iphone() -> tuple[str, str]:
    """Its acceleration points the other way; the quaternion does not."""
    lines = ["t\tax\tay\taz\tqw\tqx\tqy\tqz"]
    for ms in STEPS:
        values = (*(-v for v in force(ms)), *_quaternion(ms))
        lines.append(f"{ms * 1_000_000}\t" + "\t".join(f"{v:.5f}" for v in values))
    return "iphone.tsv", "\n".join(lines)


def written_as_parts() -> tuple[str, str]:
    """Without gravity, which has columns of its own."""
    rows = [
        dict(
            zip(
                ("t", "x", "y", "z", "grx", "gry", "grz"),
                (ms, 0, 0, 0, *(G * v for v in force(ms))),
                strict=True,
            )
        )
        for ms in STEPS
    ]
    return "parts.json", json.dumps({"gesture": "look", "data": rows})


WAYS: list[tuple[Writes, str]] = [
    (written_as_metres, "mean"),
    (written_with_units, "mean"),
    (written_as_an_iphone, "quaternion"),
    (written_as_parts, "gravity"),
]


@pytest.mark.parametrize(("written", "truth"), WAYS)
@pytest.mark.parametrize("zipped", [False, True])
def test_a_table_is_read_whatever_its_columns_are_called(
    tmp_path: Path, written: Writes, truth: str, zipped: bool
) -> None:
    name, text = written()
    path = tmp_path / (f"{name}.gz" if zipped else name)
    path.write_bytes(gzip.compress(text.encode()) if zipped else text.encode())
    read = read_table(path, None)
    assert (read.truth, read.rate_hz) == (truth, 50.0)
    forces, tilts = read.along("+z")
    assert len(forces) == len(tilts) == len(STEPS)
    assert forces[75] == pytest.approx(force(1500), abs=0.01)
    assert tilts[75] == pytest.approx(100.0, abs=2.0)
    assert tilts[5] < 5.0


def test_a_file_without_times_needs_a_rate(tmp_path: Path) -> None:
    path = tmp_path / "bare.csv"
    path.write_text("x,y,z\n" + "0.0,0.1,1.0\n" * 30, encoding="utf-8")
    with pytest.raises(NotReadableError, match=r"bare\.csv: .*--rate"):
        list(read_folder(tmp_path, None))
    assert read_table(path, 25.0).times_us[-1] == 29 * 40_000


@pytest.mark.parametrize(
    "text",
    ["", "x,y\n1,2\n1,2\n1,2\n", "time,x,y,z\n1,0,0,1\n1,0,0,1\n1,0,0,1\n", "x,y,z\na,b,c\n" * 4],
)
def test_what_is_no_recording_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.csv").write_text(text, encoding="utf-8")
    with pytest.raises(NotReadableError, match=r"odd\.csv"):
        list(read_folder(tmp_path, None))


@pytest.mark.parametrize("axis", AXES)
def test_each_axis_is_turned_and_not_mirrored(axis: str) -> None:
    x, y, z = (AXES[axis](one) for one in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    across = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
    assert across == z
    named = {"x": x, "y": y, "z": z}[axis[1]]
    assert named[2] == (1 if axis[0] == "+" else -1)


def test_a_look_is_told_and_an_upright_barrel_is_not(tmp_path: Path) -> None:
    name, text = written_as_parts()
    (tmp_path / name).write_text(text, encoding="utf-8")
    motions = list(read_folder(tmp_path, None))
    looked = corpora.judge(motions, "+z", None)
    assert (looked.looks, looked.missed, looked.false_fouls) == (1, [], [])
    assert looked.told_ms[0] < 800
    level = "x,y,z\n" + "0.02,-0.01,1.0\n0.0,0.01,0.98\n" * 60
    (tmp_path / name).unlink()
    (tmp_path / "level.csv").write_text(level, encoding="utf-8")
    stood = corpora.judge(list(read_folder(tmp_path, 50.0)), "+z", None)
    assert (stood.handlings, stood.fouls, stood.looks) == (1, 0, 0)


def test_what_our_own_page_recorded_of_a_phone_is_read_too(tmp_path: Path) -> None:
    made = Path(__file__).resolve().parents[3] / "tests/recordings/phone-simulated-hand.link.gz"
    (tmp_path / "hand.link.txt").write_bytes(gzip.decompress(made.read_bytes()))
    motions = list(read_folder(tmp_path, None))
    tasks = [one.name.rpartition("-")[2] for one in motions]
    assert tasks == ["rest", "shake", "weigh", "carry", "look", "hand_over", "place"]
    assert motions[0].rate_hz == pytest.approx(60.0, abs=0.1)
    tilts = {task: max(one.along("+z")[1]) for task, one in zip(tasks, motions, strict=True)}
    assert tilts["look"] > 120.0
    assert tilts["rest"] < 5.0
    found = corpora.figures(tmp_path, None, "rest")
    assert (found["recordings"], found["handlings"], found["false_fouls"]) == (7, 42, 0)
    (tmp_path / "odd.link").write_text("rappelwacht link 9\n", encoding="utf-8")
    with pytest.raises(NotReadableError, match=r"odd\.link"):
        list(read_folder(tmp_path, None))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rate_hz", "lying"),
    [("phone-digits", None, None), ("wiimote", None, None), ("asset-tracking", 26.0, "stationary")],
)
def test_nobody_is_accused_over_recorded_motion(
    name: str, rate_hz: float | None, lying: str | None
) -> None:
    found = corpora.figures(corpus(name), rate_hz, lying)
    assert found["handlings"] >= 48
    assert (found["false_fouls"], found["false_fouls_were"]) == (0, [])
    if found["truth"] == "quaternion":  # else it is not known well enough what could be read
        assert found["missed"] <= 0.03 * found["looks"]


def _hand(tremor_g: float, turn: int) -> StrangersMotion:
    """Return a hand that holds something still, and trembles at 9 Hz."""
    times = [10_000 * step for step in range(200)]
    forces = [
        (tremor_g * 2**0.5 * sin(0.0565487 * at / 1000 + turn), 0.002 * sin(at / 300_000), 1.0)
        for at in times
    ]
    return StrangersMotion(
        f"{turn}", times, forces, [(0.0, 0.0, 1.0)] * 200, [0.0] * 200, "gravity"
    )


@pytest.mark.parametrize(("tremor_g", "verdict"), [(0.03, "holds"), (0.004, "contradicted")])
def test_hands_that_tremble_otherwise_contradict_the_simulated_ones(
    tremor_g: float, verdict: str
) -> None:
    motions = [_hand(tremor_g, turn) for turn in range(12)]
    assert _habits.measured(motions[0])["tremor_mg"] == pytest.approx(1000 * tremor_g, rel=0.05)
    found = _habits.compared(motions, None, model=12)
    assert (found["tremor_mg"]["verdict"], found["tremor_mg"]["outside_of"]) == (verdict, 12)
    assert "shake_hz" not in found
    few = _habits.compared(motions[:3], None, model=6)
    assert few["tremor_mg"]["verdict"] == "too few"
    drawn = _habits.drawing({"still": found})
    assert drawn.count("<circle") == sum(len(one["values"]) for one in found.values())
    against = sum(one["verdict"] == "contradicted" for one in found.values())
    assert drawn.count("contradicted by still") == against


def test_each_assumption_is_measured_of_what_simulated_hands_do() -> None:
    shown: set[str] = set()
    for part in _habits.handlings(3):
        motion = _habits.recorded("simulated", part, 100.0, 0.0, "gravity")
        shown |= _habits.measured(motion, ("+z",)).keys()
    assert shown == _habits.ASSUMPTIONS.keys()


def test_a_recording_that_only_lies_shows_neither_hand_nor_look() -> None:
    motion = _hand(0.0, 0)
    lying = replace(motion, forces_g=[(0.0, 0.0, 1.0)] * 200)
    assert _habits.measured(lying, ("+z",)).keys() == {"turn_deg_s"}


@pytest.mark.parametrize(("turns_deg_s", "looks"), [(20.0, 1), (180.0, 0)])
def test_a_mean_over_a_second_makes_no_look_of_what_turns(turns_deg_s: float, looks: int) -> None:
    times = [10_000 * step for step in range(56)]
    tilts = [radians(125.0 + turns_deg_s * (at - 275_000) / 1e6) for at in times]
    forces = [(-sin(tilt), 0.0, cos(tilt)) for tilt in tilts]
    ups = means(times, forces)
    motion = StrangersMotion("short", times, forces, ups, [0.0] * 56, "mean")
    assert len(look_spans(times, motion, motion.along("+z")[1])) == looks
