"""Inside the guest: a phone that asks the table to be let in by the button of red.

It must not know who presses it, nor import the companion: that takes long here. It is told the
table's port, and says when it has asked, and what it is when that is decided.
"""

from __future__ import annotations

import json
import sys
from http.cookiejar import CookieJar
from typing import Any, Final
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

OURS: Final = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
ANSWERED_S: Final = 60


def say(sentence: str) -> None:
    """Say a line at once."""
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def main() -> None:
    """Ask, and wait until it is decided."""
    pair = f"http://127.0.0.1:{sys.argv[1]}/api/pair"
    opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()))

    def call(body: dict[str, str] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(pair, data, OURS)
        with opener.open(request, timeout=ANSWERED_S) as answer:
            return json.load(answer)

    state = call({"seat": "red"})
    say("asked")
    while state["role"] is None and state["waits_s"]:
        state = call()
    say(f"let in as {state['role']}")


if __name__ == "__main__":
    main()
