"""Who may use the memory API, and as which tenant. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.config.server import ApiOptions, IdentityOptions

from .identity import is_secret, listed_tenant

_SCHEMES = frozenset({"bearer", "token"})


class UnauthorizedError(Exception):
    """The request has no valid token."""


def api_tenant(
    headers: Mapping[str, str], api: ApiOptions, identity: IdentityOptions, *, on_loopback: bool
) -> str:
    """The tenant a request to the memory API may act for.

    The API's token stands for the configured tenant; in gateway mode a listed tenant's own
    credential stands for that tenant. Without either, access is open only in personal mode on
    loopback with no token configured.

    Raises:
        UnauthorizedError: none of these applies.
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
