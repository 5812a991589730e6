"""What stones sound like: the page's own script, its sound computed at once instead of played."""

from array import array
from base64 import b64decode
from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Page, Route

from companion import web as phone_package
from companion.present.simulated_hands import HeardKnock
from companion.simulator.live.player_hands import LOUD_G
from companion.simulator.stones import SHELL_G, ShakeSwing, Stones, rattle
from tests.browser.chromium import Opener, until

STATIC: Final = Path(phone_package.__file__).parent / "static"
SCRIPT: Final = "".join((STATIC / name).read_text("utf-8") for name in ("sounds.js", "rattle.js"))
PAGE: Final = f"""<!doctype html><link rel="icon" href="data:,"><button id="mute">Mute</button>
<input id="volume" type="range" min="0" max="100">
<script>{SCRIPT}</script>"""
HERE: Final = "http://127.0.0.1/rattle"
RATE_HZ, LASTS_S, CEILING = 24_000, 1.3, 0.95  # more would only cost time
LATE_S, TICK_S = 0.025, 0.04
# A context of the browser that does not play but computes; and chance that is always the same.
OFFLINE: Final = f"""() => {{
  let seed = 1;
  Math.random = () => (seed = seed * 16807 % 2147483647) / 2147483647;
  window.AudioContext = function () {{
    window.computed = new OfflineAudioContext(2, {round(LASTS_S * RATE_HZ)}, {RATE_HZ});
    Object.defineProperty(window.computed, "state", {{ value: "running" }});
    return window.computed;
  }};
}}"""
PLAY: Final = "knocks => window.rattle.play(knocks, 0, null)"
# The sound as it is, or what of it a phone's loudspeaker can give.
HEARD: Final = """async by_phone => {
  let sound = await window.computed.startRendering();
  if (by_phone) {
    const small = new OfflineAudioContext(1, sound.length, sound.sampleRate);
    const [low, high] = [["highpass", 500], ["lowpass", 5000]].map(
      ([type, frequency]) => new BiquadFilterNode(small, { type, frequency }));
    const source = new AudioBufferSourceNode(small, { buffer: sound });
    source.connect(low).connect(high).connect(small.destination);
    source.start();
    sound = await small.startRendering();
  }
  const bytes = new Uint8Array(sound.getChannelData(0).buffer), parts = [];
  for (let at = 0; at < bytes.length; at += 8192) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  }
  return btoa(parts.join(""));
}"""
TWO: Final = [{"at_ms": 0, "strength": 0.5}, {"at_ms": 40, "strength": 0.9}]

Knocks = Sequence[HeardKnock]
Sound = Sequence[float]


