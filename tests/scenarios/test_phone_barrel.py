"""A phone as the barrel, from its samples through firmware, wire and sensing to the referee."""

import json
from collections.abc import Iterator, Sequence
from math import cos, pi, radians, sin
from pathlib import Path
from typing import Self

import pytest

from companion.games.zapp_zerapp.rules import Phase
from companion.present.simulated_hands import PhoneFelt, PhonePose, PhoneSamples, Where
from companion.present.to_json import written
from companion.present.viewer import Viewer
from companion.referee.match import Foul
from companion.simulator.guests import NoGuests
from companion.simulator.live.phone_barrel import SILENT_US
from companion.simulator.live.player_hands import PlayerHands
from companion.simulator.motions import Vector
from companion.simulator.traits import HONEST, KIND, Imperfections
from companion.system.errors import CompanionError
from companion.system.text import SeatName
from rappelwacht_research.phone_motions import USUAL, PhoneKind, recorded
from tests.scenarios.permuted import HANDLED, swapped
from tests.scenarios.refereed import Refereed
from tests.web.room import client, phones

BATCH_MS = 100
Rows = Sequence[tuple[float, Vector]]
HOLDS = "0.1 blue lifts 7\nblue carries 7 for 2\n"
LISTENS = HOLDS + "blue shakes 7 for 2\nblue carries 7 for 1\nblue hands 7 to red"
LOOKS = HOLDS + "blue shakes 7 for 1\nblue peeks 7 to 150 for 2"


class Handled(Refereed):
    """A table at which blue has taken a barrel and moves it by phone."""

    def __init__(
        self, folder: Path, seed: int = 1, *, barrel: int = HANDLED, **how: object
    ) -> None:
        self.barrel = barrel
        super().__init__(folder, seed, guests=False, **how)  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        self.begins("red", "blue")
        assert self.says("red", "roll 9").refused is None
        self.hands = PlayerHands(self.sim, NoGuests(), SeatName.BLUE)
        self.hands.sit()
        world = self.sim.world
        self.handle = world.spots.index(world.places[self.barrel])
        self.hands.lift(self.handle)
        self.rest()
        return self

    def tells(
        self, rows: Rows, kind: PhoneKind = USUAL, phone: str = "blue's", *, flips: bool = False
    ) -> PhoneFelt:
        """Tell the table what a phone felt in a tenth of a second."""
        times, felt = tuple(row[0] for row in rows), tuple(row[1] for row in rows)
        samples = PhoneSamples(phone, kind.down, kind.up, times, felt, flips)
        return self.hands.follow(self.handle, samples)

    def feels(
        self,
        script: str,
        kind: PhoneKind = USUAL,
        seed: int = 1,
        *,
        flips: bool = False,
        missing_ms: range = range(0),
    ) -> list[PhoneFelt]:
        """Move the phone as a script moves a barrel; return what came of it."""
        rows = [row for row in recorded(script, seed, kind) if int(row[0]) not in missing_ms]
        return [self.tells(batch, kind, flips=flips) for _, batch in self.batches(rows)]

    def batches(self, rows: Rows) -> Iterator[tuple[float, Rows]]:
        """Let time pass while a phone is moved; yield each tenth of a second of it, and when."""
        begun_ms = self.sim.now_us / 1000
        while rows:
            self.wait(BATCH_MS / 1000)
            now_ms = self.sim.now_us / 1000 - begun_ms
            felt = [row for row in rows if row[0] < now_ms]
            rows = rows[len(felt) :]
            if felt:
                yield now_ms, [(begun_ms + at_ms, force) for at_ms, force in felt]

    @property
    def fouls(self) -> list[Foul]:
        return [foul for foul in self.now.fouls if foul.raised.weight == "foul"]

    @property
    def tilted(self) -> bool:
        return self.hands.table().barrels[self.handle].tilt_deg > 60

    @property
    def where(self) -> Where:
        return self.hands.table().barrels[self.handle].where


LIE = {PhonePose.WAITING, PhonePose.STANDING, PhonePose.LEFT}


def numbers(answers: Sequence[PhoneFelt]) -> set[int | None]:
    return {answer.number for answer in answers}


