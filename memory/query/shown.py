"""Which results of a search were shown on earlier pages. Pure.

A search has no fixed order: a memory that is added meanwhile may rank before the ones shown. So a
cursor holds a mark of each memory that was shown, and the next page has the best of the others:
nothing is shown twice, and nothing that stays is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from .cursor import decoded, encoded, no_cursor, of_another_query

MOST_SHOWN = 500
"""Results that can be read page by page. A cursor of so many has about 4,000 characters."""
_MARK_BYTES = 6
"""Two of a million memories have the same mark with a chance of 1 in 500."""
_QUERY_BYTES = 8
_MOST_CHARS = 2 * (_QUERY_BYTES + MOST_SHOWN * _MARK_BYTES)


def mark_of(memory_id: str) -> bytes:
    """The mark of a memory."""
    return _digest(memory_id, _MARK_BYTES)


def written(marks: Iterable[bytes], query: str) -> str | None:
    """The cursor of the page after these memories; None after the last that can be read."""
    shown = sorted(marks)
    if len(shown) >= MOST_SHOWN:
        return None
    told = b"".join((_digest(query, _QUERY_BYTES), *shown))
    return encoded(told)


def read(cursor: object, query: str) -> frozenset[bytes]:
    """The marks that a cursor of this query holds.

    Raises:
        InvalidInputError: it is none, or of another query.
    """
    told = decoded(cursor, most=_MOST_CHARS)
    digest, marks = told[:_QUERY_BYTES], told[_QUERY_BYTES:]
    if len(digest) < _QUERY_BYTES or len(marks) % _MARK_BYTES:
        raise no_cursor()
    if digest != _digest(query, _QUERY_BYTES):
        raise of_another_query()
    return frozenset(
        marks[start : start + _MARK_BYTES] for start in range(0, len(marks), _MARK_BYTES)
    )


def _digest(text: str, size: int) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).digest()
