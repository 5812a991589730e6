"""A device on a GPIO pin and its state; one that is lost is tried again, with a backoff."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final, Generic, Protocol, TypeVar

from companion.devices.gpio import USING, PinError, PinFault, Pins
from companion.system import format_names, status, text


@format_names.format_name("PartState")
class PartState(status.Status):
    STARTING = status.Fine("The {part} on GPIO {pin} has not been looked for yet.")
    WORKING = status.Fine("The {part} on GPIO {pin} works.")
    NOT_INSTALLED = (  # the same for all parts, so that it is said once
        "Access to the pins is set up by the installation: sudo {program} install – until then, "
        "phones take their place."
    )
    NO_CHIP = (
        "This computer's GPIO pins cannot be used ({reason}), so the {part} does not work; on a "
        "Pi, add the user to the group gpio and log in again. A phone replaces it."
    )
    BUSY = (
        "Another program uses GPIO {pin}, so the {part} does not work; stop that program, or "
        "choose another pin in the configuration. A phone replaces it."
    )
    UNFIT = (
        "GPIO {pin} does not work ({reason}), so the {part} does not work; check its wiring and "
        "the configuration. A phone replaces it."
    )
    OFF = status.Fine("The {part} on GPIO {pin} is switched off.")


_FAULTS: Final = {
    PinFault.NOT_INSTALLED: PartState.NOT_INSTALLED,
    PinFault.NO_CHIP: PartState.NO_CHIP,
    PinFault.BUSY: PartState.BUSY,
    PinFault.UNFIT: PartState.UNFIT,
}


class Releasable(Protocol):
    def release(self) -> None:
        """Release the pin."""


D = TypeVar("D", bound=Releasable)


class PinDevice(Generic[D]):
    """A part such as the pad of a seat, with its device while there is one."""

    def __init__(
        self, part: text.Text, pin: int, make: Callable[[Pins], D], report: status.Report
    ) -> None:
        self._make = make
        self._backoff = status.Backoff(first_us=1_000_000, limit_us=8_000_000)
        self._names: dict[str, object] = {"part": part, "pin": pin}
        self._watched = status.StatusReporter(PartState.STARTING, report, **self._names)
        self.device: D | None = None

    @property
    def condition(self) -> status.Condition:
        return self._watched.condition

    def due(self, now_us: int) -> bool:
        """Return whether the part is missing and it is time to try again."""
        return self.device is None and now_us >= self._backoff.due_us

    def attach(self, pins: Pins, now_us: int) -> None:
        try:
            with USING:
                self.device = self._make(pins)
        except PinError as error:
            self.detach(error, now_us)
        else:
            self._backoff.worked()
            self._watched.becomes(PartState.WORKING, now_us, **self._names)

    def use(self, now_us: int, act: Callable[[D], object]) -> bool:
        """Act on the device; False if there is none, or it has just failed."""
        if self.device is None:
            return False
        try:
            with USING:
                act(self.device)
        except PinError as error:
            self.detach(error, now_us)
            return False
        return True

    def detach(self, error: PinError, now_us: int) -> None:
        """Do without the device for a while."""
        self._release()
        self._backoff.failed(now_us)
        state, reason = _FAULTS[error.fault], error.reason
        self._watched.becomes(state, now_us, **self._names, reason=reason)

    def close(self, now_us: int) -> None:
        self._release()
        self._watched.becomes(PartState.OFF, now_us, **self._names)

    def _release(self) -> None:
        device, self.device = self.device, None
        if device is not None:
            with suppress(PinError), USING:
                device.release()
