"""A computer that is software: QEMU with a guest that does what it is told over a serial line.

The guest ends with it:

    with Machine(image(folder), folder / "console.txt") as machine:
        machine.ask("close", 3)
        machine.run("systemctl", "start", "rappelwacht")
"""

import json
import queue
import subprocess
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final, Self

from hardware.kernel.image import Image

QEMU: Final = "qemu-system-x86_64"
BOOTED_S, ANSWERED_S = 1800, 1800  # for a computer that does much else
DONE_S: Final = 300  # by the guest's own clock
LOOK_S, NUDGE_S = 0.5, 20.0
WORDS: Final = (
    *("-machine", "pc", "-accel", "tcg", "-nodefaults", "-no-user-config", "-display", "none"),
    # One processor is done with it sooner than two, which wait for each other. It is the least
    # that lgpio's wheel is built for.
    # Time passes in it by what it does, so nothing in it is late however busy this computer is.
    *("-icount", "shift=1,sleep=on"),
    *("-no-reboot", "-m", "1024", "-smp", "1", "-cpu", "Nehalem"),
)
# Linux tries whether its timer ticks in time, and panics where QEMU has to wait for its turn.
BOOT: Final = (
    "console=ttyS0 quiet mitigations=off no_timer_check panic=-1 rdinit=/usr/lib/systemd/systemd"
)


class Machine(AbstractContextManager["Machine"]):
    """One computer that is switched on."""

    def __init__(self, image: Image, console: Path, disk: Path | None = None) -> None:
        self._image, self.console, self._disk = image, console, disk
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.heard: list[str] = []  # of the program that was started in it

    def __enter__(self) -> Self:
        """Switch it on, and wait until it listens."""
        initial = self.console.with_name("initial.cpio")
        with initial.open("wb") as whole:
            for archive in self._image.archives:
                whole.write(archive.read_bytes())
        line = [QEMU, *WORDS, "-kernel", str(self._image.kernel)]
        line += ["-initrd", str(initial), "-append", BOOT]
        line += ["-serial", f"file:{self.console}", "-serial", "stdio"]
        if self._disk is not None:
            line += ["-drive", f"file={self._disk},format=raw,if=virtio"]
        with self.console.with_suffix(".qemu").open("wb") as complaints:
            self._qemu = subprocess.Popen(
                line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints, text=True
            )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            assert self._answer(BOOTED_S) == "ready"
            initial.unlink()  # QEMU has read it
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Cut it off from its power."""
        self._qemu.kill()
        self._qemu.communicate()
        self._reader.join()

    def ask(self, wish: str, *values: object) -> Any:
        """Have the guest do something; return what came of it."""
        assert self._qemu.stdin is not None
        self._qemu.stdin.write(json.dumps([wish, *values]) + "\n")
        self._qemu.stdin.flush()
        answer = self._answer(ANSWERED_S, listens=True)
        assert "did" in answer, answer
        return answer["did"]

    def run(self, *line: str) -> str:
        """Have a line carried out, as root; return what it said."""
        code, said = self.ask("run", *line)
        assert code == 0, f"{line} ends with {code}: {said}"
        return str(said)

    def hears(self, sentence: str) -> None:
        """Wait until the program that was started says this."""
        while not self.heard or self.heard[-1] != sentence:
            line = self.ask("heard")
            assert line, f"it ended without saying: {sentence}\n{self.heard}"
            self.heard.append(line.rstrip("\n"))

    def until(self, true: Callable[[], bool], what: str) -> None:
        """Wait until something is true."""
        deadline = self.ask("wait", 0) + DONE_S
        while not true():
            assert self.ask("wait", LOOK_S) < deadline, what

    def _read(self) -> None:
        assert self._qemu.stdout is not None
        for line in self._qemu.stdout:
            self._answers.put(line)
        self._answers.put("")  # it is off

    def _answer(self, within_s: float, *, listens: bool = False) -> Any:
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline:
            with suppress(queue.Empty):
                if not (line := self._answers.get(timeout=NUDGE_S)):
                    break
                return json.loads(line)
            if listens:
                self._nudge()
        console = self.console.read_text("utf-8", errors="replace")[-3000:]
        raise AssertionError(f"no answer, at most for {within_s:.0f} s; its console: {console}")

    def _nudge(self) -> None:
        """Send an empty line: now and then a serial port's interrupt is lost, and waits for one."""
        assert self._qemu.stdin is not None
        with suppress(BrokenPipeError):
            self._qemu.stdin.write("\n")
            self._qemu.stdin.flush()
