"""Reading JSON that others wrote."""

import json
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.util import untrusted_json
from recollect.memory.util.untrusted_json import (
    CHAT,
    LINE,
    REQUEST,
    JsonBounds,
    JsonTooLargeError,
    JsonTwiceError,
    check_json,
    json_object,
    read_json,
)
from tests.support.folding import rows

NASTY = st.text(alphabet='a,[]{}"\\:é\u0122\u2c2c\n', max_size=12)
VALUES = st.recursive(
    st.none() | st.integers(-9, 9) | NASTY,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(NASTY, below, max_size=4),
    max_leaves=20,
)


def counted(value):
    """Its values; lists and objects that are not the outermost count twice."""
    if isinstance(value, dict | list):
        inner = list(value.values()) if isinstance(value, dict) else value
        return 1 + max(len(inner), 1) + sum(counted(each) - 1 for each in inner)
    return 1


def levels(value):
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return 1 + max(map(levels, inner), default=0)
    return 0


@given(
    VALUES,
    st.sampled_from([None, 1]),
    st.booleans(),
    st.sampled_from(["utf-8", "utf-16", "utf-32-le"]),
)
def test_the_count_is_exact_whatever_stands_in_texts(value, indent, ascii_only, encoding):
    """As many as it has are read, one less is too few: what texts look like counts for nothing."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    values, deep = counted(value), levels(value)
    for raw in (text, text.encode(encoding)):
        assert read_json(raw, JsonBounds(values=values, levels=deep)) == value
        with pytest.raises(JsonTooLargeError, match="values"):
            check_json(raw, JsonBounds(values=values - 1, levels=deep))
        if deep:
            with pytest.raises(JsonTooLargeError, match="within each other"):
                check_json(raw, JsonBounds(values=values, levels=deep - 1))


@given(VALUES, st.integers(1, 7))
def test_pieces_may_begin_anywhere(value, size):
    """In a text, in an escape, between brackets."""
    text = json.dumps(value)
    before = untrusted_json._PIECE
    untrusted_json._PIECE = size
    try:
        check_json(text, JsonBounds(values=counted(value), levels=levels(value)))
        with pytest.raises(JsonTooLargeError):
            check_json(text, JsonBounds(values=counted(value) - 1, levels=levels(value)))
    finally:
        untrusted_json._PIECE = before


HOSTILE = {
    "lists": b'{"a":[' + b"[]," * 10_000_000 + b"0]}",
    "numbers": b"[" + b"1," * 15_000_000 + b"1]",
    "texts": b"[" + b'"",' * 10_000_000 + b"1]",
    "names": b"{" + b'"":1,' * 5_000_000 + b'"":1}',
    "depth": b"[" * 30_000_000,
    "quotes": b'"' * 30_000_000,
    "a quote, then lists": b'"\\"' + b"[]," * 10_000_000,
}


@rows("raw", HOSTILE.values())
def test_too_much_is_refused_before_it_is_parsed(raw):
    """Thirty megabytes in a blink, and with no more memory than a few pieces of them."""
    tracemalloc.start()
    try:
        started = time.process_time()
        with pytest.raises(ValueError):
            read_json(raw, LINE)
        seconds, (_, most) = time.process_time() - started, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert seconds < 1.5
    assert most < 3 * len(raw)


def test_honest_texts_are_not_refused():
    """Four megabytes of prose with commas and brackets, and a line of thousands of versions."""
    prose = 'One, two [see], {three}, \\ "four", ' * 120_000
    assert read_json(json.dumps({"messages": [prose]}), REQUEST) == {"messages": [prose]}
    record = {"id": "x", "event": "UPDATE", "old_value": prose[:99], "scores": {"cosine": 0.5}}
    line = json.dumps({"memory": record, "history": [record] * 15_000}).encode()
    assert len(read_json(line, LINE)["history"]) == 15_000
    assert len(read_json(json.dumps({"ids": ["x" * 36] * 10_000}), REQUEST)["ids"]) == 10_000


@rows(
    "raw",
    [b"", b"{", b"[1,]", b"NaN", b"[Infinity]", b'"\xff"', b'"\xed\xa0\x80"', b"1" * 5000, b"{]"],
)
def test_what_is_no_json_is_an_error(raw):
    """Also numbers that JSON does not have, or Python does not read."""
    with pytest.raises(ValueError):
        read_json(raw, CHAT)


def test_a_name_that_is_given_twice_is_told():
    """If the caller cares."""
    assert read_json('{"a": 1, "a": 2}', CHAT) == {"a": 2}
    with pytest.raises(JsonTwiceError, match=r"^a$"):
        read_json('{"b": {"a": 1, "a": 2}}', CHAT, once=True)


@rows("raw", [b"", b"[]", b"1", b"{", b"[" * 100_000, b"\xff", b'{"a":' * 9999])
def test_anything_else_is_none(raw):
    """Also what is nested too deeply to be read."""
    assert json_object(raw) is None


def test_an_object_beyond_the_bounds_is_none():
    """It is not parsed."""
    assert json_object(b'{"a":[%s0]}' % (b"[]," * CHAT.values)) is None
