"""Identifies the caller of a request. Pure: headers, body and options in, a caller out."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import SecretStr

from recollect.config.server import IdentityOptions
from recollect.memory.model.errors import InvalidInputError, ScopeError
from recollect.memory.model.types import Message, Scope

from ..dialects.body import RequestBody
from ..transport.headers import PRIVATE_PREFIX
from .naming import SESSION_HEADER, USER_HEADER, named_session, named_user
from .presented_credentials import Presented, presented_in
from .principal import SECRET_HEADER, Principal
from .rights import Right
from .speakers import speaker_of, user_of
from .zones import TIMEZONE_HEADER

AGENT_HEADER = "x-recollect-agent"
MEMORY_HEADER = "x-recollect-memory"
DEBUG_HEADER = "x-recollect-debug"
TENANT_HEADER = "x-recollect-tenant"
"""Of requests to the memory API: the tenant that an admin token acts on."""
_KNOWN = frozenset((
    USER_HEADER, AGENT_HEADER, SESSION_HEADER, MEMORY_HEADER, DEBUG_HEADER, TIMEZONE_HEADER,
))  # fmt: skip
VERIFIED = frozenset({"jwt", "header"})
"""Modes in which the caller is proven, and can name nobody else."""
_PREFIX_CHARS = len(PRIVATE_PREFIX)

_TENANT_CHARS = 32
"""Kept of a hex HMAC-SHA256: 128 bits."""


class Use(StrEnum):
    """The use of memory that a client allows for one request."""

    ON = "on"
    READ = "read"
    WRITE = "write"
    OFF = "off"

    @property
    def reads(self) -> bool:
        """Whether memories may be recalled."""
        return self in {Use.ON, Use.READ}

    @property
    def writes(self) -> bool:
        """Whether the turn may be learned."""
        return self in {Use.ON, Use.WRITE}


@dataclass(frozen=True, slots=True)
class Caller:
    """The scope, conversation and use of a request; without a scope there is no memory."""

    scope: Scope | None
    session: str | None
    use: Use
    reason: str = ""
    """Why there is no scope."""
    named: bool = True
    """Whether the request names its user or who speaks; otherwise it has the default user."""
    shared: bool = False
    """Whether several people may speak through this user's client, each by a name."""


def resolve_caller(
    headers: Mapping[str, str],
    body: RequestBody,
    messages: Sequence[Message],
    options: IdentityOptions,
    *,
    on_loopback: bool,
    query: str = "",
    principal: Principal | None = None,
) -> Caller:
    """Find the scope of a chat request; `messages` are those of its body.

    The tenant comes from configuration or the credential, never from the body. A request with a
    malformed name, or with a header that looks like ours and is none, goes on without memory;
    `reason` says so. `query` is the raw query string; `principal` is the caller that is proven, in
    modes that need a proof.
    """
    use, refusal = _use(headers, options, on_loopback=on_loopback)
    if refusal:
        return Caller(None, None, use, refusal)
    if options.mode in VERIFIED:
        return _of_principal(principal, headers, body, options, use)
    tenant = tenant_of(headers, options, query)
    if tenant is None:
        return Caller(None, None, use, "no_credential")
    try:
        named = named_user(headers, body, options)
        user = named or default_user(options, on_loopback=on_loopback)
        if user is None:
            return Caller(None, None, use, "no_user")
        speaker = speaker_of(messages) if options.speakers else None
        owner = user if speaker is None else user_of(user, speaker)
        scope = Scope(tenant=tenant, user_id=owner, agent_id=headers.get(AGENT_HEADER))
    except (ScopeError, InvalidInputError):
        return Caller(None, None, use, "bad_identity")
    session = named_session(headers, body, options)
    known = named is not None or speaker is not None
    return Caller(scope, session, use, named=known, shared=options.speakers)


def _use(
    headers: Mapping[str, str], options: IdentityOptions, *, on_loopback: bool
) -> tuple[Use, str]:
    """The use of memory that is asked for, and why there is none, whoever asks."""
    use = use_of(headers.get(MEMORY_HEADER))
    if use is None:
        return Use.OFF, "bad_memory_header"
    if unknown_header(headers, options) is not None:
        return Use.OFF, "unknown_header"
    if use is Use.OFF:
        return use, "off_by_header"
    if options.mode == "personal" and not (on_loopback or options.trust_callers):
        # All callers share one tenant and are not authenticated: any could read any user's memory.
        return use, "untrusted_caller"
    return use, ""


