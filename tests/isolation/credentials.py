"""Every kind of credential, with what it may do, and a server that knows them all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from recollect.memory.model.types import Scope, utc_now
from recollect.proxy.access.identity import hashed_tenant, joint_tenant
from recollect.proxy.access.presented_credentials import Presented
from recollect.proxy.access.rights import Right
from recollect.proxy.access.token_file import TokenFile
from recollect.proxy.access.tokens import make
from tests.support.signing import AUDIENCE, ISSUER, Signer

from .gateway import STRANGER

SIGNER, FORGER = Signer("one"), Signer("one")
HASHED = hashed_tenant(STRANGER, "h")
TOGETHER = joint_tenant(Presented((("authorization", STRANGER), ("x-api-key", "valid"))), "h")
API_TOKEN = "the token of the api"
NOT_YET = frozenset({"not accepted", "revoked and helped"})
"""Kinds of credentials whose keys are accepted under the name of another kind."""
OPERATORS = "operators"
"""The tenant of `api.token`."""


@dataclass(frozen=True)
class Credential:
    """What somebody sends, and what it is good for."""

    name: str
    headers: Mapping[str, str]
    right: Right | None
    """None: it opens nothing."""
    tenant: str = ""
    user: str | None = None
    mode: str = "gateway"
    accepted: bool = False
    """Whether the model server has answered a chat with it."""
    any_tenant: bool = False

    @property
    def whole(self) -> bool:
        """Whether it is for a whole tenant."""
        return self.user is None

    def may_see(self, scope: Scope) -> bool:
        """Whether this scope's memories are its own."""
        if self.right is None or scope.tenant != self.tenant:
            return False
        return self.user in (None, scope.user_id)


@dataclass
class Kept:
    """The folder of a server, with a file of tokens and one of keys."""

    folder: Path
    texts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        now = utc_now()
        wanted: dict[str, tuple[Right, list[str], float | None]] = {
            "reader": (Right.READ, ["acme"], None),
            "writer": (Right.WRITE, ["acme"], None),
            "admin": (Right.ADMIN, ["acme"], None),
            "everybody's": (Right.ADMIN, ["*"], None),
            "expired": (Right.ADMIN, ["*"], 1),
        }
        made = []
        for name, (right, tenants, days) in wanted.items():
            begin = now if days is None else now - timedelta(days=2)
            token, self.texts[name] = make(name.strip("'s"), right, tenants, now=begin, days=days)
            made.append(token)
        TokenFile(self.folder / "tokens.json").write(made)
        (self.folder / "keys.json").write_bytes(SIGNER.document)

    def flags(self, mode: str) -> dict[str, Any]:
        """The settings of a server in this mode."""
        return {
            "identity.mode": mode,
            "identity.tenant": OPERATORS,
            "api.token": API_TOKEN,
            "api.tokens_file": str(self.folder / "tokens.json"),
            "identity.jwt.jwks": str(self.folder / "keys.json"),
            "identity.jwt.issuer": ISSUER,
            "identity.jwt.audience": [AUDIENCE],
            "identity.jwt.tenant_claim": "org",
            "identity.jwt.rights_claim": "right",
            "identity.header.tenant_header": "x-forwarded-tenant",
            "identity.header.secret": "in front",
        }

    def credentials(self) -> list[Credential]:
        """One of each kind."""
        return [
            Credential("nobody", {}, None),
            Credential("unknown", _bearer("key-x"), None),
            Credential("not accepted", _bearer(STRANGER), None),
            Credential("accepted", _bearer(STRANGER), Right.WRITE, HASHED, accepted=True),
            *_several(),
            Credential("listed", _bearer("key-a"), Right.ADMIN, "acme"),
            Credential("of another", _bearer("key-b"), Right.ADMIN, "emca"),
            Credential("api.token", _bearer(API_TOKEN), Right.ADMIN, OPERATORS),
            *self._tokens(),
            *_signed(),
            *_in_front(),
        ]

    def _tokens(self) -> list[Credential]:
        here = {"x-recollect-tenant": "acme"}
        tampered = self.texts["admin"][:-1] + ("A" if self.texts["admin"][-1] != "A" else "B")
        return [
            Credential("reader", _key(self.texts["reader"]), Right.READ, "acme"),
            Credential("writer", _key(self.texts["writer"]), Right.WRITE, "acme"),
            Credential("admin", _key(self.texts["admin"]), Right.ADMIN, "acme"),
            Credential(
                "everybody's for acme", _key(self.texts["everybody's"]) | here, Right.ADMIN,
                "acme", any_tenant=True,
            ),
            Credential(
                "everybody's for a hash",
                _key(self.texts["everybody's"]) | {"x-recollect-tenant": HASHED},
                Right.ADMIN, HASHED, any_tenant=True,
            ),
            Credential("expired", _key(self.texts["expired"]) | here, None),
            Credential("tampered", _key(tampered), None),
        ]  # fmt: skip


def _several() -> list[Credential]:
    """What was accepted alone opens nothing in company; what was accepted together, its own."""
    helped = _bearer("revoked") | {"api-key": STRANGER}
    revoked = _bearer(STRANGER) | {"x-api-key": "valid"}
    return [
        Credential("helped", helped, None, HASHED, accepted=True),
        Credential("revoked and helped", revoked, None, HASHED, accepted=True),
        Credential("accepted together", revoked, Right.WRITE, TOGETHER, accepted=True),
    ]


def _signed() -> list[Credential]:
    def signed(name: str, token: str, right: Right | None, user: str | None) -> Credential:
        return Credential(name, _bearer(token), right, "acme", user, "jwt")

    write = {"org": "acme", "right": "write"}
    return [
        signed("jwt", SIGNER.token("alice", **write), Right.WRITE, "alice"),
        signed("jwt to read", SIGNER.token("alice", org="acme", right="read"), Right.READ, "alice"),
        signed("jwt of an admin", SIGNER.token(None, org="acme", right="admin"), Right.ADMIN, None),
        signed("jwt without rights", SIGNER.token("alice", org="acme"), Right.NONE, "alice"),
        signed("jwt expired", SIGNER.token("alice", seconds=-900, **write), None, None),
        signed("jwt foreign", SIGNER.token("alice", iss="https://x.test", **write), None, None),
        signed("jwt forged", FORGER.token("alice", **write), None, None),
        signed("jwt without user", SIGNER.token(None, **write), None, None),
    ]


def _in_front() -> list[Credential]:
    named = {"x-forwarded-user": "alice", "x-forwarded-tenant": "acme"}
    secret = {"x-recollect-proxy-secret": "in front"}
    return [
        Credential("header", named | secret, Right.WRITE, "acme", "alice", "header"),
        Credential("header without proof", named, None, mode="header"),
        Credential("header without tenant", {"x-forwarded-user": "alice"} | secret, None,
                   mode="header"),
    ]  # fmt: skip


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _key(token: str) -> dict[str, str]:
    return {"X-API-Key": token}
