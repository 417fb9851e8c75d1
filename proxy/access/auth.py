"""Who may use the memory API, and as which tenant. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.config.server import ApiOptions, IdentityOptions
from recollect.memory.owner import Owner

from .identity import is_secret, listed_tenant
from .rights import Grant

_SCHEMES = frozenset({"bearer", "token"})


class UnauthorizedError(Exception):
    """The request has no valid token."""


def api_grant(
    headers: Mapping[str, str], api: ApiOptions, identity: IdentityOptions, *, on_loopback: bool
) -> Grant:
    """What a request to the memory API may act on.

    The API's token stands for the configured tenant; in gateway mode a listed tenant's own
    credential stands for that tenant. Without either, access is open only in personal mode on
    loopback with no token configured.

    Raises:
        UnauthorizedError: none of these applies.
    """
    presented = presented_in(headers)
    if api.token is None and on_loopback and identity.mode == "personal":
        return Grant(Owner(identity.tenant), who="anybody on this machine")
    if presented is not None:
        if api.token is not None and is_secret(presented, api.token):
            return Grant(Owner(identity.tenant), who="api.token")
        if identity.mode == "gateway" and (listed := listed_tenant(presented, identity)):
            return Grant(Owner(listed), who=f"tenant {listed}")
    raise UnauthorizedError


def presented_in(headers: Mapping[str, str]) -> str | None:
    """The token of a request: `Authorization` (Bearer or Token), or `X-API-Key`."""
    scheme, _, token = headers.get("Authorization", "").partition(" ")
    if scheme.lower() in _SCHEMES and token.strip():
        return token.strip()
    return headers.get("X-API-Key") or None
