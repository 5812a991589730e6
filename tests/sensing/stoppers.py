"""What a stopper on a barrel would tell, in words: lifted, set down, weighed."""

from dataclasses import dataclass, field

from companion.sensing.observations import MeasuredTime, StopperMessage

S = 1_000_000


@dataclass(slots=True)
class Stopper:
    """One stopper that is felt by the host; time passes with what it does."""

    number: int = 1
    at_us: int = 0
    boot: int = 1
    event: int = 0
    celsius: float = 21.0
    gap: int = 0
    heard: list[StopperMessage] = field(default_factory=list)

    def lift(self) -> StopperMessage:
        return self._event("LIFT", load_mg=0)

    def set_down(self) -> StopperMessage:
        return self._event("SET", load_mg=0, tilt_cdeg=0)

    def still(
        self, load_mg: int, spread_mg: int = 17, tilt_cdeg: int = 0, zero_doubt_mg: int = 30
    ) -> StopperMessage:
        celsius = round(100 * self.celsius)
        return self._event(
            "STILL", load_mg=load_mg, spread_mg=spread_mg, still_ms=700, tilt_cdeg=tilt_cdeg,
            temperature_cc=celsius, zero_doubt_mg=zero_doubt_mg,
        )  # fmt: skip

    def weighs(self, load_mg: int, air_s: float = 2.0, **more: int) -> list[StopperMessage]:
        """Lift it, hold it for a while, set it down, and wait."""
        found = [self.lift()]
        self.wait(air_s)
        found.append(self.set_down())
        self.wait(1.0)
        found.append(self.still(load_mg, **more))
        self.wait(5.0)
        return found

    def flips(self, swing_mg: int) -> StopperMessage:
        return self._event("FLIP", tilt_cdeg=18_000, swing_mg=swing_mg)

    def begins(self, can: int) -> StopperMessage:
        return self._felt("HELLO", can=can)

    def beats(self, load_raw: int, faults: int = 0) -> StopperMessage:
        self.wait(10.0)
        celsius = round(100 * self.celsius)
        return self._felt("HEARTBEAT", load_raw=load_raw, faults=faults, temperature_cc=celsius)

    def moves(
        self, load_mg: int, *, lowest_mg: int | None = None, tilt_cdeg: int = 3000
    ) -> StopperMessage:
        lowest_mg = load_mg if lowest_mg is None else lowest_mg
        return self._felt(
            "FEATURES", load_mg=load_mg, load_min_mg=lowest_mg, load_max_mg=load_mg, span_ms=250,
            tilt_min_cdeg=tilt_cdeg, tilt_cdeg=tilt_cdeg, tilt_max_cdeg=tilt_cdeg,
        )  # fmt: skip

    def wait(self, seconds: float) -> None:
        self.at_us += round(seconds * S)

    def _event(self, name: str, **fields: int) -> StopperMessage:
        self.event += 1
        return self._felt(name, event=self.event, **fields)

    def _felt(self, name: str, **fields: int) -> StopperMessage:
        gap, self.gap = self.gap, 0
        moment = MeasuredTime(self.at_us, 2000)
        return StopperMessage(self.number, name, moment, self.at_us, self.boot, gap, fields)
