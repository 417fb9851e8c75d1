"""What is read of a request, and what is refused."""

from __future__ import annotations

import json

import pytest

from recollect.memory import InvalidInputError
from recollect.memory.operations.fields import RequestModel, Text, about, whole
from recollect.memory.operations.scope import ScopeFields
from recollect.proxy.api.operations import PREFIX, Operation
from recollect.proxy.api.request import read
from recollect.proxy.api.tables import ALL
from tests.support.folding import rows


class SomeBody(RequestModel):
    """A body for these tests."""

    infer: bool = about("", default=True)
    prompt: Text | None = about("")


class SomeQuery(RequestModel):
    """A query for these tests."""

    limit: int = whole("", high=9, default=3)


def operation(**parts):
    described = {"method": "POST", "path": f"{PREFIX}/{{memory_id}}", "summary": "", "answer": str}
    return Operation(handler=read, **(described | {"body_required": "body" in parts} | parts))


def said(raw=None, query_string="", path=f"{PREFIX}/x", **parts):
    return read(operation(**parts), path, query_string, raw)


def refused(*arguments, **parts):
    with pytest.raises(InvalidInputError) as caught:
        said(*arguments, **parts)
    return str(caught.value)


def test_a_handler_is_told_every_field_and_no_other():
    """With its default if it is not there."""
    asked = said(
        b'{"infer": false}',
        "limit=5",
        body=SomeBody,
        query=SomeQuery,
    )
    assert asked == {"memory_id": "x", "infer": False, "prompt": None, "limit": 5}
    assert said(b"{}", body=SomeBody, query=SomeQuery)["limit"] == 3


def test_ids_are_decoded_once():
    """To the letter, whatever stands in them."""
    assert said(path=f"{PREFIX}/a%2Fb%252F%20+")["memory_id"] == "a/b%2F +"
    assert refused(path=f"{PREFIX}/%ff") == "memory_id: must be valid UTF-8"


def test_queries_are_read_once():
    """No value wins over another, and no byte is guessed."""
    assert said(None, "user_id=a+b%20c", query=ScopeFields)["user_id"] == "a b c"
    for query, why in (
        ("user_id=a&user_id=a", "user_id: is given twice"),
        ("user_id=%ff", "query string: must be valid UTF-8"),
        ("user_id=\udcff", "query string: must be valid UTF-8"),
    ):
        assert refused(None, query, query=ScopeFields) == why


@rows(
    "raw, why",
    [
        (b"", "body: expected a JSON object"),
        (None, "body: expected a JSON object"),
        (b"[]", "body: expected a JSON object"),
        (b'{"infer": NaN}', "body: expected a JSON object"),
        (b'{"prompt": "\xed\xa0\x80"}', "body: expected a JSON object"),
        (b"[" * 100_000, "body: expected at most 100000 values, lists and objects counted twice"),
        (b'{"infer": true, "infer": true}', "infer: is given twice"),
        (b'{"prompt": [{"a": 1, "b": 2, "a": 3}]}', "a: is given twice"),
        (b'{"z": 1, "infr": true}', "infr: there is no such field; did you mean infer?"),
        (b'{"zz": 1}', "zz: there is no such field; known are infer, prompt"),
        (b'{"prompt": 5}', "prompt: expected text"),
    ],
)
def test_bodies_that_are_refused(raw, why):
    """No object, one that two readers would read in two ways, or a field nobody reads."""
    assert refused(raw, body=SomeBody) == why


def test_a_field_that_both_may_hold_is_said_once():
    """In the query or in the body; no value wins over another."""
    both = {"query": ScopeFields, "body": next(each.body for each in ALL if each.id == "update")}
    assert said(b'{"text": "x", "user_id": "a"}', **both)["user_id"] == "a"
    assert said(b'{"text": "x"}', "user_id=a", **both)["user_id"] == "a"
    why = "user_id: is given twice, in the query and in the body"
    assert refused(b'{"text": "x", "user_id": "a"}', "user_id=a", **both) == why


@rows("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_bodies_in_every_coding_of_json(coding):
    """With a mark of the byte order or without."""
    raw = json.dumps({"prompt": "caf\u00e9"}, ensure_ascii=False).encode(coding)
    assert said(raw, body=SomeBody)["prompt"] == "caf\u00e9"
