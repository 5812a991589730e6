"""The same evenings heard with other thresholds: what a stricter or laxer rule would have told.

What the stoppers were asked for stays as it was; so this shows which way a threshold goes, not
more.
"""

from dataclasses import replace

from companion.sensing.settings import Settings
from research.bench._evenings import Recorded
from research.bench._hearing import hear
from research.bench._scoring import Score, score

FOUL_MS = (60, 110, 160, 210, 260, 300, 340, 380, 500, 700)  # in sight until it is a foul
STANDING = f"{Settings().peeking.foul_ms} ms"


def swept(evening: Recorded) -> dict[str, Score]:
    """Return the score under each setting."""
    found = {}
    for foul_ms in FOUL_MS:
        settings = Settings()
        peeking = replace(
            settings.peeking, foul_ms=foul_ms, warn_ms=min(foul_ms, settings.peeking.warn_ms)
        )
        settings = replace(settings, peeking=peeking)
        heard = hear(evening.seen, evening.end_us, settings)
        found[f"{foul_ms} ms"] = score(evening, heard, settings)
    return found
