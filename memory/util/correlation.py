"""Ids that all log lines of one piece of work share. One variable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

Ids = Mapping[str, str]
ID_CHARS = 8
"""Characters of a conversation's id in the log: ten thousand conversations rarely share them."""


def _nothing() -> Ids:
    return {}


CORRELATION: ContextVar[Callable[[], Ids]] = ContextVar("correlation", default=_nothing)
"""Tells the ids, when a line is written: a request learns its conversation as it is read."""


@contextmanager
def correlated(ids: Ids) -> Iterator[None]:
    """What is logged within has these ids."""
    working = CORRELATION.set(lambda: ids)
    try:
        yield
    finally:
        CORRELATION.reset(working)
