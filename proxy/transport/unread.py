"""Routes that pass without memory although people talk there: their answers say so. Pure."""

from __future__ import annotations

from collections.abc import Mapping

TALKS = (
    "/v1/realtime",
    "/v1/batches",
    "/v1/messages/batches",
    "/v1/completions",
    "/v1/assistants",
    "/v1/threads",
    "/v1/conversations",
    "/api/generate",
)
"""A conversation goes through these, or many at once. Every other route is no conversation."""
WITHOUT_MEMORY = {"x-recollect-memory": "off", "x-recollect-reason": "route"}


def said_of(path: str) -> Mapping[str, str]:
    """The headers that an answer from this path gets besides its own."""
    bare = path if path.startswith(("/v1/", "/api/")) else f"/v1{path}"
    talks = any(bare == one or bare.startswith(f"{one}/") for one in TALKS)
    return WITHOUT_MEMORY if talks else {}
