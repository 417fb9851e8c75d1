"""Reads who a request is from where a signed token or a server in front says so. Pure."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from recollect.config.identity import HeaderOptions, JwtOptions

from .naming import header_values
from .rights import Right

SECRET_HEADER = "x-recollect-proxy-secret"  # noqa: S105 - the name of a header
_WORDS = {right.word: right for right in Right if right is not Right.NONE}


class UnauthorizedError(Exception):
    """The request has no valid credential. The text says why, for the log only."""


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated caller, who can name nobody else."""

    tenant: str
    user_id: str | None
    """None: an administrator of the whole tenant."""
    right: Right


def of_claims(claims: Mapping[str, Any], options: JwtOptions, tenant: str) -> Principal:
    """The caller that the claims of a verified token name; `tenant` is that of tokens without one.

    Raises UnauthorizedError if a claim is missing or is no text.
    """
    if options.tenant_claim is not None:
        tenant = _claim(claims, options.tenant_claim)
    if options.project_claim is not None:
        tenant = project_tenant(tenant, _claim(claims, options.project_claim))
    right = Right.WRITE
    if options.rights_claim is not None:
        right = _right(claims.get(options.rights_claim))
    user = claims.get(options.user_claim)
    if right is Right.ADMIN and user is None:
        return Principal(tenant, None, right)
    return Principal(tenant, _claim(claims, options.user_claim), right)


def of_headers(
    headers: Mapping[str, str], peer: str | None, options: HeaderOptions, tenant: str
) -> Principal:
    """The caller that the server in front names.

    Raises UnauthorizedError if the request is not from that server, or names nobody.
    """
    if not _is_among(peer, options.peers):
        raise UnauthorizedError("it is not from one of identity.header.peers")
    if options.secret is not None:
        expected = options.secret.get_secret_value().encode()
        given = headers.get(SECRET_HEADER, "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(expected, given):
            raise UnauthorizedError(f"{SECRET_HEADER} is missing or wrong")
    if options.tenant_header is not None:
        tenant = _header(headers, options.tenant_header)
    if options.project_header is not None:
        tenant = project_tenant(tenant, _header(headers, options.project_header))
    return Principal(tenant, _header(headers, options.user_header), Right.WRITE)


def project_tenant(tenant: str, project: str) -> str:
    """The tenant of a project: both names, told apart by a slash that neither can contain."""
    return f"{quote(tenant, safe='')}/{quote(project, safe='')}"


def _claim(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    if not isinstance(value, str) or not value.strip():
        raise UnauthorizedError(f"the claim {name!r} is missing or no text")
    return value


def _right(claim: object) -> Right:
    words = claim.split() if isinstance(claim, str) else claim
    if not isinstance(words, (list, tuple)):
        return Right.NONE
    named = [str(word).removeprefix("recollect:") for word in words]
    return max((_WORDS[word] for word in named if word in _WORDS), default=Right.NONE)


def _header(headers: Mapping[str, str], name: str) -> str:
    values = header_values(headers, name)
    if len(values) != 1 or not values[0].strip():
        # Of two, a server in front may have checked the other one.
        raise UnauthorizedError(f"the header {name} is missing or given twice")
    return values[0]


def _is_among(peer: str | None, networks: tuple[str, ...]) -> bool:
    try:
        address = ipaddress.ip_address((peer or "").partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return any((mapped or address) in ipaddress.ip_network(one, strict=False) for one in networks)
