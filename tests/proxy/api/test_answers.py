"""The answers of the memory API."""

import json

from recollect.memory import ExtractionError
from recollect.memory.api.adding import NOT_ADDED
from recollect.memory.model.errors import AddTimeoutError, ModelUnauthorizedError
from recollect.proxy.api.answers import (
    Streamed,
    detail,
    encoded,
    encoded_in_parts,
    event,
    failed,
    json_answer,
    line,
)
from recollect.proxy.api.following import Following
from tests.support.folding import rows

NASTY = {"memory": "two\nlines\r\n\r\nevent: forged\u2028"}


def test_a_refusal_has_a_detail_and_nothing_else():
    """In lower-case JSON, which is all that mem0's clients read."""
    answer = detail(404, "there is no memory 'x'")
    assert (answer.status, json.loads(answer.body)) == (404, {"detail": "there is no memory 'x'"})
    assert answer.headers["Content-Type"].startswith("application/json")


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


def test_what_is_streamed_is_told_apart():
    """A value is not taken for an answer that is still to come."""
    assert isinstance(Following(None), Streamed)
    assert not isinstance({"answer": 1}, Streamed)


def test_a_value_is_one_line():
    """Line breaks of a text cannot end the line or begin an event of their own."""
    assert line(NASTY).count(b"\n") == 1
    assert json.loads(line(NASTY)) == NASTY
    framed = event(NASTY, "ADD")
    assert framed.startswith(b"event: ADD\ndata: ")
    assert framed.endswith(b"\n\n")
    assert len(framed.strip().splitlines()) == 2


def test_an_event_has_the_id_of_its_value():
    """So that a client can tell an event that it has seen."""
    assert event({"id": "7"}, "ADD").splitlines()[0] == b"id: 7"


@rows(
    "error, status",
    [
        (ExtractionError("nothing could be read"), 503),
        (ModelUnauthorizedError("no"), 503),
        (AddTimeoutError(5.0), 504),
    ],
)
def test_a_failure_of_the_model_is_never_an_empty_success(error, status):
    """The status tells a slow model from one that fails; the text says what to set."""
    answer = failed(error, NOT_ADDED)
    assert answer.status == status
    said = json.loads(answer.body)["detail"]
    assert said.startswith("nothing was stored")
    assert error.code in said
    assert "learn.llm" in said
