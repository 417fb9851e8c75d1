"""Admin tokens: made for an operator, kept as hashes, and taken back one by one. Pure.

A token is `rct_`, its id, `_` and a secret of 256 random bits. Guessing such a secret is hopeless,
so one round of SHA-256 keeps it: a slow hash protects passwords that people choose.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from .rights import Right

PREFIX = "rct_"
ANY_TENANT = "*"
MAX_NAME_CHARS = 64
_ID_BYTES = 6
_SECRET_BYTES = 32
_TOKEN = re.compile(r"rct_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
ADMIN_TOKEN_CHARS = 60
"""The length of a token."""
_ANYWHERE = re.compile(_TOKEN.pattern.encode())
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_HASH = re.compile(r"[0-9a-f]{64}")


class BadTokenError(Exception):
    """A token does not open anything. The text says why, for the log only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminToken:
    """A token as it is kept: without its secret."""

    id: str
    name: str
    hash: str
    right: Right
    tenants: tuple[str, ...]
    """Names of tenants, `acme/*` for all projects of one, or `*` for all tenants."""
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    @property
    def any_tenant(self) -> bool:
        """Whether it may name every tenant."""
        return ANY_TENANT in self.tenants

    def may_name(self, tenant: str) -> bool:
        """Whether it is for this tenant."""
        return any(
            one in (ANY_TENANT, tenant)
            or (one.endswith("/*") and tenant.startswith(one.removesuffix("*")))
            for one in self.tenants
        )

    def state(self, now: datetime) -> str:
        """`valid`, `expired` or `revoked`."""
        if self.revoked_at is not None and self.revoked_at <= now:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= now else "valid"


def make(
    name: str,
    right: Right,
    tenants: Iterable[str],
    *,
    now: datetime,
    days: float | None = None,
) -> tuple[AdminToken, str]:
    """A new token, and its text, which exists only here. Raises ValueError."""
    if len(name) > MAX_NAME_CHARS or not _NAME.fullmatch(name):
        raise ValueError("name: expected letters, digits, dots and dashes, at most 64")
    named = tuple(dict.fromkeys(tenants))
    if not named or not all(tenant.strip() for tenant in named):
        raise ValueError("tenants: expected the names of some, or `*` for all")
    if right is Right.NONE:
        raise ValueError("right: expected read, write or admin")
    expires = None if days is None else now + timedelta(days=days)
    token_id, secret = secrets.token_hex(_ID_BYTES), secrets.token_urlsafe(_SECRET_BYTES)
    text = f"{PREFIX}{token_id}_{secret}"
    made = AdminToken(
        id=token_id,
        name=name,
        hash=hash_of(text),
        right=right,
        tenants=named,
        created_at=now,
        expires_at=expires,
    )
    return made, text


def hash_of(text: str) -> str:
    """What is kept of a token: 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def is_admin_token(text: str) -> bool:
    """Whether a credential looks like an admin token, whoever made it."""
    return text.startswith(PREFIX)


def holds_admin_token(text: bytes) -> bool:
    """Whether there is such a token anywhere in a text."""
    return _ANYWHERE.search(text) is not None


def check(text: str, known: Mapping[str, AdminToken], now: datetime) -> AdminToken:
    """The token with this text. Raises BadTokenError."""
    found = _TOKEN.fullmatch(text)
    if found is None:
        raise BadTokenError("it is not a complete admin token")
    token = known.get(found[1])
    if token is None:
        raise BadTokenError(f"no admin token has the id {found[1]}")
    if not hmac.compare_digest(token.hash, hash_of(text)):
        raise BadTokenError(f"the secret of the admin token {token.name!r} is wrong")
    if (state := token.state(now)) != "valid":
        raise BadTokenError(f"the admin token {token.name!r} is {state}")
    return token


def ended(token: AdminToken, at: datetime) -> AdminToken:
    """The token, which ends then unless it ends before."""
    sooner = at if token.expires_at is None else min(at, token.expires_at)
    return replace(token, expires_at=sooner)


def as_json(token: AdminToken) -> dict[str, Any]:
    """As a file keeps it."""
    moments = {
        name: moment.isoformat()
        for name in ("created_at", "expires_at", "revoked_at")
        if (moment := getattr(token, name)) is not None
    }
    return {
        "id": token.id,
        "name": token.name,
        "hash": token.hash,
        "right": token.right.word,
        "tenants": list(token.tenants),
        **moments,
    }


def from_json(value: Any) -> AdminToken:
    """The token that a file keeps. Raises ValueError, which names the field."""
    if not isinstance(value, dict):
        raise TypeError("expected an object for each token")
    if not isinstance(value.get("hash"), str) or not _HASH.fullmatch(value["hash"]):
        raise ValueError("hash: expected 64 hexadecimal digits")
    tenants = value.get("tenants")
    if not isinstance(tenants, list) or not all(isinstance(each, str) for each in tenants):
        raise ValueError("tenants: expected a list of names")
    words = {right.word: right for right in Right if right is not Right.NONE}
    if value.get("right") not in words:
        raise ValueError(f"right: expected one of {', '.join(words)}")
    return AdminToken(
        id=_text(value, "id"),
        name=_text(value, "name"),
        hash=value["hash"],
        right=words[value["right"]],
        tenants=tuple(tenants),
        created_at=_moment(value, "created_at") or _missing("created_at"),
        expires_at=_moment(value, "expires_at"),
        revoked_at=_moment(value, "revoked_at"),
    )


def _text(value: Mapping[str, Any], name: str) -> str:
    if not isinstance(value.get(name), str) or not value[name]:
        raise ValueError(f"{name}: expected text")
    return str(value[name])


def _missing(name: str) -> datetime:
    raise ValueError(f"{name}: expected a time in ISO 8601")


def _moment(value: Mapping[str, Any], name: str) -> datetime | None:
    given = value.get(name)
    if given is None:
        return None
    try:
        moment = datetime.fromisoformat(given)
    except (TypeError, ValueError):
        return _missing(name)
    return moment if moment.tzinfo is not None else _missing(name)
