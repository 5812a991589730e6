"""Languages follow from the files that lie there: ours, and those of packages with games."""

import os
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

import companion
from companion.core.plugin import GROUP
from companion.i18n.po import NoCatalogue, PoEntry, compile_folder, compiled, read, readable
from companion.i18n.translate import LANGUAGES, folders, languages, say, spoken
from companion.system.text import Text
from release.words import __main__ as words
from release.words.__main__ import main
from release.words.finding import found_in
from release.words.upkeep import begun, faults, updated, write

HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: {}\\n"\n'
FIELDS = '\nmsgid "{count} {count:#field|fields}"\nmsgstr "{count} {count:#%s}"\n'
OWN_ERROR = """\
from companion.system.errors import CompanionError

class TooFewFields(CompanionError):
    pass

def demand(count):
    if count < 3:
        raise TooFewFields("There are too few fields.")
"""
THREE = Text("{count} {count:#field|fields}", count=3)


def spoken_in(
    folder: Path, code: str, rule: str, forms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / f"{code}.po").write_text(HEAD.format(rule) + FIELDS % forms)
    monkeypatch.setitem(LANGUAGES, code, languages([folder])[code])


def test_the_forms_of_a_word_follow_the_rule_of_its_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken_in(tmp_path, "fr", "nplurals=2; plural=(n > 1);", "champ|champs", monkeypatch)
    spoken_in(tmp_path, "ja", "nplurals=1; plural=0;", "masu", monkeypatch)
    for count, french in ((0, "0 champ"), (1, "1 champ"), (2, "2 champs")):
        asked = Text(THREE.template, count=count)
        assert say(asked, "fr") == french
        assert say(asked, "ja") == f"{count} masu"
        assert say(asked) == f"{count} field{'s' * (count != 1)}"


def test_what_is_not_translated_stays_english_with_english_forms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken_in(tmp_path, "ja", "nplurals=1; plural=0;", "masu", monkeypatch)
    assert say(Text("{count:#stone|stones}", count=3), "ja") == "stones"


def test_what_is_no_language_is_refused_before_a_file_is_begun(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for word in ("xx9", "../de", "French"):
        with pytest.raises(SystemExit):
            words.main([word], tmp_path, tmp_path)
        assert f"'{word}' is no language; write a code, such as fr" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_changed_is_read_and_not_what_was_compiled_before(tmp_path: Path) -> None:
    file = tmp_path / "fr.po"
    for said in ("Gagné", "Gagnée"):
        file.write_text(HEAD.format("") + f'\nmsgid "Won"\nmsgstr "{said}"\n')
        os.utime(file, (0, 0))  # however old it seems
        assert said.encode() in readable(file)
        if said == "Gagné":
            compile_folder(tmp_path)


def test_a_language_whose_file_was_removed_is_gone_whatever_was_compiled_of_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "fr.po").write_text(HEAD.format(""))
    compile_folder(tmp_path)
    (tmp_path / "fr.po").unlink()
    assert (tmp_path / "fr.mo").exists()
    assert [*languages([tmp_path])] == ["en"]
    (tmp_path / "de.po").write_text(HEAD.format(""))
    compile_folder(tmp_path)  # as before a wheel is built
    assert {path.name for path in tmp_path.iterdir()} == {"de.po", "de.mo"}


def test_no_words_are_written_into_what_is_installed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "some_game"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(SystemExit):
        main(["--package", str(package), "de"])
    assert "is gone with the next installation" in capsys.readouterr().err
    assert not (package / "locale").exists()


def test_whoever_left_gaps_is_told_what_names_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "some_dice"
    package.mkdir()
    source = 'from companion.system.text import Text\n\nTHROW = Text("Throw high!")\n'
    (package / "__init__.py").write_text(source)
    monkeypatch.setattr(sys, "path", [*sys.path])
    asked = ["--package", str(package), "fr"]
    main(asked)
    assert capsys.readouterr().out.endswith("; --check fr says what is missing\n")
    main([*asked, "--check"])
    assert "fr.po: it is not translated: Throw high!" in capsys.readouterr().out


