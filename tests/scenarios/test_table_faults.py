"""Whatever breaks at a refereed table, in any phase: it is said, play goes on, and it mends."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.games.zapp_zerapp.rules import Phase, View
from companion.referee.commands import AssignBarrel
from tests.scenarios.players import begun, bring_to, check, finish
from tests.scenarios.refereed import Refereed

PHASES = list(Phase)[:5]
Break = Callable[[Refereed], object]
FAULTS: dict[str, tuple[Break, Break, str]] = {  # what breaks, what mends it, what is said
    "a stopper reboots": (
        lambda evening: evening.breaks("reboot", barrel=8),
        lambda evening: evening.wait(1),
        "",
    ),
    "a stopper dies": (
        lambda evening: evening.breaks("flat", barrel=8, for_s=0.5).wait(40),
        lambda evening: evening.breaks("clear").wait(12),
        "A stopper has gone silent",
    ),
    "the hub is unplugged": (
        lambda evening: evening.breaks("absent", part="hub").wait(2),
        lambda evening: evening.breaks("clear").wait(6),
        "The hub was unplugged",
    ),
    "the light board is absent": (
        lambda evening: evening.breaks("absent", part="lights").wait(1),
        lambda evening: evening.breaks("clear").wait(12),
        "light board",
    ),
    "the seats' cable is out": (
        lambda evening: evening.breaks("absent", part="pads").wait(2),
        lambda evening: evening.breaks("clear").wait(2),
        "",
    ),
}


def each(folder: Path, fault: str, phases: list[Phase]) -> Iterator[tuple[Refereed, View]]:
    """Bring a table to each phase, and return how it was seen just before something broke."""
    for phase in phases:
        (folder / phase.value).mkdir()
        with begun(folder / phase.value) as evening:
            bring_to(evening, phase)
            before = evening.view
            FAULTS[fault][0](evening)
            assert evening.view == before, f"{phase}: nothing that was placed is lost"
            check(evening)
            yield evening, before


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_part_fails_and_returns_and_all_goes_on(tmp_path: Path, fault: str, full: bool) -> None:
    _, returns, said = FAULTS[fault]
    one_each = PHASES[list(FAULTS).index(fault)]
    for evening, before in each(tmp_path, fault, PHASES if full else [one_each]):
        assert not said or any(said in condition for condition in evening.troubles), (
            evening.troubles
        )
        returns(evening)
        assert not said or not any(said in condition for condition in evening.troubles), (
            evening.troubles
        )
        assert evening.view == before
        finish(evening)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_part_fails_and_the_round_is_finished(tmp_path: Path, fault: str, full: bool) -> None:
    for evening, _ in each(tmp_path, fault, PHASES if full else [Phase.PLACE]):
        finish(evening)


def test_a_barrel_whose_pad_is_dead_is_given_up_once_it_is_lifted(tmp_path: Path) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.PLACE)
        evening.breaks("absent", part="pads").wait(2)
        assert evening.placed == {"red"}
        evening.people("red lifts 8").rest()
        assert evening.placed == set()


def test_people_who_do_not_know_which_barrel_it_is_have_placed_it_all_the_same(
    tmp_path: Path,
) -> None:
    with begun(tmp_path) as evening:
        bring_to(evening, Phase.PLACE)
        assert evening.says("blue", AssignBarrel("red", None)).refused is None
        evening.wait(1)
        assert evening.placed == {"red"}
        evening.says("blue", "place blue")
        evening.says("blue", "flip")
        evening.wait(1)
        assert evening.numbers == {}
