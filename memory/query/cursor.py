"""Where the next page of a listing begins. Pure.

A listing is ordered by creation, newest first, and by id among equals. A cursor names the last
memory of a page, so memories that others add or remove meanwhile shift nothing.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import NamedTuple

from ..errors import InvalidInputError
from ..times import to_ms
from ..types import MemoryItem

_MOST_CHARS = 2000


class Place(NamedTuple):
    """A place in the order of a listing."""

    created: int
    """Milliseconds since the epoch."""
    id: str


def place_of(item: MemoryItem) -> Place:
    """The place of a memory."""
    return Place(to_ms(item.created_at), item.id)


def is_after(item: MemoryItem, place: Place) -> bool:
    """Whether a memory comes later in the order."""
    own = place_of(item)
    return own.created < place.created or (own.created == place.created and own.id > place.id)


def written(place: Place, given: str) -> str:
    """The cursor of the page after a place, for the query with this digest."""
    told = json.dumps([given, *place], separators=(",", ":")).encode("utf-8", "surrogatepass")
    return base64.urlsafe_b64encode(told).decode().rstrip("=")


def read(cursor: object, given: str) -> Place:
    """The place that a cursor names.

    Raises:
        InvalidInputError: it is none, or of another query.
    """
    if not isinstance(cursor, str) or not 0 < len(cursor) <= _MOST_CHARS:
        raise InvalidInputError("cursor", "expected the `next` of an earlier page")
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        found = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        digest, created, memory_id = found
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise InvalidInputError("cursor", "expected the `next` of an earlier page") from None
    if digest != given:
        raise InvalidInputError("cursor", "is of another query: ask with the same arguments")
    if not isinstance(created, int) or not isinstance(memory_id, str):
        raise InvalidInputError("cursor", "expected the `next` of an earlier page")
    return Place(created, memory_id)
