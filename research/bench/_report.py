"""What benches have in common: their words, how figures are printed, and percentiles."""

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any


def parser(bench: str, says: str | None) -> argparse.ArgumentParser:
    """Return a parser of the words that every bench knows."""
    made = argparse.ArgumentParser(
        prog=f"./run bench {bench}",
        description=says,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--json", action="store_true", help="only one JSON object on the last line")
    return made


def tell(found: Mapping[str, Any], *, as_json: bool) -> None:
    """Print all figures."""
    if as_json:
        print(json.dumps(found))
        return
    for name, figure in found.items():
        print(f"{name:28} {figure}")


def percentile(values: Sequence[float], percent: int) -> float | None:
    """Return the value that so many percent do not exceed; None of nothing.

    >>> percentile([3.0, 1.0, 2.0], 50), percentile([], 99)
    (2.0, None)
    >>> [percentile(range(1, 101), percent) for percent in (50, 95, 99, 100)]
    [50, 95, 99, 100]
    """
    if not values:
        return None
    return round(sorted(values)[max(0, -(-len(values) * percent // 100) - 1)], 2)
