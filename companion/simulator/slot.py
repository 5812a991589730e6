"""Firmware from a simulated board's own flash, as modules beside those of the project.

CPython runs source only, so what was compiled for a board fails, as on a board that has another
MicroPython.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


def imported(files: Mapping[str, bytes], name: str) -> ModuleType:
    """Return a module of these files; all that they import is theirs, too."""
    tops = {path.partition("/")[0].removesuffix(".py") for path in files}
    tops.discard("wire")  # that one is this program's own, for both ends
    before = {one: sys.modules.pop(one) for one in [*sys.modules] if one.split(".")[0] in tops}
    finder = _Finder(files)
    sys.meta_path.insert(0, finder)
    try:
        return importlib.import_module(name)
    finally:
        sys.meta_path.remove(finder)
        for one in [*sys.modules]:
            if one.split(".")[0] in tops:
                del sys.modules[one]
        sys.modules.update(before)


class _Finder(MetaPathFinder, Loader):
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Find a module among the files."""
        place = name.replace(".", "/")
        if f"{place}.py" in self._files:
            return ModuleSpec(name, self, origin=f"{place}.py")
        if f"{place}/__init__.py" in self._files:
            spec = ModuleSpec(name, self, origin=f"{place}/__init__.py", is_package=True)
            spec.submodule_search_locations = []
            return spec
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run its source."""
        spec = module.__spec__
        assert spec is not None
        assert spec.origin is not None
        code = compile(self._files[spec.origin], spec.origin, "exec")
        exec(code, vars(module))  # noqa: S102 - our own firmware
