"""The next match as somebody elsewhere proposes it; the people at the table decide.

No phone can wish for it: only a hall that has the table's key gets this far.
"""

from dataclasses import dataclass
from enum import Enum

from companion.referee.commands import CommandBody, NewMatch
from companion.system.format_names import record


class ProposalVerdict(Enum):
    OPEN = "open"  # nobody has decided
    ACCEPTED = "accepted"
    REFUSED = "refused"  # also where people began another match


@dataclass(frozen=True, slots=True)
class Proposal:
    request: str
    by: str
    match: NewMatch
    names: tuple[tuple[str, str], ...] = ()  # by seat
    verdict: ProposalVerdict = ProposalVerdict.OPEN

    @property
    def open(self) -> bool:
        return self.verdict is ProposalVerdict.OPEN


@record("propose")
class ProposeMatch(CommandBody):
    """Have people asked whether they want to play that."""

    proposal: Proposal
