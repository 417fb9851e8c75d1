"""Languages are read from files, extended by a folder, and complete."""

from __future__ import annotations

import contextlib
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language import PackError, build_all, from_packs, packs, using_folder
from recollect.memory.language.authoring import MODEL, review
from recollect.memory.language.pack import SCRIPTS, LanguagePack, extended
from recollect.memory.language.pack_reader import read_file, read_pack
from recollect.memory.language.registry import use_folder
from tests.support.folding import rows
from tests.support.tables import tables


def test_every_shipped_language_has_a_known_script():
    """The file's name, the header and the sections agree."""
    assert {pack.script for pack in packs().values()} <= SCRIPTS
    assert all(code == pack.code for code, pack in packs().items())
    assert all(len(fields(pack)) == len(fields(LanguagePack)) for pack in packs().values())


def test_a_pack_is_extended():
    """Terms and names are joined; lists in order are replaced; what is not given stays."""
    head = 'code = "xx"\nname = "{}"\nscript = "latin"\n'
    months = "\n".join(map(str, range(12)))
    base = read_pack(
        head.format("One")
        + f"[words]\nstop = 'a, b'\n[calendar]\nmonths = '''{months}'''\nunits.day = 'm'\n",
        "xx.toml",
    )
    more = read_pack(
        head.format("Two")
        + "[words]\nstop = 'c, a'\nirregular = 'go, went'\n[calendar.units]\nday = 'n'\nweek = 's'\n",
        "xx.toml",
    )
    both = extended(base, more)
    assert (both.code, both.name) == ("xx", "Two")
    assert both.words.stop == ("a", "b", "c")
    assert both.calendar.units == {"day": ("m", "n"), "week": ("s",)}
    assert both.calendar.months == base.calendar.months
    assert both.words.irregular == (("go", "went"),)
    assert extended(both, more) == both
    assert extended(more, base).calendar.months == base.calendar.months


HEADER = 'code = "xx"\nname = "Example"\nscript = "latin"\n'
MONTHS = "\n".join(f"month{number}" for number in range(11))


def read(text):
    return read_pack(HEADER + text, "xx.toml")


def refused(text):
    with pytest.raises(PackError) as error:
        read_pack(text, "xx.toml")
    return str(error.value)


