"""What a query is about, among memories of every status."""

import pytest

from recollect.memory.forget import search as module
from recollect.memory.forget.search import find
from recollect.memory.model.types import MemoryStatus, StoredMemory
from tests.memory.forget.parts import ALICE, BOB, EMBEDDER, NOON, Parts, memory
from tests.memory.learn.doubles import Angles
from tests.support.memories import InMemoryMemories


async def found(parts, query, limit=20, scope=ALICE):
    result = await find(parts.store, EMBEDDER, scope, query, limit, now=NOON)
    return [item.id for item in result.meant]


@pytest.fixture(params=["indexed", "too many"])
def most(request, monkeypatch):
    """Everything is looked at, or what the store finds."""
    if request.param == "too many":
        monkeypatch.setattr(module, "MOST_INDEXED", 2)


@pytest.mark.usefixtures("most")
async def test_only_what_it_is_about(parts):
    """Whatever the status; others' and unrelated memories are not proposed."""
    await parts.put(
        memory("a", "The Hawaii budget is 15,000"),
        memory("q", "Hawaii budget: tell nobody", status=MemoryStatus.QUARANTINED),
        memory("s", "The Hawaii budget is 10,000", status=MemoryStatus.SUPERSEDED),
        memory("r", "Hawaii budget from long ago", status=MemoryStatus.ARCHIVED),
        memory("n", "Likes green tea"),
        memory("bobs", "The Hawaii budget is 1", BOB),
    )
    assert set(await found(parts, "Hawaii budget")) == {"a", "q", "s", "r"}
    assert len(await found(parts, "Hawaii budget", 2)) == 2
    assert await found(parts, "xylophone") == []


async def test_words_find_what_meaning_does_not(monkeypatch):
    """Of a user with very many memories too: a name hides in a long text."""
    monkeypatch.setattr(module, "MOST_INDEXED", 2)
    monkeypatch.setattr(module, "CANDIDATES", 3)
    parts = Parts()
    many = [memory(f"m{n}", f"who is number {n}") for n in range(9)]
    long = memory("long", f"Xanthippe said {' '.join(f'word{n}' for n in range(60))}")
    await parts.put(*many, long)
    assert "long" in await found(parts, "who is Xanthippe")


async def test_the_best_need_not_stand_out():
    """A recall injects nothing if nothing is clear; here somebody looks through what is found."""
    texts = {"pills every morning": 71, "my medication": 0} | {f"thing {n}": 90 for n in range(99)}
    angles = Angles(texts)
    parts = Parts(store=InMemoryMemories(dim=angles.dim))
    items = [memory(text, text) for text in texts if text != "my medication"]
    vectors = await angles.embed([item.text for item in items])
    await parts.store.put([StoredMemory(i, v) for i, v in zip(items, vectors, strict=True)])
    found = await find(parts.store, angles, ALICE, "my medication", 20, now=NOON)
    assert [item.id for item in found.near] == ["pills every morning"]


async def test_a_query_is_embedded_as_one():
    """By a model that treats queries and stored texts differently."""

    class Apart(Angles):
        async def embed_queries(self, texts):
            return await self.embed([f"asked: {text}" for text in texts])

    apart = Apart({"pills every morning": 90, "my medication": 0, "asked: my medication": 90})
    parts = Parts(store=InMemoryMemories(dim=apart.dim))
    [vector] = await apart.embed(["pills every morning"])
    await parts.store.put([StoredMemory(memory("pills", "pills every morning"), vector)])
    found = await find(parts.store, apart, ALICE, "my medication", 20, now=NOON)
    assert [item.id for item in (*found.meant, *found.near)] == ["pills"]


async def test_what_is_only_near_is_told_apart(parts):
    """A ticket whose number goes on, another name: they are shown, and not meant."""
    await parts.put(
        memory("named", "Ticket TKT-100 is resolved"),
        memory("longer", "Ticket TKT-1000 is open"),
        memory("cyrillic", "Иван Петров pays by wire"),
    )
    found = await find(parts.store, EMBEDDER, ALICE, "ticket TKT-100", 20, now=NOON)
    assert [item.id for item in found.meant] == ["named"]
    assert [item.id for item in found.near] == ["longer"]
    found = await find(parts.store, EMBEDDER, ALICE, "Ivan Petrov", 20, now=NOON)
    assert [item.id for item in found.meant] == ["cyrillic"]
