"""How big and how plain the project is: rooms, floors, modules, names, lines.

    ./run bench house --json

Only what git tracks counts. `arrows` are imports between rooms, each pair of rooms once.
"""

import ast
import json
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SMALL: Final = 50  # lines; a module with fewer belongs into a neighbour


def tracked(folder: str) -> list[Path]:
    """Return the Python files that git knows below a folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", f"{folder}/*.py"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name]


def lines(files: list[Path]) -> int:
    return sum(file.read_text("utf-8").count("\n") for file in files)


def room(file: Path) -> str:
    """Return the name directly under companion that a file belongs to."""
    return file.relative_to(ROOT / "companion").parts[0].removesuffix(".py")


def class_names_twice(files: list[Path]) -> list[str]:
    """Return the public names that several classes outside the games have."""
    names: Counter[str] = Counter()
    for file in files:
        if room(file) != "games":
            tree = ast.parse(file.read_text("utf-8"))
            names.update(node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return sorted(name for name, count in names.items() if count > 1 and name[0] != "_")


def imports(files: list[Path]) -> tuple[int, set[tuple[str, str]]]:
    """Return how many lines are imports, and which rooms import which others."""
    count, arrows = 0, set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            count += (node.end_lineno or node.lineno) - node.lineno + 1
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("companion."):
                arrows.add((room(file), (node.module or "").split(".")[1]))
    return count, {(there, other) for there, other in arrows if there != other}


def floors() -> int:
    """Return on how many floors the rooms stand, by the import contract; the door is none."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = next(one["layers"] for one in contracts["contracts"] if one["type"] == "layers")
    return len([layer for layer in layers if layer != "companion.__main__"])


def figures() -> dict[str, float]:
    """Return every figure by its name."""
    files = tracked("companion")
    modules = [file for file in files if file.name != "__init__.py"]
    sizes = [lines([file]) for file in modules]
    import_lines, arrows = imports(files)
    return {
        "rooms": len({room(file) for file in files} - {"__init__"}),
        "floors": floors(),
        "arrows": len(arrows),
        "modules": len(modules),
        "modules_under_50": sum(size < SMALL for size in sizes),
        "class_names_twice": len(class_names_twice(files)),
        "import_percent": round(100 * import_lines / lines(files), 1),
        "companion_lines": lines(files),
        "research_lines": lines(tracked("research")),
        "test_lines": lines(tracked("tests")),
        "run_lines": (ROOT / "run").read_text("utf-8").count("\n"),
    }


def main(words: list[str]) -> int:
    """Print the figures, as JSON if asked to."""
    if "--json" in words:
        print(json.dumps(figures()))
        return 0
    for name, figure in figures().items():
        print(f"{name:20} {figure:>10,}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
