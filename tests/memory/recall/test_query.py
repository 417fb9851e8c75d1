"""What is searched for."""

import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.errors import EmbeddingError
from recollect.memory.model.types import StoredMemory
from recollect.memory.recall import HotIndexes, Query, Recaller, RecallOptions, Selection
from recollect.memory.stores.inmemory import InMemoryStore
from recollect.memory.util.tokens import ApproximateCounter
from tests.memory.learn.doubles import ALICE, BOB, Breaks
from tests.memory.recall.memories import item
from tests.memory.recall.test_recaller import EMBEDDER, filled, recaller


async def test_a_text_is_a_query():
    """Nothing else is looked for than the text; a query is told apart by all its parts."""
    embedder, options = FakeEmbedder(), RecallOptions()
    store = InMemoryStore(dim=embedder.dim)
    for text in ("green tea", "a red car"):
        (vector,) = await embedder.embed([text])
        await store.put([StoredMemory(item(text), vector)])
    indexes = HotIndexes(store, options.index, dim=embedder.dim)
    asked = Recaller(indexes, embedder, ApproximateCounter(), options)
    plain = await asked.recall(ALICE, "tea", now=item("now").created_at)
    assert plain.chosen
    assert await asked.recall(ALICE, Query("tea"), now=item("now").created_at) == plain
    assert len({Query("tea"), Query("tea", ("x",)), Query("tea", (), ("x",)), Query("tea")}) == 3


async def test_for_a_user_without_memories_nothing_is_embedded():
    """From their second message on: then it is known that there is nothing to compare with."""
    store = await filled(item("green tea"))
    found = recaller(store, Breaks(EMBEDDER, "embed", EmbeddingError("gone"), times=-1))
    await found.indexes.get(BOB)
    assert await found.recall(BOB, "green tea") == Selection((), ())
    await found.indexes.get(ALICE)
    with pytest.raises(EmbeddingError):
        await found.recall(ALICE, "green tea")
