"""Leaves the package to whoever has it installed."""

collect_ignore = ["package"]
