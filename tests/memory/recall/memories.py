"""Memories, small indexes and ranked hits that the tests of recall are about."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from recollect.memory.calibration import Calibration, calibration_for
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder
from recollect.memory.model.ports import Embedder
from recollect.memory.model.types import MemoryItem, MemoryType, Provenance, Scope, StoredMemory
from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.recall.meaning import Meaning
from recollect.memory.recall.ranking import Ranked
from recollect.memory.recall.signals import SIGNALS, Signal, Signals
from tests.memory.learn.doubles import ALICE, NOON

_REAL: dict[str, Embedder] = {}


async def real_embedder(models_dir: Path, model: str = "pair") -> tuple[Embedder, Calibration]:
    """The real weights, which a process loads once, and what was measured of them."""
    if model not in _REAL:
        options = LocalEmbedderOptions(model=model, model_dir=models_dir)
        _REAL[model] = await open_embedder(options)
    embedder = _REAL[model]
    return embedder, calibration_for(embedder.id, dim=embedder.dim)


def item(
    text: str,
    scope: Scope = ALICE,
    *,
    id: str | None = None,  # noqa: A002 - the field's name
    minutes: float = 0,
    at: datetime = NOON,
    conversation: str | None = None,
    sequence: int = 0,
    **fields,
) -> MemoryItem:
    """A memory that was made so many minutes after noon; its id is its text, or the beginning, unless given."""
    moment = at + timedelta(minutes=minutes)
    return MemoryItem(
        id=id or text[:100],
        text=text,
        type=fields.pop("type", MemoryType.SEMANTIC),
        scope=scope,
        created_at=moment,
        updated_at=moment,
        embedder_id="test",
        provenance=Provenance(conversation_id=conversation, sequence=sequence),
        **fields,
    )


def angle(degrees: float) -> np.ndarray:
    """The vector at this angle on the circle; the query of these tests lies at 0."""
    radians = math.radians(degrees)
    return np.array([math.cos(radians), math.sin(radians)], np.float32)


def stored(text: str, scope: Scope = ALICE, *, degrees: float = 90, **fields) -> StoredMemory:
    """A memory at this angle to the query, at a right angle unless told."""
    return StoredMemory(item(text, scope, **fields), angle(degrees))


def index_of(*memories: StoredMemory) -> UserIndex:
    """An index of memories on the circle."""
    return UserIndex.of(2, memories)


def hit(name: str, score: float, *, relevant: bool = True, position: int = 0) -> Ranked:
    """A ranked memory of which only the name and the score matter."""
    values = (0.0,) * len(SIGNALS)
    return Ranked(item(name), score, 0.0, 0.0, values, relevant, position)


def signals_of(
    *,
    cosine=0.0,
    coverage=0.0,
    date=0.0,
    entity=0.0,
    near=0.0,
    worth=1.0,
) -> Signals:
    """Signals of n memories; a number alone is that of all of them."""
    given = (cosine, coverage, date, entity, near, worth)
    rows = np.broadcast_arrays(*[np.atleast_1d(np.asarray(one, float)) for one in given])
    cosine, coverage, date, entity, near, worth = rows
    table = np.zeros((len(SIGNALS), len(cosine)))
    table[SIGNALS.index(Signal.DATE)] = date
    table[SIGNALS.index(Signal.ENTITY)] = entity
    table[SIGNALS.index(Signal.DENSE)] = near
    found = Meaning(cosine, near, worth)
    return Signals(table, found, coverage, frozenset(SIGNALS))
