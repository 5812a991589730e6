"""On a narrow phone nothing is too wide: neither German, nor a language that is a third longer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from companion.i18n.translate import LANGUAGES
from release.words.finding import found_in
from release.words.pseudo import CODE, language
from tests.browser.chromium import Complaints, Drawer, Opener, Screen, too_small, too_wide
from tests.browser.served import Served
from tests.browser.sights import SIGHTS, Sight, unfolds
from tests.web.room import FakeRoom
from tests.web.running import RUNNING
from tests.web.still import Still

GAMES = ("trap-the-wizard", "via-magica", "blackmore")
MORE = (
    *(Sight(name, room, "/", role, unfolds) for name, (role, room) in RUNNING.items()),
    *(Sight(f"setup-{game}", FakeRoom, f"/setup?game={game}") for game in GAMES),
    Sight("simulated", FakeRoom, "/simulated"),
)
BEYOND = """() => {
    const texts = [...document.querySelectorAll("svg.evidence text")];
    const beyond = texts.filter(one => {
        const word = one.getBBox(), all = one.ownerSVGElement.viewBox.baseVal;
        return word.x < all.x || word.x + word.width > all.x + all.width
            || word.y < all.y || word.y + word.height > all.y + all.height;
    });
    return {texts: texts.length, beyond: beyond.map(one => one.textContent)};
}"""
CUT = """() => [...document.querySelectorAll("main select")].flatMap(list => {
    const style = getComputedStyle(list), pen = document.createElement("canvas").getContext("2d");
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return [...list.options].map(one => one.textContent.trim())
        .filter(one => pen.measureText(one).width > room - 20);  // beside the arrow
})"""
NARROWEST = Screen(320, 568, mobile=True)
ALL = {sight.name: sight for sight in (*SIGHTS, *MORE)}


@pytest.fixture(scope="module", params=["de", CODE])
def code(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Have a language: German, or one that is made of all that the program says."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == CODE:
            made = language(tmp_path_factory.mktemp("locale"), found_in(companion))
            patch.setitem(LANGUAGES, CODE, made)
        yield request.param


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("name", ALL)
def test_nothing_is_too_wide_for_a_phone(
    name: str, code: str, *, phone: Opener, complaints: Complaints, tmp_path: Path
) -> None:
    if name == "fault":
        complaints.forgive("status of 404")
    sight = ALL[name]
    page = phone("en-GB")
    with Served(sight.room(), tmp_path, Still() if name == "simulated" else None) as served:
        page.context.add_cookies([{"name": "language", "value": code, "url": served.home}])
        served.open(page, sight.path, sight.role)
        page.wait_for_load_state("load")
        sight.then(page)
        assert page.locator("html").get_attribute("lang") == code
        found = too_wide(page), too_small(page)
        page.goto("about:blank")  # before the server stops
    assert found == ([], [])


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
@pytest.mark.parametrize("game", ["zapp-zerapp", *GAMES])
def test_what_is_chosen_at_set_up_can_be_read_whole(
    game: str, locale: str, drawer: Drawer, tmp_path: Path
) -> None:
    page = Opener(drawer, NARROWEST)(locale)
    with Served(FakeRoom(), tmp_path) as served:
        served.open(page, f"/setup?game={game}", "table")
        unfolds(page)
        assert page.locator("main select").count() > 0
        assert page.evaluate(CUT) == []
        drawer.put_back()  # before the server stops


@pytest.mark.slow(but=1)  # making the other language takes longer than looking at it
def test_no_word_of_a_chart_reaches_beyond_it(code: str, phone: Opener, tmp_path: Path) -> None:
    page, (role, room) = phone("en-GB"), RUNNING["zapp-zerapp-foul"]
    with Served(room(), tmp_path) as served:
        page.context.add_cookies([{"name": "language", "value": code, "url": served.home}])
        served.open(page, "/", role)
        unfolds(page)
        reach = page.evaluate(BEYOND)
        page.goto("about:blank")  # before the server stops
    assert reach["texts"] > 4
    assert reach["beyond"] == []
