"""Plots are sound SVG, and as high and as far as what they show."""

from xml.etree import ElementTree

import pytest

from rappelwacht_research.study.findings import Bins, share
from rappelwacht_research.study.page import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    Axes,
    StudyRow,
    histogram,
    shares_plot,
)

AXES = Axes("rounds", "matches")


def tree(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def parts(svg: str, name: str, kind: str) -> list[dict[str, str]]:
    return [one.attrib for one in tree(svg).iter(name) if kind in one.get("class", "").split()]


def test_bars_are_as_high_as_what_they_count() -> None:
    svg = histogram([Bins(0, 1, (1, 4, 2))], AXES, "told")
    high = [float(bar["height"]) for bar in parts(svg, "rect", "layer0")]
    assert high == pytest.approx([(BOTTOM - TOP) * part for part in (0.25, 1, 0.5)], abs=0.1)


def test_a_second_kind_stands_on_the_first() -> None:
    svg = histogram([Bins(0, 1, (1, 2)), Bins(0, 1, (3, 0))], AXES, "told")
    below, above = parts(svg, "rect", "layer0")[0], parts(svg, "rect", "layer1")[0]
    assert float(above["y"]) + float(above["height"]) == pytest.approx(float(below["y"]), abs=0.1)
    assert float(above["y"]) == pytest.approx(TOP, abs=0.1)


def test_the_mark_stands_at_its_value() -> None:
    one = parts(histogram([Bins(5, 1, (1, 1, 1))], AXES, "told", 6), "line", "mark")
    assert float(one[0]["x1"]) == pytest.approx((LEFT + RIGHT) / 2, abs=0.1)
    wide = parts(histogram([Bins(0, 10, (1, 1))], AXES, "told", 10), "line", "mark")
    assert float(wide[0]["x1"]) == pytest.approx(LEFT + (RIGHT - LEFT) * 10.5 / 20, abs=0.1)


def test_a_share_lies_between_its_ends_and_the_fair_one_is_marked() -> None:
    svg = shares_plot([StudyRow("Red", share(25, 100), "seat-red")], 0.25, "told")
    dot, mark = parts(svg, "circle", "dot")[0], parts(svg, "line", "mark")[0]
    reach = parts(svg, "line", "reach")[0]
    assert float(dot["cx"]) == pytest.approx(float(mark["x1"]), abs=0.1)
    assert float(reach["x1"]) < float(dot["cx"]) < float(reach["x2"]) <= RIGHT


def test_words_cannot_break_out_of_a_plot() -> None:
    svg = shares_plot([StudyRow("<b>", share(1, 2))], 0.5, 'a "quoted" <told>')
    root = tree(svg)
    assert root.get("aria-label") == 'a "quoted" <told>'
    assert "<b>" in [text.text for text in root.iter("text")]
