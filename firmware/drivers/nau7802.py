"""The load cell's converter NAU7802: 40 signed 24-bit readings a second at gain 128."""

from drivers import chip

ADDRESS = 0x2A
REVISION = 0x0F  # the low half of DEVICE_REV

PU_CTRL, CTRL1, CTRL2, ADCO_B2 = 0x00, 0x01, 0x02, 0x12
ADC, PGA, PGA_PWR, DEVICE_REV = 0x15, 0x1B, 0x1C, 0x1F

RESET, DIGITAL_ON, ANALOG_ON, POWER_READY = 0x01, 0x02, 0x04, 0x08  # PU_CTRL
CYCLE_START, CYCLE_READY, INTERNAL_LDO = 0x10, 0x20, 0x80
LDO_3_0_V, GAIN_128 = 5 << 3, 7 << 0  # CTRL1: the board's 3.3 V less 0.3 V
RATE_40_HZ, CALIBRATE, CALIBRATION_ERROR = 2 << 4, 0x04, 0x08  # CTRL2
CHOPPER_OFF = 3 << 4  # ADC
LOW_ESR_CAPACITOR = 0x00  # PGA: LDOMODE off
SECOND_INPUT_IS_CAPACITOR = 0x80  # PGA_PWR

POWERED = DIGITAL_ON | ANALOG_ON | INTERNAL_LDO
RAIL = 0x7FFFF0
STUCK_READINGS = 6  # identical in a row; a healthy chip does not even have two in three hundred
SILENT_MS = 500
SETTLING_READINGS = 4  # the filter still remembers the time before a calibration, or the rail


class Nau7802(chip.Chip):
    """The chip as a state and its newest reading."""

    def __init__(self, i2c):
        super().__init__(i2c, ADDRESS)
        self.value = 0
        self._three = bytearray(3)
        self._same = self._unsettled = 0
        self._heard_ms = -1

    def _begin(self):
        self._put(PU_CTRL, RESET)
        yield 10
        self._put(PU_CTRL, DIGITAL_ON)
        yield 1
        ready = self._get(PU_CTRL) & POWER_READY
        if not ready or self._get(DEVICE_REV) & 0x0F != REVISION:
            self.state = chip.FOREIGN
            yield chip.RETRY_MS
            return
        self._put(PU_CTRL, POWERED)
        self._put(CTRL1, LDO_3_0_V | GAIN_128)
        self._put(CTRL2, RATE_40_HZ)
        self._put(ADC, CHOPPER_OFF)
        self._put(PGA, LOW_ESR_CAPACITOR)
        self._put(PGA_PWR, SECOND_INPUT_IS_CAPACITOR)
        yield 600  # until the cell's supply is stable
        self._put(PU_CTRL, POWERED | CYCLE_START)
        self._put(CTRL2, RATE_40_HZ | CALIBRATE)
        for _ in range(50):
            yield 20
            result = self._get(CTRL2)
            if not result & CALIBRATE:
                break
        if result & (CALIBRATE | CALIBRATION_ERROR):
            self.state = chip.SILENT
            yield chip.RETRY_MS
            return
        self._unsettled, self._same, self._heard_ms = SETTLING_READINGS, 0, -1
        self._running = True

    def _lie_down(self):
        self._put(PU_CTRL, 0)

    def _take(self, now_ms):
        if self._heard_ms < 0:
            self._heard_ms = now_ms
        if not self._get(PU_CTRL) & CYCLE_READY:
            if now_ms - self._heard_ms > SILENT_MS:  # it lost its settings, or its clock stopped
                self._fail(chip.SILENT, now_ms)
            return 0
        self._i2c.readfrom_mem_into(ADDRESS, ADCO_B2, self._three)
        self._heard_ms = now_ms
        return 1 if self._judge() else 0

    def _judge(self):
        """Take the reading; return whether it is any news: the same value may be an old one."""
        high, middle, low = self._three
        value = (high << 16 | middle << 8 | low) - (1 << 24 if high & 0x80 else 0)
        if not -RAIL < value < RAIL:
            self.state, self._unsettled = chip.SATURATED, SETTLING_READINGS
            return False
        if self._unsettled:
            self._unsettled -= 1
            return False
        self._same = self._same + 1 if value == self.value else 0
        self.value = value
        self.state = chip.STUCK if self._same >= STUCK_READINGS else chip.OK
        return not self._same