@rows(
    "text, said",
    [
        ("", "xx.toml: the file is empty"),
        (" \n", "xx.toml: the file is empty"),
        ("[words]\n", 'xx.toml:1: expected code = "…" before the first section'),
        (HEADER.replace("xx", "Xx"), "xx.toml:1: code: expected two or three lower-case letters"),
        (HEADER.replace("latin", "runes"), "xx.toml:3: script: expected one of any, arabic, "),
        (HEADER + "[nonsense]\n", "xx.toml:4: unknown section 'nonsense'; there are code, name, "),
        (HEADER + "words = 1\n", "xx.toml:4: expected a section [words]"),
        (HEADER + "[words]\nno = ''\n", "xx.toml:5: [words] no: there is no such name; there are"),
        (HEADER + "[words]\nstop = 1\n", 'xx.toml:5: [words] stop: expected text: "one, two, …"'),
        (HEADER + "[words]\nstop = ['a']\n", "xx.toml:5: [words] stop: expected text"),
        (HEADER + "[calendar]\nmonths = 1\n", "xx.toml:5: [calendar] months: expected text"),
        (HEADER + "[calendar]\ncapitals = 'a'\n", "xx.toml:5: [calendar] capitals: expected true"),
        (HEADER + "[calendar]\nunits = 'a'\n", "xx.toml:5: [calendar] units: expected a table"),
        (HEADER + "[calendar]\nunits.day = 1\n", "xx.toml:5: [calendar.units] day: expected text"),
        (
            HEADER + f"[calendar]\n\nmonths = '''\n{MONTHS}\n'''\n",
            "xx.toml:6: [calendar] months: 11 rows, expected 12",
        ),
        (HEADER + "[calendar]\nparts = 'a; -; b'\n", "xx.toml:5: [calendar] parts: 3 rows, expe"),
        (
            HEADER + "[calendar]\nparts = '''\na; b;\nc; d, D\n'''\n",
            "xx.toml:7: [calendar] parts: 'D': it is given twice",
        ),
        (
            HEADER + "[words]\nstop = '''\na,\nb, c\nd, B\n'''\n",
            "xx.toml:8: [words] stop: 'B': it is given twice",
        ),
        (HEADER + "[words]\nstop = 'a, *'\n", "xx.toml:5: [words] stop: '*': '*' alone would be"),
        (
            HEADER + "[calendar]\nunits.day = '''\n\n.. b'''\n",
            "xx.toml:7: [calendar.units] day: '.. b': '..' ",
        ),
        (HEADER + "[words]\nstop = 'a'\nstop = 'b'\n", "xx.toml:6: Cannot overwrite a value"),
        (HEADER + "[words]\n[words]\n", "xx.toml:5: Cannot declare ('words',) twice"),
        (HEADER + "[words]\nstop = '''a\n", "xx.toml:6: Expected \"'''\""),
        (HEADER + "words\n", "xx.toml:4: Expected '=' after a key"),
        (HEADER + "a = " + "[" * 9999, "xx.toml:4: maximum recursion depth exceeded"),
        (HEADER + "a = " + "1" * 9999, "xx.toml:4: Exceeds the limit"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(text, said):
    """Nothing of it is used."""
    assert refused(text).startswith(said)


@rows(
    "content, said",
    [
        (b'code = "xx"\nname = "\xff"\n', "xx.toml:2: expected UTF-8"),
        (HEADER.encode("utf-16"), "xx.toml:1: expected UTF-8"),
        (HEADER.replace("xx", "yy").encode(), "xx.toml:1: expected code = 'xx', as the file is"),
    ],
)
def test_a_file_must_be_what_its_name_says(tmp_path, content, said):
    """Its code and its encoding."""
    (tmp_path / "xx.toml").write_bytes(content)
    with pytest.raises(PackError) as error:
        read_file(tmp_path / "xx.toml")
    assert str(error.value).startswith(f"{tmp_path}/{said}")


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    """And why."""
    with pytest.raises(PackError, match=r"/xx\.toml: cannot be read: No such file"):
        read_file(tmp_path / "xx.toml")


def test_a_file_of_windows_is_read(tmp_path):
    """Line ends and the mark at the beginning are no part of the words."""
    text = HEADER + "[words]\nstop = '''\na\nb\n'''\n"
    (tmp_path / "xx.toml").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert read_file(tmp_path / "xx.toml").words.stop == ("a", "b")


PIECES = st.lists(
    st.sampled_from(
        [
            *("[words]\n", "[calendar.units]\n", "stop = ", "day = ", "months = ", "a, ", "'", '"'),
            *("'''\n", "\n", "*", "..", "-", "#", "\0", "\ud800", "=", "]", "{", "true\n"),
        ]
    )
).map("".join)


@given(st.text() | PIECES.map(HEADER.__add__))
def test_any_text_is_a_pack_or_refused(text):
    """And nothing else is raised."""
    with contextlib.suppress(PackError):
        read_pack(text, "xx.toml")


PACK = 'code = "{}"\nname = "Example"\nscript = "latin"\n\n[words]\nstop = "zzq, zzr"\n'


@pytest.fixture(autouse=True)
def _shipped_again():
    yield
    use_folder(None)


@pytest.fixture
def folder(tmp_path):
    """A folder with a language of its own and more words for English."""
    for code in ("xx", "en"):
        (tmp_path / f"{code}.toml").write_text(PACK.format(code), "utf-8")
    return tmp_path


def test_a_folder_adds_a_language_and_adds_to_one(folder):
    """A file with the code of a shipped pack keeps that pack's words."""
    before = packs()["en"]
    use_folder(folder)
    assert packs()["xx"].words.stop == ("zzq", "zzr")
    assert packs()["en"].words.stop == (*before.words.stop, "zzq", "zzr")
    assert packs()["en"].script == before.script


def test_a_refused_folder_changes_nothing(folder, tmp_path):
    """Never half a language: the good file beside the bad one is not used either."""
    (folder / "yy.toml").write_text(PACK.format("yy") + "nonsense = 1\n", "utf-8")
    before = packs()
    with pytest.raises(PackError, match=r"yy\.toml:7: "):
        use_folder(folder)
    assert packs() == before
    with pytest.raises(PackError, match="there is no such folder"):
        use_folder(tmp_path / "absent")
    assert packs() == before


def test_a_table_is_built_once_and_again_for_other_packs(folder):
    """What is built from packs follows them."""
    built = []

    @from_packs
    def table():
        built.append(len(packs()))
        return built[-1]

    build_all()
    shipped = table()
    use_folder(folder)
    use_folder(folder)
    assert table() == shipped + 1
    assert len(built) == 2


def test_another_folder_is_refused_meanwhile(folder, own_languages):
    """Words of one could not be found by those of the other; afterwards it is welcome."""
    with using_folder(folder):
        with using_folder(folder):
            pass
        with pytest.raises(PackError, match=f"already uses, which is {folder}"), using_folder(None):
            pass
        assert "xx" in packs()
    with using_folder(None):
        assert "xx" not in packs()
        with pytest.raises(PackError, match="already uses, which is none"), using_folder(folder):
            pass


def test_files_are_read_again(folder):
    """A folder whose files changed is another language."""
    use_folder(folder)
    (folder / "xx.toml").write_text(PACK.format("xx").replace("zzr", "zzs"), "utf-8")
    use_folder(folder)
    assert packs()["xx"].words.stop == ("zzq", "zzs")


ROWS = tables(__file__)


def reviewed(text):
    return review(read_pack(HEADER + text, "xx.toml"), packs())


def test_the_model_lacks_nothing():
    """What is compared with it would say nothing otherwise."""
    assert review(packs()[MODEL], packs()).missing == {}


def test_what_english_has_is_missing():
    """By section; flags are no words, and terms of every language need no field."""
    found = reviewed("[words]\nstop = 'zzq'\n")
    assert found.terms["words"] == 1
    assert "stop" not in found.missing["words"]
    assert {"common", "irregular"} <= set(found.missing["words"])
    assert "kin" in reviewed("[people]\nkin = ''\n").missing["people"]
    assert "accents_left_out" not in found.missing["words"]
    everywhere = replace(LanguagePack(code="xx", name="X", script="any"))
    assert review(everywhere, packs()).missing == {}


@rows("text, said", ROWS["collisions"])
def test_collisions(text, said):
    """Each is one line; a word with and without accents is none among stop words."""
    found = reviewed(text).collisions
    assert len(found) == len(said)
    assert all(line.startswith(start) for line, start in zip(found, said, strict=True))
