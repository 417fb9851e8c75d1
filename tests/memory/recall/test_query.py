"""What is searched for."""

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import StoredMemory
from recollect.memory.recall import HotIndexes, Query, Recaller, RecallOptions
from recollect.memory.stores.inmemory import InMemoryStore
from recollect.memory.util.tokens import ApproximateCounter
from tests.memory.learn.doubles import ALICE
from tests.memory.recall.memories import item


async def test_a_text_is_a_query():
    """Nothing else is looked for than the text; a query is told apart by all its parts."""
    embedder, options = FakeEmbedder(), RecallOptions()
    store = InMemoryStore(dim=embedder.dim)
    for text in ("green tea", "a red car"):
        (vector,) = await embedder.embed([text])
        await store.put([StoredMemory(item(text), vector)])
    indexes = HotIndexes(store, options.index, dim=embedder.dim)
    recaller = Recaller(indexes, embedder, ApproximateCounter(), options)
    plain = await recaller.recall(ALICE, "tea", now=item("now").created_at)
    assert plain.chosen
    assert await recaller.recall(ALICE, Query("tea"), now=item("now").created_at) == plain
    assert len({Query("tea"), Query("tea", ("x",)), Query("tea", (), ("x",)), Query("tea")}) == 3
