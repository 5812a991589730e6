"""The stopper as a whole: one step reads the chips, judges, and speaks with the host.

It must not know the hardware: a board is handed in, with `i2c`, `radio`, `flash`, `unique_id`,
`ticks_us()`, `battery_mv()`, `temperature_c()`, `led(on)`, `shine(pulses)` (infrared, to its pad),
`moved()` (INT1 is high), `cold` (it was without power), `plugged()` (a computer is at its USB),
`boxed()` (its charging box gives it power), `charging()`, `deep_sleep()` and `reset()`. With a
`disk` it can be updated into the other `slot`.
"""

import wire
from drivers import chip
from drivers.lis2dw12 import PERIOD_US, SAMPLE_BYTES, Lis2dw12
from drivers.nau7802 import Nau7802

from stopper.box import Box
from stopper.clock import Clock
from stopper.judge import Judge
from stopper.link import Link
from stopper.memory import Memory
from stopper.motion import Motion
from stopper.name_light import NameLight
from stopper.scale import Scale, milligrams
from stopper.update import MOVED, NOTHING, WEAK, Update
from stopper.window import Window

FIRMWARE = 0x000200
CAN, WEIGH, UPDATES = 0b1111, 0b0001, 0b10000  # of wire.CAN
STEP_MS, EAGER_MS = 25, 10  # a reading of the load is ready every 25 ms; an answer may come sooner
LEAST_MS = 1  # between steps: MicroPython's own work needs its turn
ASLEEP_MS = 1000  # between steps in its box, too: so its charger comes to an end
ARMED_MS = 200  # once armed, the interrupt pulses for some samples of 40 ms; then it must be low
COLD_US = 60_000_000  # without a light sleep after power-on or in its box: it ends the USB, and so
WOKEN_US = 3_000_000  # the flashing; and else, in which a computer that is there finds the USB
LOOK_EVERY = 4  # samples
FEATURES_MS = 1000 // wire.FEATURES_PER_S
HEARTBEAT_MS = 1000 * wire.HEARTBEAT_S
AT_MOST_EVERY_MS = 1000  # HEARTBEAT, when faults come and go
IDLE_MS = 5 * 60_000
BATTERY_LOW_MV, WEAK_MV = 3500, 3600
ARMED, LET_GO = 1, 2  # stages of lying down
BITS = {name: 1 << bit for bit, name in enumerate(wire.FAULTS)}


def fault_bits(part, state):
    """Return the bits of a chip's state: its own, or the bus's.

    >>> fault_bits("load", chip.SILENT), fault_bits("motion", chip.OK)
    (1, 0)
    """
    if state in (chip.OK, chip.STARTING):
        return 0
    word = chip.NAMES[state]
    return BITS.get(word) or BITS.get(part + "-" + word) or BITS[part + "-silent"]


