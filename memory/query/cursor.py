"""Where the next page of a listing or a search begins. Pure.

A listing is ordered by creation, newest first, and by id among equals. A cursor names the last
memory of a page, so memories that others add or remove meanwhile shift nothing.

A search has no fixed order: a memory that is added meanwhile may rank before the ones shown. So its
cursor holds a mark of each memory that was shown, and the next page has the best of the others:
nothing is shown twice, and nothing that stays is left out.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable
from typing import NamedTuple

from ..model.errors import InvalidInputError
from ..model.quantities import FIRST_MS, LAST_MS, whole_of
from ..model.times import to_ms
from ..model.types import MemoryItem
from ..util.untrusted_json import SMALL, read_json

_MOST_CHARS = 2000


class ListMark(NamedTuple):
    """A place in the order of a listing."""

    created: int
    """Milliseconds since the epoch."""
    id: str


def place_of(item: MemoryItem) -> ListMark:
    """The place of a memory."""
    return ListMark(to_ms(item.created_at), item.id)


def is_after(item: MemoryItem, place: ListMark) -> bool:
    """Whether a memory comes later in the order."""
    own = place_of(item)
    return own.created < place.created or (own.created == place.created and own.id > place.id)


def written(place: ListMark, given: str) -> str:
    """The cursor of the page after a place, for the query with this digest."""
    told = json.dumps([given, *place], separators=(",", ":")).encode("utf-8", "surrogatepass")
    return encoded(told)


def encoded(told: bytes) -> str:
    """The bytes of a cursor as a text that needs no quoting in an address."""
    return base64.urlsafe_b64encode(told).decode().rstrip("=")


def decoded(cursor: object, *, most: int) -> bytes:
    """The bytes of a cursor of at most so many characters. Raises InvalidInputError."""
    if not isinstance(cursor, str) or not 0 < len(cursor) <= most:
        raise no_cursor()
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        return base64.b64decode(padded, altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise no_cursor() from None


def no_cursor() -> InvalidInputError:
    """The error for a text that no page ended with."""
    return InvalidInputError("cursor", "expected the `next` of an earlier page")


def of_another_query() -> InvalidInputError:
    """The error for a cursor that was given for other arguments."""
    return InvalidInputError("cursor", "is of another query: ask with the same arguments")


def read(cursor: object, given: str) -> ListMark:
    """The place that a cursor names.

    Raises:
        InvalidInputError: it is none, or of another query.
    """
    try:
        digest, created, memory_id = read_json(decoded(cursor, most=_MOST_CHARS), SMALL)
    except (ValueError, TypeError):
        raise no_cursor() from None
    if digest != given:
        raise of_another_query()
    at = whole_of(created, FIRST_MS, LAST_MS)
    if at is None or not isinstance(memory_id, str):
        raise no_cursor()
    return ListMark(at, memory_id)


MOST_SHOWN = 500
"""Results that can be read page by page. A cursor of so many has about 4,000 characters."""
_MARK_BYTES = 6
"""Two of a million memories have the same mark with a chance of 1 in 500."""
_QUERY_BYTES = 8
_MOST_MARK_CHARS = 2 * (_QUERY_BYTES + MOST_SHOWN * _MARK_BYTES)


def mark_of(memory_id: str) -> bytes:
    """The mark of a memory."""
    return _digest(memory_id, _MARK_BYTES)


def written_marks(marks: Iterable[bytes], query: str) -> str | None:
    """The cursor of the page after these memories; None after the last that can be read."""
    shown = sorted(marks)
    if len(shown) >= MOST_SHOWN:
        return None
    told = b"".join((_digest(query, _QUERY_BYTES), *shown))
    return encoded(told)


def read_marks(cursor: object, query: str) -> frozenset[bytes]:
    """The marks that a cursor of this query holds.

    Raises:
        InvalidInputError: it is none, or of another query.
    """
    told = decoded(cursor, most=_MOST_MARK_CHARS)
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
