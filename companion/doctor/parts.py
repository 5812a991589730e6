"""What is to be said of the table's parts, as they tell it themselves; alike things only once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.condition import Condition, State
from companion.doctor.finding import Finding, found
from companion.format_names import format_name

NO_CHIP = "NO_CHIP"  # what such a part says where there are no pins at all


@format_name("Pins")
class Pins(State):
    """How all that hangs on the GPIO pins is, where one sentence says it of all."""

    WORK = "All parts on the GPIO pins can be used: {count}."
    WORK_ON = "All parts on the GPIO pins can be used: {count}, on {chip}."
    NONE = (
        "The GPIO pins cannot be used ({reason}), so pads, buttons, seat lights and buzzer do "
        "not work; on a Pi, add the user to the group gpio and log in again."
    )

    @property
    def fine(self) -> bool:
        """Whether there is nothing that anybody should see to."""
        return self is not Pins.NONE


def judge(conditions: Sequence[Condition], header: str | None = None) -> Iterator[Finding]:
    """Yield how each part is, and what hangs on the pins at once, if it is the same for all."""
    wired = [one for one in conditions if "pin" in one.values]
    yield from (Finding("parts", one) for one in conditions if one not in wired)
    chip = [one for one in wired if one.state.name == NO_CHIP]
    if chip:
        yield found("gpio", Pins.NONE, reason=chip[0].values["reason"])
        return
    ill = {str(one): one for one in wired if not one.state.fine}  # what all say is said once
    yield from (Finding("gpio", one) for one in ill.values())
    if wired and not ill:
        if header is None:
            yield found("gpio", Pins.WORK, count=len(wired))
        else:
            yield found("gpio", Pins.WORK_ON, count=len(wired), chip=header)
