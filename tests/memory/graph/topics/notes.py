"""Memories as the tests of topics need them."""

from datetime import UTC, datetime, timedelta

import numpy as np

from recollect.memory.calibration import Calibration
from recollect.memory.graph.topics.topic_space import TopicSpace
from recollect.memory.model.types import MemoryItem, MemoryType, Scope, StoredMemory

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ADA = Scope(tenant="local", user_id="ada")
CALIBRATION = Calibration(recall=0.2, update=0.8, same=0.95, floor=0.2, ceiling=0.9)
SPACE = TopicSpace(CALIBRATION)
DIM = 32


def note(name, days=0, **fields):
    """A memory of some days after noon of the first day; its text is its name."""
    at = NOON + timedelta(days=days)
    made = {"text": name, "type": MemoryType.SEMANTIC, "scope": ADA, "embedder_id": "e"}
    return MemoryItem(id=name, created_at=at, updated_at=at, **(made | fields))


def near(direction, name):
    """A vector near one of `DIM` directions, a little different for each name."""
    own = np.random.default_rng(sum(map(ord, name))).normal(size=DIM) / 20
    return (np.eye(DIM)[direction] + own).astype(np.float32)


def stored(direction, name, days=0, **fields):
    """A memory with such a vector."""
    return StoredMemory(note(name, days, **fields), near(direction, name))
