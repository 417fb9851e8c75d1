"""Marks embedding that no request waits for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_BACKGROUND: ContextVar[bool] = ContextVar("embed_in_background", default=False)


@contextmanager
def in_background() -> Iterator[None]:
    """Within, this task's texts are embedded after all questions, however few they are."""
    token = _BACKGROUND.set(True)
    try:
        yield
    finally:
        _BACKGROUND.reset(token)


def is_background() -> bool:
    """Whether the running task embeds in the background."""
    return _BACKGROUND.get()
