import numpy as np
import pytest
from pydantic import ValidationError

from memory.embedders import FakeEmbedder
from memory.errors import EmbeddingError, StoreError
from memory.recall import Drop, Recaller, RecallOptions
from memory.stores.inmemory import InMemoryStore
from memory.tokens import ApproximateCounter
from memory.types import MemoryItem, MemoryStatus, MemoryType, Scope, StoredMemory
from tests.memory.learn.doubles import ALICE, BOB, NOON, Angles, Breaks

EMBEDDER = FakeEmbedder()


class Words:
    """Counts words, for budgets one can see."""

    def count(self, text):
        return len(text.split())


def memory(text, scope=ALICE, status=MemoryStatus.ACTIVE):
    return MemoryItem(
        id=f"{scope.partition}/{text}",
        text=text,
        type=MemoryType.SEMANTIC,
        scope=scope,
        created_at=NOON,
        updated_at=NOON,
        embedder_id="e",
        status=status,
    )


async def filled(*items, embedder=EMBEDDER):
    store = InMemoryStore(dim=embedder.dim)
    vectors = await embedder.embed([item.text for item in items])
    await store.put([StoredMemory(i, np.asarray(v)) for i, v in zip(items, vectors, strict=True)])
    return store


def recaller(store, embedder=EMBEDDER, tokens=None, **options):
    return Recaller(store, embedder, tokens or ApproximateCounter(), RecallOptions(**options))


def texts(selection):
    return [hit.item.text for hit in selection.chosen]


async def test_best_first():
    """What the query is about comes first; what has nothing to do with it stays out."""
    store = await filled(memory("tea is fine"), memory("green tea"), memory("a car"))
    assert texts(await recaller(store).recall(ALICE, "green tea")) == ["green tea", "tea is fine"]


async def test_only_the_scopes_memories():
    """Another user's, another tenant's and inactive memories are never recalled."""
    other = Scope(tenant="other", user_id="alice")
    store = await filled(
        memory("green tea", BOB),
        memory("green tea", other),
        memory("green tea!", status=MemoryStatus.QUARANTINED),
        memory("green tea?", status=MemoryStatus.SUPERSEDED),
    )
    selection = await recaller(store, threshold=-1).recall(ALICE, "green tea")
    assert (selection.chosen, selection.dropped) == ((), ())


async def test_limit_of_the_options_and_of_the_call():
    """A call may ask for another number than the configured one."""
    store = await filled(*[memory(f"tea {n}") for n in range(6)])
    assert len((await recaller(store, limit=2).recall(ALICE, "tea")).chosen) == 2
    assert len((await recaller(store, limit=2).recall(ALICE, "tea", limit=4)).chosen) == 4


async def test_a_memory_too_long_has_a_substitute():
    """What does not fit the budget gives its place to the next best."""
    store = await filled(memory("tea " * 50), memory("tea"), memory("tea and more"))
    selection = await recaller(store, tokens=Words(), limit=2, token_budget=16).recall(ALICE, "tea")
    assert texts(selection) == ["tea", "tea and more"]
    assert [drop for _, drop in selection.dropped] == [Drop.BUDGET]


async def test_rendering_and_reserve_count():
    """The budget is that of what is injected: rendered memories and what stands around them."""
    store = await filled(memory("green tea"))
    recall = recaller(store, tokens=Words(), token_budget=16).recall
    assert texts(await recall(ALICE, "green tea", reserve_tokens=14)) == ["green tea"]
    assert texts(await recall(ALICE, "green tea", reserve_tokens=15)) == []
    wordy = await recall(ALICE, "green tea", render=lambda hit: f"{'x ' * 15}{hit.item.text}")
    assert texts(wordy) == []


async def test_threshold_is_the_embedders_unless_configured():
    """A measured embedder brings its own threshold; the option replaces it."""
    embedder = Angles({"q": 0, "near": 70, "far": 80})  # cosines 0.34 and 0.17
    store = await filled(memory("near"), memory("far"), embedder=embedder)
    assert texts(await recaller(store, embedder).recall(ALICE, "q")) == ["near"]
    assert texts(await recaller(store, embedder, threshold=0.1).recall(ALICE, "q")) == [
        "near",
        "far",
    ]
    # Zero is a threshold too, not "unset".
    assert len((await recaller(store, embedder, threshold=0.0).recall(ALICE, "q")).chosen) == 2


@pytest.mark.parametrize(("method", "error"), [("search", StoreError), ("embed", EmbeddingError)])
async def test_failures_are_told(method, error):
    """Whatever failed reaches the caller, who decides what that means."""
    store = await filled(memory("tea"))
    parts = {"search": store, "embed": EMBEDDER}
    parts[method] = Breaks(parts[method], method, error("gone"))
    broken = Recaller(parts["search"], parts["embed"], Words(), RecallOptions(threshold=0))
    with pytest.raises(error):
        await broken.recall(ALICE, "tea")


@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"token_budget": 1}, {"threshold": 2}, {"limits": 5}]
)
def test_bad_options_are_refused_by_name(wrong):
    """A value out of range or an unknown key is an error that names it."""
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        RecallOptions(**wrong)
