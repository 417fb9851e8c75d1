"""Who may use the memory API, and as which tenant. Pure."""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from config.server import ApiOptions, IdentityOptions

_SCHEMES = frozenset({"bearer", "token"})


class UnauthorizedError(Exception):
    """No valid token came with the request."""


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
        if api.token is not None and _same(api.token.get_secret_value(), presented):
            return identity.tenant
        if identity.mode == "gateway":
            for tenant, key in identity.tenants.items():
                if _same(key.get_secret_value(), presented):
                    return tenant
    raise UnauthorizedError


def _presented(headers: Mapping[str, str]) -> str | None:
    scheme, _, token = headers.get("Authorization", "").partition(" ")
    if scheme.lower() in _SCHEMES and token.strip():
        return token.strip()
    return headers.get("X-API-Key") or None


def _same(expected: str, presented: str) -> bool:
    return hmac.compare_digest(expected.encode(), presented.encode("utf-8", "surrogatepass"))
