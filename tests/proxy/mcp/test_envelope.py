"""What is read of a message before the library reads it."""

from __future__ import annotations

import json

import pytest

from recollect.proxy.mcp.envelope import Envelope, UnreadableError, envelope_of


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


def test_too_much_json_is_refused_before_it_is_parsed():
    """Depth is what a parser of the library would have to bear."""
    with pytest.raises(UnreadableError) as caught:
        envelope_of(b"[" * 10_000 + b"]" * 10_000)
    assert caught.value.code == -32600
