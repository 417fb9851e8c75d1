"""Routes that pass without memory although people talk there: their answers say so. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TALKS = re.compile(
    r"(?:/v1)?/(?:realtime|batches|messages/batches|assistants|threads|conversations)"
    r"(?:/|$)|/api/generate/?$"
)
"""A conversation goes through these, or many at once. Every other route is no conversation."""
WITHOUT_MEMORY: Mapping[str, str] = {"x-recollect-memory": "off", "x-recollect-reason": "route"}
_NOTHING: Mapping[str, str] = {}


def said_of(path: str) -> Mapping[str, str]:
    """The headers that an answer from this path gets besides its own."""
    return WITHOUT_MEMORY if _TALKS.match(path) else _NOTHING
