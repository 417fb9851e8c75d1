"""What a forget did, in numbers. Nothing here holds a text, a tenant or a user."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from ..errors import StoreError


class Kind(StrEnum):
    """What was asked to be forgotten."""

    IDS = "ids"
    QUERY = "query"
    SCOPE = "scope"
    TENANT = "tenant"
    RETENTION = "retention"


@dataclass(slots=True)
class Tally:
    """What one run erased so far, by store."""

    ids: set[str] = field(default_factory=set)
    """Everything that was found, versions too."""
    memories: int = 0
    versions: int = 0
    history: int = 0
    turns: int = 0
    jobs: int = 0
    caches: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What one run erased. A repetition after a crash counts only what was still there."""

    id: str
    """Names this run; a keyed digest, so that nobody can guess from it what was forgotten."""
    kind: Kind
    asked: int
    """Ids that were named; 0 for a whole scope or tenant."""
    missing: int
    """Of them those of which there was no memory (any more)."""
    memories: int
    """Rows erased that were memories of their own, whatever their status."""
    versions: int
    """Rows erased that were earlier versions."""
    history: int
    """Records of the audit trail."""
    turns: int
    """Captured turns whose text was erased."""
    jobs: int
    """Jobs that were waiting, running, done or dead."""
    caches: int
    """Caches that were told; they hold nothing of it now."""
    started_at: datetime
    finished_at: datetime
    verified: bool
    """Whether neither a fresh read nor a search finds any of it."""

    @property
    def found_nothing(self) -> bool:
        """Whether there was nothing left to erase: unknown ids, or it was done before."""
        return not any((self.memories, self.versions, self.history, self.turns, self.jobs))

    def as_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        stores = ("memories", "versions", "history", "turns", "jobs")
        return {
            "id": self.id,
            "kind": self.kind.value,
            "verified": self.verified,
            "asked": self.asked,
            "missing": self.missing,
            "erased": {name: getattr(self, name) for name in stores},
            "caches": self.caches,
            "started_at": self.started_at.isoformat(),
            "finished_at": self.finished_at.isoformat(),
        }


class NotForgottenError(StoreError):
    """It was erased and is found all the same: nobody may be told that it is gone.

    Forgetting the same again goes on. `receipt` says what was done, with `verified` false.
    """

    code = "not_forgotten"

    def __init__(self, receipt: Receipt) -> None:
        super().__init__("a search still finds what was erased; forget it again")
        self.receipt = receipt


def receipt_id(key: bytes, kind: Kind, ids: Iterable[str], started_at: datetime) -> str:
    """Names a run: 32 hexadecimal digits (HMAC-SHA256, cut)."""
    told = "\0".join((kind.value, started_at.isoformat(), *sorted(ids)))
    return hmac.new(key, told.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:32]
