"""Who may use the memory API, and as which tenant. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.config.server import ApiOptions, IdentityOptions
from recollect.memory.errors import ScopeError
from recollect.memory.scope import SCOPE_REQUIRED

from .identity import is_secret, listed_tenant

_SCHEMES = frozenset({"bearer", "token"})


class UnauthorizedError(Exception):
    """The request has no valid token."""


@dataclass(frozen=True, slots=True)
class Grant:
    """What a request to the memory API may act on: one tenant's memories, all or scope by scope."""

    tenant: str
    whole_tenant: bool
    """Whether it may act without naming a scope: on any memory or job of the tenant by its id, and
    on the tenant itself (reset, jobs, usage, flush).

    Today everybody who may use the memory API may: in personal mode it is the machine's own user,
    and `api.token` and a listed tenant's credential each stand for their whole tenant. So scope ids
    narrow a request; they do not authorise it. A caller with fewer rights gets `False` here.
    """

    def check(self, *, names_scope: bool) -> None:
        """Raises ScopeError if the request must name a scope and does not."""
        if not (names_scope or self.whole_tenant):
            raise ScopeError(SCOPE_REQUIRED)


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
    presented = _presented(headers)
    if api.token is None and on_loopback and identity.mode == "personal":
        return Grant(identity.tenant, whole_tenant=True)
    if presented is not None:
        if api.token is not None and is_secret(presented, api.token):
            return Grant(identity.tenant, whole_tenant=True)
        if identity.mode == "gateway" and (listed := listed_tenant(presented, identity)):
            return Grant(listed, whole_tenant=True)
    raise UnauthorizedError


def _presented(headers: Mapping[str, str]) -> str | None:
    scheme, _, token = headers.get("Authorization", "").partition(" ")
    if scheme.lower() in _SCHEMES and token.strip():
        return token.strip()
    return headers.get("X-API-Key") or None
