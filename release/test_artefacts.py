"""What a release consists of: the same to the byte when made again, listed, signed, and installed.

Whatever needs no network is tested always; other installers than pip, and the schema of bills of
materials, with --full.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from email.parser import HeaderParser
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

import pytest

from companion import __version__
from companion.cli.install import payload, system
from release import deb, release, sbom
from release.install.roots import ROOT, all_parts, copy_project
from release.test_wheels import NO_NETWORK
from tests.programs import need

MADE: Final = 1_800_000_000
WHEEL: Final = f"rappelwacht-{__version__}-py3-none-any.whl"
RESEARCH: Final = f"rappelwacht_research-{__version__}-py3-none-any.whl"
SOURCE: Final = f"rappelwacht-{__version__}.tar.gz"
BILL: Final = f"rappelwacht-{__version__}.cdx.json"
NEWS: Final = f"rappelwacht-{__version__}-changes.md"
CARD: Final = f"rappelwacht-{__version__}-card.zip"
DEB: Final = f"rappelwacht_{__version__}_all.deb"
CONTROL: Final = ("control", "md5sums", "postinst", "postrm", "preinst", "prerm", "triggers")

pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs Debian's dpkg-deb")


def project(folder: Path) -> Path:
    """Lay a copy of the project into a folder."""
    copy_project(folder, [one for one in all_parts() if one != "dist"])
    return folder


def fetched(words: Sequence[str]) -> int:
    """Stand for a network: what pip is to fetch is there."""
    into = Path(words[words.index("--dest") + 1])
    (into / "nim-1.0-py3-none-any.whl").write_bytes(b"of somebody else")
    return 0


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a release once."""
    folder = tmp_path_factory.mktemp("release")
    here = project(tmp_path_factory.mktemp("project") / "here")
    release.make(here, folder, MADE, run=fetched)
    return folder


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Make a key of nobody's, and say that its signatures are to be believed."""
    if shutil.which("ssh-keygen") is None:
        pytest.skip("needs ssh-keygen: sudo apt-get install openssh-client")
    file = tmp_path / "key"
    done("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file))
    public = file.with_suffix(".pub").read_text("ascii")
    (tmp_path / "signers").write_text(f'us namespaces="{release.SIGNED_FOR}" {public}', "ascii")
    return file


def done(*words: str, code: int = 0, **how: Any) -> str:
    """Run a program that ends so; return what it says."""
    ran = subprocess.run(words, capture_output=True, encoding="utf-8", check=False, **how)
    assert ran.returncode == code, (words, ran.stdout, ran.stderr)
    return f"{ran.stdout}{ran.stderr}"


def test_all_of_it_is_there_and_nothing_else(made: Path) -> None:
    assert {file.name for file in made.iterdir()} == {
        *(WHEEL, RESEARCH, SOURCE, CARD, DEB, BILL, NEWS),
        release.SUMS,
    }


@pytest.mark.slow  # made again by its command it is the same, too
def test_made_again_elsewhere_by_somebody_else_it_is_the_same_to_the_byte(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = project(tmp_path / "elsewhere" / "with spaces")
    for file in here.rglob("*"):
        os.utime(file, (1_000_000_000, 1_000_000_000))
    monkeypatch.setenv("TZ", "Pacific/Chatham")
    monkeypatch.setenv("LC_ALL", "C")
    again = tmp_path / "again"
    again.mkdir()
    before = os.umask(0o077)
    try:
        release.make(here, again, MADE, run=fetched)
    finally:
        os.umask(before)
    assert len(list(again.iterdir())) == len(list(made.iterdir()))
    for file in made.iterdir():
        assert (again / file.name).read_bytes() == file.read_bytes(), file.name


def test_a_copy_of_the_project_builds_the_wheel_that_its_source_archive_builds(
    made: Path, tmp_path: Path
) -> None:
    env = os.environ | {"SOURCE_DATE_EPOCH": str(MADE)}
    here = project(tmp_path / "here")
    done(*release.HATCHLING, "-t", "wheel", "-d", str(tmp_path), cwd=here, env=env)
    assert (tmp_path / WHEEL).read_bytes() == (made / WHEEL).read_bytes()


def test_its_checksums_are_as_sha256sum_reads_them(made: Path) -> None:
    checked = done("sha256sum", "--check", "--strict", release.SUMS, cwd=made)
    assert len(checked.splitlines()) == len(list(made.iterdir())) - 1


def test_a_signature_is_believed_of_its_key_for_these_bytes_and_this_use(
    key: Path, tmp_path: Path
) -> None:
    sums, signers = tmp_path / release.SUMS, str(tmp_path / "signers")
    sums.write_bytes(b"0" * 64 + b"  wheel\n")
    release.sign(sums, key)
    release.sign(sums, key)  # again, over the one that is there
    verify = ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", "us", "-s", f"{sums}.sig", "-n"]
    assert "Good" in done(*verify, release.SIGNED_FOR, input=sums.read_text())
    done(*verify, "other", code=255, input=sums.read_text())
    done(*verify, release.SIGNED_FOR, code=255, input="1" + sums.read_text()[1:])


def test_the_changes_of_a_version_are_its_own_and_there_have_to_be_some() -> None:
    log = (
        "# Changes\n\n## 0.2.0, not released\n\n### New\n\n- Two.\n\n## 0.1.0, 2026-12-24\n\nOne.\n"
    )
    assert release.changes(log, "0.2.0") == "### New\n\n- Two.\n"
    assert release.changes(log, "0.1.0") == "One.\n"
    with pytest.raises(ValueError, match="not enough values"):
        release.changes(log, "0.3.0")


# --- by its command -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lay a copy of the project into a repository."""
    if shutil.which("git") is None:
        pytest.skip("needs git: sudo apt-get install git")
    who = {"NAME": "Mira", "EMAIL": "mira@example.org", "DATE": f"{MADE} +0000"}
    env = {f"GIT_{role}_{name}": who[name] for role in ("AUTHOR", "COMMITTER") for name in who}
    here = project(tmp_path_factory.mktemp("repository") / "clone")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "1"]):
        done("git", *words, cwd=here, env=os.environ | env)
    return here


