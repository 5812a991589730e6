"""Drives Firefox and WebKit as Debian ships them: both are told in the words of WebDriver.

Firefox hears them at a socket of its own (Marionette), WebKit from a server beside it.
"""

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from socket import create_connection
from time import monotonic, sleep
from typing import Any, BinaryIO, Final, cast

from tests.browser.served import HERE
from tests.mqtt.broker import free_port

Say = Callable[[str, Mapping[str, Any]], Any]  # a command and its values; what came of it
PATIENCE_S: Final = 60
LOOK_S: Final = 0.05
TOLD: Final = {  # what WebKit is posted: what Firefox is told
    "url": "WebDriver:Navigate",
    "execute/sync": "WebDriver:ExecuteScript",
    "actions": "WebDriver:PerformActions",
    "window/rect": "WebDriver:SetWindowRect",
}
PREFERENCES: Final = {
    "marionette.port": 0,
    "intl.accept_languages": "de",
    "dom.w3c_touch_events.enabled": 1,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "app.normandy.enabled": False,
    "toolkit.telemetry.server": "",
    "network.proxy.type": 0,
}
FRESH_MS: Final = "return new Promise(done => setTimeout(() => done(null), {ms}))"


class EngineFault(Exception):
    """A browser has refused what it was told."""


class OtherBrowser:
    """One window of a browser that is not Chromium, tapped as a finger or a mouse would."""

    def __init__(self, name: str, say: Say, pointer: str) -> None:
        self.name, self._say, self._pointer = name, say, pointer

    def size(self, width_px: int, height_px: int) -> None:
        """Make the window so large, if the browser can be."""
        self._say("window/rect", {"width": width_px, "height": height_px})

    def open(self, url: str) -> None:
        """Open a page, and wait until it is loaded."""
        self._say("url", {"url": url})

    def run(self, script: str, *values: object) -> Any:
        """Return what a script returns, or what it promises."""
        return self._say("execute/sync", {"script": script, "args": list(values)})

    def rest(self, ms: int) -> None:
        """Let the page go on for a while."""
        self.run(FRESH_MS.format(ms=ms))

    def touch(self, *way: tuple[float, float]) -> None:
        """Tap a point of what is seen, or go from there to others before letting go."""
        moves = [
            {"type": "pointerMove", "duration": 50, "x": round(x), "y": round(y)} for x, y in way
        ]
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        steps = [moves[0], down, *moves[1:], up]
        kind = {"pointerType": self._pointer}
        finger = {"type": "pointer", "id": "finger", "parameters": kind, "actions": steps}
        self._say("actions", {"actions": [finger]})


@contextmanager
def firefox(folder: Path) -> Iterator[OtherBrowser]:
    """Have a Firefox running that keeps what it keeps in a folder."""
    lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items())
    (folder / "user.js").write_text("".join(lines), encoding="utf-8")
    words = ("firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(folder))
    with ExitStack() as life:
        life.enter_context(_running(words, {"HOME": str(folder)}))
        port = int(_awaited(lambda: (folder / "MarionetteActivePort").read_text(encoding="utf-8")))
        socket = life.enter_context(create_connection((HERE, port), PATIENCE_S))
        heard = life.enter_context(socket.makefile("rb"))
        _message(heard)  # it greets

        def tell(name: str, values: Mapping[str, Any]) -> Any:
            text = json.dumps([0, 1, name, values]).encode()
            socket.sendall(b"%d:%s" % (len(text), text))
            _, _, fault, value = _message(heard)
            if fault is not None:
                raise EngineFault(fault["message"] or fault["error"])
            return value.get("value", value)

        tell("WebDriver:NewSession", {})
        yield OtherBrowser("firefox", lambda path, values: tell(TOLD[path], values), "touch")
        with suppress(OSError, ValueError):
            tell("Marionette:Quit", {"flags": ["eForceQuit"]})


def _message(heard: BinaryIO) -> Any:
    size = b""
    while (byte := heard.read(1)) != b":":
        if not byte:
            raise EngineFault("Firefox has hung up")
        size += byte
    return json.loads(heard.read(int(size)))


@contextmanager
def webkit(folder: Path) -> Iterator[OtherBrowser]:
    """Have a window of WebKit on a screen that nobody sees."""
    with ExitStack() as life:
        screen = life.enter_context(_screen())
        around = {"DISPLAY": screen, "HOME": str(folder), "XDG_CACHE_HOME": str(folder)}
        around |= {"LANGUAGE": "de", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        port = free_port()
        life.enter_context(_running(("WebKitWebDriver", f"--port={port}"), around))

        def tell(method: str, path: str, values: Mapping[str, Any] | None = None) -> Any:
            line = HTTPConnection(HERE, port, timeout=PATIENCE_S)
            line.request(method, path, None if values is None else json.dumps(values))
            answer = line.getresponse()
            value = json.loads(answer.read())["value"]
            line.close()
            if answer.status != 200:
                raise EngineFault(value["message"])
            return value

        _awaited(lambda: tell("GET", "/status"))
        options = {"binary": str(_minibrowser()), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        session = f"/session/{tell('POST', '/session', {'capabilities': wanted})['sessionId']}"
        yield OtherBrowser(
            "webkit", lambda path, values: tell("POST", f"{session}/{path}", values), "mouse"
        )
        tell("DELETE", session)


def _minibrowser() -> Path:
    """Return the small browser that comes with the library."""
    return next(path for path in Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))


@contextmanager
def _screen() -> Iterator[str]:
    words = ("Xvfb", "-displayfd", "1", "-screen", "0", "1024x1024x24", "-nolisten", "tcp")
    with _running(words, {}) as server:
        yield f":{cast(BinaryIO, server.stdout).readline().decode().strip()}"


@contextmanager
def _running(
    words: tuple[str, ...], around: Mapping[str, str]
) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        words,
        env=os.environ | around,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with process:
        try:
            yield process
        finally:
            process.terminate()


def _awaited(ask: Callable[[], Any]) -> Any:
    """Return what something answers once it can."""
    end_s = monotonic() + PATIENCE_S
    while True:
        with suppress(OSError, ValueError):
            if answer := ask():
                return answer
        assert monotonic() < end_s
        sleep(LOOK_S)
