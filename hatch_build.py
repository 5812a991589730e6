"""Lets a wheel carry what the program needs of the project beside its own package."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Carrying(BuildHookInterface[Any]):
    """Puts it where companion/project_files.py looks for it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add it to a wheel; an editable install finds it in the copy of the project."""
        if version == "standard":
            for part in self.config["carried"]:
                build_data["force_include"][part] = f"companion/project/{part}"