@pytest.fixture
def built(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have archive and wheels been built: what comes after is tested."""

    def build(_: Path, folder: Path, __: int) -> Path:
        for name in (SOURCE, RESEARCH, WHEEL):
            shutil.copy(made / name, folder)
        return folder / WHEEL

    monkeypatch.setattr(release, "build", build)


def test_by_its_command_a_release_is_what_is_committed_and_says_that_nothing_is_signed(
    clone: Path, made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (clone / "companion/locale/de.mo").write_bytes(b"left over, and nothing that git knows")
    assert release.main([str(tmp_path / "new" / "dist")], clone, fetched) == 0
    told, complained = capfd.readouterr()
    assert complained == ""
    assert len(told.splitlines()) == len(list(made.iterdir())) + 1  # and nothing of a builder
    assert "Nothing is signed" in told
    assert str(tmp_path / "new/dist" / WHEEL) in told
    for file in made.iterdir():
        assert (tmp_path / "new/dist" / file.name).read_bytes() == file.read_bytes(), file.name


@pytest.mark.usefixtures("built")
def test_with_a_key_the_checksums_of_release_and_card_are_signed(
    clone: Path, made: Path, key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dist = tmp_path / "dist"
    assert release.main([str(dist), "--key", str(key)], clone, fetched) == 0
    told = capsys.readouterr().out
    assert "Nothing is signed" not in told
    unsigned = {file.name: file.read_bytes() for file in made.iterdir()}
    others = [one.name for one in dist.iterdir() if one.read_bytes() != unsigned.get(one.name)]
    assert f": {', '.join(sorted(others))}\nNo table will take this release" in told
    signers = tmp_path / "project" / release.SIGNERS
    signers.parent.mkdir(parents=True)
    shutil.copy(tmp_path / "signers", signers)
    assert "No table" not in release.signature(dist, tmp_path / "project")
    done("dpkg-deb", "--extract", str(dist / DEB), str(tmp_path / "deb"))
    with payload.open_payload(dist / CARD) as card:
        for folder in (dist, card, tmp_path / "deb/usr/lib/rappelwacht"):
            words = ["ssh-keygen", "-Y", "verify", "-f", str(tmp_path / "signers"), "-I", "us"]
            words += ["-s", str(folder / payload.SIGNATURE), "-n", release.SIGNED_FOR]
            assert "Good" in done(*words, input=(folder / payload.SUMS).read_text("ascii"))


def test_what_cannot_be_built_says_why(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    says = "print('a wheel'); raise SystemExit('why')"
    monkeypatch.setattr(release, "HATCHLING", (sys.executable, "-c", says))
    with pytest.raises(SystemExit) as ended:
        release.main([str(tmp_path / "dist")], clone, fetched)
    assert ended.value.code == 1
    shown, why = capfd.readouterr()
    assert shown == ""
    assert "why\n" in why
    assert "This failed, and so did the release" in why


def test_what_is_not_committed_is_not_released(
    clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scribble = clone / "companion/scribble.py"
    scribble.write_text("PRIVATE = 1\n", "utf-8")
    with pytest.raises(SystemExit):
        release.main([str(tmp_path / "dist")], clone, fetched)
    scribble.unlink()
    assert "?? companion/scribble.py" in capsys.readouterr().err
    assert not (tmp_path / "dist").exists()


@pytest.mark.usefixtures("built")
def test_without_the_packages_of_others_there_is_no_release_and_no_traceback(
    clone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        release.main([str(tmp_path / "dist")], clone, lambda _: 1)
    assert ended.value.code == 1
    assert "The packages for the card cannot be fetched" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["full"], "full holds something already; name a new folder"),
        (["full/file"], "full/file holds something already"),
        (["new", "--key", "none"], "none is no file, so it is no key"),
        ([], "required: folder"),
    ],
)
def test_what_cannot_be_a_release_is_one_sentence(
    words: list[str],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    with pytest.raises(SystemExit) as ended:
        release.main(words)
    assert ended.value.code == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


# --- card and Debian package ----------------------------------------------------------------------


def test_the_card_of_a_release_is_whole_and_holds_its_very_wheel(made: Path) -> None:
    with payload.open_payload(made / CARD) as folder:
        assert payload.check(folder) == __version__
        assert payload.wheel(folder).read_bytes() == (made / WHEEL).read_bytes()
    with ZipFile(made / CARD) as files:
        assert {name.partition("/")[0] for name in files.namelist()} == {
            "rappelwacht",
            "vendor-data",
        }


def test_the_debian_package_holds_the_folder_of_a_card_and_what_any_package_has(
    made: Path, tmp_path: Path
) -> None:
    done("dpkg-deb", "--raw-extract", str(made / DEB), str(tmp_path / "deb"))
    with payload.open_payload(made / CARD) as folder:
        of_card = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        for name in of_card:
            there = tmp_path / "deb/usr/lib/rappelwacht" / name
            assert there.read_bytes() == (folder / name).read_bytes()
    rest = {
        *(f"DEBIAN/{name}" for name in CONTROL),
        *(f"usr/share/doc/rappelwacht/{name}" for name in ("changelog.gz", "copyright")),
    }
    files = [path for path in (tmp_path / "deb").rglob("*") if path.is_file()]
    listed = {str(path.relative_to(tmp_path / "deb")) for path in files}
    assert listed == rest | {f"usr/lib/rappelwacht/{name}" for name in of_card}
    done("md5sum", "--check", "--strict", "DEBIAN/md5sums", cwd=tmp_path / "deb")


def test_the_debian_package_belongs_to_root_and_says_what_it_needs(made: Path) -> None:
    for line in done("dpkg-deb", "--contents", str(made / DEB)).splitlines():
        assert re.match(r"(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x(?=.*\.sh$)) root/root ", line), line
    told = HeaderParser().parsestr(done("dpkg-deb", "--field", str(made / DEB)))
    assert (told["Version"], told["Architecture"]) == (__version__, "all")
    needed = [part.split()[0] for part in told["Depends"].split(",")]
    assert {*system.NEEDED} <= {*needed}
    assert int(told["Installed-Size"]) >= (made / WHEEL).stat().st_size // 1024


@pytest.mark.parametrize("name", deb.RUN)
def test_a_shell_reads_each_script_of_the_debian_package(name: str) -> None:
    script = deb.SCRIPTS / name
    done("sh", "-n", str(script))
    lines = script.read_text("ascii").splitlines()
    assert (lines[0], "set -e" in lines) == ("#!/bin/sh", True)
    done("sh", str(script), "abort-upgrade", "0.0.1")  # whatever it does not know it lets be


@pytest.mark.slow  # it asks the network for lintian
def test_lintian_has_nothing_to_say_of_the_debian_package(made: Path) -> None:
    need("lintian")
    done("lintian", "--fail-on", "warning", str(made / DEB))


# --- the bill of materials ------------------------------------------------------------------------


def read_bill(folder: Path) -> dict[str, Any]:
    bill: dict[str, Any] = json.loads((folder / BILL).read_text("utf-8"))
    return bill


def test_the_bill_of_materials_names_all_that_is_locked_with_every_hash(made: Path) -> None:
    bill = read_bill(made)
    pins = sbom.locked((ROOT / "requirements.lock").read_text("utf-8"))
    listed = {one["name"]: one for one in bill["components"]}
    assert listed.keys() == pins.keys()
    for name, (version, hashes) in pins.items():
        (files,) = listed[name]["externalReferences"]
        assert listed[name]["purl"] == f"pkg:pypi/{name}@{version}"
        assert {one["content"] for one in files["hashes"]} == hashes
    digest = hashlib.sha256((made / WHEEL).read_bytes()).hexdigest()
    assert bill["metadata"]["component"]["hashes"] == [{"alg": "SHA-256", "content": digest}]


def test_the_bill_of_materials_tells_what_runs_from_what_builds_and_under_which_licence(
    made: Path,
) -> None:
    bill = read_bill(made)
    listed = {one["name"]: one for one in bill["components"]}
    running = {name for name, one in listed.items() if one["scope"] == "required"}
    assert {"flask", "jinja2", "markupsafe", "setuptools"} <= running
    assert {"hatchling", "editables", "pluggy"} <= listed.keys() - running
    assert [name for name, one in listed.items() if not one["licenses"]] == []
    assert listed["waitress"]["licenses"] == [{"license": {"id": "ZPL-2.1"}}]
    assert listed["flask"]["licenses"] == [{"expression": "BSD-3-Clause"}]
    needs = {one["ref"]: one["dependsOn"] for one in bill["dependencies"]}
    assert listed["werkzeug"]["purl"] in needs[listed["flask"]["purl"]]
    assert needs.keys() == {
        one["purl"] for one in (*listed.values(), bill["metadata"]["component"])
    }


@pytest.mark.slow  # it asks the network for the schema
def test_the_bill_of_materials_is_as_its_schema_wants_it(made: Path, tmp_path: Path) -> None:
    schemas = pytest.importorskip("jsonschema_rs")
    fetch(
        tmp_path, "--no-deps", "--target", str(tmp_path), "cyclonedx-python-lib", command="install"
    )
    (folder,) = tmp_path.glob("cyclonedx/schema/_res")
    named = ("bom-1.5", "spdx", "jsf-0.82")  # the last two are what the first refers to
    files = [folder / f"{name}.SNAPSHOT.schema.json" for name in named]
    known = {file: json.loads(file.read_text("utf-8")) for file in files}
    others = schemas.Registry(
        [(f"http://cyclonedx.org/schema/{file.name}", one) for file, one in known.items()]
    )
    validator = schemas.validator_for(known[files[0]], registry=others)
    bill = read_bill(made)
    assert [str(fault) for fault in validator.iter_errors(bill)] == []
    del bill["components"][0]["name"]
    assert not validator.is_valid(bill)


# --- as people install programs -------------------------------------------------------------------


@pytest.mark.slow  # it fetches what the wheel needs, and installers
@pytest.mark.parametrize("installer", ["pip", "pipx", "uv"])
def test_installers_of_programs_make_it_one_without_a_network(
    installer: str, made: Path, tmp_path: Path
) -> None:
    links, tools, home = tmp_path / "links", tmp_path / "tools", tmp_path / "home"
    done(sys.executable, "-m", "venv", str(tools))
    own = str(tools / "bin/python")
    if installer != "pip":
        fetch(tmp_path, installer, command="install", python=own)
    fetch(tmp_path, "--dest", str(links), "--only-binary", ":all:", str(made / WHEEL))
    fetch(tmp_path, "--dest", str(links), "--only-binary", ":all:", "pip", "setuptools", "wheel")
    words: Sequence[str] = {
        "pip": (own, "-m", "pip", "install", str(made / WHEEL)),
        "pipx": (str(tools / "bin/pipx"), "install", str(made / WHEEL)),
        "uv": (str(tools / "bin/uv"), "tool", "install", "--no-index", str(made / WHEEL)),
    }[installer]
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(links)}
    offline |= {"UV_OFFLINE": "1", "UV_FIND_LINKS": str(links), "UV_PYTHON": sys.executable}
    env = offline | {"HOME": str(home), "PATH": f"{home}/.local/bin:/usr/bin:/bin"}
    done(*words, env=env)
    program = tools / "bin" if installer == "pip" else home / ".local/bin"
    assert (
        done(str(program / "rappelwacht"), "--version", env=env) == f"rappelwacht {__version__}\n"
    )
    played = ("play", "--bots", "2", "--seed", "3", "--no-board", "--language", "en")
    assert " win" in done(str(program / "rappelwacht"), *played, env=env)


def fetch(
    folder: Path, *words: str, command: str = "download", python: str = sys.executable
) -> None:
    """Have pip fetch something; skip where there is no network."""
    line = [python, "-m", "pip", command, "--quiet", "--retries", "0", *words]
    ran = subprocess.run(line, capture_output=True, text=True, check=False, cwd=folder)
    if any(sign in ran.stderr for sign in NO_NETWORK):
        pytest.skip("no network to ask")
    assert ran.returncode == 0, ran.stderr
