"""Who may speak to this server: what `Host` and `Origin` say about a request's source.

Two things make a person's own browser send what a foreign web page wants. A page can post to any
address that the browser reaches; its `Origin` gives it away. And a page can point a name of its own
at our address, so that the server becomes its own origin; `Host` gives that away (DNS rebinding).

That needs a name its owner controls in the public DNS. Off loopback, where our own names are not
known, everything else is ours: addresses, names without a dot, names that cannot be registered.

The memory API refuses such requests, chats pass without memory. `/healthz` and `/readyz` stay open:
probes address a pod by its number, nothing there is about a person, and nothing changes.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from recollect.config import is_loopback
from recollect.config.network import is_address, is_among, is_private_name
from recollect.config.server import ListenOptions

log = logging.getLogger(__name__)

FOREIGN_HOST = "foreign_host"
FOREIGN_ORIGIN = "foreign_origin"

_OTHER_SITES = frozenset({"cross-site", "same-site"})
"""`Sec-Fetch-Site` of requests that another page caused, images and links included."""
_MAX_AGE_SECONDS = 600
"""How long a browser may remember a preflight's answer."""
_ALLOWED_HEADERS = "Authorization, Content-Type, X-API-Key"


class Sources:
    """Tells foreign requests. The log is told once of a host name that may only not be listed."""

    def __init__(self, listen: ListenOptions, *, on_loopback: bool) -> None:
        self._listen = listen
        self._on_loopback = on_loopback
        self._warned = False

    def foreign(self, headers: Mapping[str, str]) -> str | None:
        """See `foreign_source`."""
        reason = foreign_source(headers, self._listen, on_loopback=self._on_loopback)
        if reason == FOREIGN_HOST and not (self._warned or self._on_loopback):
            self._warned = True
            log.warning(
                "a request came under a host name that is not one of this server's, and has no "
                "memory: if it is one, add it to listen.allowed_hosts"
            )
        return reason


def foreign_source(
    headers: Mapping[str, str], listen: ListenOptions, *, on_loopback: bool
) -> str | None:
    """Why a request comes from a foreign web page, as a reason word; None if it does not."""
    host = headers.get("Host", "")
    if not _is_ours(host, listen, on_loopback=on_loopback):
        return FOREIGN_HOST
    origin = headers.get("Origin")
    if origin is None:
        # Images, forms that navigate and the like have no Origin, but current browsers tell.
        other = headers.get("Sec-Fetch-Site", "").lower() in _OTHER_SITES
        return FOREIGN_ORIGIN if other else None
    # Elsewhere something in front may end the encryption.
    own = {f"http://{host}"} if on_loopback else {f"http://{host}", f"https://{host}"}
    return None if origin in {*own, *listen.allowed_origins} else FOREIGN_ORIGIN


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


def _is_ours(host: str, listen: ListenOptions, *, on_loopback: bool) -> bool:
    name = _name(host.lower()).removesuffix(".")
    if is_loopback(name) or is_among(name, listen.allowed_hosts):
        return True
    if on_loopback:
        return False
    return is_address(name) or is_private_name(name) or name == listen.host.lower()


def _name(host: str) -> str:
    """A `Host` without its port; the whole of it if what follows the colon is no port."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() and not host.endswith("]") else host
