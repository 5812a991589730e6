"""Cases in a text file, and what the program answers to each: its sentences stand there alone.

What begins at the margin is written by hand: cases, and headings (#) that say what those below
them are about. The indented lines are the answers. With --rewrite-golden these are written again;
then read the diff.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path


def script(text: str) -> Iterator[str]:
    """Yield what a file says to do, and its comments and settings."""
    return (line for line in text.splitlines() if line.strip() and not line.startswith(" "))


def check(file: Path, answer: Callable[[str], Iterable[str]], *, rewrite: bool) -> str:
    """Have the program answer as a file says, or write the file again; return the answers."""
    answered = "".join(f"{line}\n" for line in answer(file.read_text("utf-8")))
    if rewrite:
        file.write_text(answered, "utf-8")
    assert answered.splitlines() == file.read_text("utf-8").splitlines()
    return answered


def check_cases(
    file: Path, answer: Callable[[str, str], Iterable[object]], *, rewrite: bool
) -> None:
    """Check what is answered to each case below each heading."""

    def answered(text: str) -> Iterator[str]:
        heading = ""
        for line in script(text):
            if line.startswith("#"):
                yield from [""] * bool(heading)
                heading = line.removeprefix("# ")
            yield line
            if not line.startswith("#"):
                yield from (f"    {sentence}" for sentence in answer(heading, line))

    check(file, answered, rewrite=rewrite)
