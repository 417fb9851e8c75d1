"""What the memory did: each deed is a link of its owner's chain, and names memories, no text.

A link's hash covers all that it says and the hash of the link before, so a link that is missing,
changed or elsewhere shows. A text is told by a keyed digest alone: without the key, which goes when
the text is forgotten, nobody can try texts against it, and the link holds all the same. Pure.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from .times import iso
from .types import Scope

MOST_CHARS = 200
"""Of the name of a model or an upstream, which a client chooses."""


class DeedKind(StrEnum):
    """What was done with memories."""

    APPEND = "append"
    """They were stored."""
    PROMOTE = "promote"
    """They count for more: checked, confirmed, or taken back from the archive."""
    AMEND = "amend"
    """They say something else than before."""
    REVOKE = "revoke"
    """They do not count any more: ended, doubted, archived, deleted or forgotten."""
    INJECT = "inject"
    """They went to a model in a request."""


@dataclass(frozen=True, slots=True)
class DeedLine:
    """A memory, and the digest of its text (`digest_of`); None where no text is told."""

    memory_id: str
    digest: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something that was done with some memories of one scope."""

    kind: DeedKind
    scope: Scope
    at: datetime
    lines: tuple[DeedLine, ...]
    why: str = ""
    """The event of the history that it comes from, or `FORGET`."""
    request: str = ""
    model: str = ""
    upstream: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A deed in its chain."""

    owner: str
    """A digest of whose chain it is."""
    seq: int
    told: str
    """What the hash covers: JSON with sorted keys."""
    hash: str

    @property
    def line(self) -> str:
        """The link as JSON, with its hash."""
        return f'{self.told[:-1]},"hash":"{self.hash}"}}'


@dataclass(frozen=True, slots=True)
class ChainHead:
    """Whose a chain is, where it begins and where it ends."""

    owner: str
    scope: Scope
    seq: int = 0
    """The number of its last link; 0 before the first."""
    hash: str = ""
    first_seq: int = 0
    """The number of the last link that was removed for its age."""
    first_hash: str = ""


def digest_of(text: str) -> bytes:
    """The digest of a text: kept in memory alone, since short texts can be guessed from it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def keyed(salt: str, digest: bytes) -> str:
    """The hash by which a link tells a text: HMAC-SHA256 of its digest, keyed by the salt."""
    return hmac.new(bytes.fromhex(salt), digest, hashlib.sha256).hexdigest()


def canonical(told: Mapping[str, Any]) -> str:
    """JSON in the one form that is hashed."""
    return json.dumps(told, sort_keys=True, separators=(",", ":"))


def hash_of(told: str) -> str:
    """The hash of what a link tells."""
    return hashlib.sha256(told.encode()).hexdigest()


def link(deed: Deed, head: ChainHead, salts: Mapping[str, str]) -> Link:
    """The next link of the chain after `head`; `salts` are the keys of texts, by memory."""
    seq = head.seq + 1
    named = {"request": deed.request, "model": deed.model, "upstream": deed.upstream}
    given = {"why": deed.why, **named, **deed.scope.ids()}
    told = canonical({
        "owner": head.owner,
        "seq": seq,
        "at": iso(deed.at),
        "event": deed.kind.value,
        "tenant": deed.scope.tenant,
        "lines": [_told(line, salts) for line in deed.lines],
        "previous": head.hash,
        **{name: _short(value) for name, value in given.items() if value},
    })  # fmt: skip
    return Link(head.owner, seq, told, hash_of(told))


def _told(line: DeedLine, salts: Mapping[str, str]) -> dict[str, str]:
    told = {"memory_id": line.memory_id}
    salt = salts.get(line.memory_id)
    if line.digest is not None and salt is not None:
        told["hash"] = keyed(salt, line.digest)
    return told


def _short(value: str) -> str:
    return value[:MOST_CHARS]
