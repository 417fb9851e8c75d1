"""Decides who may do what: the rules on callers, on web pages, and on explanations."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence

from recollect.config import is_loopback
from recollect.config.server import ApiOptions, IdentityOptions, ListenOptions
from recollect.memory.model.types import Message

from ..dialects.body import RequestBody
from .accepted import REFUSED
from .auth import Checks, api_grant
from .identity import DEBUG_HEADER, Caller, resolve_caller
from .jwks import SigningKeys
from .presented_credentials import token_in
from .principal import Principal, UnauthorizedError, of_claims, of_headers
from .request_origin import FOREIGN_HOST, TOLD_BY, cors_headers, foreign_source, preflight_headers
from .rights import Grant
from .signed_tokens import UnknownKeyError, claims_of
from .zones import Zones

log = logging.getLogger(__name__)

EXPLAIN = "explain"
QUIET_SECONDS = 1.0
"""Shortest time between two lines. Anybody can send wrong credentials as fast as they like."""

_SOURCES, _SOURCE_CHARS = 256, 512
"""How many sources of requests are remembered, and how long they may be."""


class Access:
    """The configured rules, applied to the headers of a request."""

    def __init__(
        self,
        identity: IdentityOptions,
        listen: ListenOptions,
        *,
        checks: Checks | None = None,
        keys: SigningKeys | None = None,
    ) -> None:
        """`keys` are those of signed tokens, in the mode that has them."""
        self._identity = identity
        self._listen = listen
        self._checks = checks or Checks()
        self._keys = keys
        self._refusals = RefusalLog()
        self.zones = Zones(identity.timezone)
        self.on_loopback = is_loopback(listen.host)
        """Whether only this machine can reach the server."""
        self.many_tenants = identity.mode != "personal"
        """Whether callers belong to different tenants: an operation must then name a scope."""
        told = listen.debug_headers
        self.tells = self.on_loopback if told is None else told
        """Whether answers say which user a chat was taken for, and explain themselves if asked."""
        self._warned = self.on_loopback
        self._sources: dict[tuple[str | None, ...], str | None] = {}

    @property
    def wanted(self) -> str:
        """What a request without a valid credential lacks: the same for every reason."""
        return _WANTED[self._identity.mode]

    def foreign(self, headers: Mapping[str, str]) -> str | None:
        """Why a request comes from a foreign web page, as a reason word; None if it does not."""
        reason = self._source_of(headers)
        if reason == FOREIGN_HOST and not self._warned:
            self._warned = True
            log.warning(
                "a request has no memory because its host name is not one of this server's: "
                "if it should be, add it to listen.allowed_hosts"
            )
        return reason

    def _source_of(self, headers: Mapping[str, str]) -> str | None:
        """`foreign_source`, which is remembered: most requests say the same."""
        told = tuple([headers.get(name) for name in TOLD_BY])
        if told in self._sources:
            return self._sources[told]
        reason = foreign_source(headers, self._listen, on_loopback=self.on_loopback)
        if sum([len(each or "") for each in told]) <= _SOURCE_CHARS:
            if len(self._sources) >= _SOURCES:
                self._sources.clear()
            self._sources[told] = reason
        return reason

    def caller(
        self,
        headers: Mapping[str, str],
        body: RequestBody,
        messages: Sequence[Message],
        peer: str | None = None,
        query: str = "",
    ) -> Caller:
        """The caller of a chat with these messages.

        `peer` is the address that it came from, `query` its raw query string.
        """
        try:
            principal = self._principal(headers, peer, headers.get(self._identity.jwt.token_header))
        except UnauthorizedError as error:
            self._refusals.note("a chat goes on without memory", error)
            principal = None
        return resolve_caller(
            headers,
            body,
            messages,
            self._identity,
            on_loopback=self.on_loopback,
            query=query,
            principal=principal,
        )

    def grant(
        self,
        headers: Mapping[str, str],
        api: ApiOptions,
        peer: str | None = None,
        *,
        of_all: bool = False,
    ) -> Grant:
        """What a request to the memory API may act on.

        With `of_all` it concerns all tenants, and none has to be named. The log says why a
        credential is refused, the answer does not.

        Raises:
            UnauthorizedError: no valid credential came with it.
            ForbiddenError, InvalidInputError: it names a tenant that is not its own.
        """
        try:
            return self._grant(headers, api, peer, of_all=of_all)
        except UnauthorizedError as error:
            self._refusals.note("the memory API refused a request", error)
            raise

    def _grant(
        self, headers: Mapping[str, str], api: ApiOptions, peer: str | None, *, of_all: bool
    ) -> Grant:
        return api_grant(
            headers,
            api,
            self._identity,
            on_loopback=self.on_loopback,
            checks=self._checks,
            prove=lambda: self._principal(headers, peer, self._token_in(headers)),
            of_all=of_all,
        )

    def _token_in(self, headers: Mapping[str, str]) -> str | None:
        return headers.get(self._identity.jwt.token_header) or token_in(headers)

    def _principal(
        self, headers: Mapping[str, str], peer: str | None, token: str | None
    ) -> Principal | None:
        """Who it is, in the modes that prove it. Raises UnauthorizedError."""
        identity = self._identity
        if identity.mode == "header":
            return of_headers(headers, peer, identity.header, identity.tenant)
        if identity.mode != "jwt" or self._keys is None:
            return None
        if not token:
            raise UnauthorizedError("no signed token")
        text = token.removeprefix("Bearer ").strip()
        try:
            claims = claims_of(text, self._keys.known, identity.jwt)
        except UnknownKeyError:
            self._keys.missed()
            raise
        return of_claims(claims, identity.jwt, identity.tenant)

    def explains(self, headers: Mapping[str, str]) -> bool:
        """Whether a chat asks for an explanation and may have it; otherwise that is ignored."""
        if headers.get(DEBUG_HEADER, "").strip().lower() != EXPLAIN:
            return False
        return self.tells

    def is_nobody(self, status: int) -> bool:
        """Whether the model server's answer says that a chat's credentials are nobody's.

        Only gateway mode asks it. What memory would have done is then nothing to tell.
        """
        return self._identity.mode == "gateway" and status in REFUSED

    def is_proven(self, tenant: str) -> bool:
        """Whether a chat's tenant is certain before the model server has answered it."""
        return self._identity.mode != "gateway" or tenant in self._identity.tenants

    def cors(self, headers: Mapping[str, str]) -> dict[str, str]:
        """The headers that let a configured page read an answer."""
        return cors_headers(headers, self._listen)

    def preflight(
        self, headers: Mapping[str, str], methods: tuple[str, ...]
    ) -> dict[str, str] | None:
        """The headers that answer a browser's preflight; None if the request is not one."""
        return preflight_headers(headers, self._listen, methods)


_WANTED = {
    "personal": "a valid API token is required",
    "gateway": "a valid API token is required; a client's own key counts once the model server "
    "has answered a chat with it",
    "jwt": "a valid signed token (identity.jwt) or API token is required",
    "header": "a valid API token is required, or a request of the server in front that names the "
    "user (identity.header)",
}


class RefusalLog:
    """Logs why credentials are refused, and counts what it does not log."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._quiet_until = -math.inf
        self._untold = 0

    def note(self, what: str, reason: Exception) -> None:
        """A credential was refused; the reason names no secret."""
        if self._clock() < self._quiet_until:
            self._untold += 1
            return
        more = f" ({self._untold} more were refused before it)" if self._untold else ""
        log.warning("%s: %s%s", what, reason, more)
        self._quiet_until, self._untold = self._clock() + QUIET_SECONDS, 0