@pytest.mark.parametrize(
    ("hz", "traits"), [(60, KIND), (20, HONEST), (120, HONEST)], ids=["60", "20", "120"]
)
def test_whoever_turns_it_up_is_caught_and_reads_it_and_no_one_else_does(
    tmp_path: Path, hz: float, traits: Imperfections
) -> None:
    with Handled(tmp_path, traits=traits) as evening:
        heard = evening.feels(LISTENS, PhoneKind(hz))
        assert numbers(heard) == {None}
        assert sum(len(answer.knocks) for answer in heard) > 2 * HANDLED
        assert evening.now.fouls == ()
        looked = evening.feels(LOOKS, PhoneKind(hz), seed=2)
        assert numbers(looked) == {None, HANDLED}
        evening.wait(2)
        (foul,) = evening.fouls
        assert foul.raised.code == "peek"
        assert 140 < max(point.tilt_deg for point in foul.raised.evidence) < 160


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("deg", [100, 125, 150, 180])
def test_no_number_is_shown_that_is_not_told_as_a_look(tmp_path: Path, seed: int, deg: int) -> None:
    with Handled(tmp_path, seed, traits=HONEST) as evening:
        looked = evening.feels(
            LOOKS.replace("150", str(deg)), PhoneKind(20 + 20 * (seed % 4)), seed
        )
        evening.wait(3)
        assert numbers(looked) == {None} or evening.fouls


def held(deg: float, at_s: float, tremor_g: float, hz: float) -> Vector:
    """Return what a barrel feels that is turned up and held steadily, in a hand that trembles."""
    turned = min(1.0, 2 * at_s) * radians(deg) + radians(0.3) * sin(2.5 * at_s) * (at_s > 0.5)
    x, y, z = (1.4 * tremor_g * sin(2 * pi * (hz + way) * at_s + way) for way in range(3))
    return sin(turned) + x, y, cos(turned) + z


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("deg", [128, 140, 145, 152])
@pytest.mark.parametrize(("tremor_g", "hz"), [(0.006, 60), (0.004, 60), (0.006, 20), (0.006, 120)])
def test_whoever_holds_it_steadily_is_caught_and_reads_it(
    tmp_path: Path, deg: float, tremor_g: float, hz: float
) -> None:
    """Rounded to 0.1 m/s², most of what the hand does is by one step."""
    with Handled(tmp_path, traits=HONEST) as evening:
        evening.feels(HOLDS)
        times = [1000 * step / hz for step in range(round(3.5 * hz))]
        rows = [(at_ms, USUAL.tells(held(deg, at_ms / 1000, tremor_g, 8.5))) for at_ms in times]
        answers = [evening.tells(batch) for _, batch in evening.batches(rows)]
        evening.wait(2)
        assert evening.fouls
        assert numbers(answers) == {None, HANDLED}


def test_what_leans_on_something_shows_no_number(tmp_path: Path) -> None:
    with Handled(tmp_path, traits=HONEST) as evening:
        evening.feels(HOLDS)
        times = range(0, 3000, 16)
        rows = [(at, USUAL.tells(held(140, min(at, 500) / 1000, 0.0, 1.0))) for at in times]
        answers = [evening.tells(batch) for _, batch in evening.batches(rows)]
        assert numbers(answers) == {None}


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("deg", [118, 130, 150, 170])
@pytest.mark.parametrize("hard_g", [0.05, 0.1, 0.2, 0.35])
@pytest.mark.parametrize("hz", [0.4, 0.8, 1.5, 3.0])
def test_no_page_that_lies_reads_a_number_and_is_not_caught(
    tmp_path: Path, deg: float, hard_g: float, hz: float
) -> None:
    """It says that the phone is turned up, and pushed to and fro along its axis and across."""
    with Handled(tmp_path, traits=HONEST) as evening:
        evening.feels(HOLDS)
        rows = []
        for at_ms in range(0, 4000, 16):
            turned = min(1.0, at_ms / 600) * radians(deg)
            push, across = (hard_g * sin(2 * pi * hz * at_ms / 1000 + late) for late in (0, 1))
            force = sin(turned) + across * cos(turned), 0.0, cos(turned) * (1 + push)
            rows.append((at_ms, USUAL.tells(force)))
        answers = [evening.tells(batch) for _, batch in evening.batches(rows)]
        evening.wait(3)
        assert numbers(answers) == {None} or evening.fouls


