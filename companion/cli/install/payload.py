"""The folder `rappelwacht` of a card (payload): packed, checked, and installed without a network.

It holds the program and every package it needs as wheels, for 32 and 64 bits and the Python of
Debian 12 and 13, what runs at a Pi's first boot, and the checksums of all that.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from companion import __version__
from companion.cli.install import system
from companion.system import errors, paths, private_files
from companion.system.text import Text

NAME: Final = "rappelwacht"  # of the folder on a card
SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
KEYGEN, SIGNERS = "ssh-keygen", "allowed_signers"
ON_CARDS: Final = "hardware/service/card"  # of the project: what lies beside the wheels
VENDOR_DATA: Final = "vendor-data"  # of that, what cloud-init looks for beside the folder
LEFT: Final = (  # written later
    *("installed.txt", "first-boot.txt", "settings"),
    *("wifi.nmconnection", "own-wifi.nmconnection"),
)
MACHINES: Final = ("armv7l", "aarch64", "x86_64")  # and the old computer of a café
GLIBC: Final = {(3, 11): 36, (3, 13): 41}  # of Debian 12 and 13, by their Python
LINE: Final = re.compile(r"([0-9a-f]{64})  ((?:wheels/)?\w[\w.+-]*)")
OURS: Final = re.compile(r"wheels/rappelwacht-(\w+(?:\.\w+)*)-py3-none-any\.whl")
MOST_FILES, MOST_BYTES = 200, 100 << 20
PACKINGS: Final = (ZIP_STORED, ZIP_DEFLATED)  # others unpack all at once
CHUNK: Final = 1 << 20
MADE: Final = (1980, 1, 1, 0, 0, 0)  # the same wheel for the same files


def check(folder: Path) -> str:
    """Return the version that a folder installs; CompanionError: it is not whole."""
    listed = _listed(folder)
    there = {str(path.relative_to(folder)) for path in _files(folder)}
    if missing := sorted({*listed} - there):
        raise errors.CompanionError(
            "{folder} is not whole: {file} is missing. Copy it there once more.",
            folder=folder,
            file=missing[0],
        )
    if strange := sorted(there - {*listed, SUMS, SIGNATURE, *LEFT}):
        raise errors.CompanionError(
            "{file} does not belong into {folder}; remove it, or take a fresh copy.",
            folder=folder,
            file=strange[0],
        )
    for name, digest in listed.items():
        if _digest(folder / name) != digest:
            raise errors.CompanionError(
                "{file} in {folder} is not as it was made; copy it there once more.",
                folder=folder,
                file=name,
            )
    return _program(folder)[1]


def wheel(folder: Path) -> Path:
    """Return the wheel of the program itself."""
    return folder / _program(folder)[0]


def _program(folder: Path) -> tuple[str, str]:
    """Return our own wheel and its version."""
    wheels = [match for match in map(OURS.fullmatch, _listed(folder)) if match]
    if len(wheels) != 1:
        raise errors.CompanionError(
            "{folder} does not hold one version of Rappelwacht; take a fresh copy.", folder=folder
        )
    return wheels[0][0], wheels[0][1]


def _listed(folder: Path) -> dict[str, str]:
    """Return the checksum of each file that belongs to a folder."""
    try:
        lines = private_files.read(folder / SUMS, 1 << 16).decode("ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    matches = map(LINE.fullmatch, lines)
    listed = {match[2]: match[1] for match in matches if match}
    if not listed or len(listed) != len(lines):
        raise errors.CompanionError(
            "{folder} is no folder to install from, or not whole: its file {file} is missing or "
            "broken. Copy it there once more.",
            folder=folder,
            file=SUMS,
        )
    return listed


def _files(folder: Path) -> Iterator[Path]:
    """Yield all files in it, but for halves, and what a Mac leaves everywhere."""
    for path in folder.rglob("*"):
        ordinary = path.is_file() and not path.is_symlink()
        if not ordinary and (path.is_symlink() or not path.is_dir()):
            raise errors.CompanionError(
                "{file} does not belong into {folder}; remove it, or take a fresh copy.",
                folder=folder,
                file=path.relative_to(folder),
            )
        half = path.name.startswith(".") and path.name.endswith(".new")
        if ordinary and not half and not path.name.startswith("._") and path.name != ".DS_Store":
            yield path


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with private_files.open_to_read(path) as file:
        while data := file.read(CHUNK):
            digest.update(data)
    return digest.hexdigest()


@contextmanager
def open_payload(source: Path) -> Iterator[Path]:
    """Lend a folder to install from, whole: as it is, or out of the zip of a release."""
    if not source.is_file():
        check(source)
        yield source
        return
    with TemporaryDirectory(prefix="rappelwacht-") as kept:
        try:
            with (
                private_files.open_to_read(source) as packed,
                private_files.opened_zip(packed, MOST_FILES) as files,
            ):
                _unpack(files, Path(kept))
        except (BadZipFile, EOFError, RuntimeError, ValueError, zlib.error):
            raise errors.CompanionError(
                "{file} is no zip of a Rappelwacht release, or not whole; fetch it again.",
                file=source,
            ) from None
        folder = Path(kept, NAME)
        check(folder)
        yield folder


def _unpack(files: ZipFile, into: Path) -> None:
    """Unpack the folder out of a zip, and nothing beside it; ValueError: it holds anything else."""
    inside = [info for info in files.infolist() if info.filename.startswith(f"{NAME}/")]
    if len(inside) > MOST_FILES or sum(info.file_size for info in inside) > MOST_BYTES:
        raise ValueError(files.filename)
    if len({info.filename for info in inside}) != len(inside):
        raise ValueError(files.filename)
    for info in inside:
        if info.compress_type not in PACKINGS:
            raise ValueError(info.filename)
        name = info.filename.removeprefix(f"{NAME}/")
        if info.is_dir():
            continue
        if LINE.fullmatch(f"{'0' * 64}  {name}") is None or name in LEFT:  # no sum is theirs
            raise ValueError(name)
        path = into / NAME / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with files.open(info) as content:  # read whole, it would unpack to more than it says
            path.write_bytes(content.read(info.file_size + 1))


def lay_packages(folder: Path, lock: str, into: Path) -> None:
    """Unpack what a lock file names, each in its wheel for this computer, for Python to import.

    Checksums are looked at as by pip, which would take minutes on a Pi.
    """
    sys.path.append(str(next((folder / "wheels").glob("packaging-*.whl"), folder)))
    tags, utils = import_module("packaging.tags"), import_module("packaging.utils")
    rank = {tag: index for index, tag in enumerate(tags.sys_tags())}
    fitting = dict[str, tuple[int, Path]]()
    for path in (folder / "wheels").glob("*.whl"):
        name, _, _, of = utils.parse_wheel_filename(path.name)
        if f"sha256:{_digest(path)}" in lock and (
            ranks := [rank[tag] for tag in of if tag in rank]
        ):
            best = (min(ranks), path)
            fitting[name] = min(fitting.get(name, best), best)
    for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE):
        if (wheel := fitting.get(utils.canonicalize_name(name))) is None:
            raise errors.CompanionError(
                "{folder} has no package {name} for the Python of this computer, so nothing was "
                "changed; install without --from, with a network.",
                folder=folder,
                name=name,
            )
        _lay(wheel[1], into)


def _lay(wheel: Path, into: Path) -> None:
    """Unpack one wheel, and make its programs."""
    with ZipFile(wheel) as files:
        for info in files.infolist():
            name = re.sub(r"^[^/]+\.data/(?:pure|plat)lib/", "", info.filename)
            if info.is_dir() or ".data/" in name or ".." in name or name.startswith("/"):
                continue
            data, target = files.read(info), into / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            target.chmod(0o755 if info.external_attr >> 16 & 0o100 else 0o644)
            if name.endswith(".dist-info/entry_points.txt"):
                _make_programs(data.decode(), into.parents[2] / "bin")


def _make_programs(entries: str, folder: Path) -> None:
    """Write a program for each entry point that is one."""
    section = entries.partition("[console_scripts]")[2].partition("\n[")[0]
    for name, module, function in re.findall(
        r"^([\w-]+) *= *([\w.]+):(\w+)", section, re.MULTILINE
    ):
        text = f"#!{folder}/python\nimport sys\nfrom {module} import {function}\n"
        system.write(folder / name, f"{text}sys.exit({function}())\n", 0o755)


def runs(folder: Path) -> bool:
    """Tell whether the program that is running is the one in a folder."""
    with ZipFile(wheel(folder)) as files:
        for name in files.namelist():
            here = paths.PACKAGE.parent / name
            ours = name.startswith("companion/")
            if ours and not (here.is_file() and here.read_bytes() == files.read(name)):
                return False
    return True


# --- who made it ------------------------------------------------------------------------------


def demand_signed(folder: Path, settings: Path) -> None:
    """Raise, unless its checksums are signed by somebody whom this program or its owner trusts."""
    if not paths.is_there(folder / SIGNATURE):
        raise _untrusted(Text("it is not signed"))
    if shutil.which(KEYGEN) is None:
        raise errors.CompanionError(
            "Signatures cannot be checked here; install what does, with: sudo apt-get install "
            "openssh-client"
        )
    with TemporaryDirectory(prefix="rappelwacht-") as kept:
        signers, signature = Path(kept, SIGNERS), Path(kept, SIGNATURE)
        lists = (Path(__file__).with_name(SIGNERS), settings / SIGNERS)
        known = [file.read_bytes() for file in lists if file.is_file()]
        signers.write_bytes(b"\n".join(known) + b"\n")
        signature.write_bytes(private_files.read(folder / SIGNATURE, 1 << 16))
        common = ["-s", str(signature), "-f", str(signers)]
        names = _keygen(["-Y", "find-principals", *common], folder / SUMS)
        if not names:
            raise _untrusted(Text("nobody whom this table knows has signed it"))
        name = names.decode("utf-8", "replace").splitlines()[0]
        verify = ["-Y", "verify", *common, "-I", name, "-n", NAME]
        if _keygen(verify, folder / SUMS) is None:
            raise _untrusted(Text("its signature belongs to something else"))


def _keygen(words: Sequence[str], stdin: Path) -> bytes | None:
    """Return what ssh-keygen says; None: it is not content."""
    with private_files.open_to_read(stdin) as file:
        done = subprocess.run(  # noqa: S603 - a list of words, and no shell
            [KEYGEN, *words], stdin=file, capture_output=True, timeout=60, check=False
        )
    return done.stdout if done.returncode == 0 else None


def _untrusted(why: Text) -> errors.CompanionError:
    return errors.CompanionError(
        "This version is not to be trusted: {reason}. Whoever trusts it all the same can install "
        "it on the Pi's command line: sudo rappelwacht install --from FILE --unsigned",
        reason=why,
    )


# --- making one -------------------------------------------------------------------------------


def build(folder: Path, run: system.Run, own: Path | None = None) -> str:
    """Make such a folder with this version, or with a wheel of ours; return its version.

    The packages of others come from the network, each with the checksum in requirements.lock.
    """
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    if own is None:
        _pack_ourselves(wheels, run)
    else:
        (wheels / own.name).write_bytes(own.read_bytes())
    for machine in MACHINES:
        for python in GLIBC:
            if run(download(wheels, machine, python)) != 0:
                raise errors.CompanionError(
                    "The packages for the card cannot be fetched; the lines above say why. Connect "
                    "this computer to the network, or name the card zip of a release with --from."
                )
    for source in sorted(paths.project_file(ON_CARDS).iterdir()):
        (folder / source.name).write_bytes(source.read_bytes())
    seal(folder)
    return check(folder)


def seal(folder: Path) -> None:
    """Write the checksums of all that is in a folder."""
    there = sorted(str(path.relative_to(folder)) for path in _files(folder))
    names = [name for name in there if name not in {SUMS, SIGNATURE, *LEFT}]
    text = "".join(f"{_digest(folder / name)}  {name}\n" for name in names)
    (folder / SUMS).write_text(text, "ascii")


def pack(folder: Path, file: Path) -> None:
    """Make the zip of a folder whose files are dropped onto a card by hand."""
    with ZipFile(file, "w", ZIP_DEFLATED) as files:
        for path in sorted(_files(folder)):
            if path.name not in LEFT:  # the owner's own Wi-Fi may stand there
                _add(files, f"{NAME}/{path.relative_to(folder)}", path.read_bytes())
        _add(files, VENDOR_DATA, (folder / VENDOR_DATA).read_bytes())


def _add(files: ZipFile, name: str, data: bytes) -> None:
    info = ZipInfo(name, MADE)
    info.external_attr = 0o644 << 16
    info.compress_type = ZIP_DEFLATED
    files.writestr(info, data)


def platforms(machine: str, python: tuple[int, int]) -> list[str]:
    """Return what a wheel for such a Pi may say that it is for, the best first."""
    newest = [f"manylinux_2_{minor}_{machine}" for minor in range(GLIBC[python], 16, -1)]
    oldest = ["manylinux1_x86_64"] if machine == "x86_64" else []
    return [*newest, f"manylinux2014_{machine}", *oldest, f"linux_{machine}"]  # 2014 is 2.17


def download(into: Path, machine: str, python: tuple[int, int]) -> list[str]:
    """Return the line that has pip fetch the wheels for such a Pi."""
    lock = str(paths.project_file("requirements.lock"))
    line = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    line += ["--only-binary", ":all:", "--implementation", "cp", "--dest", str(into)]
    line += ["--retries", "0", "--python-version", ".".join(map(str, python))]
    for platform in platforms(machine, python):
        line += ["--platform", platform]
    return [*line, "-r", lock]


def _pack_ourselves(wheels: Path, run: system.Run) -> None:
    """Make a wheel of this version: built in a copy of the project, else packed as installed."""
    root = paths.PACKAGE.parent
    if (root / "hatch_build.py").is_file():
        line = ["env", f"--chdir={root}", sys.executable, "-P", "-m", "hatchling", "build"]
        line += ["-t", "wheel", "-d", str(wheels.resolve())]
        if run(line) != 0:
            raise errors.CompanionError(
                "The wheel of this version cannot be built; the lines above say why."
            )
        return
    try:
        ours = distribution("rappelwacht")
    except PackageNotFoundError:
        raise errors.CompanionError(
            "This version was installed from a card or a copy of the project, and cannot make "
            "another card by itself; name the card zip of a release with --from."
        ) from None
    packed = wheels / f"rappelwacht-{__version__}-py3-none-any.whl"
    kept = {str(file): Path(str(file.locate())) for file in ours.files or ()}
    left_out = {"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"}  # what pip adds
    record = ""
    with ZipFile(packed, "w", ZIP_DEFLATED) as files:
        for name, path in sorted(kept.items()):
            if ".." in name or "__pycache__" in name or path.name in left_out:
                continue
            data = path.read_bytes()
            _add(files, name, data)
            digest = urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(data)}\n"
        name = f"rappelwacht-{__version__}.dist-info/RECORD"
        _add(files, name, f"{record}{name},,\n".encode())
