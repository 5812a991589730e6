"""Leaves to a pytest of its own what needs the fifth game to be installed."""

from importlib.util import find_spec

collect_ignore = ["package"] if find_spec("ludo") else ["package", "installed"]