def test_who_tells_too_late_of_having_turned_it_up_reads_nothing(tmp_path: Path) -> None:
    """It is silent, tells of two seconds of looking at once, and at once takes the last back."""
    with Handled(tmp_path, traits=HONEST) as evening:
        evening.feels(HOLDS)
        answers = list[PhoneFelt]()
        for _ in range(3):
            evening.wait(2.5)
            now_ms = evening.sim.now_us / 1000
            late = [(now_ms - 100 * step, USUAL.up) for step in reversed(range(22))]
            answers.append(evening.tells(late))
            anew = [(now_ms / 2 - 20 * step, USUAL.down) for step in reversed(range(13))]
            answers.append(evening.tells(anew))
        evening.wait(3)
        assert numbers(answers) == {None} or evening.fouls


def test_what_was_turned_up_before_the_barrel_was_shows_no_number(tmp_path: Path) -> None:
    """It is turned up at one blow while the barrel stands, lies still, and twitches at last."""
    with Handled(tmp_path, traits=HONEST) as evening:
        evening.hands.place(evening.handle)
        evening.wait(3)
        answers, at_ms = list[PhoneFelt](), evening.sim.now_us / 1000
        down, up = USUAL.tells((0.0, 0.0, 1.0)), USUAL.tells((0.0, 0.0, -1.0))
        twitched = USUAL.tells((0.05, 0.0, -1.0))
        for way in [*[down] * 6, *[up] * 8, twitched]:
            evening.wait(0.3)
            steps = range(200 if way == twitched else 0, 300, 20)
            answers.append(evening.tells([(at_ms + step, way) for step in steps]))
            at_ms += 300
        assert {answer.pose for answer in answers} == {PhonePose.WAITING, PhonePose.MOVING}
        answers.append(evening.tells([(at_ms / 2 + step, down) for step in range(0, 240, 20)]))
        evening.wait(3)
        assert numbers(answers) == {None} or evening.fouls


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("seed", range(12))
def test_who_only_listens_is_accused_of_nothing(tmp_path: Path, seed: int) -> None:
    with Handled(tmp_path, seed, traits=HONEST) as evening:
        evening.feels(LISTENS, PhoneKind(20 + 20 * (seed % 4)), seed)
        evening.wait(3)
        assert evening.now.fouls == ()


def test_it_is_laid_down_taken_up_to_be_read_and_laid_down_for_good(tmp_path: Path) -> None:
    with Handled(tmp_path) as evening:
        begun = evening.feels(HOLDS + "blue shakes 7\nblue puts back 7")
        assert [begun[0].pose, begun[-1].pose] == [PhonePose.WAITING, PhonePose.STANDING]
        assert PhonePose.MOVING in {answer.pose for answer in begun}
        read = evening.feels(
            "0.1 blue lifts 7\nblue peeks 7 to 140 for 3\nblue puts back 7", seed=2
        )
        assert PhonePose.MOVING not in {answer.pose for answer in read[:20]}
        evening.wait(2)
        assert evening.now.fouls == ()
        assert read[-1].pose is PhonePose.STANDING
        assert evening.feels("4 blue lifts 1")[-1].pose is PhonePose.LEFT
        assert evening.where is Where.HAND  # where it is left is for the page to say
        evening.hands.place(evening.handle)
        evening.until(lambda: "blue" in evening.placed, 10)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("silent_s", [2.0, 0.0])
def test_a_phone_left_on_its_screen_is_turned_with_barrels(tmp_path: Path, silent_s: float) -> None:
    with Handled(tmp_path) as evening:
        evening.feels(HOLDS + "blue puts back 7")
        assert evening.feels("4 blue lifts 1")[-1].pose is PhonePose.LEFT
        evening.hands.place(evening.handle)
        evening.people("red places 3").until_phase(Phase.FLIP)
        lies = evening.feels("6 blue lifts 1", flips=True)
        assert lies[-1].pose in LIE
        evening.wait(silent_s)
        answers = evening.feels("2 blue flips 7", seed=4, flips=True)
        assert {answer.pose for answer in answers[:15]} <= LIE
        assert answers[-1].pose is PhonePose.TURNED
        evening.hands.flip(evening.handle)
        evening.rest()
        assert evening.hands.table().barrels[evening.handle].flipped
        assert evening.fouls == []


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("missing_ms", [range(1900, 2600), range(1500, 3400)])
def test_a_gap_while_it_is_turned_over_leaves_no_barrel_behind(
    tmp_path: Path, missing_ms: range
) -> None:
    with Handled(tmp_path) as evening:
        evening.feels(HOLDS + "blue puts back 7")
        evening.hands.place(evening.handle)
        evening.people("red places 3").until_phase(Phase.FLIP)
        evening.feels("4 blue lifts 1", flips=True)
        answers = evening.feels("2 blue flips 7", seed=4, flips=True, missing_ms=missing_ms)
        assert answers[-1].pose is PhonePose.TURNED
        assert evening.fouls == []


