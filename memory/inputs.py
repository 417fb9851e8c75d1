"""What callers may pass to the public methods. Pure; every refusal names the field.

All of these raise InvalidInputError.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime

from .errors import InvalidInputError
from .types import MemoryStatus

DEFAULT_LIMIT = 100
MAX_LIMIT = 10_000
DEFAULT_PROPOSAL = 20
"""Memories that are proposed to be forgotten: as many as somebody will read."""
MAX_TEXT_CHARS = 16_000
"""Of one memory: what the stores' text column holds in any script."""
MAX_METADATA_BYTES = 32_000
"""Of one call, as JSON: half of the stores' column, as an update adds to what is there."""


def check_text(field: str, text: object) -> None:
    """A memory's text: some, not too much, and storable."""
    if not isinstance(text, str) or not text.strip():
        raise InvalidInputError(field, "expected some text")
    if len(text) > MAX_TEXT_CHARS:
        raise InvalidInputError(field, f"must have at most {MAX_TEXT_CHARS} characters")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InvalidInputError(field, "must be valid Unicode text")


def check_metadata(metadata: object) -> None:
    """An object that JSON can hold, or nothing."""
    if metadata is None:
        return
    if not isinstance(metadata, Mapping) or not all(isinstance(key, str) for key in metadata):
        raise InvalidInputError("metadata", "expected an object with text keys")
    try:
        size = len(json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError, RecursionError):
        raise InvalidInputError("metadata", "expected what JSON can hold") from None
    if size > MAX_METADATA_BYTES:
        raise InvalidInputError("metadata", f"must have at most {MAX_METADATA_BYTES} bytes as JSON")


def check_threshold(threshold: object) -> None:
    """A cosine, or nothing."""
    if threshold is None:
        return
    if not isinstance(threshold, (int, float)) or isinstance(threshold, bool):
        raise InvalidInputError("threshold", "expected a number from -1 to 1")
    if not -1 <= threshold <= 1:
        raise InvalidInputError("threshold", "expected a number from -1 to 1")


def checked_limit(limit: object) -> int:
    """How many results."""
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= MAX_LIMIT:
        raise InvalidInputError("limit", f"expected a whole number from 1 to {MAX_LIMIT}")
    return limit


def checked_status(status: MemoryStatus | str) -> MemoryStatus:
    """A status by name."""
    try:
        return MemoryStatus(status)
    except ValueError:
        names = ", ".join(kind.value for kind in MemoryStatus)
        raise InvalidInputError("status", f"expected one of {names}") from None


def checked_moment(timestamp: object) -> datetime:
    """A time in UTC; one without a zone is taken as UTC."""
    if not isinstance(timestamp, datetime):
        raise InvalidInputError("timestamp", "expected a date and time")
    aware = timestamp if timestamp.tzinfo else timestamp.replace(tzinfo=UTC)
    try:
        return aware.astimezone(UTC)
    except OverflowError:
        raise InvalidInputError("timestamp", "is outside the years 1 to 9999 in UTC") from None
