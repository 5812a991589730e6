"""What moments sound like: nothing until this phone speaks, then each kind by itself."""

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, Route

from companion import web as phone_package
from tests.browser.chromium import Opener

SCRIPT: Final = (Path(phone_package.__file__).parent / "static" / "sounds.js").read_text("utf-8")
HERE: Final = "http://127.0.0.1/sounds"
# A context of the browser that does not play but computes.
PAGE: Final = f"""<!doctype html><link rel="icon" href="data:,"><p id="here">Here</p><script>
window.on = false;
window.rappel = {{ aloud: () => window.on }};
window.AudioContext = function () {{
  window.computed = new OfflineAudioContext(1, 48000, 24000);
  Object.defineProperty(window.computed, "state", {{ value: "running" }});
  return window.computed;
}};
</script><script>{SCRIPT}</script>"""
TOLD: Final = """([kind, late]) => document.dispatchEvent(new CustomEvent("moment",
  {detail: {version: 1, kind, sentence: "", ms: 900, late}}))"""
LOUDEST: Final = """async () => {
  const data = (await window.computed.startRendering()).getChannelData(0);
  return data.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
}"""
KINDS: Final = ("dice", "move", "banish", "card", "trick", "reveal", "foul", "win")


@pytest.fixture
def page(phone: Opener) -> Page:
    def answer(route: Route) -> None:
        route.fulfill(body=PAGE, content_type="text/html; charset=utf-8")

    page = phone("de-DE")
    page.route(HERE, answer)
    return page


def loudest(page: Page, kind: str, *, on: bool = True, late: bool = False) -> float:
    page.goto(HERE)
    page.evaluate("() => { window.on = true; }")
    page.click("#here")  # the context is begun
    page.evaluate("on => { window.on = on; }", on)
    page.evaluate(TOLD, [kind, late])
    found: float = page.evaluate(LOUDEST)
    return found


def test_without_a_wish_there_is_not_even_a_context(page: Page) -> None:
    page.goto(HERE)
    page.click("#here")
    page.evaluate(TOLD, ["win", False])
    assert page.evaluate("window.computed === undefined")


def test_each_kind_is_heard_and_no_louder_than_a_voice_and_all_else_is_silence(page: Page) -> None:
    for kind in KINDS:
        assert 0.02 < loudest(page, kind) < 0.6, kind
    for kind, on, late in (("plain", True, False), ("win", False, False), ("win", True, True)):
        assert loudest(page, kind, on=on, late=late) == 0, (kind, on, late)
