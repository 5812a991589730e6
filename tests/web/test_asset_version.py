"""Every answer and every page say of which build they are; only an upgrade changes that."""

import importlib.util
import re
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import companion.web.common.asset_version
from companion.web.common.asset_version import HEADER, PAGES, build, digest_of
from tests.web.room import FakeRoom, client


@pytest.mark.parametrize("path", ["/", "/manual", "/api/snapshot", "/static/act.js", "/no-such"])
def test_every_answer_says_of_which_build_it_is(path: str) -> None:
    answer = client(FakeRoom()).get(path)
    assert answer.headers[HEADER] == build()
    answer.close()


@pytest.mark.parametrize("path", ["/", "/setup", "/manual", "/no-such"])
def test_a_page_says_of_which_build_it_is(path: str) -> None:
    html = client(FakeRoom()).get(path).text
    assert re.findall(r'<html [^>]*data-build="([^"]+)"', html) == [build()]


def test_whoever_has_the_newest_already_is_told_all_the_same() -> None:
    phone = client(FakeRoom())
    etag = phone.get("/api/view/table").headers["ETag"]
    again = phone.get("/api/view/table", headers={"If-None-Match": etag})
    assert (again.status_code, again.headers[HEADER]) == (304, build())


@pytest.mark.parametrize("changed", ["static/act.js", "templates/table.html", "api.py"])
def test_only_other_files_make_another_build(tmp_path: Path, changed: str) -> None:
    copies = [tmp_path / name for name in ("one", "two", "newer")]
    for copy in copies:
        shutil.copytree(PAGES[1], copy, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "two/__pycache__").mkdir()
    (tmp_path / "two/__pycache__/api.pyc").write_bytes(b"made by running it")
    with (tmp_path / "newer" / changed).open("a") as file:
        file.write(" ")
    one, two, newer = map(digest_of, copies)
    assert one == two != newer


def test_many_phones_at_once_have_the_files_read_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location(
        "just_started", companion.web.common.asset_version.__file__
    )
    assert spec is not None
    assert spec.loader is not None
    just_started = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(just_started)
    readings: list[tuple[Path, ...]] = []

    def slowly(*folders: Path) -> str:
        readings.append(folders)
        time.sleep(0.02)  # lets the other phones ask meanwhile
        return digest_of(*folders)

    monkeypatch.setattr(just_started, "digest_of", slowly)
    with ThreadPoolExecutor(16) as phones:
        told = {*phones.map(lambda _: just_started.build(), range(16))}
    assert (told, len(readings)) == ({build()}, 1)
