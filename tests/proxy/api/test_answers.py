"""The answers of the memory API."""

import json

import pytest

from recollect.proxy.api.answers import Streamed, detail, encoded, encoded_in_parts, json_answer
from recollect.proxy.api.following import Following


def test_a_refusal_has_a_detail_and_nothing_else():
    """In lower-case JSON, which is all that mem0's clients read."""
    answer = detail(404, "there is no memory 'x'")
    assert (answer.status, json.loads(answer.body)) == (404, {"detail": "there is no memory 'x'"})
    assert answer.headers["Content-Type"].startswith("application/json")


def test_any_text_can_be_answered():
    """A lone surrogate of a request does not break the answer that repeats it."""
    assert json.loads(json_answer(200, {"a": "\udcff \u00e9"}).body) == {"a": "? \u00e9"}


@pytest.mark.parametrize(
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


def test_what_is_streamed_is_told_apart():
    """A value is not taken for an answer that is still to come."""
    assert isinstance(Following(None), Streamed)
    assert not isinstance({"answer": 1}, Streamed)
