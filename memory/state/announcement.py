"""Announcements between processes as texts: whose memories are gone. No text of a memory."""

from __future__ import annotations

import json
import logging

from ..database.rows import named
from ..model.errors import RecollectError
from ..model.types import OwnerRef, Scope

log = logging.getLogger(__name__)

VERSION = 1
"""Of the messages."""


def write_message(owner_ref: OwnerRef, memory_id: str | None) -> str:
    """The JSON text of an announcement."""
    return json.dumps({"v": VERSION, "whose": named(owner_ref), "memory_id": memory_id})


def read_message(text: str) -> tuple[OwnerRef, str | None] | None:
    """The content of an announcement; None, with a log line, if it is malformed."""
    try:
        message = json.loads(text)
        if message["v"] != VERSION:
            log.warning("ignored an announcement of version %r", message["v"])
            return None
        return _whose(message["whose"]), _memory_id(message["memory_id"])
    except (ValueError, TypeError, KeyError, RecursionError, RecollectError) as error:
        log.warning("ignored a malformed announcement: %r", error)
        return None


def _whose(fields: dict[str, str]) -> OwnerRef:
    tenant = fields["tenant"]
    if not isinstance(tenant, str):
        raise TypeError("tenant is not text")
    return Scope(**fields) if len(fields) > 1 else tenant


def _memory_id(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("memory_id is not text")
    return value
