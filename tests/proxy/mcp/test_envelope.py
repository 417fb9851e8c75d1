"""What is read of a message before the library reads it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.mcp.envelope import Envelope, UnreadableError, envelope_of, rpc_error

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


def read(**message):
    return envelope_of(json.dumps(message).encode())


def test_what_begins_and_what_cancels():
    """An initialize, and a cancellation with the id of a request."""
    assert read(method="initialize", id=1) == Envelope(begins=True)
    for named in (7, "7"):
        cancelled = read(method="notifications/cancelled", params={"requestId": named})
        assert cancelled == Envelope(cancels=named)
    for wrong in ({}, {"requestId": True}, {"requestId": [1]}, [7], None):
        assert read(method="notifications/cancelled", params=wrong) == Envelope()
    assert read(method="tools/call", params={"requestId": 7}) == Envelope()


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"nope"])
def test_no_json_is_a_parse_error(body):
    """With the code of JSON-RPC."""
    with pytest.raises(UnreadableError) as caught:
        envelope_of(body)
    assert caught.value.code == -32700


def test_too_much_json_is_refused_before_it_is_parsed():
    """Depth is what a parser of the library would have to bear."""
    with pytest.raises(UnreadableError) as caught:
        envelope_of(b"[" * 10_000 + b"]" * 10_000)
    assert caught.value.code == -32600


@given(JSON)
def test_any_json_is_read(message):
    """Whatever is no message is the library's to refuse."""
    assert isinstance(envelope_of(json.dumps(message).encode()), Envelope)


def test_an_error_is_about_no_request():
    """Its id is null, as JSON-RPC wants it."""
    assert rpc_error(-1, "no") == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -1, "message": "no"},
    }
