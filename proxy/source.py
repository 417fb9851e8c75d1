"""Who may speak to this server: what `Host` and `Origin` say about a request's source. Pure.

Two things make a person's own browser send what a foreign web page wants. A page can post to any
loopback port; its `Origin` gives it away. And a page can point a name of its own at 127.0.0.1, so
that the server becomes its own origin; `Host` gives that away (DNS rebinding).

The memory API refuses such requests, chats pass without memory. `/healthz` and `/readyz` stay open:
probes address a pod by its number, nothing there is about a person, and nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping

from config import is_loopback
from config.server import ListenOptions

FOREIGN_HOST = "foreign_host"
FOREIGN_ORIGIN = "foreign_origin"

_OTHER_SITES = frozenset({"cross-site", "same-site"})
"""`Sec-Fetch-Site` of requests that another page caused, images and links included."""
_MAX_AGE_SECONDS = 600
"""How long a browser may remember a preflight's answer."""
_ALLOWED_HEADERS = "Authorization, Content-Type, X-API-Key"


def foreign_source(
    headers: Mapping[str, str], listen: ListenOptions, *, on_loopback: bool
) -> str | None:
    """Why a request comes from a foreign web page, as a reason word; None if it does not.

    Off loopback any host name is good: a server on a network has names we cannot know, and has a
    token instead.
    """
    host = headers.get("Host", "")
    if on_loopback and not _is_ours(host, listen):
        return FOREIGN_HOST
    origin = headers.get("Origin")
    if origin is None:
        # Images, forms that navigate and the like have no Origin, but current browsers tell.
        other = headers.get("Sec-Fetch-Site", "").lower() in _OTHER_SITES
        return FOREIGN_ORIGIN if other else None
    return None if origin in {f"http://{host}", *listen.allowed_origins} else FOREIGN_ORIGIN


def cors_headers(headers: Mapping[str, str], listen: ListenOptions) -> dict[str, str]:
    """What lets a configured page read our answer: that one origin, and no credentials.

    Nothing at all unless origins are configured.
    """
    if not listen.allowed_origins:
        return {}
    added = {"Vary": "Origin"}
    origin = headers.get("Origin")
    if origin is not None and origin in listen.allowed_origins:
        added["Access-Control-Allow-Origin"] = origin
    return added


def preflight_headers(
    headers: Mapping[str, str], listen: ListenOptions, methods: tuple[str, ...]
) -> dict[str, str] | None:
    """The answer to a browser that asks before it sends; None if this is no such question."""
    added = cors_headers(headers, listen)
    asks = "Access-Control-Request-Method" in headers
    if not asks or "Access-Control-Allow-Origin" not in added:
        return None
    return added | {
        "Access-Control-Allow-Methods": ", ".join(methods),
        "Access-Control-Allow-Headers": _ALLOWED_HEADERS,
        "Access-Control-Max-Age": str(_MAX_AGE_SECONDS),
    }


def _is_ours(host: str, listen: ListenOptions) -> bool:
    name = _name(host.lower())
    return is_loopback(name) or name in {allowed.lower() for allowed in listen.allowed_hosts}


def _name(host: str) -> str:
    """A `Host` without its port; the whole of it if what follows the colon is no port."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() and not host.endswith("]") else host
