"""The browser the pages are tested with: it is what it says, and it overlooks no complaint."""

import pytest
from playwright.sync_api import Page, Route

from tests.browser.chromium import Complaints, Drawer, Opener, barriers, until

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


@pytest.mark.parametrize(
    ("html", "complaint"),
    [
        ("<p style='color: red'>", "Content Security Policy"),
        ("<script>document.title = 'mine'</script>", "Content Security Policy"),
        ("<img src='http://elsewhere.example/logo.png' alt=''>", "Content Security Policy"),
        ("", "status of 409"),
    ],
    ids=("style", "script", "picture", "refused"),
)
def test_what_a_page_complains_of_is_heard_and_only_that_forgiven(
    phone: Opener, complaints: Complaints, html: str, complaint: str
) -> None:
    page = show(phone(), DECENT + html, 200 if html else 409)
    page.evaluate("setTimeout(() => { throw new Error('no barrel') })")
    until(page, lambda: len(complaints.left) == 2)
    complaints.forgive("no barrel")
    assert [complaint in one for one in complaints.left] == [True]
    complaints.forgive(complaint)
    assert complaints.left == []


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


def test_axe_finds_what_keeps_people_out(phone: Opener, complaints: Complaints) -> None:
    page = show(phone(), DECENT.replace("</main>", "<button></button><img src=x.png></main>"))
    found = barriers(page)
    assert [one.split(" ")[0] for one in found] == ["button-name", "image-alt"]
    assert '[["button"]]' in found[0]
    assert not complaints.left  # looking at a page does not make it complain
