"""What a phone says aloud: the page's own scripts, and a device that speaks as a test wants it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route

from companion import web as phone_package
from tests.browser.chromium import Opener, halted, pass_until

STATIC: Final = Path(phone_package.__file__).parent / "static"
SCRIPTS: Final = "".join(
    f"<script>{(STATIC / name).read_text('utf-8')}</script>" for name in ("sounds.js", "voice.js")
)
VOICES: Final = """[
  { name: "far away", lang: "de-DE", localService: false, default: true },
  { name: "Anna", lang: "de_DE", localService: true, default: false },
  { name: "Daniel", lang: "en-GB", localService: true, default: true },
]"""
# A device that says one thing after another, each until the test lets it end.
DEVICE: Final = """
window.said = []; window.going = []; window.most = 0; window.ahead_ms = 0; window.cancelled = 0;
const real_ms = Date.now;
Date.now = () => real_ms() + window.ahead_ms;
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
window.late = [];
Object.defineProperty(window, "speechSynthesis", { configurable: true, value: {
  voices: VOICES, paused: false,
  getVoices() { return this.voices; },
  addEventListener(name, then) { window.late.push(then); },
  speak(one) {
    if (!navigator.userActivation.hasBeenActive) throw new Error("not allowed");
    if (!one.text.trim()) return;
    window.said.push({ text: one.text, voice: one.voice.name, lang: one.lang });
    window.going.push(one);
    window.most = Math.max(window.most, window.going.length);
  },
  cancel() {
    window.cancelled += 1;
    const gone = window.going; window.going = [];
    gone.forEach(one => one.onerror && one.onerror({ error: "canceled" }));
  },
  resume() {},
} });
window.end = () => { const one = window.going.shift(); if (one) one.onend(); };
window.moment = (sentence, kind = "plain", late = false) => document.dispatchEvent(
  new CustomEvent("moment", { detail: { version: 1, kind, sentence, ms: 100, late } }));
window.headline = text => {
  document.getElementById("headline").textContent = text;
  document.dispatchEvent(new CustomEvent("morphed"));
};
window.rappel = {};
"""
HERE: Final = "http://127.0.0.1/voice"
BEGUN: Final = ["Dieses Handy spricht jetzt.", "Rot: würfle."]


def answer_as_device(route: Route) -> None:
    """Answer for the voice's script with it behind a device that says what it is told."""
    device = DEVICE.replace("VOICES", VOICES).replace("window.rappel = {};", "")
    script = (STATIC / "voice.js").read_text("utf-8")
    route.fulfill(body=device + script, content_type="text/javascript")


def page_of(language: str, device: str) -> str:
    return f"""<!doctype html><html lang="{language}"><link rel="icon" href="data:,">
<h1 id="headline">Rot: würfle.</h1><p id="elsewhere">Elsewhere</p>
<button id="speaks" hidden>Dieses Handy spricht</button><p id="speaks-note" hidden></p>
<template data-words="speaks">Dieses Handy spricht jetzt.</template>
<template data-words="no-voice">Keine Stimme.</template>
<template data-words="tap-to-speak">Tippe.</template>
<script>{device}</script>{SCRIPTS}"""


