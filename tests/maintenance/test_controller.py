"""What the workshop shows and tries while no match is played, and that a match closes it."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from companion.games.zapp_zerapp.rules import Phase
from companion.maintenance.controller import LASTS_US
from companion.present.lights.canvas import LIMIT
from companion.present.output import CallbackOutput
from companion.referee.commands import GiveUp
from companion.referee.maintenance_commands import StopTrying, TryBuzzer, TryLight, TrySeatLight
from companion.sensing.events import BarrelMotion
from companion.system.config import LIGHT_COUNT
from companion.system.status import Condition
from companion.table.inbox import ButtonPairing
from companion.web.pairing import Pairing
from tests.maintenance.benches import ALL, WorkshopReader, opened, shown, wants
from tests.scenarios.players import begun, bring_to
from tests.scenarios.refereed import Refereed

LISTED = ("hub", "light board", "pad of red", "button of blue", "journal")


def table(folder: Path) -> Refereed:
    return Refereed(folder, guests=False).wait(4)


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Refereed]:
    """Have a table at which nobody plays, and that each test leaves as it found it."""
    with table(tmp_path_factory.mktemp("quiet")) as evening:
        yield evening


def test_every_stopper_is_shown_by_the_number_on_its_shell(quiet: Refereed) -> None:
    quiet.wait(12)
    now = shown(quiet)
    assert (now.stoppers, now.awake, now.enough_tonight) == (13, 13, True)
    assert now.weakest_percent is not None
    found = opened(quiet).stoppers
    assert tuple(one.number for one in found) == ALL
    for one in found:
        assert one.doing is BarrelMotion.STANDING
        assert one.heard_ago_s in {0, 5, 10}
        assert one.firmware == "0.2.0"
        assert one.battery_percent is not None
        assert one.rssi_dbm is not None
        assert one.ailments == ()


def test_what_is_wrong_with_a_stopper_is_said_at_it(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        evening.breaks("flat", barrel=8, for_s=0.5).wait(45)
        silent = evening.sim.stopper_of(8)
        assert shown(evening).awake == 12
        for one in opened(evening).stoppers:
            assert bool(one.ailments) is (one.number == silent)


def test_every_part_says_how_it_is(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        said = [str(one).lower() for one in shown(evening).parts]
        for part in LISTED:
            assert any(part in one for one in said), (part, said)
        assert all(isinstance(one, Condition) for one in shown(evening).parts)
        evening.breaks("absent", part="lights").wait(2)
        assert any(not one.state.fine for one in shown(evening).parts)


def test_a_barrel_leaves_a_trail_that_shows_how_it_is_held(quiet: Refereed) -> None:
    quiet.people("red lifts 7\nred shakes 7 for 2\nred puts back 7").rest(3)
    moved = quiet.sim.stopper_of(7)
    trails = {one.number: one.trail for one in opened(quiet).stoppers}
    assert len(trails[moved]) > 8
    assert {point.stands for point in trails[moved]} == {True, False}
    assert max(point.deviation_permille for point in trails[moved]) > 300
    assert all(one.at_ms < other.at_ms for one, other in pairwise(trails[moved]))


def test_pads_and_buttons_are_tried_by_using_them(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        evening.people("red lifts 7\nred places 7").rest()
        evening.press("blue").press("blue").press("green", long=True)
        seats = {one.colour: one for one in opened(evening).seats}
        assert seats["red"].pad_closed
        assert (seats["blue"].presses, seats["blue"].long_presses) == (2, 0)
        assert (seats["green"].presses, seats["green"].long_presses) == (0, 1)


def test_it_is_published_only_when_it_changed_and_five_times_a_second_at_most(
    quiet: Refereed,
) -> None:
    told = WorkshopReader(quiet).told
    quiet.people("red lifts 7\nred shakes 7 for 4\nred puts back 7").rest(3)
    assert len(told) > 10
    assert all(b - a >= 200_000 for (a, _), (b, _) in pairwise(told))
    assert [one.serial for _, one in told] == [*range(told[0][1].serial, told[-1][1].serial + 1)]
    assert told[-1][1] == shown(quiet)


def board(evening: Refereed) -> tuple[tuple[int, int, int], ...]:
    assert evening.table.hardware.lights is not None
    return tuple(evening.table.hardware.lights._picture)


def test_one_light_is_tried_in_all_its_colours_and_for_a_minute_at_most(quiet: Refereed) -> None:
    before = board(quiet)
    assert wants(quiet, TryLight(9)).refused is None
    seen = set()
    for _ in range(8):
        quiet.wait(0.5)
        assert [at for at, light in enumerate(board(quiet)) if any(light)] == [9]
        seen.add(tuple(map(bool, board(quiet)[9])))
    assert len(seen) == 4
    assert opened(quiet).trying == 9
    quiet.wait(LASTS_US / 1e6)
    assert opened(quiet).trying is None
    assert len({at for at, light in enumerate(board(quiet)) if any(light)}) > 1
    assert any(map(any, before))


def test_all_lights_are_tried_without_dazzling_anybody(quiet: Refereed) -> None:
    wants(quiet, TryLight(None))
    for _ in range(4):
        quiet.wait(1)
        assert all(map(any, board(quiet)))
        assert sum(map(sum, board(quiet))) <= LIMIT
    assert opened(quiet).trying == "all"
    wants(quiet, StopTrying())
    assert opened(quiet).trying is None


def test_a_seats_light_and_buzz_are_tried(quiet: Refereed, monkeypatch: pytest.MonkeyPatch) -> None:
    lit: dict[str, float] = {}

    def shine(colour: str, brightness: float) -> None:
        lit[colour] = brightness

    sounds: list[float] = []
    seats = quiet.table.hardware.seats
    monkeypatch.setattr(seats, "set_light", shine)
    monkeypatch.setattr(seats, "play", lambda *sound: sounds.append(sound[1]))
    wants(quiet, TrySeatLight("blue"))
    assert lit == {"red": 0.0, "green": 0.0, "blue": 1.0, "yellow": 0.0}
    assert wants(quiet, TryBuzzer()).refused is None
    assert len(sounds) == 1
    wants(quiet, StopTrying())


def test_what_there_is_not_is_not_tried(quiet: Refereed) -> None:
    for wish in (TryLight(-1), TryLight(LIGHT_COUNT), TrySeatLight("pink")):
        assert wants(quiet, wish).refused is not None
        assert opened(quiet).trying is None


def test_a_match_ends_what_is_tried_before_anybody_sees_it(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        wants(evening, TryLight(9))
        open_in_a_match: list[bool] = []
        looks = CallbackOutput(
            lambda now: open_in_a_match.append(
                not now.over and evening.table.workshop.opened is not None
            )
        )
        evening.table.outputs.join(looks)
        evening.begins("red", "blue").wait(0.1)
        assert open_in_a_match
        assert not any(open_in_a_match)
        assert sum(map(any, board(evening))) > 1
        assert wants(evening, TryLight(3)).refused is not None
        evening.says("red", GiveUp())
        evening.wait(0.5)
        assert opened(evening).trying is None
        assert wants(evening, TryLight(3)).refused is None


def test_how_barrels_were_held_in_a_match_is_not_shown_after_it(tmp_path: Path) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.FLIP)
        evening.says("red", GiveUp())
        evening.wait(0.5)
        assert all(one.trail == () for one in opened(evening).stoppers)


def test_only_a_button_that_is_held_on_lets_a_phone_in_and_other_presses_are_the_games(
    tmp_path: Path,
) -> None:
    """A stranger asks for a seat whose owner plays on: joins the match, leaves it, begins it."""
    with table(tmp_path) as evening:
        pairing = Pairing(clock_s=lambda: 0.0)
        evening.table.button_pairing = ButtonPairing(pairing)
        stranger = pairing.ask("192.168.7.66", "red", None)
        assert isinstance(stranger, str)
        joined = [evening.press(one).now.joining for one in ("red", "blue", "red")]
        assert joined == [("red",), ("red", "blue"), ("blue",)]
        evening.press("red").press("red", held_s=1.5)
        assert evening.now.match is not None  # a long press begins it as ever, at its release
        assert pairing.role_of(stranger) is None
        assert pairing.asked == ("red",)


def test_a_button_that_is_held_on_lets_in_who_asks_and_confirms_nothing(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        pairing = Pairing(clock_s=lambda: 0.0)
        evening.table.button_pairing = ButtonPairing(pairing)
        evening.press("red").press("blue")  # a long press would begin the match
        phone = pairing.ask("192.168.7.20", "red", None)
        assert isinstance(phone, str)
        evening.press("red", held_s=3)
        assert pairing.role_of(phone) == "red"
        assert evening.now.match is None
        evening.press("blue", held_s=3)  # nobody asks for that seat
        assert evening.now.match is not None


def test_whoever_asks_while_a_button_is_held_already_is_not_let_in(tmp_path: Path) -> None:
    with table(tmp_path) as evening:
        pairing = Pairing(clock_s=lambda: 0.0)
        evening.table.button_pairing = ButtonPairing(pairing)
        asked: list[object] = []
        evening.sim.at(
            evening.sim.now_us + 1_500_000,
            lambda: asked.append(pairing.ask("192.168.7.66", "red", None)),
        )
        evening.press("red", held_s=3)
        assert isinstance(asked[0], str)
        assert pairing.role_of(asked[0]) is None


def test_the_hub_says_which_firmware_it_runs_while_the_table_runs(quiet: Refereed) -> None:
    assert shown(quiet).hub_firmware == "0.2.0"
