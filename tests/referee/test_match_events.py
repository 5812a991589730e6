"""Events as the journal keeps them: what goes without saying is not said, and all comes back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.zapp_zerapp.rules import Flip, ZappZerapp
from companion.referee import events
from companion.referee.events import (
    ActionCorrected,
    ActionDone,
    BarrelAssigned,
    Bot,
    ChartPoint,
    FoulCost,
    FoulRaised,
    FoulRuled,
    HandCount,
    HouseRules,
    MatchAbandoned,
    MatchEvent,
    MatchStarted,
    Roller,
    UndoneTo,
    from_json,
    to_json,
)
from companion.system.errors import Unreadable
from companion.system.text import SeatName

GAME = ZappZerapp()
FOUL = FoulRaised(1, "peek", "foul", None, 500, 90)
PLAIN = [  # what the first version knew of each kind
    (MatchStarted("zapp-zerapp", 1, "{}", HouseRules()), {"game", "schema", "settings", "house"}),
    (ActionDone(Flip(), "red"), {"action", "by"}),
    (BarrelAssigned("red", None), {"seat", "stopper"}),
    (FOUL, {"foul", "code", "weight", "seat", "length_ms", "percent"}),
    (FoulRuled(1, upheld=False, by="red"), {"foul", "upheld", "by"}),
    (UndoneTo(0, "red"), {"to", "by"}),
    (ActionCorrected(1, Flip(), "red"), {"deed", "action", "by"}),
    (MatchAbandoned("red"), {"by"}),
]
BOTS = (Bot(SeatName.BLUE, "greedy"),)
POINTS = (ChartPoint(0, 60, 10, stands=None),)
FULL = [
    MatchStarted("zapp-zerapp", 1, "{}", HouseRules(FoulCost.SIT_OUT, Roller.COMPANION, BOTS)),
    ActionDone(Flip(), "red", follows=True, drawn=True),
    FoulRaised(1, "peek", "foul", "red", 5, 90, POINTS, (HandCount(-100, 4, 0),), called=True),
]


@pytest.mark.parametrize(("event", "parts"), PLAIN, ids=[to_json(event)[0] for event, _ in PLAIN])
def test_what_goes_without_saying_is_not_written_so_an_older_version_reads_it(
    event: MatchEvent, parts: set[str]
) -> None:
    kind, body = to_json(event)
    assert set(body) == parts
    assert from_json(kind, body, GAME) == event


@pytest.mark.parametrize("event", FULL, ids=[to_json(event)[0] for event in FULL])
def test_what_is_said_comes_back(event: MatchEvent) -> None:
    assert from_json(*to_json(event), GAME) == event


def test_a_house_says_only_what_is_agreed_otherwise() -> None:
    assert to_json(MatchStarted("zapp-zerapp", 1, "{}", HouseRules()))[1]["house"] == {}
    house = HouseRules(cost=FoulCost.SIT_OUT)
    assert to_json(MatchStarted("zapp-zerapp", 1, "{}", house))[1]["house"] == {"cost": "sit_out"}


def test_a_part_that_is_written_with_its_default_is_read_all_the_same() -> None:
    written = {"action": '{"do": "flip"}', "by": "red", "follows": False, "drawn": False}
    assert from_json("did", written, GAME) == ActionDone(Flip(), "red")


@pytest.mark.parametrize("kind", ["did", "amended"])
@pytest.mark.parametrize(
    "action", ["[", "7", '{"do": "dance"}', '{"do": "roll", "magic": 7.0}', 7, {}]
)
def test_an_action_that_this_game_does_not_know_is_refused(kind: str, action: object) -> None:
    body = {"action": action, "by": "red"} | ({"deed": 1} if kind == "amended" else {})
    with pytest.raises(Unreadable):
        from_json(kind, body, GAME)


def test_no_match_starts_with_an_action() -> None:
    with pytest.raises(Unreadable, match="not with 'did'"):
        from_json(*to_json(ActionDone(Flip(), "red")))


HELD = st.builds(
    ChartPoint,
    st.integers(-20_000, 100_000),
    st.integers(0, 180),
    st.integers(0, 16_000),
    st.sampled_from((True, False, None)),
)


@given(st.lists(HELD, max_size=30).map(tuple))
def test_any_chart_comes_back_from_its_text(points: tuple[ChartPoint, ...]) -> None:
    raised = FoulRaised(1, "peek", "foul", None, 500, 90, points)
    kind, body = to_json(raised)
    assert isinstance(body.get("evidence", ""), str)
    assert from_json(kind, json.loads(json.dumps(body))) == raised


def test_a_chart_as_the_first_version_wrote_it_is_read() -> None:
    body = {"foul": 1, "code": "peek", "weight": "foul", "seat": None, "length_ms": 5, "percent": 9}
    old = [{"at_ms": -20, "tilt_deg": 61, "deviation_permille": 12, "stands": False}]
    assert from_json("raised", {**body, "evidence": old}) == FoulRaised(
        1, "peek", "foul", None, 5, 9, (ChartPoint(-20, 61, 12, stands=False),)
    )


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "1,2,3", "n1,2,3 x", "n1,2,3  1,1", "n1,2,3 1,2,3,4", "n1,2,3\n", "ns1,2,3"),
        *("n1,2,9999999999", "n" + "9" * 5000 + ",1,1", "n1,999999999,1 1,1", "n\u0663,1,1"),
    ],
)
def test_what_is_not_a_chart_is_refused_and_not_half_of_it_read(text: str) -> None:
    body = {"foul": 1, "code": "peek", "weight": "foul", "seat": None, "length_ms": 5, "percent": 9}
    with pytest.raises(Unreadable):
        from_json("raised", {**body, "evidence": text})


def test_a_text_of_far_too_many_points_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a point"):
        events.read_points(" ".join(["n1,1,1"] * (events.MOST + 2)))


def test_a_point_of_a_chart_takes_a_few_bytes() -> None:
    points = tuple(
        ChartPoint(20 * n - 280, n * n % 90, 30 + n % 40, stands=n > 60) for n in range(80)
    )
    kind, body = to_json(FoulRaised(1, "peek", "foul", None, 500, 90, points))
    assert len(json.dumps(body)) < 80 * 8
    assert from_json(kind, body).evidence == points  # type: ignore[attr-defined]
