"""Plots tell their figures by places and lengths, are whole SVG, and say what they show."""

from xml.etree import ElementTree

from markupsafe import Markup

from companion.present.plots import WIDTH, Bar, HeldPoint, lengths, misses, pairs, trail

NAMES = '"><script>alert(1)</script>'


def drawn(plot: Markup) -> ElementTree.Element:
    """Return a plot that was read as a browser reads it."""
    return ElementTree.fromstring(str(plot))


def bars(plot: Markup, kind: str) -> list[dict[str, float]]:
    """Return the places of all bars of exactly that kind, in the order of drawing."""
    numbers = ("x", "y", "width", "height")
    return [
        {name: float(one.attrib[name]) for name in numbers}
        for one in drawn(plot).iter("rect")
        if one.attrib["class"] == kind
    ]


def test_barrels_above_the_magic_number_are_hollow_and_right_of_it() -> None:
    plot = misses({-3: 2, 0: 4, 1: 1, 5: 0}, 4, "red", "how far")
    full, hollow = bars(plot, "bar"), bars(plot, "bar hollow")
    assert [len(full), len(hollow)] == [2, 1]
    assert full[1]["height"] == 2 * full[0]["height"] == 4 * hollow[0]["height"]
    middle = full[1]["x"] + full[1]["width"] / 2
    assert abs(middle - WIDTH / 2) < 0.1
    assert full[0]["x"] < middle < hollow[0]["x"]


def test_what_no_barrel_can_miss_by_is_not_drawn() -> None:
    assert not bars(misses({-12: 3, 12: 3}, 3, "red", "how far"), "bar")


def test_two_bars_stand_for_each_seat_as_long_as_they_count() -> None:
    plot = pairs([Bar("red", "Red", 4, 2), Bar("blue", "Blue", 0, 1)], "how often")
    full, hollow = bars(plot, "bar"), bars(plot, "bar hollow")
    assert full[0]["width"] == 2 * hollow[0]["width"] == 4 * hollow[1]["width"]
    assert full[1]["width"] == 1.0  # none is still to be seen
    assert full[0]["y"] < hollow[0]["y"] < full[1]["y"]


def test_no_matches_and_no_bars_are_no_trouble() -> None:
    assert not bars(pairs([], "none"), "bar")
    assert not bars(lengths((), 0.0, "none"), "bar")


def test_a_line_lies_where_matches_are_as_long_as_the_mean() -> None:
    plot = lengths((10, 20, 30), 20.0, "rounds")
    tops = [one["y"] for one in bars(plot, "bar")]
    line = next(one for one in drawn(plot).iter("line") if one.attrib["class"] == "mark")
    assert float(line.attrib["y1"]) == tops[1]
    assert tops == sorted(tops, reverse=True)


def test_many_matches_still_fit_beside_each_other() -> None:
    last = bars(lengths(tuple(range(1, 200)), 100.0, "rounds"), "bar")[-1]
    assert last["x"] + last["width"] <= WIDTH


def test_the_newest_point_of_a_trail_is_at_the_right() -> None:
    points = [HeldPoint(5.0, 0.0, 0.0, stands=True), HeldPoint(0.0, 90.0, 0.0, stands=True)]
    way = next(one for one in drawn(trail(points, 10.0, "held")).iter("polyline"))
    first, last = (tuple(map(float, one.split(","))) for one in way.attrib["points"].split())
    assert (first[0], last[0]) == (WIDTH / 2, WIDTH)
    assert last[1] < first[1]


def test_only_a_tilt_of_more_than_60_degrees_reaches_the_band_in_which_one_could_read() -> None:
    for tilt_deg, inside in ((59.0, False), (61.0, True)):
        points = [
            HeldPoint(1.0, tilt_deg, 0.0, stands=None),
            HeldPoint(0.0, tilt_deg, 0.0, stands=None),
        ]
        plot = trail(points, 10.0, "held")
        band = bars(plot, "readable")[0]
        way = next(one for one in drawn(plot).iter("polyline"))
        y = float(way.attrib["points"].split(",")[-1])
        assert (y < band["y"] + band["height"]) is inside


def test_standing_and_lifted_are_one_stripe_each_however_many_points_there_are() -> None:
    stands = [True, True, True, False, False, None]
    points = [
        HeldPoint(5.0 - place, 0.0, 0.0, stands=one)
        for place, one in enumerate(stands)
    ]  # fmt: skip
    plot = trail(points, 10.0, "held")
    assert [len(bars(plot, kind)) for kind in ("stands", "lifted", "unknown")] == [1, 1, 0]
    assert bars(plot, "stands")[0]["width"] == 3 * WIDTH / 10


def test_every_plot_says_what_it_shows_and_nobody_gets_in_by_a_name() -> None:
    points = [HeldPoint(1.0, 3.0, 0.1, stands=True), HeldPoint(0.0, 3.0, 0.1, stands=True)]
    for plot in (
        misses({0: 1}, 1, NAMES, NAMES),
        pairs([Bar(NAMES, NAMES, 1, 2)], NAMES),
        lengths((3,), 3.0, NAMES),
        trail(points, 10.0, NAMES),
    ):
        svg = drawn(plot)
        assert (svg.attrib["role"], svg.attrib["aria-label"]) == ("img", NAMES)
        assert "script" not in {one.tag for one in svg.iter()}
        assert not any("style" in one.attrib for one in svg.iter())
