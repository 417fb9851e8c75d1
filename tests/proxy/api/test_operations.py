"""Which record a request leads to, and what is read of it."""

from __future__ import annotations

import json

import pytest

from recollect.memory import InvalidInputError
from recollect.proxy.access.rights import Right
from recollect.proxy.api import fields
from recollect.proxy.api.memories import MemoryApi
from recollect.proxy.api.operations import PREFIX, Operation, allowed, find, read
from recollect.proxy.api.routes import OPERATIONS
from tests.support.folding import rows


def found(method, tail):
    operation, _ = find(OPERATIONS, method, PREFIX + tail)
    return None if operation is None else operation.handler.__name__


@rows(
    "method, tail, name",
    [
        ("POST", "", "add"),
        ("POST", "/", "add"),
        ("GET", "/search", "search"),
        ("GET", "/search/", "search"),
        ("GET", "/%73earch", "search"),
        ("POST", "/search", "search_posted"),
        ("PUT", "/search", None),
        ("POST", "/delete", "delete_by_query"),
        ("GET", "/flush", None),
        ("GET", "/x", "get"),
        ("GET", "/x%2Fhistory", "get"),
        ("GET", "/x/history/", "history"),
        ("GET", "/jobs/history", "history"),
        ("POST", "/jobs/x/retry", "retry_job"),
        ("POST", "/x/y/retry", None),
        ("GET", "//history", None),
        ("DELETE", "//", None),
        ("GET", "/search//", None),
        ("PATCH", "/x", None),
        ("GET", "/a/b/c", None),
    ],
)
def test_where_a_path_leads(method, tail, name):
    """A fixed name is no id, whatever the method; an encoded slash is part of one."""
    assert found(method, tail) == name


def test_a_path_knows_its_methods():
    """For the refusal of others."""
    _, methods = find(OPERATIONS, "PATCH", f"{PREFIX}/x/")
    assert allowed(methods) == {"Allow": "DELETE, GET, PUT"}
    assert find(OPERATIONS, "GET", "/v1/reset") == (None, {"POST"})
    assert find(OPERATIONS, "GET", "/v1/else") == (None, frozenset())


def operation(**parts):
    described = {"method": "POST", "path": f"{PREFIX}/{{memory_id}}", "summary": "", "answer": str}
    described["right"] = Right.READ
    return Operation(handler=MemoryApi.get, **(described | parts))


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
        body=(fields.INFER, fields.PROMPT),
        query=(fields.LIMIT, fields.JOB_STATE),
    )
    assert asked == {
        "memory_id": "x",
        "infer": False,
        "prompt": None,
        "limit": 5,
        "state": fields.JOB_STATE.default,
    }


def test_ids_are_decoded_once():
    """To the letter, whatever stands in them."""
    assert said(path=f"{PREFIX}/a%2Fb%252F%20+")["memory_id"] == "a/b%2F +"
    assert refused(path=f"{PREFIX}/%ff") == "memory_id: must be valid UTF-8"


def test_queries_are_read_once():
    """No value wins over another, and no byte is guessed."""
    user = fields.in_query(fields.SCOPE)[:1]
    assert said(None, "user_id=a+b%20c", query=user)["user_id"] == "a b c"
    for query, why in (
        ("user_id=a&user_id=a", "user_id: is given twice"),
        ("user_id=%ff", "query string: must be valid UTF-8"),
        ("user_id=\udcff", "query string: must be valid UTF-8"),
    ):
        assert refused(None, query, query=user) == why


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
    assert refused(raw, body=(fields.INFER, fields.PROMPT)) == why


def test_a_field_that_both_may_hold_is_said_once():
    """In the query or in the body; no value wins over another."""
    both = {"query": fields.in_query(fields.SCOPE), "body": (*fields.SCOPE, fields.TEXT)}
    assert said(b'{"text": "x", "user_id": "a"}', **both)["user_id"] == "a"
    assert said(b'{"text": "x"}', "user_id=a", **both)["user_id"] == "a"
    why = "user_id: is given twice, in the query and in the body"
    assert refused(b'{"text": "x", "user_id": "a"}', "user_id=a", **both) == why


def test_a_body_may_be_left_out_where_nothing_is_needed():
    """If there is one it is read all the same."""
    assert said(None, body=(fields.INFER,), needs_body=False)["infer"] is True
    assert refused(b"", body=(fields.INFER,), needs_body=False).startswith("body")


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_bodies_in_every_coding_of_json(coding):
    """With a mark of the byte order or without."""
    raw = json.dumps({"prompt": "caf\u00e9"}, ensure_ascii=False).encode(coding)
    assert said(raw, body=(fields.PROMPT,))["prompt"] == "caf\u00e9"
