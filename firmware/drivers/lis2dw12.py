"""The accelerometer LIS2DW12: 400 samples a second within 16 g either way, out of its own FIFO.

One g is 512 units, which are the chip's 14 bits.
"""

from drivers import chip

ADDRESS = 0x19  # SA0 high
IDENTITY = 0x44

WHO_AM_I, CTRL1, CTRL2, CTRL3, CTRL4, CTRL6 = 0x0F, 0x20, 0x21, 0x22, 0x23, 0x25
OUT_X_L, FIFO_CTRL, FIFO_SAMPLES = 0x28, 0x2E, 0x2F
WAKE_UP_THS, WAKE_UP_DUR, ALL_INT_SRC, CTRL7 = 0x34, 0x35, 0x3B, 0x3F

ODR_25_HZ, ODR_400_HZ = 3 << 4, 7 << 4  # CTRL1
LOW_POWER_1, HIGH_PERFORMANCE = 0 << 2, 1 << 2
SOFT_RESET, BLOCK_DATA_UPDATE, ADDRESS_INCREMENT = 0x40, 0x08, 0x04  # CTRL2
LATCHED, WAKE_UP_ON_INT1 = 0x10, 0x20  # CTRL3, CTRL4
SCALE_2_G, SCALE_16_G, LOW_NOISE = 0 << 4, 3 << 4, 0x04  # CTRL6
BYPASS, CONTINUOUS = 0 << 5, 6 << 5  # FIFO_CTRL
OVERRUN, COUNT = 0x40, 0x3F  # FIFO_SAMPLES
WAKE_AT_94_MG, WAKE_AFTER_1 = 3, 1 << 5  # WAKE_UP_THS in 1/64 of full scale, WAKE_UP_DUR
INTERRUPTS_ENABLE = 0x20  # CTRL7

DEPTH, SAMPLE_BYTES = 32, 6
PERIOD_US = 2500
RAIL = 8190  # of 8191: the most that the chip can report
STUCK_SAMPLES = 64  # its own noise changes a healthy reading much sooner
RAIL_READS = 10  # a blow does not last that long
EMPTY_READS = 8  # at 400 Hz the FIFO fills between any two steps


class Lis2dw12(chip.Chip):
    """The chip as a state and a buffer of samples, oldest first."""

    def __init__(self, i2c):
        super().__init__(i2c, ADDRESS)
        self.overruns = 0
        self.buffer = bytearray(DEPTH * SAMPLE_BYTES)
        whole = memoryview(self.buffer)
        self._parts = [whole[: SAMPLE_BYTES * count] for count in range(DEPTH + 1)]
        self._last = bytearray(SAMPLE_BYTES)
        self._same = self._railed = self._empty = 0

    def _begin(self):
        if self._get(WHO_AM_I) != IDENTITY:
            self.state = chip.FOREIGN
            yield chip.RETRY_MS
            return
        self._put(CTRL2, SOFT_RESET)
        yield 5
        self._put(CTRL2, BLOCK_DATA_UPDATE | ADDRESS_INCREMENT)
        self._put(CTRL6, SCALE_16_G | LOW_NOISE)
        self._put(FIFO_CTRL, CONTINUOUS)
        self._put(CTRL1, ODR_400_HZ | HIGH_PERFORMANCE)
        self._same = self._railed = self._empty = 0
        self._running = True

    def _lie_down(self):
        """Wait for a movement, and then raise INT1."""
        self._put(FIFO_CTRL, BYPASS)
        self._put(CTRL6, SCALE_2_G)
        self._put(CTRL3, LATCHED)
        self._put(WAKE_UP_THS, WAKE_AT_94_MG)
        self._put(WAKE_UP_DUR, WAKE_AFTER_1)
        self._put(CTRL4, WAKE_UP_ON_INT1)
        self._put(CTRL7, INTERRUPTS_ENABLE)
        self._put(CTRL1, ODR_25_HZ | LOW_POWER_1)
        self._get(ALL_INT_SRC)  # clears what was latched before

    def let_go(self):
        """Lower INT1, which the settling filter raised; return whether the chip accepted that.

        From now on only a movement raises it.
        """
        try:
            self._get(ALL_INT_SRC)
        except OSError as fault:
            self.state = chip.state_of(fault)
            return False
        return True

    def _take(self, now_ms):
        held = self._get(FIFO_SAMPLES)
        count = min(held & COUNT, DEPTH)
        if not count:
            self._empty += 1
            if self._empty >= EMPTY_READS:  # it lost its settings, or its clock has stopped
                self._fail(chip.SILENT, now_ms)
            return 0
        self._empty = 0
        self.overruns += 1 if held & OVERRUN else 0
        self._i2c.readfrom_mem_into(ADDRESS, OUT_X_L, self._parts[count])
        self._judge(count)
        return count if self.state == chip.OK else 0

    def _judge(self, count):
        """Notice a chip that repeats itself, or stays at the end of its range."""
        buffer, last = self.buffer, self._last
        newest = (count - 1) * SAMPLE_BYTES
        same = True
        for at in range(count * SAMPLE_BYTES):  # every sample: by noise, two may be alike
            if buffer[at] != (last[at] if at < SAMPLE_BYTES else buffer[at - SAMPLE_BYTES]):
                same = False
                break
        for byte in range(SAMPLE_BYTES):
            last[byte] = buffer[newest + byte]
        self._same = self._same + count if same else 0
        self._railed = self._railed + 1 if self._at_rail() else 0
        self.state = chip.STUCK if self._same >= STUCK_SAMPLES else chip.OK
        if self._railed >= RAIL_READS:
            self.state = chip.SATURATED

    def _at_rail(self):
        last = self._last
        for low in (0, 2, 4):
            value = (last[low] | last[low + 1] << 8) >> 2
            if RAIL <= value <= 16383 - RAIL:  # 14 bits, the upper half is negative
                return True
        return False
