"""Where the next page of a listing begins. Pure.

A listing is ordered by creation, newest first, and by id among equals. A cursor names the last
memory of a page, so memories that others add or remove meanwhile shift nothing.
"""

from __future__ import annotations

import base64
import binascii
import json
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
