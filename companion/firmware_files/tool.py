"""Runs a tool of MicroPython's makers as a list of words, without a shell, and hears it out."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from companion import ending


def run(words: Sequence[str], patience_s: float) -> tuple[int, str, str]:
    """Return its exit code, what it printed, and what it complained of.

    >>> run(["printf", "%s", "done"], 10)
    (0, 'done', '')
    >>> run(["/no/such/tool"], 10)
    (1, '', 'No such file or directory')
    """
    try:
        done = ending.run(
            words,
            patience_s,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return 1, "", f"no answer for {patience_s:.0f} s"
    except OSError as error:
        return 1, "", str(error.strerror)
    return done.returncode, done.stdout, done.stderr