class Ear:
    """Hears a page of which the script is all there is."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.route(HERE, _answer)
        self.begin()

    def begin(self, loud: float = 0.7) -> None:
        """Open the page again; nothing was tapped yet."""
        self.page.goto(HERE)
        self.page.evaluate(OFFLINE)
        self.page.locator("#volume").fill(str(round(100 * loud)))

    def tap(self) -> None:
        """Touch the page somewhere."""
        self.page.touchscreen.tap(200, 200)

    def play(self, knocks: Knocks) -> None:
        """Let stones knock."""
        told = [{"at_ms": one.at_ms, "strength": one.strength} for one in knocks]
        self.page.evaluate(PLAY, told)

    def heard(self, *, by_phone: bool = False) -> Sound:
        """Return what was played since the first tap."""
        return array("f", b64decode(self.page.evaluate(HEARD, by_phone)))

    def __call__(self, knocks: Knocks, loud: float = 0.7, *, by_phone: bool = False) -> Sound:
        """Return what stones sound like, after one tap."""
        self.begin(loud)
        self.tap()
        self.play(knocks)
        return self.heard(by_phone=by_phone)


def _answer(route: Route) -> None:
    route.fulfill(body=PAGE, content_type="text/html")


@pytest.fixture
def ear(phone: Opener) -> Ear:
    """Open the page."""
    return Ear(phone())


def shaken(stones: int, hard_g: float = 3.0) -> Knocks:
    """Return what is heard of a barrel that is shaken to and fro for a second."""
    chance = Random(stones)
    masses = Stones.BALLS_4_5_MM.draw(stones, chance)
    swings = [ShakeSwing(170_000 * n, hard_g, (0.0, 0.0, 1.0)) for n in range(6)]
    knocks = rattle(masses, SHELL_G, swings, chance)
    return [HeardKnock(one.at_us // 1000, min(1.0, one.strength_g / LOUD_G)) for one in knocks]


def energy(sound: Sound) -> float:
    return sum(one * one for one in sound)


def between(sound: Sound, from_s: float, to_s: float) -> Sound:
    return sound[round(from_s * RATE_HZ) : round(to_s * RATE_HZ)]


def loudest(sound: Sound) -> float:
    return max(map(abs, sound))


def test_nothing_sounds_before_the_first_tap(ear: Ear) -> None:
    ear.play(shaken(5))
    assert ear.page.evaluate("() => window.computed === undefined")
    ear.tap()
    assert loudest(ear.heard()) == 0.0


def test_whoever_has_muted_hears_nothing_and_still_sees_the_knocks(ear: Ear) -> None:
    ear.page.locator("#mute").tap(force=True)
    ear.page.evaluate("() => { window.seen = 0; }")
    ear.page.evaluate("knocks => window.rattle.play(knocks, 0, () => { window.seen += 1; })", TWO)
    until(ear.page, lambda: ear.page.evaluate("window.seen") == 2)
    assert loudest(ear.heard()) == 0.0


def test_nothing_is_louder_than_a_loudspeaker_can_be(ear: Ear) -> None:
    for loud in (0.7, 1.0):
        for knocks in ([HeardKnock(0, 1.0)] * 60, shaken(13, hard_g=12.0)):
            sound = ear(knocks, loud)
            assert all(abs(one) <= CEILING + 1e-6 for one in sound)  # and each is a number
            assert loudest(sound) > 0.5


def test_more_stones_are_more_to_hear_and_so_is_shaking_harder(ear: Ear) -> None:
    rising = [energy(ear(shaken(stones))) for stones in (1, 4, 8, 13)]
    assert all(1.2 * few < many for few, many in pairwise(rising))
    gently, wildly = (energy(ear(shaken(8, hard_g))) for hard_g in (1.0, 6.0))
    assert 2 * gently < wildly


def test_each_knock_is_heard_alone_as_soon_as_it_may_be_and_then_it_is_silent(ear: Ear) -> None:
    times_s = [0.03 * n for n in range(13)]
    sound = ear([HeardKnock(round(1000 * at_s), 0.4) for at_s in times_s])
    assert loudest(between(sound, 0.0, LATE_S)) == 0.0
    for at_s in times_s:
        begun_s = LATE_S + at_s
        blow = loudest(between(sound, begun_s, begun_s + 0.006))
        assert blow > 0.05
        assert loudest(between(sound, begun_s + 0.02, begun_s + 0.03)) < 0.1 * blow
    assert loudest(between(sound, LATE_S + times_s[-1] + 1.1 * TICK_S, LASTS_S)) == 0.0


def test_a_phones_loudspeaker_can_give_most_of_it(ear: Ear) -> None:
    for stones in (1, 13):
        whole, small = (ear(shaken(stones), by_phone=small) for small in (False, True))
        assert energy(small) > 0.7 * energy(whole)


def test_a_barrel_that_is_set_down_is_heard_also_on_a_phone(ear: Ear) -> None:
    def set_down(*, by_phone: bool) -> Sound:
        ear.begin()
        ear.tap()
        ear.page.evaluate("() => window.rattle.thump(0)")
        return ear.heard(by_phone=by_phone)

    whole, small = set_down(by_phone=False), set_down(by_phone=True)
    assert energy(small) > 0.2 * energy(whole)
    assert loudest(small) > 0.1


def test_a_hard_knock_is_louder_and_brighter_than_a_soft_one(ear: Ear) -> None:
    soft, hard = (ear([HeardKnock(60 * n, strength) for n in range(20)]) for strength in (0.1, 0.9))
    assert loudest(soft) < 0.3 * loudest(hard)
    assert changes(hard) > 1.1 * changes(soft)


def changes(sound: Sound) -> float:
    """Return how fast it goes up and down: how bright it sounds."""
    steps = sum((after - before) ** 2 for before, after in pairwise(sound))
    return sqrt(steps / energy(sound))
