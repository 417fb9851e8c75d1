"""Proposals to forget, and the tokens that confirm them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..model.errors import InvalidInputError
from ..model.times import to_ms
from ..model.types import MemoryItem, Scope

VALID_SECONDS = 900.0
"""How long a proposal can be confirmed."""
MAX_TOKEN_CHARS = 2_000_000
"""A token of ten thousand memories is shorter."""
_PURPOSE = "recollect.forget.1"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Memories that a query means, best first, then their earlier versions."""

    items: tuple[MemoryItem, ...]
    token: str | None
    """Confirms exactly these texts; None if there are no memories."""
    expires_at: datetime
    near: tuple[MemoryItem, ...] = ()
    """What is only like the query, best first: the token does not cover it."""


def token_for(key: bytes, scope: Scope, items: Sequence[MemoryItem], expires_at: datetime) -> str:
    """A token bound to the scope and to the memories' ids and texts. It contains no text."""
    named = {item.id: _digest(key, "text", item.id, item.text) for item in items}
    told = json.dumps({"until": to_ms(expires_at), "ids": named})
    payload = base64.urlsafe_b64encode(told.encode()).decode()
    return f"{payload}.{_signature(key, scope, payload)}"


def read_token(key: bytes, scope: Scope, token: str, *, now: datetime) -> dict[str, str]:
    """The ids a token names, with a digest of each one's text.

    Raises:
        InvalidInputError: the token was not made with this key for this scope, or has expired.
    """
    payload, _, signature = token[:MAX_TOKEN_CHARS].partition(".")
    # As bytes: compare_digest rejects strings that are not ASCII.
    presented = signature.encode("utf-8", "surrogatepass")
    if not hmac.compare_digest(_signature(key, scope, payload).encode(), presented):
        raise InvalidInputError("token", "expected one that was proposed for this scope")
    try:
        told = json.loads(base64.urlsafe_b64decode(payload))
    except (binascii.Error, ValueError) as error:  # signed by us, so never
        raise InvalidInputError("token", "cannot be read") from error
    if told["until"] < to_ms(now):
        raise InvalidInputError("token", "has expired; propose again")
    return dict(told["ids"])


def changed_since(key: bytes, proposed: Mapping[str, str], items: Iterable[MemoryItem]) -> bool:
    """Whether the text of any memory differs from the proposed one."""
    return any(proposed[item.id] != _digest(key, "text", item.id, item.text) for item in items)


def _signature(key: bytes, scope: Scope, payload: str) -> str:
    owner_ref = json.dumps({"tenant": scope.tenant, **scope.ids()}, sort_keys=True)
    return _digest(key, _PURPOSE, owner_ref, payload)


def _digest(key: bytes, *parts: str) -> str:
    """32 hexadecimal digits, unambiguous for any parts."""
    told = json.dumps(parts).encode()
    return hmac.new(key, told, hashlib.sha256).hexdigest()[:32]
