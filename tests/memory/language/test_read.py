"""Packs are read from files; what is wrong is said with its file and line."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language import PackError
from recollect.memory.language.read import Places, read_file, read_pack
from tests.support.folding import rows


def test_the_file_and_the_line_come_first():
    """As compilers do, so that editors lead there; a whole file has no line."""
    assert str(PackError("xx.toml", 14, "too few")) == "xx.toml:14: too few"
    assert str(PackError("xx.toml", 0, "is empty")) == "xx.toml: is empty"


TEXT = """code = "xx"

[words]  # what is frequent
stop = "a, b"
common = '''c,
d'''
letters = '''
e = f
[people]
g
'''

[people]
self = \"""
h
\"""
[people.kin]
mother = "m"
"a sister" = "s"

[calendar]
days.first = "x"
"""


def test_sections_and_keys_have_lines():
    """A name in a value is no key, and the same key of another section another."""
    places = Places(TEXT)
    assert places.line(("code",)) == 1
    assert places.line(("words",)) == 3
    assert places.line(("words", "letters")) == 7
    assert places.line(("people",)) == 13
    assert places.line(("people", "kin", "mother")) == 18
    assert places.line(("people", "kin", "a sister")) == 19
    assert places.line(("calendar", "days", "first")) == 22


def test_rows_of_values_have_lines():
    """Whether the value begins beside the key or below it."""
    places = Places(TEXT)
    assert places.line(("words", "stop"), 0) == 4
    assert places.line(("words", "common"), 1) == 6
    assert places.line(("words", "letters"), 2) == 10
    assert places.line(("people", "self"), 0) == 15


HEADER = 'code = "xx"\nname = "Example"\nscript = "latin"\n'
MONTHS = "\n".join(f"month{number}" for number in range(11))


def read(text):
    return read_pack(HEADER + text, "xx.toml")


def refused(text):
    with pytest.raises(PackError) as error:
        read_pack(text, "xx.toml")
    return str(error.value)


def test_terms_stand_between_commas_and_line_ends():
    """Blanks around them do not count, and a line can be a comment."""
    assert read("[words]\nstop = '''\na,  b\n# c, d\ne  f,\n'''\n").words.stop == ("a", "b", "e f")
    assert read("[words]\nstop = ''\n").words.stop == ()


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
