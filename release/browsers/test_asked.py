"""What is asked for and cannot be seen is found: hidden, outside, folded, cut off or covered."""

import pytest

from tests.browser.asked import chooses, unseen
from tests.browser.chromium import Opener

PAGE = "<main id=table class='table phase-move'><h1 id=headline>Move!</h1>{}</main>"
SQUARE = "width:200px;height:200px;background:green"
SHOWN = f"<div id=board data-asked style='{SQUARE}'></div>"
SCROLLER = f"<div style='height:90px;overflow:auto'>{SHOWN}</div>"
TOAST = "<p id=toast style='position:fixed;inset:0;margin:0;top:90px'>no answer</p>"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (SHOWN, []),
        (f"<div id=board data-asked style='{SQUARE};margin-top:3000px'></div>", ["px outside"]),
        (f"<div id=board data-asked style='{SQUARE};margin-left:-20px'></div>", ["px outside"]),
        (f"<div id=board data-asked style='{SQUARE};display:none'></div>", ["not drawn"]),
        (f"<div id=board data-asked style='{SQUARE};visibility:hidden'></div>", ["not visible"]),
        (f"<details>{SHOWN}</details>", ["folded"]),
        (SCROLLER, ["px outside"]),
        (SHOWN + TOAST, ["covered by #toast"]),
        (f"<div id=board data-asked=place style='{SQUARE};display:none'></div>", []),
        (f"<div id=board data-asked='place move' style='{SQUARE};display:none'></div>", ["drawn"]),
        (f"<div data-asked-in=move>{SHOWN}</div><i data-asked></i>", []),
        (f"<div data-asked-in=place>{SHOWN}</div><i data-asked></i>", ["not drawn"]),
        ("<div hidden><button id=flip data-asked>Flip</button></div>", []),
        ("<button id=confirm data-asked disabled>Confirm</button>", []),
        ("<div id=play><button data-wish='{}'>Roll</button></div>", ["nothing is marked"]),
    ],
)
def test_what_is_asked_for_is_seen_whole_or_found(
    phone: Opener, body: str, found: list[str]
) -> None:
    page = phone()
    page.set_content(f"<meta name=viewport content='width=device-width'>{PAGE.format(body)}")
    told = unseen(page)
    assert len(told) == len(found)
    assert all(part in one for one, part in zip(told, found, strict=True))


def test_a_headline_that_is_gone_is_found(phone: Opener) -> None:
    page = phone()
    page.set_content("<h1 id=headline style='position:fixed;top:-3em'>Roll!</h1>")
    assert "px outside" in unseen(page)[0]


def test_what_has_to_be_confirmed_is_chosen_first(phone: Opener) -> None:
    page = phone()
    page.set_content("<p>Nothing to choose.</p>")
    assert not chooses(page)
    page.set_content(
        "<form data-moves><input type=radio name=way "
        "onclick='this.form.querySelector(`button`).disabled=false'>"
        "<button data-confirms disabled>Confirm</button></form>"
    )
    assert chooses(page)
    assert not chooses(page)
