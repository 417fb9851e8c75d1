"""Who may use the memory API, from where, and as which tenant. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from config import is_loopback
from config.server import ApiOptions, IdentityOptions

from ..identity import is_secret, listed_tenant

_SCHEMES = frozenset({"bearer", "token"})


class UnauthorizedError(Exception):
    """No valid token came with the request."""


class ForbiddenError(Exception):
    """A web page, or a name that is not ours: the message says which."""


def check_source(headers: Mapping[str, str], api: ApiOptions, *, on_loopback: bool) -> None:
    """Refuse what a foreign web page can make a browser send.

    A page can post to any loopback port (its `Origin` gives it away), and a name of its own that it
    points at 127.0.0.1 makes the server its own origin (`Host` gives it away).

    Raises:
        ForbiddenError: it is one of these.
    """
    host = headers.get("Host", "")
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    if on_loopback and not is_loopback(name) and name.lower() not in api.allowed_hosts:
        raise ForbiddenError(f"the host name {name!r} is not one of this server's")
    origin = headers.get("Origin")
    if origin is not None and origin not in {f"http://{host}", *api.allowed_origins}:
        raise ForbiddenError("web pages of other origins may not use the memory API")


def api_tenant(
    headers: Mapping[str, str],
    api: ApiOptions,
    identity: IdentityOptions,
    *,
    on_loopback: bool,
) -> str:
    """The tenant a request to the memory API may act for.

    The API's token stands for the configured tenant; in gateway mode a listed tenant's own
    credential stands for that tenant. Without either only personal mode on loopback is open, and
    only if no token is configured.

    Raises:
        UnauthorizedError: none of these.
    """
    presented = _presented(headers)
    if api.token is None and on_loopback and identity.mode == "personal":
        return identity.tenant
    if presented is not None:
        if api.token is not None and is_secret(presented, api.token):
            return identity.tenant
        if identity.mode == "gateway" and (listed := listed_tenant(presented, identity)):
            return listed
    raise UnauthorizedError


def _presented(headers: Mapping[str, str]) -> str | None:
    scheme, _, token = headers.get("Authorization", "").partition(" ")
    if scheme.lower() in _SCHEMES and token.strip():
        return token.strip()
    return headers.get("X-API-Key") or None
