"""Notices when several people seem to share the default user.

Each sees the others' memories then. Two signs count, within one hour and one tenant: a header of a
known tool, which is not configured, names different users; or many conversations come from many
clients. A client is an address, a credential and a program; one person rarely uses five.
"""

from __future__ import annotations

import hashlib
import logging
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from recollect.config.presets import USER_HEADERS, preset_of
from recollect.config.server import IdentityOptions
from recollect.filters import Exchange
from recollect.memory.util.lru import Lru

from .naming import USER_HEADER

log = logging.getLogger(__name__)

USERS = 2
"""Different users in the headers of known tools."""
CLIENTS = 5
CONVERSATIONS = 10
WINDOW_SECONDS = 3600.0
"""After this time the counts of a tenant begin again."""
WARN_SECONDS = 86_400.0
"""Shortest time between two warnings."""
MAX_TENANTS = 256


@dataclass(slots=True)
class Unnamed:
    """The requests of one tenant that named no user, as hashes; each set has a bounded size."""

    since: float
    users: set[bytes] = field(default_factory=set)
    clients: set[bytes] = field(default_factory=set)
    conversations: set[str] = field(default_factory=set)


def is_shared(seen: Unnamed) -> bool:
    """Whether several people seem to share the default user."""
    many = len(seen.clients) >= CLIENTS and len(seen.conversations) >= CONVERSATIONS
    return many or len(seen.users) >= USERS


class SharedDefault:
    """Counts, for a bounded number of tenants, and warns at most once a day."""

    def __init__(
        self, options: IdentityOptions, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._user = options.default_user
        trusted = {name.lower() for name in options.trusted_user_headers}
        self._headers = tuple(name for name in USER_HEADERS if name not in trusted)
        self._trust_body = options.trust_body
        self._speakers = options.speakers
        self._clock = clock
        self._seen: Lru[str, Unnamed] = Lru(MAX_TENANTS)
        self._silent_until = -math.inf

    def note(self, exchange: Exchange, headers: Mapping[str, str], address: str | None) -> None:
        """Count a chat of the default user; log a warning if that is due."""
        now = self._clock()
        if now < self._silent_until:
            return
        tenant = exchange.scope.tenant
        seen = self._seen.get(tenant)
        if seen is None or now - seen.since > WINDOW_SECONDS:
            seen = Unnamed(now)
            self._seen.put(tenant, seen)
        tool = next((name for name in self._headers if headers.get(name)), None)
        if tool is not None:
            _add(seen.users, _hash(tool, headers[tool]), USERS)
        _add(seen.clients, _client(headers, address), CLIENTS)
        _add(seen.conversations, exchange.conversation_id, CONVERSATIONS)
        if is_shared(seen):
            self._silent_until = now + WARN_SECONDS
            self._seen.drop(lambda _: True)
            log.warning(self._warning(tool))

    def _warning(self, tool: str | None) -> str:
        body = ", or in the body's `user`" if self._trust_body else ""
        known = f", or set identity.preset: {preset_of(tool)}, which trusts {tool}" if tool else ""
        group = "; people of one group chat are told apart by the `name` of their messages"
        return (
            f"conversations of several clients share the memory of the user `{self._user}`: they "
            "name no user. If these are different people, name each one in the header "
            f"{USER_HEADER}{body}{known}{group if self._speakers else ''}"
        )


def _client(headers: Mapping[str, str], address: str | None) -> bytes:
    first = headers.get("X-Forwarded-For", "").partition(",")[0].strip()
    credential = headers.get("Authorization") or headers.get("api-key", "")
    program = headers.get("User-Agent", "").partition(" ")[0]
    return _hash(first or address or "", credential, program)


def _hash(*parts: str) -> bytes:
    """Nothing a client sent is kept, and all entries have one size."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return digest.digest()


def _add(kept: set[Any], value: object, most: int) -> None:
    if len(kept) < most:
        kept.add(value)
