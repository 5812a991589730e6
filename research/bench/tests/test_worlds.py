"""The bench of worlds measures each trait alone; the page has a row for each before and after."""

import json
import sys
from pathlib import Path

import pytest

from companion.simulator.stopper_kinds import LEAVES
from companion.simulator.traits import HONEST, RADIO, Trait, traits
from research.bench import _kinds, worlds
from research.bench._page import PAGE, inserted


@pytest.mark.slow
def test_a_world_is_measured_and_kept_and_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(worlds, "AMOUNTS", {"set-downs": (1, 2)})
    keep = tmp_path / "kept.json"
    words = ["worlds", "--json", "--only", "pads", "--stopper", "light", "--keep", str(keep)]
    monkeypatch.setattr(sys, "argv", words)
    worlds.main()
    found = json.loads(capsys.readouterr().out)
    assert found["pads"]["seat_right_of"] + found["pads"]["seat_close_right_of"] > 0
    assert json.loads(keep.read_text()) == {"light": found}
    monkeypatch.setattr(worlds, "measured", None)
    worlds.main()
    assert json.loads(capsys.readouterr().out) == found


def test_each_trait_is_a_world() -> None:
    assert frozenset[Trait]().union(*map(traits, worlds.WORLDS[1:-1])) == HONEST
    assert (worlds.WORLDS[0], worlds.WORLDS[-1]) == ("kind", "honest")
    assert len(worlds.WORLDS) == 2 + len(HONEST - RADIO) + 1  # the radio's traits are one world


def test_the_page_has_each_kinds_magnitudes_as_the_simulator_has_them() -> None:
    text = PAGE.read_text()
    assert inserted(text, "kinds", _kinds.table()) == text
    assert f"| foot that hangs on the cell | {LEAVES.foot_g:g} ±" in text
