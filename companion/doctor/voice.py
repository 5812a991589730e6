"""Whether the table can speak: its program is there, knows the language, and finds a loudspeaker.

The program is tried as it is used: in a process of its own.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from companion.condition import State
from companion.doctor.finding import Finding, found
from companion.format_names import format_name

TRY_S = 15.0  # it says one sentence


@format_name("Voice")
class Voice(State):
    """How the table's voice is."""

    SPEAKS = "The table speaks: it has just said so through its loudspeaker."
    MISSING = "The table cannot speak; run: sudo apt-get install espeak-ng"
    UNSPOKEN = (
        "The table cannot speak in the language {language}; write another under [voice] in the "
        "configuration."
    )
    UNHEARD = (
        "The table speaks, but nobody can hear it ({reason}); connect a loudspeaker, and test it "
        "with: speaker-test -t wav"
    )
    HANGS = "The table's voice is stuck; restart the Pi, and test it with: speaker-test -t wav"

    @property
    def fine(self) -> bool:
        """Whether there is nothing that anybody should see to."""
        return self is Voice.SPEAKS


def judge(command: Sequence[str], language: str, sentence: str) -> Finding:
    """Have it say a sentence, and return how that went."""
    try:
        done = subprocess.run(  # noqa: S603 - words, and no shell
            command,
            input=f"{sentence}\n".encode(),
            capture_output=True,
            timeout=TRY_S,
            check=False,
        )
    except OSError:
        return found("voice", Voice.MISSING)
    except subprocess.TimeoutExpired:
        return found("voice", Voice.HANGS)
    if done.returncode != 0:
        return found("voice", Voice.UNSPOKEN, language=language)
    complaints = done.stderr.decode("utf-8", "replace").splitlines()
    errors = [line for line in complaints if line.startswith("error")]  # it goes on all the same
    if errors:
        return found("voice", Voice.UNHEARD, reason=errors[-1].partition(":")[2].strip())
    return found("voice", Voice.SPEAKS)
