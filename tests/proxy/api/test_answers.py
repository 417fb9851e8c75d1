"""The answers of the memory API."""

import json

from recollect.proxy.api.answers import (
    encoded,
    encoded_in_parts,
    event,
    json_answer,
    line,
)
from tests.support.folding import rows

NASTY = {"memory": "two\nlines\r\n\r\nevent: forged\u2028"}


def test_any_text_can_be_answered():
    """A lone surrogate of a request does not break the answer that repeats it."""
    assert json.loads(json_answer(200, {"a": "\udcff \u00e9"}).body) == {"a": "? \u00e9"}


@rows(
    "value",
    [
        {},
        [],
        None,
        "\udcff \u00e9",
        {"results": [], "next": None},
        {"results": [{"id": "a", "deep": [{"b": (1, 2.5)}]}, ["x"], 3], "más": {"n": {}}},
        {"a": {1: "a key that is no text"}, "b": {None: 1, True: 2}},
        [[1, [2]], {"a": []}, ()],
    ],
)
def test_parts_make_the_same_answer(value):
    """A client cannot tell whether a value was encoded part by part."""
    assert encoded_in_parts(value) == encoded(value)


def test_a_value_is_one_line():
    """Line breaks of a text cannot end the line or begin an event of their own."""
    assert line(NASTY).count(b"\n") == 1
    assert json.loads(line(NASTY)) == NASTY
    framed = event(NASTY, "ADD")
    assert framed.startswith(b"event: ADD\ndata: ")
    assert framed.endswith(b"\n\n")
    assert len(framed.strip().splitlines()) == 2
