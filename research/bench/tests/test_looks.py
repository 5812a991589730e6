"""Looks by arms that share no code with the simulator: who looks how, and what is told of it."""

import random

from research.bench import _arms, looks


def wavering_g(kind: str) -> float:
    """Return by how much the force along a barrel's axis changes while its label can be read."""
    made = _arms.look(kind, random.Random("waver"))
    begin, end, _ = max(made.spans, key=lambda span: span[1] - span[0])
    rows = [force[2] for force in made.force_g[round(begin * _arms.HZ) : round(end * _arms.HZ)]]
    middle = rows[len(rows) // 3 : 2 * len(rows) // 3]
    return max(middle) - min(middle)


def test_an_arm_that_is_braced_wavers_less_than_a_calm_one_and_that_less_than_a_shaky_one() -> None:
    assert wavering_g("braced") < wavering_g("calm") < wavering_g("shaky")


def test_looks_are_told_and_the_report_says_so_of_each_kind() -> None:
    outcomes = [one for kind in ("calm", "braced") for one in looks.played((kind, 4, 7000))]
    found = looks.report(outcomes)
    assert (found["missed_calm"], found["missed_braced_of"]) == (0.0, 4)
    latency_ms = found["latency_p50_ms"]
    assert isinstance(latency_ms, float)
    assert latency_ms < 600
