"""The browser the pages are tested with: it is what it says, and it overlooks no complaint."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from tests.browser.chromium import Complaints, Drawer, Opener, until

URL = "http://127.0.0.1/table"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:"
DECENT = """<!doctype html><html lang="en"><title>Table</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<main><h1>Table</h1></main></html>"""


def show(page: Page, html: str, status: int = 200) -> Page:
    """Open a page that no server has to serve, under the policy of the pages."""

    def answer(route: Route) -> None:
        route.fulfill(
            status=status,
            body=html,
            content_type="text/html; charset=utf-8",
            headers={"Content-Security-Policy": POLICY},
        )

    page.route("**/*", answer)
    page.goto(URL)
    return page


@pytest.mark.parametrize("locale", ["de-DE", "en-US"])
def test_a_phone_is_small_is_touched_and_speaks(phone: Opener, locale: str) -> None:
    page = show(phone(locale), DECENT)
    assert page.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == [360, 740, 2]
    assert page.evaluate("'ontouchstart' in window")
    assert page.evaluate("navigator.language") == locale


def test_a_desk_is_wide_and_has_a_mouse(desk: Opener) -> None:
    page = show(desk(), DECENT)
    assert page.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == [1280, 800, 1]
    assert not page.evaluate("'ontouchstart' in window")


def test_two_phones_do_not_share_what_they_remember(phone: Opener) -> None:
    first, second = show(phone(), DECENT), show(phone(), DECENT)
    first.evaluate("localStorage.setItem('seat', 'red')")
    assert second.evaluate("localStorage.getItem('seat')") is None


@pytest.mark.parametrize(
    ("html", "complaint"),
    [
        ("<p style='color: red'>", "Content Security Policy"),
        ("<script>document.title = 'mine'</script>", "Content Security Policy"),
        ("<img src='http://elsewhere.example/logo.png' alt=''>", "Content Security Policy"),
    ],
)
def test_a_breach_of_the_policy_is_heard(
    phone: Opener, complaints: Complaints, html: str, complaint: str
) -> None:
    until(show(phone(), DECENT + html), lambda: bool(complaints.left))
    assert [complaint in one for one in complaints.left] == [True]
    complaints.forgive(complaint)


def test_an_error_of_a_script_is_heard(phone: Opener, complaints: Complaints) -> None:
    page = show(phone(), DECENT)
    page.evaluate("setTimeout(() => { throw new Error('no barrel') })")
    until(page, lambda: bool(complaints.left))
    assert [one.endswith("no barrel") for one in complaints.left] == [True]
    complaints.forgive("no barrel")


def test_a_refused_request_is_heard(phone: Opener, complaints: Complaints) -> None:
    until(show(phone(), DECENT, status=409), lambda: bool(complaints.left))
    assert ["409" in one for one in complaints.left] == [True]
    complaints.forgive("status of 409")


def test_only_what_is_expected_is_forgiven() -> None:
    complaints = Complaints(["status of 409", "status of 500"])
    complaints.forgive("status of 4..")
    assert complaints.left == ["status of 500"]


def test_a_phone_forgets_the_test_before(phone: Opener, drawer: Drawer) -> None:
    first = show(phone("en-US"), DECENT)
    first.evaluate("localStorage.setItem('seat', 'red'); document.cookie = 'seat=red'")
    first.emulate_media(color_scheme="dark")
    first.set_viewport_size({"width": 320, "height": 568})
    with first.expect_popup():
        first.evaluate("void open('/')")
    drawer.put_back()
    again = phone("en-US")
    assert again is first
    assert len(again.context.pages) == 1
    assert again.locator("h1").count() == 0
    assert show(again, DECENT).evaluate("[localStorage.getItem('seat'), document.cookie]") == [
        None,
        "",
    ]
    assert again.evaluate("matchMedia('(prefers-color-scheme: light)').matches")
    assert again.evaluate("[innerWidth, innerHeight]") == [360, 740]


def test_looking_at_a_page_does_not_make_it_complain(
    phone: Opener, axe: Callable[[Page], list[str]]
) -> None:
    page = show(phone(), DECENT)
    assert page.screenshot().startswith(b"\x89PNG")
    assert axe(page) == []


def test_axe_finds_what_keeps_people_out(
    phone: Opener, axe: Callable[[Page], list[str]], complaints: Complaints
) -> None:
    page = show(phone(), DECENT.replace("</main>", "<button></button><img src=x.png></main>"))
    found = axe(page)
    assert [one.split(" ")[0] for one in found] == ["button-name", "image-alt"]
    assert '[["button"]]' in found[0]
    assert not complaints.left
