"""Filters as expressions of Milvus. Pure."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Collection, Iterator

from ..port import IndexFilter

SCALARS = ("tenant", "user", "agent", "run", "kind", "status", "at")
"""The columns of numbers besides the key."""


def for_server(asked: IndexFilter) -> str:
    """For a server, whose rows have an array of marks."""
    return _expression(asked, lambda mark: f"array_contains(marks, {mark})")


def for_lite(asked: IndexFilter) -> str:
    """For Milvus Lite, which takes seconds to look into arrays: rows have a text of words."""
    return _expression(asked, lambda mark: f'marks like "% {_word(mark)} %"')


def words(marks: Collection[int]) -> str:
    """The marks of a row as such a text."""
    return " ".join(["", *map(_word, marks), ""])


def _word(mark: int) -> str:
    """Without characters that have a meaning in a pattern; eleven of them, so that 4,096 fit."""
    return b64encode(mark.to_bytes(8, "big", signed=True)).decode().rstrip("=")


def _expression(asked: IndexFilter, having: Callable[[int], str]) -> str:
    return " and ".join(_clauses(asked, having))


def _clauses(asked: IndexFilter, having: Callable[[int], str]) -> Iterator[str]:
    yield f"tenant == {asked.tenant}"
    for column, wanted in (("user", asked.user), ("agent", asked.agent), ("run", asked.run)):
        if wanted is not None:
            yield f"{column} == {wanted}"
    for column, several in (("kind", asked.kinds), ("status", asked.statuses)):
        if several:
            yield f"{column} in {sorted(several)}"
    if asked.since is not None:
        yield f"at >= {asked.since}"
    if asked.until is not None:
        yield f"at <= {asked.until}"
    yield from map(having, sorted(asked.marks))
