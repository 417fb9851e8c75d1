"""Decides who may use the memory API, and as which tenant. Pure."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass

from recollect.config.server import ApiOptions, IdentityOptions
from recollect.memory.model.errors import ForbiddenError, InvalidInputError
from recollect.memory.model.owner import Owner

from .identity import TENANT_HEADER, is_secret, joint_tenant, listed_tenant
from .presented_credentials import Presented, presented_in, token_in
from .principal import Principal, UnauthorizedError
from .rights import Grant, Right
from .token_file import TokenFile
from .tokens import AdminToken, BadTokenError, is_admin_token


@dataclass(frozen=True, slots=True)
class Checks:
    """What credentials are checked with, besides the configuration."""

    tokens: TokenFile | None = None
    """Without them no admin token is valid."""
    accepted: Container[str] = frozenset()
    """Tenants whose credential the model server has accepted."""


def api_grant(
    headers: Mapping[str, str],
    api: ApiOptions,
    identity: IdentityOptions,
    *,
    on_loopback: bool,
    checks: Checks | None = None,
    prove: Callable[[], Principal | None] = lambda: None,
    of_all: bool = False,
) -> Grant:
    """What a request to the memory API may act on.

    An admin token stands for the tenants that it names. The API's token stands for the configured
    tenant. In gateway mode all credentials of a request together stand for their own tenant: a
    listed one with all rights; others may read and write once the model server has accepted a chat
    with the same ones. `prove` finds
    the caller that a signed token or a server in front names, or raises why there is none. With
    `of_all` the request concerns all tenants, and an admin token need not name one. Without any of
    these, access is open only in personal mode on loopback with no token configured.

    Raises:
        UnauthorizedError: none of these applies; the text says why.
        ForbiddenError, InvalidInputError: the tenant that the request names is not its own.
    """
    checks = checks or Checks()
    token = token_in(headers)
    if token is not None and is_admin_token(token):
        return _of_token(token, headers, identity, checks.tokens, of_all=of_all)
    grant = _own(headers, token, api, identity, checks, prove, on_loopback=on_loopback)
    named = headers.get(TENANT_HEADER)
    if named is not None and named != grant.owner.tenant:
        raise ForbiddenError(TENANT_HEADER, "only an admin token names another tenant")
    return grant


def _own(
    headers: Mapping[str, str],
    token: str | None,
    api: ApiOptions,
    identity: IdentityOptions,
    checks: Checks,
    prove: Callable[[], Principal | None],
    *,
    on_loopback: bool,
) -> Grant:
    """The grant of a caller for its own tenant."""
    if api.token is None and on_loopback and identity.mode == "personal":
        return Grant(Owner(identity.tenant), who="anybody on this machine")
    if token is not None and api.token is not None and is_secret(token, api.token):
        return Grant(Owner(identity.tenant), who="api.token")
    if identity.mode == "gateway":
        presented = presented_in(headers, also=identity.credential_headers)
        if presented is not None:
            return _of_credentials(presented, identity, checks.accepted)
    if (principal := prove()) is not None:
        owner = Owner(principal.tenant, principal.user_id)
        return Grant(owner, principal.right, who=f"{identity.mode} {principal.user_id or 'admin'}")
    raise UnauthorizedError("no credential" if token is None else "an unknown credential")


def _of_credentials(
    presented: Presented, identity: IdentityOptions, accepted: Container[str]
) -> Grant:
    """The grant of a client's own credentials in gateway mode."""
    if listed := listed_tenant(presented, identity):
        return Grant(Owner(listed), who=f"tenant {listed}")
    if identity.hash_key is None:
        raise UnauthorizedError("an unknown credential")
    tenant = joint_tenant(presented, identity.hash_key.get_secret_value())
    if tenant not in accepted:
        several = presented.only is None
        raise UnauthorizedError(
            "several credentials that the model server has not accepted together"
            if several
            else "a credential that the model server has not accepted"
        )
    return Grant(Owner(tenant), Right.WRITE, who=f"tenant {tenant}")


def _of_token(
    presented: str,
    headers: Mapping[str, str],
    identity: IdentityOptions,
    tokens: TokenFile | None,
    *,
    of_all: bool,
) -> Grant:
    if tokens is None:
        raise UnauthorizedError("there are no admin tokens")
    try:
        token = tokens.check(presented)
    except BadTokenError as error:
        raise UnauthorizedError(str(error)) from None
    named = headers.get(TENANT_HEADER)
    all_of_them = of_all and named is None and token.any_tenant
    tenant = identity.tenant if all_of_them else _named_tenant(token, named, identity)
    who = f"token {token.name} ({token.id})"
    return Grant(Owner(tenant), token.right, who, administers=True, any_tenant=token.any_tenant)


def _named_tenant(token: AdminToken, named: str | None, identity: IdentityOptions) -> str:
    if named is None:
        [only, *more] = token.tenants
        if not more and not only.endswith("*"):
            return only
        if identity.mode == "personal" and token.may_name(identity.tenant):
            return identity.tenant
        raise InvalidInputError(
            TENANT_HEADER, "expected the tenant that is meant: this token is for several"
        )
    if not token.may_name(named):
        raise ForbiddenError(TENANT_HEADER, "this token is not for that tenant")
    return named
