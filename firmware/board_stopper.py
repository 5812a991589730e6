"""The hardware of a stopper: its own board, or the breadboard with a XIAO."""

import os
import time

import esp32
import machine
from air import Radio
from flash import Disk, Flash

# moved: INT1. battery: through two equal resistors. box: high while the charging box gives power.
# charging: low while the charger works. infrared: two LEDs that say the name to a pad.
PINS = {
    "stopper": {
        "sda": 6,
        "scl": 7,
        "moved": 3,
        "battery": 4,
        "led": 10,
        "infrared": 5,
        "box": 0,
        "charging": 1,
    },
    "breadboard": {"sda": 6, "scl": 7, "moved": 3, "battery": 4, "led": 10, "infrared": 5},
}
CARRIER = 38_000, 33, True  # Hz, percent of the time, where a pulse is 1
WORD_MS = 30  # the longest takes 24
BREADBOARD = "XIAO"  # part of the name of its MicroPython image
I2C_HZ = 400_000
I2C_TIMEOUT_US = 50_000
DIVIDER = 2
RADIO_DBM = 12  # at 20 a cell of 80 mAh breaks down sooner
LEAST_MS = 3  # a light sleep shorter than this saves nothing, and one of 0 ms has no end
USB_FRAME = 0x60043024  # USB_SERIAL_JTAG_FRAM_NUM_REG: the host's frames, one each millisecond
USB_FRAMES = 0x7FF
USB_LOOK_MS = 3


class Board:
    """What `Stopper` asks for."""

    def __init__(self, slot, trial):
        self.slot, self.trial, self.disk = slot, trial, Disk()
        pins = PINS["breadboard" if BREADBOARD in os.uname().machine else "stopper"]
        wires = {name: machine.Pin(pins[name]) for name in ("sda", "scl")}
        self.i2c = machine.I2C(0, freq=I2C_HZ, timeout=I2C_TIMEOUT_US, **wires)
        self.radio = Radio(RADIO_DBM)
        self.flash = Flash()
        self.unique_id = machine.unique_id()
        self.cold = machine.reset_cause() != machine.DEEPSLEEP_RESET
        self._frame, self._framed_ms, self._plugged = -1, time.ticks_ms(), False
        self._battery = machine.ADC(machine.Pin(pins["battery"]), atten=machine.ADC.ATTN_11DB)
        self._led = machine.Pin(pins["led"], machine.Pin.OUT, value=0)
        # 1 µs each; GPIO 20 would not do: it stays the input of MicroPython's own UART
        infrared = machine.Pin(pins["infrared"], machine.Pin.OUT, value=0)
        self._infrared = esp32.RMT(0, pin=infrared, clock_div=80, tx_carrier=CARRIER)
        self._moved = machine.Pin(pins["moved"], machine.Pin.IN)
        self._box = self._charging = None
        if "box" in pins:
            self._box = machine.Pin(pins["box"], machine.Pin.IN)
            self._charging = machine.Pin(pins["charging"], machine.Pin.IN)

    def ticks_us(self):
        """Return microseconds, which start over every 18 minutes."""
        return time.ticks_us()

    def battery_mv(self):
        """Return the battery's voltage."""
        return self._battery.read_uv() * DIVIDER // 1000

    def temperature_c(self):
        """Return the processor's temperature, which is near the cell's while it mostly sleeps."""
        return esp32.mcu_temperature()  # type: ignore[attr-defined] # the C3 has it, the stubs do not

    def led(self, on):
        """Switch the light."""
        self._led.value(on)

    def shine(self, pulses):
        """Say a word by infrared light, and do not wait until it is said."""
        self._infrared.write_pulses(pulses, True)

    def moved(self):
        """Return whether INT1 is high."""
        return bool(self._moved.value())

    def boxed(self):
        """Return whether the charging box gives it power."""
        return self._box is not None and bool(self._box.value())

    def charging(self):
        """Return whether the charger is at work."""
        return self._charging is not None and not self._charging.value()

    def plugged(self):
        """Return whether a computer counts frames on the USB; a charger does not."""
        now_ms = time.ticks_ms()
        if time.ticks_diff(now_ms, self._framed_ms) >= USB_LOOK_MS:
            frame = machine.mem32[USB_FRAME] & USB_FRAMES
            self._plugged = self._frame not in (-1, frame)
            self._frame, self._framed_ms = frame, now_ms
        return self._plugged

    def wait_ms(self, wait_ms):
        """Wait with the radio on."""
        time.sleep_ms(wait_ms)

    def rest_ms(self, rest_ms):
        """Wait with the radio off."""
        self.radio.switch(False)
        time.sleep_ms(rest_ms)

    def sleep_ms(self, sleep_ms):
        """Sleep lightly, radio off."""
        if sleep_ms < LEAST_MS:
            self.rest_ms(sleep_ms)
            return
        began_ms = time.ticks_ms()
        self.radio.switch(False)
        self._infrared.wait_done(timeout=WORD_MS)  # its clock would stand
        left_ms = sleep_ms - time.ticks_diff(time.ticks_ms(), began_ms)
        if left_ms >= LEAST_MS:
            machine.lightsleep(left_ms)

    def reset(self):
        """Start over with a new boot."""
        machine.reset()

    def deep_sleep(self):
        """Sleep until INT1 says that it was moved, or the box gives power; then start over."""
        self.radio.switch(False)
        wakes = (self._moved, self._box) if self._box else (self._moved,)
        esp32.wake_on_gpio(wakes, esp32.WAKEUP_ANY_HIGH)  # no sooner: in the box one is always high
        machine.deepsleep()
