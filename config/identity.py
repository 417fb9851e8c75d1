"""Options that say whose requests are whose."""

from __future__ import annotations

import ipaddress
from typing import Any, Literal

from pydantic import Field, SecretStr, field_validator
from yarl import URL

from recollect.memory.engine.options import VisibilityOptions
from recollect.memory.model.options_base import Options
from recollect.memory.model.zones import is_zone

from .presets import PRESETS, PresetName


class JwtOptions(Options):
    """Signed tokens (JWT) that name the caller, for `identity.mode: jwt`."""

    jwks: str | None = Field(
        default=None,
        description="The public keys: an https URL of a JWKS document, or the path of a file, "
        "which is read again when it changes. Required.",
    )
    issuer: str | None = Field(default=None, description="What `iss` must be. Required.")
    audience: tuple[str, ...] = Field(
        default=(), description="What `aud` must name, one of these. Required."
    )
    token_header: str = Field(
        default="x-recollect-token",
        min_length=1,
        description="The header of a chat that has the token, with or without `Bearer`. The "
        "default is never sent upstream. The memory API also takes it from `Authorization`.",
    )
    user_claim: str = Field(default="sub", min_length=1, description="The claim with the user.")
    tenant_claim: str | None = Field(
        default=None, description="The claim with the tenant. If not set: `identity.tenant`."
    )
    project_claim: str | None = Field(
        default=None,
        description="A claim with a project: each project of a tenant has memories of its own. A "
        "token without it is refused.",
    )
    rights_claim: str | None = Field(
        default=None,
        description="A claim with `read`, `write` or `admin`, or `recollect:read` and so on. "
        "If not set, a token may read and write its own user's memories.",
    )

    @field_validator("jwks")
    @classmethod
    def _safe_to_read(cls, value: str | None) -> str | None:
        if value is None or "://" not in value:
            return value
        url = URL(value)
        local = url.host in {"127.0.0.1", "::1", "localhost"}
        if url.scheme == "https" or (url.scheme == "http" and local):
            return value
        raise ValueError("expected an https URL or the path of a file")


class HeaderOptions(Options):
    """A server in front that authenticates callers and names them, for `identity.mode: header`."""

    user_header: str = Field(
        default="x-forwarded-user", min_length=1, description="The header with the user."
    )
    tenant_header: str | None = Field(
        default=None, description="The header with the tenant. If not set: `identity.tenant`."
    )
    project_header: str | None = Field(
        default=None,
        description="A header with a project: each project of a tenant has memories of its own. A "
        "request without it is refused.",
    )
    peers: tuple[str, ...] = Field(
        default=("127.0.0.0/8", "::1/128"),
        min_length=1,
        description="Addresses and networks of that server. Requests from elsewhere are nobody's: "
        "the headers of strangers count for nothing.",
    )
    secret: SecretStr | None = Field(
        default=None,
        min_length=1,
        description="What the server in front sends in `x-recollect-proxy-secret`, where "
        "addresses alone do not tell it. Then both are required.",
    )

    @field_validator("peers")
    @classmethod
    def _networks(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        for value in values:
            try:
                ipaddress.ip_network(value, strict=False)
            except ValueError:
                raise ValueError("expected addresses or networks, such as 10.0.0.0/8") from None
        return values


class IdentityOptions(VisibilityOptions):
    """Which tenant and user a request belongs to."""

    mode: Literal["personal", "gateway", "jwt", "header"] = Field(
        default="personal",
        description="Who names tenant and user ([modes](access.md#modes)). `personal`: one tenant. "
        "`gateway`: the client's credential is the tenant, and a request without a user has no "
        "memory. `jwt`: a signed token names both. `header`: a server in front names both.",
    )
    jwt: JwtOptions = Field(default_factory=JwtOptions)
    header: HeaderOptions = Field(default_factory=HeaderOptions)
    trust_callers: bool = Field(
        default=False,
        description="In personal mode off loopback: every caller may name any user and read "
        "that user's memories. Only behind a server that authenticates callers.",
    )
    default_user_in_gateway: bool = Field(
        default=False,
        description="In gateway mode: a request that names no user belongs to `default_user` of "
        "its credential's tenant.",
    )
    tenant: str = Field(default="local", min_length=1, description="The tenant of personal mode.")
    default_user: str = Field(
        default="default",
        min_length=1,
        description="The user of requests that name none, in personal mode on loopback and with "
        "`default_user_in_gateway`.",
    )
    timezone: str | None = Field(
        default=None,
        description="The time zone of users whose requests name none, such as `Europe/Oslo`: "
        "what they call today. If not set, the server's.",
    )
    preset: tuple[PresetName, ...] = Field(
        default=(),
        description="The tools in front of the proxy, one or a list: their headers name user "
        "and conversation (docs/access.md). Anybody can send such a header, so set it only "
        "where nobody else reaches the port.",
    )
    user_headers: tuple[str, ...] = Field(
        default=(),
        description="Trusted headers of other tools that name the user; they are forwarded like "
        "any other header.",
    )
    session_headers: tuple[str, ...] = Field(
        default=(),
        description="Headers of other tools that name the conversation.",
    )
    speakers: bool = Field(
        default=True,
        description="Whether people who share a client are kept apart, in the modes `personal` "
        "and `gateway`: with a `name` in the last user message, or `[Tom]: `, `[From: Tom]` or "
        "`{{Tom}}: ` before its text, the user is `<user>/Tom`.",
    )
    trust_body: bool = Field(
        default=True,
        description="Whether `safety_identifier`, `user` or `metadata.user_id` of the body may "
        "name the user if no header does.",
    )
    hash_key: SecretStr | None = Field(
        default=None,
        min_length=1,
        description="Key of the hash of credentials, and of the fence around memories. The same "
        "on every replica; changing it hides all memories. In gateway mode it is made in "
        "`data_dir`, but required with shared state.",
    )
    credential_headers: tuple[str, ...] = Field(
        default=(),
        description="In gateway mode: further headers with credentials, such as `cookie`. All "
        "credentials of a request together are its tenant (docs/access.md).",
    )
    tenants: dict[str, SecretStr] = Field(
        default_factory=dict,
        description="Names of tenants with their credentials; other credentials are hashed.",
    )

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        if value is not None and not is_zone(value):
            raise ValueError(f"expected a time zone such as Europe/Oslo, not {value!r}")
        return value

    @field_validator("preset", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value

    @property
    def trusted_user_headers(self) -> tuple[str, ...]:
        """The headers of other tools that name the user, first come those of `user_headers`."""
        presets = (PRESETS[name].user_headers for name in self.preset)
        return (*self.user_headers, *(header for headers in presets for header in headers))

    @property
    def trusted_session_headers(self) -> tuple[str, ...]:
        """The headers of other tools that name the conversation, in the same order."""
        presets = (PRESETS[name].session_headers for name in self.preset)
        return (*self.session_headers, *(header for headers in presets for header in headers))
