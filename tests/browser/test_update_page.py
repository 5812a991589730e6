"""Another version on a small phone: its file is sent, the table confirms, and all is told."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, expect

from companion.maintenance import care
from companion.maintenance.care import CareState
from companion.system import private_files
from companion.system.text import Text
from tests.browser.chromium import Drawer, Opener, Screen
from tests.browser.served import Serve
from tests.browser.sights import Service, unfolds

SMALL = Screen(360, 640, mobile=True)
WIDER = "document.documentElement.scrollWidth > innerWidth"


@pytest.mark.usefixtures("complaints")
def test_a_file_is_sent_confirmed_and_followed_to_its_end(drawer: Drawer, serve: Serve) -> None:
    served, page = serve(Service()), Opener(drawer, SMALL)("en-GB")
    served.open(page, "/workshop", "table")
    unfolds(page)
    assert not page.evaluate(WIDER)
    data = bytes(range(256)) * 400  # in three parts
    zip_file = FilePayload(
        name="rappelwacht-0.3.0-card.zip", mimeType="application/zip", buffer=data
    )
    page.locator("#update-file").set_input_files(zip_file)
    key, state = page.locator("#update-send"), page.locator("#program-state")
    key.click()
    expect(page.get_by_text("Now hold down the button")).to_be_visible()
    assert served.server.pairing.held("red")
    expect(key).to_be_hidden()
    expect(state).to_have_text("This takes a moment …")  # and no older answer any more
    expect(state).to_be_in_viewport()
    folder = served.phones.folder
    assert folder is not None
    asked = care.request_folder(folder)
    assert (asked / care.UPDATE).read_bytes() == data
    request = json.loads((asked / care.REQUEST).read_bytes())
    assert request["words"] == {"source": "file"}
    tell(folder, request["request"], CareState.DOING, "The file is being checked.")
    (asked / care.REQUEST).unlink()
    expect(state).to_have_text("The file is being checked.")
    tell(folder, request["request"], CareState.DONE, "The table was restarted.")
    expect(state).to_have_text("The table was restarted.")
    expect(page.locator("#care")).not_to_have_attribute("open", "")  # the page was loaded anew


def tell(folder: Path, request: str, state: CareState, sentence: str) -> None:
    """Answer as root does."""
    root = care.root_of(folder)
    assert root is not None
    answer = care.to_json(care.CareAnswer(request, "update", state, Text(sentence)))
    private_files.write(root / care.ANSWERED / care.ANSWER, answer, 0o644)