def _of_principal(
    principal: Principal | None,
    headers: Mapping[str, str],
    body: RequestBody,
    options: IdentityOptions,
    use: Use,
) -> Caller:
    """The caller that is proven.

    What the body says of a user is for the model server, and who speaks in it changes nothing: by a
    name in a message nobody may reach the memories of another proven caller.
    """
    if principal is None:
        return Caller(None, None, use, "no_credential")
    allowed = _allowed(use, principal.right)
    if allowed is None:
        return Caller(None, None, use, "no_right")
    named = headers.get(USER_HEADER)
    user = named if principal.user_id is None else principal.user_id
    if user is None:
        return Caller(None, None, use, "no_user")
    if named not in (None, user):
        return Caller(None, None, use, "foreign_user")
    try:
        scope = Scope(tenant=principal.tenant, user_id=user, agent_id=headers.get(AGENT_HEADER))
    except (ScopeError, InvalidInputError):
        return Caller(None, None, use, "bad_identity")
    return Caller(scope, named_session(headers, body, options), allowed)


def _allowed(use: Use, right: Right) -> Use | None:
    """What a client asks for, as far as it has the right; None for nothing."""
    if right >= Right.WRITE:
        return use
    return Use.READ if right is Right.READ and use.reads else None


def unknown_header(
    headers: Mapping[str, str], options: IdentityOptions, *, also: str | None = None
) -> str | None:
    """A header with our prefix that is none of ours, nor `also`; None if there is none.

    A mistyped `x-recollect-user` would be the default user's memory, a mistyped
    `x-recollect-memory: off` would be recalled and learned.
    """
    ours = [name.lower() for name in headers if name[:_PREFIX_CHARS].lower() == PRIVATE_PREFIX]
    proofs = (options.jwt.token_header, options.header.user_header, SECRET_HEADER)
    known = {*_KNOWN, also, *map(str.lower, (*options.trusted_user_headers, *proofs))}
    return next((name for name in ours if name not in known), None)


def tenant_of(headers: Mapping[str, str], options: IdentityOptions, query: str = "") -> str | None:
    """The tenant of a request, in modes where nobody is proven.

    None if it has no credential to derive the tenant from.
    """
    if options.mode == "personal":
        return options.tenant
    presented = presented_in(headers, query, options.credential_headers)
    if presented is None or options.hash_key is None:
        return None
    listed = listed_tenant(presented, options)
    return listed or joint_tenant(presented, options.hash_key.get_secret_value())


def listed_tenant(presented: Presented, options: IdentityOptions) -> str | None:
    """The configured tenant, if exactly one is named by these credentials.

    The table itself says whose such a credential is; no model server is asked.
    """
    listed = {
        tenant
        for value in presented.values
        for tenant, key in options.tenants.items()
        if is_secret(value, key)
    }
    return listed.pop() if len(listed) == 1 else None


def is_secret(presented: str, expected: SecretStr) -> bool:
    """Whether a header's value is the configured secret; compared in constant time."""
    return hmac.compare_digest(expected.get_secret_value().encode(), _header_bytes(presented))


def joint_tenant(presented: Presented, hash_key: str) -> str:
    """The tenant of all credentials of a request.

    Of several, the places count too: the model server judged them there. Their prefix is another
    one, so that they are never the tenant of one credential.
    """
    if presented.only is not None:
        return hashed_tenant(presented.only, hash_key)
    pieces = [_header_bytes(piece) for found in presented.found for piece in found]
    # With their lengths, so that no other pieces make the same text.
    text = b"".join(b"%d:%b" % (len(piece), piece) for piece in pieces)
    return f"keys:{_hash(hash_key, text)}"


def hashed_tenant(credential: str, hash_key: str) -> str:
    """A tenant name derived from a credential, which it does not reveal.

    The prefix keeps hashed tenants apart from configured names.
    """
    return f"key:{_hash(hash_key, _header_bytes(credential))}"


def _hash(hash_key: str, text: bytes) -> str:
    return hmac.new(hash_key.encode(), text, hashlib.sha256).hexdigest()[:_TENANT_CHARS]


def _header_bytes(value: str) -> bytes:
    """A header's value as sent: aiohttp decodes invalid UTF-8 to lone surrogates."""
    return value.encode("utf-8", "surrogateescape")


def default_user(options: IdentityOptions, *, on_loopback: bool) -> str | None:
    """The user of a request that names none; None if nobody is, or callers are proven."""
    if options.mode in VERIFIED:
        return None
    if options.mode == "personal":
        return options.default_user if on_loopback else None
    return options.default_user if options.default_user_in_gateway else None


def use_of(value: str | None) -> Use | None:
    """What the header for the use of memory asks for; None if it says nothing that we know."""
    try:
        return Use((value or "on").strip().lower())
    except ValueError:
        return None