class Talking:
    """A phone and what it has said."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.language, self.device = "de", DEVICE.replace("VOICES", VOICES)
        page.route(HERE, self._answer)

    def open(self) -> None:
        self.page.goto(HERE)
        self.page.clock.run_for(1)  # now it knows the device's voices

    def _answer(self, route: Route) -> None:
        body = page_of(self.language, self.device)
        route.fulfill(body=body, content_type="text/html; charset=utf-8")

    @property
    def said(self) -> list[str]:
        return [one["text"] for one in self.heard]

    @property
    def heard(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate("window.said")
        return found

    def moment(self, sentence: str, **more: object) -> None:
        self.page.evaluate(
            "([sentence, late]) => window.moment(sentence, 'plain', late)",
            [sentence, more.get("late", False)],
        )

    def headline(self, sentence: str) -> None:
        self.page.evaluate("text => window.headline(text)", sentence)

    def end(self) -> None:
        self.page.evaluate("window.end()")

    def finish(self) -> None:
        """Let the device come to the end of all that waits."""
        pass_until(self.page, lambda: not self.page.evaluate("(end(), going.length)"))

    def later(self, ms: int) -> None:
        self.page.evaluate("ms => { window.ahead_ms += ms; }", ms)

    def wait_for(self, *said: str) -> None:
        pass_until(self.page, lambda: self.said == list(said))


@pytest.fixture
def talking(phone: Opener) -> Iterator[Talking]:
    page = phone("de-DE")
    with halted(page):
        talking = Talking(page)
        talking.open()
        yield talking


@pytest.fixture
def spoken_to(talking: Talking) -> Talking:
    """A phone of which somebody wants that it speaks, and which has said so."""
    talking.page.click("#speaks")
    talking.finish()
    talking.wait_for(*BEGUN)
    return talking


def test_a_phone_is_silent_until_somebody_taps(talking: Talking) -> None:
    talking.page.click("#elsewhere")
    talking.moment("Rot würfelt 5.")
    talking.headline("Rot zieht.")
    talking.page.clock.run_for(700)
    assert talking.said == []
    assert talking.page.evaluate("window.rappel.aloud()") is False


def test_the_tap_itself_speaks_with_the_devices_own_voice_of_the_pages_language(
    talking: Talking,
) -> None:
    talking.page.click("#speaks")
    first = talking.heard[0]
    assert first == {"text": BEGUN[0], "voice": "Anna", "lang": "de_DE"}
    assert talking.page.get_attribute("#speaks", "aria-pressed") == "true"


def test_one_sentence_after_another_and_each_to_its_end(spoken_to: Talking) -> None:
    for sentence in ("Rot würfelt 5.", "Grün geht 3 Felder.", "Blau wird verbannt."):
        spoken_to.moment(sentence)
    assert spoken_to.said[2:] == ["Rot würfelt 5."]
    assert spoken_to.page.evaluate("window.rappel.speaks()") is True
    spoken_to.end()
    assert spoken_to.said[3:] == ["Grün geht 3 Felder."]
    spoken_to.finish()
    assert spoken_to.said[4:] == ["Blau wird verbannt."]
    assert spoken_to.page.evaluate("window.most") == 1
    assert spoken_to.page.evaluate("[window.cancelled, window.rappel.speaks()]") == [0, False]


def test_what_became_late_is_not_said(spoken_to: Talking) -> None:
    spoken_to.moment("Rot würfelt 5.")
    spoken_to.moment("Grün geht 3 Felder.")
    spoken_to.later(7000)
    spoken_to.moment("Blau wird verbannt.")
    spoken_to.finish()
    assert spoken_to.said[2:] == ["Rot würfelt 5.", "Blau wird verbannt."]


def test_what_a_phone_has_missed_is_not_said(spoken_to: Talking) -> None:
    spoken_to.moment("Rot würfelt 5.", late=True)
    assert spoken_to.said == BEGUN


def test_only_a_headline_that_stays_is_said_and_only_once(spoken_to: Talking) -> None:
    spoken_to.headline("Grün zieht.")
    spoken_to.headline("Blau zieht.")
    spoken_to.wait_for(*BEGUN, "Blau zieht.")
    spoken_to.headline("Blau zieht.")
    spoken_to.finish()
    spoken_to.page.clock.run_for(700)
    assert spoken_to.said == [*BEGUN, "Blau zieht."]


def test_a_headline_that_was_overtaken_while_it_waited_is_not_said(spoken_to: Talking) -> None:
    spoken_to.moment("Rot würfelt 5.")
    spoken_to.headline("Grün zieht.")
    spoken_to.page.clock.run_for(700)
    spoken_to.headline("Blau zieht.")
    spoken_to.page.clock.run_for(700)
    spoken_to.finish()
    assert spoken_to.said[2:] == ["Rot würfelt 5.", "Blau zieht."]


def test_a_headline_that_something_came_before_is_said_after_it(spoken_to: Talking) -> None:
    spoken_to.moment("Rot würfelt 5.")
    spoken_to.headline("Grün zieht.")
    spoken_to.page.clock.run_for(700)
    spoken_to.moment("Gefoult!")
    spoken_to.headline("Grün zieht.")
    spoken_to.page.clock.run_for(700)
    spoken_to.finish()
    assert spoken_to.said[2:] == ["Rot würfelt 5.", "Gefoult!", "Grün zieht."]


def test_a_second_tap_is_silence_at_once(spoken_to: Talking) -> None:
    spoken_to.moment("Rot würfelt 5.")
    spoken_to.moment("Grün geht 3 Felder.")
    spoken_to.page.click("#speaks")
    assert spoken_to.page.evaluate("[window.cancelled, window.going.length]") == [1, 0]
    spoken_to.moment("Blau wird verbannt.")
    assert spoken_to.said[2:] == ["Rot würfelt 5."]
    spoken_to.page.click("#speaks")
    pass_until(spoken_to.page, lambda: len(spoken_to.said) == 4)  # after cancel() not at once
    assert spoken_to.said[3] == BEGUN[0]


def test_that_it_speaks_is_kept_and_the_next_page_does_from_its_first_tap(
    spoken_to: Talking,
) -> None:
    spoken_to.open()
    assert spoken_to.page.get_attribute("#speaks", "aria-pressed") == "true"
    assert spoken_to.page.inner_text("#speaks-note") == "Tippe."
    spoken_to.page.click("#elsewhere")
    assert spoken_to.page.is_hidden("#speaks-note")
    spoken_to.moment("Rot würfelt 5.")
    assert spoken_to.said == ["Rot würfelt 5."]


def test_without_a_voice_of_the_language_it_says_so_and_speaks_with_no_other(
    talking: Talking,
) -> None:
    talking.language = "fr"
    talking.open()
    talking.page.click("#speaks")
    assert talking.page.inner_text("#speaks-note") == "Keine Stimme."
    talking.moment("Rouge joue.")
    assert talking.said == []
    assert talking.page.evaluate("window.rappel.aloud()") is True  # sounds are heard


def test_a_device_without_any_voice_says_so_once_none_has_come(talking: Talking) -> None:
    talking.device = DEVICE.replace("VOICES", "[]")
    talking.open()
    talking.page.click("#speaks")
    pass_until(talking.page, lambda: talking.page.inner_text("#speaks-note") == "Keine Stimme.")


def test_voices_may_come_after_the_tap(talking: Talking) -> None:
    talking.device = DEVICE.replace("VOICES", "[]")
    talking.open()
    talking.page.click("#speaks")
    assert talking.said == []
    talking.page.evaluate(f"speechSynthesis.voices = {VOICES}; late.forEach(then => then())")
    talking.moment("Rot würfelt 5.")
    assert talking.said == ["Rot würfelt 5."]


def test_a_device_that_never_tells_an_end_is_given_up(spoken_to: Talking) -> None:
    spoken_to.page.evaluate("""() => {
      const usual = window.setTimeout;
      window.setTimeout = (then, ms) => usual(then, ms / 50);
    }""")
    spoken_to.moment("Rot würfelt 5.")
    spoken_to.moment("Grün geht 3 Felder.")
    spoken_to.wait_for(*BEGUN, "Rot würfelt 5.", "Grün geht 3 Felder.")
    assert spoken_to.page.evaluate("window.cancelled") >= 1


def test_what_takes_long_is_said_in_parts(spoken_to: Talking) -> None:
    names = ", ".join(f"Portal {number} und noch eines" for number in range(12))
    spoken_to.moment(f"Neu auf dem Tisch: {names}.")
    spoken_to.finish()
    said = spoken_to.said[2:]
    assert len(said) > 1
    assert max(map(len, said)) <= 150
    assert " ".join(said) == f"Neu auf dem Tisch: {names}."