def test_a_broken_file_costs_its_own_sentences_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "fr.po").write_text('msgid Won\nmsgstr "x"')
    monkeypatch.setitem(LANGUAGES, "fr", languages([tmp_path])["fr"])
    assert say(THREE, "fr") == "3 fields"
    assert "fr.po cannot be read" in caplog.text


def test_a_package_with_a_game_brings_its_words_along_and_is_not_imported_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "some_ludo"
    (package / "locale").mkdir(parents=True)
    (package / "__init__.py").write_text("raise AssertionError('imported')")
    for code, said in (("de", "Würfle!"), ("eo", "Ĵetu!")):
        text = HEAD.format("nplurals=2; plural=(n != 1);") + f'\nmsgid "Throw!"\nmsgstr "{said}"\n'
        (package / "locale" / f"{code}.po").write_text(text)
    info = tmp_path / "some_ludo-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-ludo\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nludo = some_ludo.game:PLUGIN\n")
    monkeypatch.syspath_prepend(tmp_path)
    known = languages(folders())
    assert next(iter(known)) == "en"
    assert {"de", "eo"} <= set(known)
    for code, catalogue in known.items():
        monkeypatch.setitem(LANGUAGES, code, catalogue)
    assert say(Text("Throw!"), "de") == "Würfle!"
    assert say(Text("Throw!"), "eo") == "Ĵetu!"
    assert say(Text("After round {round}", round=3), "de") == "Nach Runde 3"
    assert spoken({"LANG": "eo"}) == "eo"
    assert "some_ludo" not in sys.modules


def test_a_package_may_have_errors_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found_in(companion)  # as `./run words` reads it first
    (tmp_path / "some_study").mkdir()
    (tmp_path / "some_study/__init__.py").write_text(OWN_ERROR)
    monkeypatch.syspath_prepend(tmp_path)
    package = import_module("some_study")
    del sys.modules["some_study"]
    assert [here.key for here in found_in(package)] == ["There are too few fields."]


def test_a_new_language_begins_with_what_it_is_made_of_and_its_gaps_are_counted(
    tmp_path: Path,
) -> None:
    file, found = tmp_path / "fr.po", found_in(companion)
    (told,) = faults(file, found)
    assert told.startswith("fr.po: there is none in ")
    header, name, _, _, point, *rest = updated([begun("companion", "fr")], found)
    assert (name.key, point.key) == ("English", ".")
    spoilt = replace(rest[0], translation="{x}")
    file.write_text(write([header, spoilt, *rest[1:]]), "utf-8")
    assert [*faults(file, found)] == [
        f"fr.po: {len(rest) + 3} are not translated yet; they are said in English",
        "fr.po: the placeholders are not those of the English: {x}",
    ]
    assert [*faults(file, found, whole=False)] == [
        "fr.po: the placeholders are not those of the English: {x}"
    ]


def test_a_file_is_written_as_it_was_read() -> None:
    entries = [
        PoEntry("", "Language: fr\n", comments=("# by hand",)),
        PoEntry(
            "one", 'a "quoted" \\ and\nanother line', comments=("#. note", "#: companion/x.py")
        ),
        PoEntry("long " * 40, "länger " * 40, context="Doing.LIFTED"),
        PoEntry("old", "alt", context="typed", unused=True),
        PoEntry("guessed", "geraten", comments=("#, fuzzy",)),
    ]
    again = read(write(entries))
    assert sorted(again, key=lambda one: one.key) == sorted(entries, key=lambda one: one.key)
    assert max(map(len, write(entries).splitlines())) <= 78
    assert b"alt" not in compiled(entries)
    assert b"geraten" not in compiled(entries)


@pytest.mark.parametrize(
    "text", ['msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"', 'msgid a\nmsgstr "b"']
)
def test_what_is_not_such_file_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(NoCatalogue, match=r"line \d: msgid"):
        read(text)
