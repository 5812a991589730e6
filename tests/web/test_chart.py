"""The evidence of a foul as a chart: lines, bands and words, and nothing that nobody measured."""

import xml.etree.ElementTree as ET

import pytest

from companion.present.chart import BOTTOM, LEFT, RIGHT, TOP, counts_svg, evidence_svg
from companion.present.viewer import Viewer
from companion.referee.events import ChartPoint, HandCount

PEEK = tuple(
    ChartPoint(at_ms, 80 if 400 <= at_ms <= 1200 else 4, 600 if at_ms < 300 else 60, at_ms < 200)
    for at_ms in range(0, 1601, 100)
)


def drawn(points: tuple[ChartPoint, ...], language: str = "en") -> ET.Element:
    return ET.fromstring(evidence_svg(points, Viewer(language)))


def texts(chart: ET.Element) -> list[str]:
    return [one.text or "" for one in chart.iter("text")]


def test_without_evidence_there_is_no_chart() -> None:
    assert evidence_svg((), Viewer()) == ""
    assert evidence_svg(PEEK[:1], Viewer()) == ""


def test_the_tilt_runs_from_the_first_to_the_last_moment() -> None:
    line = next(one for one in drawn(PEEK).iter("path") if one.get("class") == "tilt")
    spots = [tuple(map(float, pair.split())) for pair in line.get("d", "")[1:].split("L")]
    assert len(spots) == len(PEEK)
    assert (spots[0][0], spots[-1][0]) == (LEFT, RIGHT)
    assert min(y for _, y in spots) < BOTTOM / 2 + 20 < spots[0][1]


def test_the_readable_tilt_lies_between_upright_and_upside_down() -> None:
    chart = drawn(PEEK)
    limit = next(one for one in chart.iter("path") if one.get("class") == "limit")
    y = float(limit.get("d", "").split()[1].split("H")[0])
    high = spots_of_tilt(chart)[PEEK.index(next(p for p in PEEK if p.tilt_deg == 80))]
    assert high < y < BOTTOM
    assert "60°" in texts(chart)


def spots_of_tilt(chart: ET.Element) -> list[float]:
    line = next(one for one in chart.iter("path") if one.get("class") == "tilt")
    return [float(pair.split()[1]) for pair in line.get("d", "")[1:].split("L")]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", {"moving", "held still", "lifted", "seconds since it began"}),
        ("de", {"bewegt", "stillgehalten", "in der Luft", "Sekunden seit dem Anfang"}),
    ],
)
def test_axes_and_bands_speak_the_language_of_the_reader(language: str, words: set[str]) -> None:
    assert words <= {*texts(drawn(PEEK, language))}


def test_bands_follow_stillness_and_standing_and_leave_no_gap() -> None:
    bands = [one for one in drawn(PEEK).iter("rect") if "band" in one.get("class", "")]
    kinds = [one.get("class", "").split()[1] for one in bands]
    assert kinds == ["moved", "still", "stands", "lifted"]
    for row in (bands[:2], bands[2:]):
        ends = [float(one.get("x", "")) + float(one.get("width", "")) for one in row]
        assert ends[0] == pytest.approx(float(row[1].get("x", "")), abs=0.2)
        assert ends[1] == pytest.approx(RIGHT, abs=0.2)


def test_what_no_load_cell_knows_is_not_made_up() -> None:
    unsure = tuple(ChartPoint(p.at_ms, p.tilt_deg, p.deviation_permille, None) for p in PEEK)
    chart = drawn(unsure)
    assert "not known" in texts(chart)
    assert not {"stands", "lifted"} & {*texts(chart)}


def test_the_chart_says_in_words_how_far_it_was_tilted() -> None:
    assert "at most 80°" in str(drawn(PEEK).get("aria-label"))


@pytest.mark.parametrize(
    "points",
    [
        (ChartPoint(5, 0, 0, None), ChartPoint(5, 200, 9000, True)),
        (ChartPoint(-40, -3, 0, True), ChartPoint(90_000, 1, 0, False)),
    ],
)
def test_strange_evidence_is_drawn_within_its_frame(points: tuple[ChartPoint, ...]) -> None:
    for one in drawn(points).iter("rect"):
        assert LEFT <= float(one.get("x", "")) <= RIGHT
        assert float(one.get("width", "")) >= 0
    assert all(0 < y <= BOTTOM for y in spots_of_tilt(drawn(points)))


def test_counted_barrels_are_drawn_as_stairs_from_the_first_count_to_the_end() -> None:
    counts = (HandCount(0, 2, 0), HandCount(500, 3, 0), HandCount(900, 2, 1))
    chart = ET.fromstring(counts_svg(counts, 1500, Viewer()))
    line = next(one for one in chart.iter("path") if one.get("class") == "tilt")
    path = line.get("d", "")
    assert path.startswith(f"M{LEFT:.1f} ")
    assert path.endswith(f"H{RIGHT}")
    assert path.count("V") == 2
    assert f"V{TOP:.1f}" in path  # three barrels in hands is the most
    assert {"0", "1", "2", "3"} <= {*texts(chart)}
    assert "at most 3" in str(chart.get("aria-label"))


def test_where_nobody_counted_there_are_no_stairs() -> None:
    assert counts_svg((), 1500, Viewer()) == ""
    assert counts_svg((HandCount(0, 1, 0),), 0, Viewer("de")).count("<path") > 2


def test_no_words_lie_across_the_line() -> None:
    words = [one for one in drawn(PEEK, "de").iter("text") if one.get("class") != "scale"]
    assert "lesbar von unten" in " ".join(texts(drawn(PEEK, "de")))
    assert not [one.text for one in words if TOP <= float(one.get("y", "0")) <= BOTTOM]
