"""Candidates from the store, for users with too many memories for an index."""

import numpy as np
import pytest

from recollect.memory.language import index_terms
from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.model.usage import UseKind
from recollect.memory.recall import HotIndexes, IndexedStore, Query, Recaller
from recollect.memory.recall.candidates import CANDIDATES, stored_candidates
from recollect.memory.recall.index.hot import MAX_MEMORIES
from recollect.memory.stores.inmemory import InMemoryStore
from recollect.memory.util.tokens import ApproximateCounter
from tests.memory.learn.doubles import ALICE, BOB, NOON, Angles
from tests.memory.recall.memories import angle, item, stored
from tests.memory.recall.test_recaller import filled, recaller
from tests.support.constants import recalling
from tests.support.folding import rows
from tests.support.parts import parts_of

AGENT = Scope(tenant="local", user_id="alice", agent_id="x")


async def store_of(*memories, terms=lambda text: index_terms(text).terms):
    store = InMemoryStore(dim=2, terms=terms)
    await store.put(memories)
    return store


def crowd(number=2 * CANDIDATES, scope=ALICE, degrees=10):
    """More memories near the query than a search by meaning returns."""
    return [stored(f"note {n}", scope, id=f"{scope} {n}", degrees=degrees) for n in range(number)]


async def found(store, *wordings, scope=ALICE, vectors=(0,)):
    """Ids of the candidates with the cosines of a query at these angles."""
    at = np.stack([angle(degrees) for degrees in vectors])
    index, query = await stored_candidates(store, scope, wordings, at)
    assert query.tolist() == [[1.0]]
    return {
        entry.item.id: float(cosine)
        for entry, cosine in zip(index.entries, index.vectors.cosines(query), strict=True)
    }


async def test_words_find_what_meaning_does_not():
    """A memory beyond all that is near is found by a rare word, and taken to be far."""
    store = await store_of(*crowd(), stored("the zebra", degrees=180))
    ids = await found(store, "a zebra?")
    assert ids["the zebra"] == 0.0
    assert len(ids) == CANDIDATES + 1
    assert "the zebra" not in await found(store, "q")


async def test_what_both_find_is_one():
    """With the cosine it has."""
    store = await store_of(stored("the zebra", degrees=60))
    assert await found(store, "zebra") == pytest.approx({"the zebra": 0.5}, abs=1e-6)


async def test_every_wording_searches():
    """By words and by meaning; the nearest of several vectors counts."""
    store = await store_of(
        *crowd(),
        stored("the zebra", degrees=180),
        stored("the lion", degrees=180),
        stored("across", degrees=91),
    )
    ids = await found(store, "zebra", "lion", vectors=(0, 90))
    assert {"the zebra", "the lion"} <= ids.keys()
    assert ids["across"] == pytest.approx(1.0, abs=1e-3)
    near = await store_of(stored("near", degrees=0))
    for vectors in ((0, 90), (90, 0)):
        assert await found(near, "q", "v", vectors=vectors) == pytest.approx({"near": 1.0})


async def test_a_store_without_keywords_searches_by_meaning():
    """And so does a query without any words."""
    plain = await store_of(*crowd(), stored("the zebra", degrees=180), terms=None)
    assert len(await found(plain, "zebra")) == CANDIDATES
    full = await store_of(stored("the zebra", degrees=180))
    assert await found(full, "?!") == pytest.approx({"the zebra": -1.0}, abs=1e-6)


async def test_other_languages_are_searched_in_their_own_and_in_english():
    """A query's words are stemmed as the memories of its language and of English are."""
    german = "Sie hat mehrere H\u00e4user am Meer gekauft"
    store = await store_of(
        *crowd(), stored(german, degrees=180), stored("we love hiking", degrees=180)
    )
    assert german in await found(store, "Welche alten H\u00e4user gefallen dir besonders?")
    assert "we love hiking" in await found(store, "Wer geht gerne zum Hiking?")


async def test_only_the_scopes_active_memories():
    """On this way too."""
    store = await store_of(
        stored("the zebra", BOB, id="bob"),
        stored("the zebra", Scope(tenant="other", user_id="alice"), id="other"),
        stored("the zebra", id="quarantined", status=MemoryStatus.QUARANTINED),
        stored("the zebra", AGENT, id="agent"),
        stored("the zebra", id="user"),
    )
    assert set(await found(store, "zebra")) == {"agent", "user"}
    assert set(await found(store, "zebra", scope=AGENT)) == {"agent"}


class Circle(Angles):
    """In two dimensions, as the memories here are."""

    dim = 2


async def test_recall_goes_this_way():
    """For who has too many memories for an index: found by meaning and by words."""
    inner = await store_of(
        *crowd(degrees=100), stored("green zebra", degrees=100), stored("near", degrees=0)
    )
    embedder = Circle({"my green zebra?": 0, "green zebra": 0, "my tea": 0})
    options = recalling(threshold=0.5, cut=0, gap=1)
    indexes = HotIndexes(inner, options.index, dim=2)
    indexes.max_memories = 50
    recaller = Recaller(indexes, embedder, ApproximateCounter(), options)
    assert await indexes.get(ALICE) is None
    selection = await recaller.recall(ALICE, "my green zebra?")
    assert {hit.item.id for hit in selection.chosen} == {"green zebra", "near"}
    asked = Query("my tea", ("green zebra",))
    selection = await recaller.recall(ALICE, asked)
    assert {hit.item.id for hit in selection.chosen} == {"green zebra", "near"}
    store = IndexedStore(inner, indexes)
    await store.delete(ALICE.tenant, ["near"])
    await store.put([stored("green zebra", status=MemoryStatus.SUPERSEDED, degrees=100)])
    assert (await recaller.recall(ALICE, asked)).chosen == ()


@rows("most", [1, MAX_MEMORIES])
async def test_feedback_orders_alike_with_an_index_and_without(most):
    """Of a user whose memories are too many for one, the counters are read with the hits."""
    store = await filled(item("green tea", id="one"), item("green tea", id="two"))
    asked = recaller(store, max_memories=most, neighbours=0.0)
    asked.indexes.counters = usage = parts_of().state.usage
    [best, other] = [hit.item.id for hit in (await asked.rank(ALICE, "green tea", most=2)).ranked]
    await usage.count(ALICE.tenant, UseKind.NEGATIVE, [best], occasion="a", at=NOON)
    again = recaller(store, max_memories=most, neighbours=0.0)
    again.indexes.counters = usage
    ranked = (await again.rank(ALICE, "green tea", most=2)).ranked
    assert [hit.item.id for hit in ranked] == [other, best]