class Stopper:
    """One boot of one stopper."""

    def __init__(self, board):
        self._board = board
        self.memory = memory = Memory(board.flash, wire.OPEN_KEY)
        self.clock = Clock(board.ticks_us)
        self.feels, self.weighs = Lis2dw12(board.i2c), Nau7802(board.i2c)
        self.motion, self.scale = Motion(), Scale(memory.zero, memory.foot)
        self._judge = Judge(self.motion, self.scale, self._tell)
        self._window, self._box = Window(), Box(board)
        node = bytes(board.unique_id)
        self.link = Link(board.radio, node, memory.key, memory.boot, memory.home)
        self._name_light = NameLight(board.shine, memory.key, node)
        self._update = Update(board, FIRMWARE)
        self._can = CAN | (UPDATES if self._update.possible and memory.keyed else 0)
        self._looks = 0
        self._features_ms = self._busy_ms = 0
        self._heartbeat_ms = 1000 + board.unique_id[-1] * 16  # not all at the same time
        self._beat_ms = self._ills = self._told_ills = 0  # since the last; what it told
        self._told_power = 0
        self._dark_ms = 0
        self.lying = self._lying_ms = 0  # how far it is on its way to deep sleep, and until when
        self._awake_us = COLD_US if board.cold or self._box.inside else WOKEN_US
        self._napped = False  # in its box, so its converter is off
        self.asleep = False
        self._hello()

    def step(self):
        """Do what is due now; return after how many milliseconds to call again."""
        if self.asleep:
            return ASLEEP_MS
        now_ms = self.clock.read()
        if self.lying:
            return self._lie_down(now_ms)
        if self._box.look(now_ms):
            return self._begin_anew()  # which brings its USB back
        if self._box.touched:
            self._idle(now_ms)
        else:
            self._napped = False
            self._sense(now_ms)
        if self._judge.moving.on:
            self._board.radio.switch(True)
        self._obey()
        if self._update.over(now_ms, self.link.commands_heard):
            return self._begin_anew()
        self._report(now_ms)
        self.link.speak(self._now_us())
        self._rest(now_ms)
        due_ms = now_ms + self._pause_ms(now_ms)
        return max(due_ms - self.clock.read(), LEAST_MS)  # however long all this took

    def _pause_ms(self, now_ms):
        """Return how long a step may take; in its box it sleeps from one second to the next."""
        if not (self._box.inside and self._box.touched and self.sleeps) or self._dark_ms:
            if self.link.waiting:
                return EAGER_MS
            return self._name_light.pause_ms(now_ms, STEP_MS)
        if not self._napped:
            self._napped = self.weighs.sleep()
        return ASLEEP_MS

    @property
    def at_rest(self):
        """Whether nothing is lost by a light sleep, radio off, until the next step."""
        still = not self._judge.moving.on and not self._window.sending
        still = still and not self._update.busy(self.clock.us // 1000)
        return still and not self.link.listening(self.clock.us // 1000)

    @property
    def sleeps(self):
        """Whether it may do so, which ends its USB until the next boot."""
        return self.at_rest and self.clock.us >= self._awake_us and not self._board.plugged()

    def _now_us(self):
        """Return the time, so that what is sent late in a step bears the right one."""
        self.clock.read()
        return self.clock.us

    def _sense(self, now_ms):
        self._feel(now_ms)
        if self.weighs.read(now_ms):
            self._judge.weigh(self.weighs.value, now_ms)
        else:
            self.scale.miss(now_ms)
        if self.feels.state == chip.OK:
            weighs = self.weighs.state == chip.OK
            self._name_light.look(now_ms, self.motion, self.scale, weighs)

    def _idle(self, now_ms):
        """In the box judge nothing, and only check whether both chips work."""
        self.feels.read(now_ms)
        self.motion.forget()
        if not self._napped and self.weighs.read(now_ms):
            self.scale.raw = self.weighs.value

    def _feel(self, now_ms):
        count = self.feels.read(now_ms)
        buffer, motion = self.feels.buffer, self.motion
        if self.feels.state not in (chip.OK, chip.STARTING):
            self._judge.lose()
            motion.forget()  # otherwise what it felt last would last forever
        for at in range(0, count * SAMPLE_BYTES, SAMPLE_BYTES):
            age_us = (count - 1) * PERIOD_US - at * PERIOD_US // SAMPLE_BYTES
            at_ms = now_ms - age_us // 1000
            motion.take(
                ((buffer[at + 1] ^ 128) - 128 << 6) | buffer[at] >> 2,  # 14 bits, left in 16
                ((buffer[at + 3] ^ 128) - 128 << 6) | buffer[at + 2] >> 2,
                ((buffer[at + 5] ^ 128) - 128 << 6) | buffer[at + 4] >> 2,
                at_ms,
            )
            self._looks += 1
            if self._looks >= LOOK_EVERY:
                self._looks = 0
                self._look(at_ms)

    def _look(self, at_ms):
        motion = self.motion
        motion.look()
        self._judge.look(at_ms)
        if self._window.due(at_ms):
            tilt_cdeg, load_mg = motion.moment_cdeg(), milligrams(self.scale.load)
            deviation, pace = motion.deviation_permille(), motion.pace_permille()
            self._window.put(at_ms, tilt_cdeg, deviation, pace, load_mg)

    def _tell(self, name, at_ms, **fields):
        """Make an event of what the judge found: add what it does not know."""
        fields["at_us"] = at_ms * 1000
        for what in ("load", "swing"):
            if what in fields:
                fields[what + "_mg"] = milligrams(fields.pop(what))
        if name == "STILL":
            fields["load_mg"] = milligrams(self.scale.settled)
            fields["spread_mg"] = milligrams(self.scale.spread)
            fields["temperature_cc"] = int(self._board.temperature_c() * 100)
            empty = self.scale.empty
            fields["zero_doubt_mg"] = milligrams(empty.zero_doubt())
            fields["foot_mg"] = milligrams(empty.known_foot())
        self.link.tell(name, fields)
        if name == "SET":
            self._name_light.set_down(fields["event"])
        self._busy_ms = at_ms

    def _obey(self):
        for command in self.link.hear(self.clock.us // 1000):
            self._busy_ms = self.clock.us // 1000
            fields = command.fields
            if command.name == "HELLO_REQUEST":
                self._hello()
            elif command.name == "BLINK":
                self._dark_ms = self._busy_ms + fields.blink_ms
                self._board.led(True)
            elif command.name == "RAW_REQUEST":
                head = self._window.ask(fields.request, fields.start_us // 1000, fields.length_ms)
                self.link.say("RAW_HEAD", self._now_us(), head)
            elif command.name.startswith("UPDATE") and self.memory.keyed:
                said = self._update.take(command.name, fields, self._busy_ms, self._hindrance())
                self.link.say("UPDATE", self._now_us(), said)
        self.memory.keep_home(self.link.home)

    def _hindrance(self):
        """Return why no update is accepted right now: it is in somebody's hand, or nearly empty."""
        if self._judge.moving.on or not (self.scale.standing.on or self._box.touched):
            return MOVED
        weak = self._board.battery_mv() < WEAK_MV and not self._box.touched
        return WEAK if weak else NOTHING

    def _report(self, now_ms):
        if self._dark_ms and now_ms >= self._dark_ms:
            self._dark_ms = 0
            self._board.led(False)
        if self._window.sending:
            chunk = self._window.chunk()
            self.link.say("RAW", self._now_us(), chunk)
        self._beat(now_ms)
        if not self._judge.moving.on:
            self._features_ms = now_ms
            self._forget()
        elif now_ms - self._features_ms >= FEATURES_MS:
            self._features(now_ms - self._features_ms)
            self._features_ms = now_ms
            self._forget()

    def _beat(self, now_ms):
        """Say how it is: when it is time, and at once when a chip fails or works again."""
        ills = fault_bits("load", self.weighs.state) | fault_bits("motion", self.feels.state)
        self._ills |= ills
        due = now_ms >= self._heartbeat_ms
        power = self._box.power(self._board.battery_mv()) if self._box.inside else 0
        same = ills == self._ills == self._told_ills and power == self._told_power
        if due:
            self._heartbeat_ms += HEARTBEAT_MS
        elif same or now_ms - self._beat_ms < AT_MOST_EVERY_MS:
            return
        self._told_ills = ills if ills != self._told_ills else self._ills
        self._ills, self._beat_ms, self._told_power = ills, now_ms, power
        self._heartbeat(now_ms, self._told_ills)

    def _forget(self):
        self.motion.clear()
        self.scale.clear()

    def _features(self, span_ms):
        fields, scale = self.motion.features(span_ms), self.scale
        fields["load_mg"] = milligrams(scale.load)
        fields["load_min_mg"] = milligrams(scale.low)
        fields["load_max_mg"] = milligrams(scale.high)
        self.link.say("FEATURES", self._now_us(), fields)

    def _hello(self):
        fields = {
            "commands_heard": self.link.commands_heard,
            "firmware": FIRMWARE,
            "dictionary": wire.DICTIONARY_HASH,
            "can": self._can,
        }
        self.link.say("HELLO", self._now_us(), fields)

    def _heartbeat(self, now_ms, ills):
        never_weighed = self.weighs.state == chip.SILENT and not self.scale.empty.zeroed
        if never_weighed and self._can & WEIGH:  # it was built without a load cell
            self._can &= ~WEIGH
            self._hello()
        elif not self.link.commands_heard:
            self._hello()  # perhaps nobody heard the first one
        battery_mv = self._board.battery_mv()
        fields = {
            "commands_heard": self.link.commands_heard,
            "uptime_s": now_ms // 1000,
            "battery_mv": battery_mv,
            "temperature_cc": int(self._board.temperature_c() * 100),
            "load_raw": self.scale.raw,
            "faults": ills | self._weak(battery_mv),
            "drops": self.link.refused(),
            "unheard": self.link.unheard,
            "rssi": self.link.rssi,
            "power": self._told_power,
        }
        self.link.say("HEARTBEAT", self._now_us(), fields)

    def _weak(self, battery_mv):
        low = BITS["battery-low"] if battery_mv < BATTERY_LOW_MV else 0
        return low | (BITS["watchdog"] if self.memory.mishap else 0)

    def _rest(self, now_ms):
        """After five idle minutes, sleep until the accelerometer feels a movement."""
        fed = self._box.touched or self._board.plugged() or self._update.busy(now_ms)
        if self._judge.moving.on or self.link.waiting or fed:
            self._busy_ms = now_ms
        if now_ms - self._busy_ms < IDLE_MS:
            return
        self._busy_ms = now_ms  # if it cannot sleep, try again in five minutes
        if self.feels.state == chip.OK and self.feels.sleep():  # otherwise nothing would wake it
            self.lying, self._lying_ms = ARMED, now_ms + ARMED_MS

    def _lie_down(self, now_ms):
        """Sleep when INT1 is low and stays so; once high again after its pulse, it was moved."""
        if now_ms < self._lying_ms:
            return self._lying_ms - now_ms
        self._lying_ms = now_ms + ARMED_MS
        if self.lying == ARMED and self.feels.let_go():
            self.lying = LET_GO
            return ARMED_MS
        stirred, self.lying = self.lying == ARMED or self._board.moved(), 0
        if stirred or self._board.boxed():
            return STEP_MS  # both chips start over
        self.weighs.sleep()
        return self._end(self._board.deep_sleep)

    def _begin_anew(self):
        """Boot: once in its box, its USB has to be back, and nothing is known."""
        return self._end(self._board.reset)

    def _end(self, how):
        """End this boot; on a board nothing comes after that."""
        if self.scale.empty.zeroed:
            self.memory.keep_zero(self.scale.empty)
        self.asleep = True
        how()
        return ASLEEP_MS
