"""Who may do what: the rules on callers, on web pages, and on explanations."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from recollect.config import is_loopback
from recollect.config.server import ApiOptions, IdentityOptions, ListenOptions

from ..dialects.body import RequestBody
from .auth import api_grant
from .identity import DEBUG_HEADER, Caller, resolve_caller
from .rights import Grant
from .source import FOREIGN_HOST, cors_headers, foreign_source, preflight_headers

log = logging.getLogger(__name__)

EXPLAIN = "explain"


class Access:
    """The configured rules, applied to the headers of a request."""

    def __init__(self, identity: IdentityOptions, listen: ListenOptions) -> None:
        self._identity = identity
        self._listen = listen
        self.on_loopback = is_loopback(listen.host)
        """Whether only this machine can reach the server."""
        self.many_tenants = identity.mode == "gateway"
        """Whether callers belong to different tenants: an operation must then name a scope."""
        self.names_user = self.on_loopback if listen.user_header is None else listen.user_header
        """Whether answers say which user a chat was taken for."""
        self._warned = self.on_loopback

    def foreign(self, headers: Mapping[str, str]) -> str | None:
        """Why a request comes from a foreign web page, as a reason word; None if it does not."""
        reason = foreign_source(headers, self._listen, on_loopback=self.on_loopback)
        if reason == FOREIGN_HOST and not self._warned:
            self._warned = True
            log.warning(
                "a request has no memory because its host name is not one of this server's: "
                "if it should be, add it to listen.allowed_hosts"
            )
        return reason

    def caller(self, headers: Mapping[str, str], body: RequestBody) -> Caller:
        """The caller of a chat request."""
        return resolve_caller(headers, body, self._identity, on_loopback=self.on_loopback)

    def grant(self, headers: Mapping[str, str], api: ApiOptions) -> Grant:
        """What a request to the memory API may act on.

        Raises:
            UnauthorizedError: no valid token came with it.
        """
        return api_grant(headers, api, self._identity, on_loopback=self.on_loopback)

    def explains(self, headers: Mapping[str, str]) -> bool:
        """Whether a chat asks for an explanation and may have it; otherwise that is ignored."""
        if headers.get(DEBUG_HEADER, "").strip().lower() != EXPLAIN:
            return False
        configured = self._listen.debug_header
        return self.on_loopback if configured is None else configured

    def cors(self, headers: Mapping[str, str]) -> dict[str, str]:
        """The headers that let a configured page read an answer."""
        return cors_headers(headers, self._listen)

    def preflight(
        self, headers: Mapping[str, str], methods: tuple[str, ...]
    ) -> dict[str, str] | None:
        """The headers that answer a browser's preflight; None if the request is not one."""
        return preflight_headers(headers, self._listen, methods)
