"""What a café switches on: a turn clock, a break bell, a picture for streams, matches for BG Stats.

Each is off until somebody wants it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from companion.present import history, page, viewer
from companion.referee.people.person import Seating
from companion.system import codec, safe_json, small_files, status, text

TURN_S: Final = (0, 30, 60, 90, 120, 180, 300)  # what people choose from; 0: no clock
BREAK_MIN: Final = (0, 30, 45, 60, 90, 120)


@dataclass(frozen=True, slots=True)
class CafeOptions:
    turn_s: int = 0  # how long a turn may take before its chip glows
    break_min: int = 0  # how often the bell rings
    since_ms: int = 0  # from when on
    overlay: bool = False
    bg_stats: bool = False


READS: Final = codec.Codec(largest=safe_json.SAFE)


def _read(data: bytes) -> CafeOptions:
    options = READS.read(CafeOptions, small_files.object_in(data), "cafe")
    if options.turn_s not in TURN_S or options.break_min not in BREAK_MIN:
        raise ValueError("nobody can choose that")
    return options


CAFE_FILE: Final[small_files.SmallFile[CafeOptions]] = small_files.SmallFile(
    "cafe.json", lambda options: small_files.to_json(asdict(options)), _read, 2000
)


class KeptCafe:
    """The options as they are now; a folder of None keeps nothing."""

    def __init__(
        self,
        folder: Path | None = None,
        report: status.Report = lambda _: None,
        changed: Callable[[], object] = lambda: None,
    ) -> None:
        self._folder, self._changed = folder, changed
        nothing = CafeOptions()
        self.now = nothing if folder is None else CAFE_FILE.load(folder, nothing, report)

    def choose(self, options: CafeOptions) -> None:
        """Save these options; OSError: the disk fails, and all stays as it was."""
        if self._folder is not None:
            CAFE_FILE.save(self._folder, options)
        self.now = options
        self._changed()


# --- a finished match for BG Stats --------------------------------------------------------------

IMPORT: Final = "https://app.bgstatsapp.com/createPlay.html?data="


def bg_stats_play(
    past: history.PastMatch,
    scores: Mapping[int, int],
    end_ms: int,
    people: Seating,
    reader: viewer.Viewer,
) -> dict[str, Any]:
    """Return a match that was won as BG Stats (since 3.3.2) documents that it imports plays.

    https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/
    """
    who = reader.as_all(people)

    def player(seat: Any) -> dict[str, Any]:
        person, points = people.at(text.seat_word(seat)), scores[seat]
        return {
            "name": who.name(seat),
            "sourcePlayerId": person.id if person else text.seat_word(seat),
            "winner": seat in past.winners,
            "score": points,
            "rank": 1 + sum(other > points for other in scores.values()),
        }

    return {
        "sourceName": "Rappelwacht",
        "sourcePlayId": past.id,
        "playDate": f"{datetime.fromtimestamp(end_ms / 1000, UTC):%Y-%m-%d %H:%M:%S}",
        "durationMin": max(1, round((end_ms - past.at_ms) / 60_000)),
        "game": {
            "name": viewer.Viewer("en").say(page.title_of(past.game)),
            "sourceGameId": past.game,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [player(seat) for seat in past.seats],
    }


def bg_stats_link(play: dict[str, Any]) -> str:
    """Return the address that opens the app, if it is installed, and shows it the play."""
    return IMPORT + quote(json.dumps(play, ensure_ascii=False), safe="")
