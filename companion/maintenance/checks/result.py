"""The result of one check, and its sentence."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.system.status import Condition, Status
from companion.system.text import Text

FINE, SEE_TO, UNKNOWN = "fine", "see-to", "unknown"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The state of one thing that was looked at, under the name of the check."""

    check: str
    condition: Condition


def severity(condition: Condition) -> str:
    """Return whether something is well, needs attention, or cannot be known here."""
    if condition.state.name == "UNKNOWN":
        return UNKNOWN
    return FINE if condition.state.fine else SEE_TO


@dataclass(frozen=True, slots=True)
class CheckText:
    """A finding as people read it, in their language."""

    check: str
    state: str
    mark: str
    told: str


def check_result(check: str, state: Status, **values: object) -> CheckResult:
    """Return a finding; its sentence needs these values."""
    return CheckResult(check, Condition(state, 0, values))


def translated(finding: CheckResult | CheckText, say: Callable[[Text], str]) -> CheckText:
    if isinstance(finding, CheckText):  # a table that runs has told it
        return finding
    state, values = finding.condition.state, finding.condition.values
    text = say(Text(state.template, **values))
    return CheckText(finding.check, state.name, severity(finding.condition), text)
