"""Filters as expressions of Milvus. Pure."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Collection

from ..port import IndexFilter


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
    bounds = ((">=", asked.since), ("<=", asked.until))
    return " and ".join(
        [
            *(f"{name} == {value}" for name, value in asked.equal()),
            *(f"{name} in {values}" for name, values in asked.several()),
            *(f"at {sign} {moment}" for sign, moment in bounds if moment is not None),
            *map(having, sorted(asked.marks)),
        ]
    )
