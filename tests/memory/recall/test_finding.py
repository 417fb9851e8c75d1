"""All that a message may be shown, of one index."""

import numpy as np

from recollect.memory.calibration import SAFE
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import MemoryType, StoredMemory
from recollect.memory.recall import RecallOptions
from recollect.memory.recall.finding import PreparedQuery, find
from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.recall.prototypes import Prototypes
from tests.memory.learn.doubles import ALICE, NOON
from tests.memory.recall.memories import item

EMBEDDER = FakeEmbedder()
TOLD = ("I live in Berlin", "I moved to Lyon", "I owe my sister a lot of money.")


async def found(text, *, meaning=True, **fields):
    vectors = await EMBEDDER.embed(TOLD)
    memories = [
        StoredMemory(item(told, minutes=number), vector)
        for number, (told, vector) in enumerate(zip(TOLD, vectors, strict=True))
    ]
    [vector] = await EMBEDDER.embed([text])
    query = PreparedQuery(
        scope=ALICE, wordings=[text], vectors=vector[np.newaxis], own=vector, message=text,
        now=NOON, most=10, **fields,
    )  # fmt: skip
    prototypes = await Prototypes.of(EMBEDDER, SAFE) if meaning else None
    index = UserIndex.of(EMBEDDER.dim, memories)
    return find(index, query, RecallOptions(), SAFE, prototypes=prototypes)


async def test_a_message_about_the_user_gets_what_is_new_beside_what_answers():
    """And nothing private that it does not ask for."""
    lines = await found("Where in Berlin do I live?")
    assert lines.ranking.personal
    assert "I moved to Lyon" in [hit.item.text for hit in lines.beside.fill]
    assert TOLD[2] not in [hit.item.text for hit in lines.beside.fill]
    assert {hit.role for hit in lines.beside.fill} == {"fill"}


async def test_without_meaning_nothing_tells_what_is_private():
    """So nothing fills the budget."""
    assert not (await found("Where in Berlin do I live?", meaning=False)).beside.fill


async def test_memories_of_one_type_stand_alone():
    """As does a ranking: neither has a profile or a fill."""
    lines = await found("Where in Berlin do I live?", only=MemoryType.PROCEDURAL)
    assert not lines.pinned.chosen
    assert not lines.beside.later
    assert not (await found("Where in Berlin do I live?", stands=False)).beside.fill
