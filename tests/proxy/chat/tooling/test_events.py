"""Splitting a stream into events that can be passed on as they came."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.chat.tooling.events import EventSplitter

STREAM = (
    b'data: {"a":1}\n\n'
    b": a comment\n\n"
    b'event: x\r\ndata: {"b":"\xe2\x80\xa8"}\r\n\r\n'
    b"data: 1\rdata: 2\r\r"
    b"data: [DONE]\n\n"
)


@given(st.lists(st.integers(0, len(STREAM)), max_size=8))
def test_the_chunks_do_not_matter(cuts: list[int]) -> None:
    """The events are the same, and together all bytes as they came."""
    edges = [0, *sorted(cuts), len(STREAM)]
    splitter = EventSplitter()
    events = [event for start, end in pairwise(edges) for event in splitter.feed(STREAM[start:end])]
    events += splitter.end()
    assert b"".join(event.raw for event in events) == STREAM
    assert events[-1].is_done
    values = [event.value() for event in events]
    assert {"a": 1} in values
    assert {"b": "\u2028"} in values
