"""Embedding for what nobody waits for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_BACKGROUND: ContextVar[bool] = ContextVar("embed_in_background", default=False)


@contextmanager
def in_background() -> Iterator[None]:
    """What this task embeds meanwhile comes after all questions, however few texts it has."""
    token = _BACKGROUND.set(True)
    try:
        yield
    finally:
        _BACKGROUND.reset(token)


def is_background() -> bool:
    """Whether the running task embeds for nobody who waits."""
    return _BACKGROUND.get()
