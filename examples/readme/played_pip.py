"""Stands for pip in an environment that sees the packages of the tests: notes what it is asked."""

import os
import sys
from pathlib import Path


def main(words: list[str]) -> None:
    with Path(os.environ["CALLS"]).open("a", encoding="utf-8") as calls:
        calls.write(f"pip {' '.join(words)}\n")
    if "-r" in words:
        assert "--require-hashes" in words
        assert "--hash=sha256:" in Path(words[words.index("-r") + 1]).read_text("utf-8")
        return
    for name in words[words.index("install") + 1 :]:
        program = Path(sys.prefix) / "bin" / name
        program.write_text(f'#!/bin/bash\necho "{name} $*" >>"$CALLS"\n', "utf-8")
        program.chmod(0o755)


if __name__ == "__main__":
    main(sys.argv[1:])
