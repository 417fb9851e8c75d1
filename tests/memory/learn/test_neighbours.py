import numpy as np
import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn.neighbours import MAX_SEEN, NEIGHBOURS, embedded, nearest
from recollect.memory.model.errors import EmbeddingError, StoreError
from recollect.memory.model.types import (
    Candidate,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Scope,
    StoredMemory,
)
from recollect.memory.stores.inmemory import InMemoryStore
from tests.memory.learn.doubles import ALICE, BOB, NOON, Breaks, Chokes

NARROW = Scope(tenant="local", user_id="alice", agent_id="helper")
DIM = 8
NORTH = np.eye(DIM, dtype=np.float32)[0]


def at(degrees):
    vector = np.zeros(DIM, np.float32)
    vector[:2] = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return vector


def memory(name, degrees, scope=ALICE, status=MemoryStatus.ACTIVE):
    item = MemoryItem(
        id=name,
        text=name,
        type=MemoryType.SEMANTIC,
        scope=scope,
        created_at=NOON,
        updated_at=NOON,
        embedder_id="e",
        status=status,
    )
    return StoredMemory(item, at(degrees))


@pytest.fixture
def store():
    return InMemoryStore(dim=DIM)


async def found(store, scope=ALICE):
    return [hit.item.id for hit in await nearest(store, scope, NORTH)]


async def test_the_nearest_come_first(store):
    """At most a handful, best first."""
    await store.put([memory(f"m{n:02}", 4 * n) for n in range(NEIGHBOURS + 3)])
    assert await found(store) == [f"m{n:02}" for n in range(NEIGHBOURS)]


async def test_only_what_is_believed_now(store):
    """What is over, archived or in doubt is nothing to compare with."""
    await store.put([memory(s.value, n, status=s) for n, s in enumerate(MemoryStatus)])
    assert await found(store) == ["active"]


async def test_narrower_scopes_do_not_hide_the_own(store):
    """However many memories of narrower scopes are nearer, the scope's own are found."""
    await store.put([memory(f"theirs{n}", n / 100, NARROW) for n in range(300)])
    await store.put([memory("own", 45), memory("bobs", 0, BOB)])
    assert await found(store) == ["own"]
    assert len(await found(store, NARROW)) == NEIGHBOURS


async def test_the_search_has_an_end(store):
    """A scope that has nothing of its own is not searched for ever."""
    await store.put([memory(f"theirs{n}", n / 1000, NARROW) for n in range(MAX_SEEN + 1000)])
    searches = []
    search = store.search

    async def counted(*args, **kwargs):
        searches.append(kwargs["limit"])
        return await search(*args, **kwargs)

    store.search = counted
    assert await found(store) == []
    assert len(searches) < 10
    assert max(searches) < 4 * MAX_SEEN


async def test_a_store_that_fails(store):
    """That is the caller's to handle."""
    with pytest.raises(StoreError):
        await nearest(Breaks(store, "search", StoreError("gone")), ALICE, NORTH)


async def test_embedding_keeps_the_order():
    """Each candidate comes with its own vector."""
    embedder = FakeEmbedder()
    candidates = [Candidate(text=text) for text in ("tea", "a boat", "a cat")]
    done = await embedded(embedder, candidates)
    assert [candidate for candidate, _ in done] == candidates
    expected = await embedder.embed([candidate.text for candidate in candidates])
    np.testing.assert_allclose(np.stack([vector for _, vector in done]), expected)
    assert await embedded(embedder, []) == []


async def test_one_bad_text_costs_only_itself():
    """The others are embedded one by one."""
    texts = ("tea", "poison", "a cat")
    done = await embedded(Chokes(), [Candidate(text=text) for text in texts])
    assert [candidate.text for candidate, _ in done] == ["tea", "a cat"]


@pytest.mark.parametrize("texts", [["poison"], ["poison one", "poison two"]])
async def test_if_none_can_be_embedded_that_is_raised(texts):
    """Nothing learned and an embedder that is down are told apart."""
    with pytest.raises(EmbeddingError):
        await embedded(Chokes(), [Candidate(text=text) for text in texts])
