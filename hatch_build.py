"""Compiles the translations, and lets a wheel carry what lies beside the package."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Completing(BuildHookInterface[Any]):
    """Adds what is made, and puts what is carried where companion/system/paths.py looks for it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Complete a wheel; an editable install finds the rest in the copy of the project."""
        companion = Path(self.root, "companion")
        run_path(str(companion / "i18n/po.py"))["compile_folder"](companion / "locale")
        if version == "standard":
            for part in self.config["carried"]:
                build_data["force_include"][part] = f"companion/project/{part}"
