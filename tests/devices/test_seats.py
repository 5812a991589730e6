"""Pads, buttons, lights and buzzer through the real gpiozero, on its own mock pins."""

import os
import sys
from pathlib import Path

import gpiozero
import pytest

from companion.devices import gpio
from companion.devices.debounce import LONG_US, SETTLE_US
from companion.devices.gpio import PinError, PinFault
from companion.devices.pin_state import PartState
from companion.devices.seats import LOOK_US, QUIET_US, SeatEvent, Seats
from companion.sensing.name_word import NameWord, distances_us
from companion.sensing.observations import ButtonHeld, ButtonPressed, NameRead, PadChanged
from companion.simulator import pads as outside
from companion.simulator.live.parts import TimedPin, TimedPins
from companion.system import config
from companion.system.status import Condition

TABLE = config.parse(config.EVERY_PART, "table.toml")
PAD, BUTTON, LIGHT, BUZZER, NAME = 17, 27, 22, 18, 4
WORD = NameWord(0xABC, True, True, 2)
TICK_US = 10_000


class Setup:
    """A table's pins, what happened on them and what was reported; time passes by `run`."""

    def __init__(self, table: config.TableWiring = TABLE) -> None:
        self.now_us = 0
        self.factory = TimedPins(lambda: self.now_us)
        self.outside = outside.SimulatedPins(self.factory)
        self.events: list[SeatEvent] = []
        self.heard: list[Condition] = []
        self.refusal: PinError | None = None
        self.seats = Seats(
            table, self.open_pins, self.events.append, self.heard.append, lambda: self.now_us
        )

    def open_pins(self) -> gpio.Pins:
        if self.refusal:
            raise self.refusal
        return gpio.Pins(self.factory)

    def run(self, for_us: int = 4 * SETTLE_US) -> None:
        for _ in range(max(1, for_us // TICK_US)):
            self.now_us += TICK_US
            self.seats.tick(self.now_us)
            self.seats.update_lights(self.now_us)

    def edge(self, pin: int, at_us: int) -> None:
        """Let a receiver see a burst, at a time that is over."""
        with self.factory.edges_at(at_us):
            self.outside.close(pin)
            self.outside.open(pin)

    def say(self, word: NameWord, pin: int = NAME, late_us: int = 5_000) -> int:
        """Let a word come, and the host notice it that late; return when it was over."""
        self.edge(pin, self.now_us)
        for far_us in distances_us(word):
            self.now_us += far_us
            self.edge(pin, self.now_us)
        over_us, self.now_us = self.now_us, self.now_us + late_us
        self.seats.tick(self.now_us)
        return over_us

    def brightness(self, pin: int) -> float:
        """Return how bright a light is, 0 to 1."""
        return float(self.factory.pin(pin).state)

    def tone_hz(self, pin: int) -> float | None:
        """Return what a passive buzzer plays, or None while it is silent."""
        driven = self.factory.pin(pin)
        return float(driven.frequency) if driven.state else None

    def states(self) -> set[object]:
        return {condition.state for condition in self.seats.conditions}


@pytest.fixture
def table() -> Setup:
    setup = Setup()
    setup.run()
    assert setup.states() == {PartState.WORKING}
    return setup


def test_a_barrel_on_a_pad_is_told_with_the_time_of_its_touch(table: Setup) -> None:
    table.now_us += 3_000
    at_us = table.now_us
    table.outside.bounce(PAD, True)
    table.run()
    assert table.events == [PadChanged("red", True, at_us)]
    off_us = table.now_us
    table.outside.bounce(PAD, False)
    table.run()
    assert table.events[1:] == [PadChanged("red", False, off_us)]


def test_a_barrel_that_stands_there_from_the_start_is_told() -> None:
    table = Setup()
    for pin in (PAD, 23, 5, 16, BUTTON, 24, 6, 20):
        table.factory.pin(pin)._set_pull("up")
    table.seats.tick(0)
    table.outside.close(PAD)
    table.seats.pads["red"].edges.clear()  # nobody saw the edge
    table.run(LOOK_US + 2 * SETTLE_US)
    assert next(event for event in table.events if isinstance(event, PadChanged)).occupied


def test_an_edge_has_the_kernels_time_however_late_it_is_told(table: Setup) -> None:
    closed_us = table.now_us + 1_000
    table.now_us += 9_000  # for so long something else kept this program busy
    with table.factory.edges_at(closed_us):
        table.outside.close(PAD)
        table.outside.close(BUTTON)
    table.run()
    released_us = table.now_us
    with table.factory.edges_at(released_us):
        table.outside.open(BUTTON)
    table.now_us += 9_000
    table.run()
    assert table.events == [
        PadChanged("red", True, closed_us),
        ButtonPressed("red", False, closed_us, released_us - closed_us),
    ]


def test_a_word_at_a_pad_is_told_with_the_time_of_its_end(table: Setup) -> None:
    over_us = table.say(WORD)
    assert table.events == [NameRead("red", 0xABC, True, True, 2, over_us)]
    assert (table.seats.receivers["red"].words, table.seats.receivers["red"].damaged) == (1, 0)
    table.say(NameWord(0x123, False, False, 0), 26)
    assert isinstance(news := table.events[-1], NameRead)
    assert (news.colour, news.name, news.stands) == ("yellow", 0x123, False)


def test_a_receivers_line_is_watched_for_one_kind_of_edge(table: Setup) -> None:
    assert table.factory.pin(NAME).edges == "falling"
    assert table.factory.pin(PAD).edges == "both"


def test_a_word_that_lacks_an_edge_is_counted_and_not_told(table: Setup) -> None:
    bits = distances_us(WORD)
    table.edge(NAME, table.now_us)
    for far_us in (*bits[:9], bits[9] + bits[10], *bits[11:]):
        table.now_us += far_us
        table.edge(NAME, table.now_us)
    table.run()
    assert table.events == []
    assert table.seats.receivers["red"].damaged == 1
    table.say(WORD)
    assert len(table.events) == 1


def test_a_storm_of_light_is_not_listened_to_for_a_while(table: Setup) -> None:
    for _ in range(200):  # 4,000 edges a second
        table.now_us += 250
        table.edge(NAME, table.now_us)
    table.run(20_000)
    assert table.factory.pin(NAME).when_changed is None  # so it costs nothing
    assert table.seats.due_us is not None
    table.say(WORD)
    assert table.events == []
    table.run(QUIET_US)
    table.say(WORD)
    assert len(table.events) == 1


def test_a_clock_of_edges_that_is_put_back_is_no_storm(table: Setup) -> None:
    for _ in range(4):  # 104 edges
        table.say(WORD)
    table.now_us -= 3_600_000_000
    table.say(WORD)
    assert len(table.events) == 5


def test_two_barrels_words_are_no_storm(table: Setup) -> None:
    for _ in range(20):
        table.say(WORD, late_us=500)
    assert len(table.events) == 20


def test_a_table_without_receivers_has_none() -> None:
    table = Setup(config.parse("[seats.red]\npad = 17", "table.toml"))
    table.run()
    assert table.seats.receivers == {}
    table.outside.close(PAD)
    table.run()
    assert isinstance(table.events[0], PadChanged)


def test_short_and_long_presses(table: Setup) -> None:
    down_us = table.now_us
    table.outside.bounce(BUTTON, True)
    table.run(300_000)
    table.outside.bounce(BUTTON, False)
    table.run()
    assert table.events == [ButtonPressed("red", False, down_us, 300_000)]
    down_us = table.now_us
    table.outside.close(BUTTON)
    table.run(LONG_US + TICK_US)
    assert table.events[1:] == [ButtonPressed("red", True, down_us, LONG_US)]
    table.outside.open(BUTTON)
    table.run()
    assert table.events[2:] == [ButtonHeld("red", False, down_us)]


def test_several_seats_at_once(table: Setup) -> None:
    for seat in TABLE.seats:
        assert seat.button is not None
        table.outside.close(seat.button)
    table.run()
    for seat in TABLE.seats:
        assert seat.button is not None
        table.outside.open(seat.button)
    table.run()
    pressed = [e.colour for e in table.events if isinstance(e, ButtonPressed) and not e.long]
    assert pressed == list(config.COLOURS)


def test_a_release_that_nobody_saw_heals_at_the_next_look(table: Setup) -> None:
    table.outside.close(PAD)
    table.run()
    table.outside.open(PAD)
    table.seats.pads["red"].edges.clear()
    table.run(LOOK_US + 2 * SETTLE_US)
    assert [e.occupied for e in table.events if isinstance(e, PadChanged)] == [True, False]


def test_a_flood_of_edges_takes_no_more_memory_than_it_may(table: Setup) -> None:
    for _ in range(5_000):
        table.outside.bounce(PAD, False)
    assert len(table.seats.pads["red"].edges) <= 256
    table.run()
    assert not table.events


def test_lights_shine_as_told_and_only_when_it_changes(table: Setup) -> None:
    table.seats.set_light("red", 0.5)
    table.run()
    assert table.brightness(LIGHT) == 0.5
    written = len(table.factory.pin(LIGHT).states)
    table.seats.set_light("red", 0.5)
    table.run()
    assert len(table.factory.pin(LIGHT).states) == written
    table.seats.set_light("red", 7)
    table.seats.set_light("nobody", 1)
    table.run()
    assert table.brightness(LIGHT) == 1


def test_the_buzzer_sounds_as_long_as_told(table: Setup) -> None:
    table.seats.play(table.now_us, 880, 100_000)
    assert table.tone_hz(BUZZER) == 880
    table.run(90_000)
    assert table.tone_hz(BUZZER)
    table.run(20_000)
    assert table.tone_hz(BUZZER) is None


def test_a_tone_beyond_what_it_can_is_the_nearest_that_it_can(table: Setup) -> None:
    table.seats.play(table.now_us, 20_000, 100_000)
    assert table.tone_hz(BUZZER) == 3520


def test_an_active_buzzer_is_switched() -> None:
    table = Setup(config.TableWiring(buzzer=config.Buzzer(BUZZER, "active")))
    table.run()
    table.seats.play(table.now_us, 880, 50_000)
    assert table.brightness(BUZZER) == 1
    table.run(60_000)
    assert table.brightness(BUZZER) == 0


def test_a_table_without_pins_never_asks_for_any() -> None:
    table = Setup(config.TableWiring())
    table.refusal = PinError(PinFault.NO_CHIP, "none")
    table.run()
    table.seats.play(0, 880, 1)
    assert not table.heard


def test_without_a_gpio_chip_every_part_says_so_and_comes_back() -> None:
    table = Setup()
    table.refusal = PinError(PinFault.NO_CHIP, "can not open gpiochip")
    table.run(20_000_000)
    assert table.states() == {PartState.NO_CHIP}
    assert len(table.heard) == 17
    assert "pad of red" in str(table.heard[0])
    assert "can not open gpiochip" in str(table.heard[0])
    table.refusal = None
    table.run(10_000_000)
    assert table.states() == {PartState.WORKING}


def test_real_pins_are_refused_without_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lgpio.py").write_text("raise OSError('can not open gpiochip')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    with pytest.raises(PinError, match="can not open gpiochip") as caught:
        gpio.real_pins()
    assert caught.value.fault is PinFault.NO_CHIP


def test_without_the_installation_the_cure_is_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)  # as where nobody has installed it
    table = Setup()
    with pytest.raises(PinError) as caught:
        gpio.real_pins()
    table.refusal = caught.value
    table.run()
    assert table.states() == {PartState.NOT_INSTALLED}
    assert all("sudo rappelwacht install" in str(heard) for heard in table.heard)


def test_lgpio_leaves_the_process_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lgpio.py").write_text("import os\nos.chdir(os.environ['LG_WD'])\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    here = Path.cwd()
    gpio.import_lgpio()
    assert Path.cwd() == here
    assert "LG_WD" not in os.environ
    gpio.import_lgpio()
    del sys.modules["lgpio"]


def test_a_busy_pin_stops_only_its_part() -> None:
    table = Setup()
    other = gpiozero.LED(PAD, pin_factory=table.factory)
    table.run()
    (busy,) = [c for c in table.seats.conditions if c.state is not PartState.WORKING]
    assert busy.state is PartState.BUSY
    assert f"GPIO {PAD}" in str(busy)
    other.close()
    table.run(3_000_000)
    assert table.states() == {PartState.WORKING}


def test_a_light_that_fails_in_use_is_told_and_shines_again_later(
    table: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("bad handle")

    with monkeypatch.context() as patch:
        patch.setattr(TimedPin, "_set_state", broken)
        table.seats.set_light("red", 1)
        table.run()
        assert PartState.UNFIT in table.states()
    table.run(10_000_000)
    assert table.states() == {PartState.WORKING}
    assert table.brightness(LIGHT) == 1


def test_a_switch_that_fails_in_use_is_told(table: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bool:
        raise RuntimeError("bad handle")

    with monkeypatch.context() as patch:
        patch.setattr(TimedPin, "_get_state", broken)
        table.run(LOOK_US)
        assert table.states() == {PartState.UNFIT, PartState.WORKING}
    table.run(10_000_000)
    assert table.states() == {PartState.WORKING}


def test_closing_gives_every_pin_back(table: Setup) -> None:
    table.seats.set_light("red", 1)
    table.run()
    table.seats.close(table.now_us)
    assert table.states() == {PartState.OFF}
    assert table.brightness(LIGHT) == 0
    gpiozero.LED(PAD, pin_factory=table.factory).close()


def test_an_edge_that_is_under_way_as_its_switch_is_let_go_is_told_to_nobody(table: Setup) -> None:
    """Pins are driven by another thread, which must not end: others wait by its time."""
    switch = table.factory.pin(PAD)
    assert switch.when_changed is not None
    table.seats.close(table.now_us)
    switch._call_when_changed()  # gpiozero looked, before it was closed, who is to be told
    assert table.events == []
