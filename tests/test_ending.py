"""What a program of ours started ends with it, even if it is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from companion.ending import with_us

LONG_S = 60
STARTS_ONE = """
import subprocess
from companion.ending import with_us
subprocess.run([*with_us(), "sh", "-c", "echo $$; exec sleep 600"])
"""


def test_whoever_is_killed_leaves_nothing_running() -> None:
    if not with_us():
        pytest.skip("nothing can end with its program here: setpriv is missing, or refused")
    words = [sys.executable, "-c", STARTS_ONE]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as one:
        assert one.stdout is not None
        started = int(one.stdout.readline())
        one.kill()
        try:
            one.communicate(timeout=LONG_S)  # until nobody is left who could write
        except subprocess.TimeoutExpired:
            os.kill(started, signal.SIGKILL)
            raise