def test_before_its_seat_it_is_turned_over_by_phone(tmp_path: Path) -> None:
    with Handled(tmp_path) as evening:
        evening.hands.place(evening.handle)
        evening.people("red places 3").until_phase(Phase.FLIP)
        answers = evening.feels("2 blue flips 7", seed=4)
        assert answers[5].pose is PhonePose.WAITING
        assert answers[-1].pose is PhonePose.TURNED
        evening.hands.flip(evening.handle)
        evening.rest()
        assert evening.hands.table().barrels[evening.handle].flipped
        assert evening.fouls == []


def test_two_phones_are_never_one_barrel(tmp_path: Path) -> None:
    with Handled(tmp_path) as evening:
        evening.feels("0.1 blue lifts 7\nblue carries 7 for 3")
        with pytest.raises(CompanionError, match="Another phone is a barrel here already"):
            evening.tells([(0.0, USUAL.down)], phone="another")
        other = PlayerHands(evening.sim, NoGuests(), SeatName.RED)
        other.sit()
        samples = PhoneSamples("red's", USUAL.down, USUAL.up, (0.0,), (USUAL.down,))
        with pytest.raises(CompanionError, match="Take a barrel in hand"):
            other.follow(evening.handle, samples)
        evening.wait(SILENT_US / 1e6)
        assert evening.tells([(0.0, USUAL.down)], phone="another").pose is PhonePose.WAITING


def test_a_phone_that_falls_silent_while_it_shows_is_seen_no_longer(tmp_path: Path) -> None:
    with Handled(tmp_path) as evening:
        evening.feels(HOLDS)
        begun_ms = evening.sim.now_us / 1000
        for at in range(5):  # half a second of the number in sight, then nothing
            evening.wait(BATCH_MS / 1000)
            times = [begun_ms + BATCH_MS * at + 20 * step for step in range(5)]
            evening.tells([(at_ms, USUAL.up) for at_ms in times])
        evening.until(lambda: evening.tilted, 0.3)
        evening.until(lambda: not evening.tilted, 1.0)
        evening.wait(20)
        assert all(
            foul.raised.evidence[-1].at_ms - foul.raised.evidence[0].at_ms < 3000
            for foul in evening.now.fouls
        )


def test_whatever_it_holds_equal_bytes_leave(tmp_path: Path) -> None:
    def told(number: int) -> list[str]:
        """Return all that leaves the table while a phone is moved, but for its rattling."""
        (folder := tmp_path / str(number)).mkdir()
        stones = swapped(number)
        with Handled(folder, labels=stones, stones=stones) as evening:
            begun = len(evening.shown)
            answers = evening.feels(LOOKS, seed=2)
            shown = [
                json.dumps([str(now.view), [foul.raised.code for foul in now.fouls]])
                for now in evening.shown[begun:]
            ]
            pages = phones(evening.table, hands={"blue": evening.hands})
            recording = [
                client(pages, role).get("/workshop/recording").text for role in (None, "blue")
            ]
            assert ['id="busy"' in page for page in recording] == [False, True]
            return [*map(silent, answers), *shown, *recording]

    assert told(1) == told(13)


def test_no_number_is_on_a_phone_before_it_is_read(tmp_path: Path) -> None:
    def answered(number: int) -> list[str]:
        (folder := tmp_path / str(number)).mkdir()
        with Handled(folder, barrel=number) as evening:
            return [*map(silent, evening.feels(LOOKS, seed=2))]

    few, many = answered(1), answered(13)
    differ = [
        (json.loads(left), json.loads(right))
        for left, right in zip(few, many, strict=True)
        if left != right
    ]
    assert {(left["number"], right["number"]) for left, right in differ} == {(1, 13)}


def silent(answer: PhoneFelt) -> str:
    """Return what a phone is answered, but for what its stones sound like."""
    return written(PhoneFelt(answer.pose, (), answer.number), Viewer())
