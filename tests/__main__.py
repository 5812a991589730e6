"""What `./run test`, `./run bench` and `./run lock` do once what they need of Python is there.

python -m tests test [PYTEST ARGS]   # alone or with --full also every check, beside the tests
python -m tests bench WHAT [ARGS]    # WHAT is a module of research/bench
python -m tests lock [UV ARGS]       # write the lock files anew
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, NoReturn

ROOT: Final = Path(__file__).parent.parent
BENCHES: Final = ROOT / "research/bench"
TOOLS: Final = str(Path(sys.executable).parent)
PYTEST: Final = (sys.executable, "-m", "pytest")
AT_LEISURE: Final = ("-o", "faulthandler_timeout=0")  # what is only in --full may take an hour
OURS: Final = (  # not what a reader tries out
    *("companion", "examples", "firmware", "hardware", "release", "research", "tests"),
    "hatch_build.py",
)
CHECKS: Final = {  # mypy takes a minute, and only one core
    "mypy": (sys.executable, "-m", "mypy"),
    "lint-imports": (f"{TOOLS}/lint-imports",),
    "ruff format": (f"{TOOLS}/ruff", "format", "--check", *OURS),
    "ruff check": (f"{TOOLS}/ruff", "check", *OURS),
}
BROWSER: Final = ("chromium", "libatomic.so.1", "ip")
IN_BROWSER: Final = {"pages", "phones"}
MISUSED: Final = 2
INTERRUPTED: Final = 130


def main(words: Sequence[str]) -> int:
    """Do what the words say; return the exit code."""
    what, *rest = words
    return {"test": test, "bench": bench, "lock": lock}[what](rest)


# --- test -----------------------------------------------------------------------------------------


def test(words: Sequence[str]) -> int:
    """Make every check and run all tests, or only the tests that somebody names."""
    from tests import programs  # noqa: PLC0415 - it needs pytest, which not every bench brings

    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # they start Python a hundred times
    os.environ.pop("RAPPELWACHT_STARTED_AS", None)  # else what they tell people hangs on the door
    full = ["--full"] if "--full" in words else []
    named = len(words) > len(full)
    if named and not full:
        become(*PYTEST, *words)
    programs.bring(full)
    if named:
        code = subprocess.call([*PYTEST, *AT_LEISURE, *words])
    else:
        options = [*AT_LEISURE, *full] if full else []
        code = check(CHECKS, (*PYTEST, "-n", "auto", "--dist", "worksteal", *options))
    programs.tell_lacking("tests", full)
    return code


def check(checks: Mapping[str, Sequence[str]], tests: Sequence[str]) -> int:
    """Make the checks beside the tests; all of them, even after one that fails."""
    with begun(checks) as running:
        if not any(
            ROOT.glob("tests/__pycache__/*-pytest-*.pyc")
        ):  # once, not by each process again
            subprocess.run([*PYTEST, "--collect-only", "-qq"], capture_output=True, check=False)
        failed = ["pytest"] if subprocess.call(tests) else []
        failed += [name for name, check in running.items() if not fine(name, *check)]
    if failed:
        say(f"Not passed: {', '.join(failed)}. The lines above say why.")
    return 1 if failed else 0


@contextmanager
def begun(
    checks: Mapping[str, Sequence[str]],
) -> Iterator[Mapping[str, tuple[subprocess.Popen[bytes], IO[bytes]]]]:
    """Begin the checks; what still runs in the end is ended."""
    with ExitStack() as stack:
        running = {}
        for name, words in checks.items():
            told = stack.enter_context(TemporaryFile())
            process = subprocess.Popen(words, stdout=told, stderr=subprocess.STDOUT)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            running[name] = process, told
        yield running


def fine(name: str, process: subprocess.Popen[bytes], told: IO[bytes]) -> bool:
    """Wait for a check; say one line when all is well, all its lines when not."""
    passed = process.wait() == 0
    told.seek(0)
    say(f"{name}: fine" if passed else told.read().decode(errors="replace").rstrip())
    return passed


# --- bench and lock -------------------------------------------------------------------------------


def bench(words: Sequence[str]) -> int:
    """Measure something; stdout is the bench's own."""
    name, *rest = words or [""]
    known = sorted(file.stem for file in BENCHES.glob("[!_]*.py"))
    if name in IN_BROWSER:
        from tests import programs  # noqa: PLC0415 - it needs pytest, which not every bench brings

        programs.bring(BROWSER)
        programs.tell_lacking("figures", BROWSER)
    if name in known:
        become(sys.executable, "-P", "-m", f"research.bench.{name}", *rest)
    say(f"./run bench needs the name of a bench, one of: {' '.join(known)}")
    return MISUSED


def lock(words: Sequence[str]) -> int:
    """Lock for every Python since 3.11 and every machine; all three fit into the same .venv."""
    os.chdir(ROOT)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"]
    subprocess.run(pip, stdout=sys.stderr, check=True)
    compiled = [
        f"{TOOLS}/uv",
        "pip",
        "compile",
        "--quiet",
        "--universal",
        "--python-version",
        "3.11",
    ]
    compiled += ["--generate-hashes", "--no-header", "--no-annotate"]
    program, tests, benches = (
        f"{one}requirements.lock" for one in ("", "tests/", "research/bench/")
    )
    for file, how in {
        program: ["pyproject.toml", "--group", "build"],
        tests: ["--group", "test", "-c", program],
        benches: ["--group", "bench", "-c", program, "-c", tests, "--only-binary", ":all:"],
    }.items():
        say(f"Locking {file}.")
        where = ["--output-file", file, *how, *words]
        subprocess.run([*compiled, *where], stdout=subprocess.DEVNULL, check=True)
    return 0


def become(*words: str) -> NoReturn:
    """Go on as another program."""
    os.execv(words[0], words)  # noqa: S606 - our own program


def say(line: str) -> None:
    """Say something beside what the tests and benches say."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
