"""Detects requests from foreign web pages by their `Host` and `Origin` headers.

A foreign web page can make a person's browser send requests in two ways. It can post to any address
that the browser reaches: `Origin` shows that. Or it can point its own host name at our address, so
that the server belongs to the page's origin (DNS rebinding): `Host` shows that.

DNS rebinding needs a name that its owner controls in the public DNS. Off loopback our own names are
unknown, so all others count as ours: addresses, names without a dot, names nobody can register.

The memory API refuses foreign requests; chats pass without memory. `/healthz` and `/readyz` stay
open: probes address a pod by IP, and both are read-only and contain nothing about a person.
"""

from __future__ import annotations

from collections.abc import Mapping

from recollect.config import is_loopback
from recollect.config.network import is_address, is_among, is_private_name
from recollect.config.server import ListenOptions

FOREIGN_HOST = "foreign_host"
FOREIGN_ORIGIN = "foreign_origin"

TOLD_BY = ("Host", "Origin", "Sec-Fetch-Site")
"""The headers that tell where a request comes from."""
_OTHER_SITES = frozenset({"cross-site", "same-site"})
"""`Sec-Fetch-Site` of requests from pages of other origins, including images and links."""
_MAX_AGE_SECONDS = 600
"""How long a browser may cache a preflight's answer."""
_EXPOSED_HEADERS = "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"
"""Of an answer; a page of another origin cannot read others."""
_ALLOWED_HEADERS = "Authorization, Content-Type, If-Match, If-None-Match, X-API-Key"


def foreign_source(
    headers: Mapping[str, str], listen: ListenOptions, *, on_loopback: bool
) -> str | None:
    """A reason word if a request comes from a foreign web page; None if it does not."""
    host = headers.get("Host", "")
    if not _is_ours(host, listen, on_loopback=on_loopback):
        return FOREIGN_HOST
    origin = headers.get("Origin")
    if origin is None:
        # Images, form navigation and links have no Origin, but browsers send Sec-Fetch-Site.
        other = headers.get("Sec-Fetch-Site", "").lower() in _OTHER_SITES
        return FOREIGN_ORIGIN if other else None
    # Off loopback a server in front may terminate TLS.
    own = {f"http://{host}"} if on_loopback else {f"http://{host}", f"https://{host}"}
    return None if origin in {*own, *listen.allowed_origins} else FOREIGN_ORIGIN


def cors_headers(headers: Mapping[str, str], listen: ListenOptions) -> dict[str, str]:
    """The headers that let a configured page read our answer: its origin, without credentials.

    Empty unless origins are configured.
    """
    if not listen.allowed_origins:
        return {}
    added = {"Vary": "Origin"}
    origin = headers.get("Origin")
    if origin is not None and origin in listen.allowed_origins:
        added["Access-Control-Allow-Origin"] = origin
        added["Access-Control-Expose-Headers"] = _EXPOSED_HEADERS
    return added


def preflight_headers(
    headers: Mapping[str, str], listen: ListenOptions, methods: tuple[str, ...]
) -> dict[str, str] | None:
    """The headers that answer a browser's preflight; None if the request is not one."""
    added = cors_headers(headers, listen)
    asks = "Access-Control-Request-Method" in headers
    if not asks or "Access-Control-Allow-Origin" not in added:
        return None
    return added | {
        "Access-Control-Allow-Methods": ", ".join(methods),
        "Access-Control-Allow-Headers": _ALLOWED_HEADERS,
        "Access-Control-Max-Age": str(_MAX_AGE_SECONDS),
    }


def _is_ours(host: str, listen: ListenOptions, *, on_loopback: bool) -> bool:
    name = _name(host.lower()).removesuffix(".")
    if is_loopback(name) or is_among(name, listen.allowed_hosts):
        return True
    if on_loopback:
        return False
    return is_address(name) or is_private_name(name) or name == listen.host.lower()


def _name(host: str) -> str:
    """A `Host` without its port; the whole value if no number follows the colon."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() and not host.endswith("]") else host
