"""Memories and vectors that the stores' tests are about."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from recollect.memory.model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Scope,
    StoredMemory,
    Vector,
)

DIM = 8
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ANY_STATUS = frozenset(MemoryStatus)

HOSTILE = [
    'x" || user_id != "y',
    'x" or tenant != "',
    "it's",
    "back\\slash",
    "ends in a backslash\\",
    '\\" or 1 == 1 or id == \\"',
    "100%_",
    "%",
    "{user}",
    "$meta",
    "||",
    "日本語",
    "e\u0301 is not \u00e9",
    "😀",
    "a\u2028b",
    "a/b",
    " spaced ",
]
"""Ids that are part of the expression language, or look like it."""


def vector(*numbers: float) -> Vector:
    """The normalised vector that begins with these numbers."""
    padded = np.zeros(DIM, dtype=np.float32)
    padded[: len(numbers)] = numbers
    return padded / np.linalg.norm(padded)


def memory(
    scope: Scope,
    text: str = "likes tea",
    at: Vector | None = None,
    *,
    id: str | None = None,  # noqa: A002 - the field's name
    minutes: int = 0,
    **fields,
) -> StoredMemory:
    moment = NOON + timedelta(minutes=minutes)
    item = MemoryItem(
        id=id or uuid.uuid4().hex,
        text=text,
        type=MemoryType.SEMANTIC,
        scope=scope,
        created_at=moment,
        updated_at=moment,
        embedder_id="test",
        **fields,
    )
    return StoredMemory(item, vector(1.0) if at is None else at)


def ids(found) -> set[str]:
    return {getattr(hit, "item", hit).id for hit in found}


def words(text: str) -> list[str]:
    """A plain analyzer: what is between spaces, as it is."""
    return text.split()


class Tenancy:
    """A tenant of its own for each test, and a user in it."""

    @pytest.fixture
    def tenant(self):
        return f"tenant-{uuid.uuid4().hex}"

    @pytest.fixture
    def alice(self, tenant):
        return Scope(tenant=tenant, user_id="alice")
