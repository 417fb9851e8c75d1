"""Reading JSON that others wrote."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.dialects.json_object import json_object


@given(st.dictionaries(st.text(), st.integers() | st.text()))
def test_an_object_is_read(value):
    """Whatever is in it."""
    assert json_object(json.dumps(value).encode()) == value


@pytest.mark.parametrize("raw", [b"", b"[]", b"1", b"{", b"[" * 100_000, b"\xff", b'{"a":' * 9999])
def test_anything_else_is_none(raw):
    """Also what is nested too deeply to be read."""
    assert json_object(raw) is None


def test_broken_characters_are_marked():
    """The rest is read."""
    assert json_object(b'{"a": "caf\xe9"}') == {"a": "caf\ufffd"}
