"""Reading what a request to the memory API says. Pure; every refusal names the field.

All of these raise InvalidInputError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from memory import InvalidInputError

PREFIX = "/v1/memories"
SCOPE_IDS = ("user_id", "agent_id", "run_id")


def memory_id_of(request: web.Request) -> str:
    """The id in the path."""
    return request.path.removeprefix(PREFIX).split("/")[1]


def scope_ids(source: Mapping[str, Any]) -> dict[str, Any]:
    """Whose memories are meant; None for what is not said."""
    return {name: source.get(name) for name in SCOPE_IDS}


def page_of(query: Mapping[str, str]) -> dict[str, Any]:
    """How many results, and of which status."""
    page: dict[str, Any] = {}
    if "limit" in query:
        page["limit"] = number("limit", query["limit"], int)
    if "status" in query:
        page["status"] = query["status"]
    return page


def number(field: str, text: str, kind: Callable[[str], Any]) -> Any:
    """A number in a query string."""
    try:
        return kind(text)
    except ValueError:
        raise InvalidInputError(field, "expected a number") from None


def optional_text(body: Mapping[str, Any], field: str) -> str | None:
    """A text, or nothing."""
    value = body.get(field)
    if value is not None and not isinstance(value, str):
        raise InvalidInputError(field, "expected text")
    return value


def timestamp_of(value: Any) -> datetime | None:
    """Seconds since the epoch, or ISO 8601."""
    try:
        if value is None:
            return None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        return datetime.fromisoformat(value)
    except (TypeError, ValueError, OverflowError, OSError):
        raise InvalidInputError(
            "timestamp", "expected ISO 8601 or seconds since the epoch"
        ) from None


def texts(body: Mapping[str, Any], field: str) -> list[str]:
    """A list of texts; empty if it is not there."""
    value = body.get(field, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInputError(field, "expected a list of texts")
    return value


def flag(body: Mapping[str, Any], field: str, *, default: bool) -> bool:
    """True or false."""
    value = body.get(field, default)
    if not isinstance(value, bool):
        raise InvalidInputError(field, "expected true or false")
    return value


def only(body: Mapping[str, Any], known: frozenset[str]) -> None:
    """Refuse a field nobody reads: it is a mistake of whoever wrote it."""
    if unknown := sorted(body.keys() - known):
        raise InvalidInputError(unknown[0], "there is no such field")
