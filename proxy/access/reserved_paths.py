"""Decides which paths are this server's and never go upstream. Pure.

A path is ours if any reading of it is: servers differ in what they decode, merge and resolve, and a
request for memories must not leave because the upstream reads its path in another way. Names count
by whole segments: `/v1/batch` is ours, `/v1/batches` is the upstream's.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from ..errors import ProxyError
from ..transport.paths import origin_form

_MEMORIES = "memories are at /v1/memories; GET /docs lists the operations"
_DOCUMENT = "GET /docs and GET /openapi.json describe the memory API"
_MEM0 = "docs/migrating-from-mem0.md lists what the clients of mem0 can call; so does GET /docs"
_ENTITIES = (
    "POST /v1/entities lists who and what a scope's memories speak of, GET /v1/memories/users who "
    "has memories; docs/queries.md"
)
_HEALTH = "GET /healthz and GET /readyz report the health"
_PING = "GET /v1/ping tells who a credential is, the health is at GET /healthz and GET /readyz"
_MCP = "clients of MCP post to /mcp itself, unless api.enabled is false; docs/agents.md"
_NO_OAUTH = "this server has no OAuth: send a token of the memory API as a bearer token"
_DASHBOARD = "the dashboard is at GET /dashboard, unless api.enabled is false"

MEMORY_API = {
    "/v1/memories": _MEMORIES,
    "/v1/memory": _MEMORIES,
    "/v1/ping": _PING,
    "/v1/entities": _ENTITIES,
    "/v1/batch": _MEM0,
    "/v1/exports": _MEM0,
    "/v1/summary": _MEM0,
    "/v1/feedback": _MEM0,
    "/v1/reset": "POST /v1/reset/ removes all memories of a tenant",
    "/v1/event": _MEM0,
    "/v1/events": _MEM0,
    "/v2/memories": _MEM0,
    "/v2/entities": _MEM0,
    "/v2/profiles": _MEM0,
    "/v3/memories": _MEM0,
    "/v3/entities": _MEM0,
    "/mem0": "docs/migrating-from-mem0.md lists the routes of mem0's own server",
    "/api/v1/orgs": _MEM0,
    "/api/v1/webhooks": _MEM0,
    "/docs": _DOCUMENT,
    "/openapi.json": _DOCUMENT,
}
"""The memory API, also as clients of mem0 call it, with a word on where to look."""
OTHERS = {
    "/healthz": _HEALTH,
    "/readyz": _HEALTH,
    "/metrics": _HEALTH,
    "/mcp": _MCP,
    # Where clients of MCP look after a 401; the upstream's answer would send them there.
    "/.well-known/oauth-protected-resource/mcp": _NO_OAUTH,
    "/.well-known/oauth-authorization-server/mcp": _NO_OAUTH,
    "/.well-known/openid-configuration/mcp": _NO_OAUTH,
    "/dashboard": _DASHBOARD,
}
"""Our paths that do not depend on `api.enabled`."""

_OWN = {tuple(path[1:].split("/")): path for path in (*MEMORY_API, *OTHERS)}
_LONGEST = max(map(len, _OWN))
_PLAIN = re.compile(r"(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*/?")
"""Paths that every server reads in the same way."""
_DECODINGS = 3
"""Proxies in a row may each decode a path; more of them are not expected."""
_DOTS = frozenset({".", ".."})
_SLASH = re.compile(r"[/\\]")
_END = re.compile(r"[;?#\0]")
"""Where the name of a segment ends for some servers."""
_PATHS = 512
"""Size of the cache: most requests have one of a few paths."""
MAX_SEGMENTS = 512
"""Most segments of a path that servers may read in different ways: each reading costs time."""


def own_prefix(target: str) -> str | None:
    """The path of ours that a request target names or is below; None if it is the upstream's.

    Raises:
        ProxyError: 400; the target has no path, or too many segments.
    """
    if not target.startswith("/"):
        target = origin_form(target)
    return _own_prefix(target.partition("?")[0].partition("#")[0])


def not_here(method: str, prefix: str, *, api: bool = True) -> str:
    """What a 404 below a path of ours says; `api`: whether the memory API is on."""
    if prefix in OTHERS:
        where = OTHERS[prefix]
    else:
        where = MEMORY_API[prefix] if api else "the memory API is switched off (api.enabled)"
    return f"there is nothing for {method} at this path ({prefix} belongs to Recollect): {where}"


@functools.lru_cache(maxsize=_PATHS)
def _own_prefix(path: str) -> str | None:
    if _PLAIN.fullmatch(path):
        return _listed(path.lower().strip("/").split("/"))
    return next(filter(None, map(_listed, _readings(path))), None)


def _listed(segments: Sequence[str]) -> str | None:
    begin = next((i for i, name in enumerate(segments) if name != "v1"), len(segments))
    # A base URL that ends in /v1 and a client that adds /v1 make /v1/v1.
    names = tuple(segments[max(begin - 1, 0) :][:_LONGEST])
    found = (_OWN.get(names[:count]) for count in range(1, len(names) + 1))
    return next(filter(None, found), None)


def _readings(path: str) -> Iterator[list[str]]:
    """The segments of the path as different servers read them, none empty."""
    for segments in _splits(path.lower()):
        if len(segments) > MAX_SEGMENTS:
            raise ProxyError(400, "bad_path", "The request's path has too many segments.")
        yield from _without_dots(segments)
        if any(map(_END.search, segments)):
            yield from _without_dots([_END.split(segment, maxsplit=1)[0] for segment in segments])


def _splits(path: str) -> Iterator[list[str]]:
    """Split before and after each decoding: an encoded slash separates segments or does not."""
    yield _SLASH.split(path)[1:]
    for _ in range(_DECODINGS):
        if "%" not in path:
            return
        yield [unquote(piece).lower().strip() for piece in path.split("/")[1:]]
        path = unquote(path).lower()
        yield [piece.strip() for piece in _SLASH.split(path)[1:]]


def _without_dots(segments: Sequence[str]) -> Iterator[list[str]]:
    """Empty segments removed; dot segments kept, resolved after that, and resolved before."""
    merged = [name for name in segments if name]
    yield merged
    if not _DOTS.isdisjoint(merged):
        yield _resolved(merged)
        yield [name for name in _resolved(segments) if name]


def _resolved(segments: Sequence[str]) -> list[str]:
    """Without dot segments (RFC 3986 §5.2.4)."""
    kept: list[str] = []
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return kept
