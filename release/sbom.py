"""Writes the bill of materials of a release (SBOM, CycloneDX 1.5): what it needs, and whose it is.

Its components are what the lock file pins, with the hashes that pip demands; what only builds a
wheel is marked as excluded. Licences are what each package says of itself, as far as it says it.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_OID, uuid5

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCKED: Final = re.compile(r"^([\w.-]+)==(\S+) \\\n((?:    --hash=.*\n?)+)", re.MULTILINE)
WHERE: Final = [  # it runs on these; a package that only another system needs is no part of it
    {"python_version": python, "sys_platform": "linux", "platform_system": "Linux", "extra": ""}
    for python in ("3.11", "3.13")
]
KNOWN: Final = {"MIT", "BSD-3-Clause"}  # licences by their names in SPDX, and others for these
CALLED: Final = {
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "ZPL 2.1": "ZPL-2.1",
}


def locked(text: str) -> dict[str, tuple[str, frozenset[str]]]:
    r"""Return version and hashes of each package of a lock file.

    >>> locked("Nim_Kit==1.2 \\\n    --hash=sha256:" + 64 * "a")["nim-kit"][0]
    '1.2'
    """
    return {
        canonicalize_name(name): (version, frozenset(re.findall(r"sha256:(\w{64})", hashes)))
        for name, version, hashes in LOCKED.findall(text)
    }


def bill(project: Path, wheel: Path, made: int) -> dict[str, Any]:
    """Return what a wheel of this project needs, as of a moment in seconds since 1970."""
    pins = locked((project / "requirements.lock").read_text("utf-8"))
    asked = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    version = wheel.name.split("-")[1]
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    ours = f"pkg:pypi/rappelwacht@{version}"
    packages = {name: distribution(name) for name in pins}
    direct = _named(asked["dependencies"])
    needs = {name: _named(one.requires or ()) & set(pins) for name, one in packages.items()}
    running = _reached(direct, needs)
    refs = {name: f"pkg:pypi/{name}@{version}" for name, (version, _) in pins.items()}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_OID, digest)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(made, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": ours,
                "name": "rappelwacht",
                "version": version,
                "description": asked["description"],
                "hashes": [{"alg": "SHA-256", "content": digest}],
                "licenses": [{"license": {"id": asked["license"]}}],
                "purl": ours,
            },
        },
        "components": [
            {
                "type": "library",
                "bom-ref": refs[name],
                "name": name,
                "version": pinned,
                "scope": "required" if name in running else "excluded",
                "licenses": licences(packages[name]),
                "purl": refs[name],
                "externalReferences": [
                    {
                        "type": "distribution",
                        "url": refs[name],
                        "comment": "Each file that may be installed has one of these hashes.",
                        "hashes": [{"alg": "SHA-256", "content": one} for one in sorted(hashes)],
                    }
                ],
            }
            for name, (pinned, hashes) in sorted(pins.items())
        ],
        "dependencies": [
            {"ref": ours, "dependsOn": [refs[name] for name in sorted(direct)]},
            *(
                {"ref": refs[name], "dependsOn": [refs[other] for other in sorted(needs[name])]}
                for name in sorted(pins)
            ),
        ],
    }


def write(file: Path, project: Path, wheel: Path, made: int) -> None:
    """Write it as a file."""
    text = json.dumps(bill(project, wheel, made), indent=1, ensure_ascii=False)
    file.write_text(f"{text}\n", "utf-8")


def licences(package: Distribution) -> list[dict[str, Any]]:
    """Return under what a package may be used, as exactly as it says so itself."""
    told = package.metadata.get_all
    if expressions := told("License-Expression"):
        return [{"expression": one} for one in expressions]
    names = told("License") or [""]
    if names[0] not in {*KNOWN, *CALLED}:  # a whole text, or a word for many
        classes = [line.split(" :: ") for line in told("Classifier") or ()]
        names = [line[-1] for line in classes if line[0] == "License"]
    return [
        {
            "license": {"id": CALLED.get(name, name)}
            if {name} & {*KNOWN, *CALLED}
            else {"name": name}
        }
        for name in names
    ]


def _named(lines: Iterable[str]) -> set[str]:
    """Return whom lines such as `nim>=2; python_version < "3.12"` name, on what it runs on."""
    wanted = map(Requirement, lines)
    return {
        canonicalize_name(one.name)
        for one in wanted
        if one.marker is None or any(one.marker.evaluate(where) for where in WHERE)
    }


def _reached(names: set[str], needs: Mapping[str, set[str]]) -> set[str]:
    """Return these, what they need, what that needs, and so on.

    >>> sorted(_reached({"a"}, {"a": {"b"}, "b": {"a"}, "c": set()}))
    ['a', 'b']
    """
    found, left = set[str](), set(names)
    while left:
        name = left.pop()
        found.add(name)
        left |= needs[name] - found
    return found
