"""The bench of names counts what it says."""

from research.bench import seat
from research.bench._evenings import Session
from research.bench._placings import Waited
from research.bench._scoring import SetDown
from research.bench.seat import EveningSeats, report


def evening(condition: str, *outcomes: tuple[float, str, int | None]) -> EveningSeats:
    set_downs = tuple(SetDown(gap_ms, outcome, False) for gap_ms, outcome, _ in outcomes)
    waits = tuple(Waited(wait_us, round(1000 * gap_ms)) for gap_ms, _, wait_us in outcomes)
    return EveningSeats(condition, set_downs, set_downs[:1], waits)


def test_shares_and_times_are_of_the_placings_of_each_condition() -> None:
    usual = evening(
        "fair",
        (500, "right", 150_000),
        (500, "asked", None),
        (20, "right", 650_000),
        (20, "wrong", 200_000),
    )
    figures = report([usual, evening("deaf", (500, "asked", None))])
    assert (figures["apart_known"], figures["close_known"]) == (0.5, 0.5)
    assert (figures["first_round_known"], figures["wrong_and_certain"]) == (1.0, 0.25)
    assert (figures["placed_p50_ms"], figures["placed_p99_ms"]) == (200.0, 650.0)
    assert figures["known_600ms"] == 0.5
    assert (figures["asked_deaf"], figures["wrong_and_certain_deaf"]) == (1.0, 0.0)
    assert "asked_words_40" not in figures
    assert figures["sensing_lines"] == seat.sensing_lines() > 4000


def test_an_evening_is_played_as_it_is_asked_for() -> None:
    deaf = seat.played(Session("set-downs", "deaf", 1, 1, "honest"))
    assert {placing.outcome for placing in deaf.set_downs} <= {"asked", "silent"}
    usual = seat.played(Session("set-downs", "fair", 1, 1, "honest"))
    assert {placing.outcome for placing in usual.set_downs} == {"right"}
