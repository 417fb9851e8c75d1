"""The result of a forget in numbers. It contains no text, tenant or user."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from ..model.errors import StoreError


class ForgetKind(StrEnum):
    """The target of a forget: ids, a query, a conversation, a scope, a tenant; or retention."""

    IDS = "ids"
    QUERY = "query"
    CONVERSATION = "conversation"
    SCOPE = "scope"
    TENANT = "tenant"
    RETENTION = "retention"


COUNTED = (
    "memories", "versions", "history", "turns", "jobs", "blocks", "usage", "links", "entities",
)  # fmt: skip
"""What a receipt says was erased."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Counts of one run. A repetition after a crash counts only the records that were left."""

    id: str
    """A keyed digest, so that the forgotten ids cannot be guessed from it."""
    kind: ForgetKind
    asked: int
    """Ids that were named; 0 for a whole scope or tenant."""
    missing: int
    """Named ids without a memory."""
    memories: int
    """Erased memories of any status."""
    versions: int
    """Erased earlier versions."""
    derived: int
    """How many of both were made of what was forgotten: episodes, summaries, conclusions."""
    history: int
    """Erased or blanked records of the audit trail."""
    turns: int
    """Turns whose text was erased."""
    jobs: int
    """Erased or cancelled jobs in any state."""
    blocks: int
    """Erased working blocks, of a scope or tenant; by ids or a query, those that lost lines."""
    usage: int
    """Memories whose counters were erased."""
    links: int
    """Memories of which the graph knew what they speak of, and does not any more."""
    entities: int
    """People, places and things that nothing speaks of any more."""
    keys: int
    """Users' keys that were destroyed, so that no copy of what they sealed can be read."""
    caches: int
    """Caches that were told and dropped the memories."""
    started_at: datetime
    finished_at: datetime
    verified: bool
    """Whether neither a fresh read nor a search finds any of the memories."""

    @property
    def found_nothing(self) -> bool:
        """Whether nothing was erased: the ids are unknown or were forgotten before."""
        rows = self.memories or self.versions or self.history
        return not (rows or self.turns or self.jobs or self.blocks)

    def as_dict(self) -> dict[str, Any]:
        """The receipt as JSON values."""
        return {
            "id": self.id,
            "kind": self.kind.value,
            "verified": self.verified,
            "asked": self.asked,
            "missing": self.missing,
            "erased": {name: getattr(self, name) for name in COUNTED},
            "derived": self.derived,
            **({"keys_destroyed": self.keys} if self.keys else {}),
            "caches": self.caches,
            "started_at": self.started_at.isoformat(),
            "finished_at": self.finished_at.isoformat(),
        }


class NotForgottenError(StoreError):
    """A memory is still found after it was erased. Forget it again.

    `receipt` has the counts so far, with `verified` false.
    """

    code = "not_forgotten"

    def __init__(self, receipt: Receipt) -> None:
        super().__init__("a search still finds what was erased; forget it again")
        self.receipt = receipt


def receipt_id(key: bytes, kind: ForgetKind, ids: Iterable[str], started_at: datetime) -> str:
    """The id of a run: 32 hexadecimal digits (HMAC-SHA256, truncated)."""
    told = "\0".join((kind.value, started_at.isoformat(), *sorted(ids)))
    return hmac.new(key, told.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:32]
