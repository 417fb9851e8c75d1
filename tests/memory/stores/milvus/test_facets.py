"""The JSON column tells of the metadata what conditions ask for."""

from __future__ import annotations

import json

from recollect.memory.model.types import MemoryItem, MemoryType, Provenance, Scope
from recollect.memory.query import parse
from recollect.memory.stores.milvus.facets import MOST_BYTES, MOST_DEPTH, facets_of
from recollect.memory.stores.milvus.where import Tells, narrowed
from tests.memory.stores.memories import NOON

NEVER = 'id == ""'


def item(metadata, session=None):
    return MemoryItem(
        id="m", text="x", type=MemoryType.SEMANTIC, scope=Scope(tenant="t", user_id="u"), created_at=NOON, updated_at=NOON,
        embedder_id="test", metadata=metadata, provenance=Provenance(conversation_id=session),
    )  # fmt: skip


def test_what_is_too_much_is_not_told():
    """Such a row is of another version, so every condition admits it; it still fits the column."""
    many = {f"key {n}": "x" * 20 for n in range(2_500)}
    assert facets_of(item(many)) == {"v": "0"}
    nearly = {f"key {n}": "x" * 20 for n in range(1_500)}
    assert facets_of(item(nearly))["v"] == "1"
    assert len(json.dumps(facets_of(item(nearly))).encode()) <= MOST_BYTES


def test_long_lists_and_deep_objects_are_bounded():
    """A list says that it is long; below the greatest depth nothing is told, and nothing asked."""
    made = facets_of(item({"many": [*range(1000)]}))
    assert (made["is"], "in" in made) == ({"many": "ll"}, False)
    deep: dict = {"end": 1}
    for _ in range(200):
        deep = {"d": deep}
    assert len(json.dumps(facets_of(item(deep)))) < 1000
    asked = parse({".".join(["d"] * (MOST_DEPTH + 1)): 1})
    assert narrowed(asked, Tells.FACETS) == (None, False)
