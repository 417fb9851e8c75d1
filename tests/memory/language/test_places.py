"""Where something stands in a file."""

from recollect.memory.language.places import Places

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


def test_what_is_absent_has_the_line_of_its_section():
    """Or the first one."""
    places = Places(TEXT)
    assert places.line(("words", "other")) == 3
    assert places.line(("other", "key"), 3) == 1
