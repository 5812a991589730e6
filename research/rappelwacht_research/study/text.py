"""The sentences about many matches that the terminal and the page share."""

from typing import Final

from companion.i18n.translate import name, say
from companion.present.page import title_of
from companion.present.study_game import ACTIONS
from companion.system.text import SeatName, Text
from rappelwacht_research.study.findings import (
    Mean,
    ShareInterval,
    StudyFindings,
    ValueSpread,
    spread,
)

SPREAD: Final = (
    *(Text("least"), Text("25 %"), Text("median"), Text("75 %"), Text("most"), Text("mean")),
)
LENGTHS: Final = Text("How long the matches are")
SEATS: Final = Text("Which seat wins")
PLAYERS: Final = Text("Who wins, for each seat")
POINTS: Final = Text("How the points are spread")
COUNTED: Final = Text("In a match, on average")
WINS: Final = Text("matches won")
INTERVALS: Final = Text(
    "A dot is what was found, the line around it is where the truth lies in 95 of 100 cases; the "
    "dashed line is what each seat would win if all were equally good."
)
WINNERS: Final = Text("winners")
OTHERS: Final = Text("others")


def title(found: StudyFindings, language: str) -> str:
    """Return which game was played how often."""
    return say(
        Text(
            "{game}: {count} {count:#match|matches}",
            game=say(title_of(found.game), language),
            count=len(found.played),
        ),
        language,
    )


def played(found: StudyFindings, language: str) -> str:
    """Return who played, and how the matches can be played again."""
    texts = [
        Text(
            "{count} seats, played by {players:and}; seed {seed} repeats it.",
            count=len(found.seats),
            players=found.players,
            seed=found.seed,
        )
    ]
    if found.lockstep:
        texts.append(
            Text("They were played in lockstep; one by one, this seed gives other matches.")
        )
    if len(found.players) > 1:
        texts.append(Text("After each match, all players move one seat on."))
    if found.broken_off:
        texts.append(
            Text(
                "{count} {count:#match|matches} did not come to an end; nothing below counts "
                "{count:#it|them}.",
                count=found.broken_off,
            )
        )
    return " ".join(say(text, language) for text in texts)


def fairness(found: StudyFindings, language: str) -> str:
    """Return whether a seat wins more or less than it should, and what a shared win counts."""
    more, less = found.stands_out()
    hundredths = 100 / len(found.seats)
    fair = f"{int(hundredths) if hundredths.is_integer() else name(hundredths, language)} %"
    texts = []
    if more:
        texts.append(
            Text(
                "{seats:and} {seats:#wins|win} more often than the fair {share}; that is hardly "
                "chance.",
                seats=tuple(map(SeatName, more)),
                share=fair,
            )
        )
    if less:
        texts.append(
            Text(
                "{seats:and} {seats:#wins|win} less often than the fair {share}; that is hardly "
                "chance.",
                seats=tuple(map(SeatName, less)),
                share=fair,
            )
        )
    if not texts:
        texts.append(Text("No seat differs from the fair {share} by more than chance.", share=fair))
    if found.shared:
        texts.append(
            Text(
                "{count} {count:#win was|wins were} shared, and {count:#counts|count} in parts.",
                count=found.shared,
            )
        )
    return " ".join(say(text, language) for text in texts)


def one_length(found: StudyFindings, language: str) -> str | None:
    """Return how long every match is, where all are equally long."""
    lengths = set(found.lengths)
    if len(lengths) > 1:
        return None
    unit = say(found.subject.unit, language)
    return say(
        Text("Every match is {length} {unit} long.", length=lengths.pop(), unit=unit), language
    )


def spreads(found: StudyFindings) -> tuple[tuple[Text, ValueSpread], ...]:
    """Return what has a spread, each with its name."""
    unit = found.subject.unit
    return (
        *([] if unit is ACTIONS else [(unit, spread(found.lengths))]),
        (ACTIONS, spread(found.actions)),
        (Text("points of the winner"), spread(found.winners_points)),
        (Text("lead of the winner"), spread(found.leads)),
    )


def cells(found: ValueSpread, language: str) -> list[str]:
    """Return the figures of a spread as they stand below `SPREAD`."""
    values = found.least, found.quarter, found.median, found.three_quarters, found.most
    return [*map(str, values), name(found.mean, language)]


def percent(share: float, language: str) -> str:
    """Return a share as people read it.

    >>> percent(0.25, "en"), percent(1 / 3, "de")
    ('25.0 %', '33,3 %')
    """
    return f"{name(share * 100, language)} %"


def interval(share: ShareInterval, language: str) -> str:
    """Return between which shares one may truly lie.

    >>> interval(ShareInterval(0.5, 0.25, 0.75), "de")
    '25,0–75,0 %'
    """
    return f"{name(share.low * 100, language)}–{name(share.high * 100, language)} %"


def give_or_take(mean: Mean, language: str) -> str:
    """Return a mean with its reach.

    >>> give_or_take(Mean(3.25, 1.0), "de"), give_or_take(Mean(3.0, None), "en")
    ('3,2 ± 1,0', '3.0')
    """
    reach = "" if mean.reach is None else f" ± {name(mean.reach, language)}"
    return name(float(mean.mean), language) + reach
