"""What is searched for, and what is found in the store: pages, candidates, other times."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.language import index_terms
from recollect.memory.model.errors import EmbeddingError
from recollect.memory.model.types import MemoryStatus, Provenance, Scope, StoredMemory
from recollect.memory.model.usage import UseKind
from recollect.memory.query.arguments import read_arguments
from recollect.memory.recall import HotIndexes, Query, Recaller, Selection
from recollect.memory.recall.at_a_time import at_a_time, held
from recollect.memory.recall.candidates import CANDIDATES, stored_candidates
from recollect.memory.recall.difficulty import CLEAR, Difficulty, difficulty_of
from recollect.memory.recall.index.hot_indexes import MAX_MEMORIES
from recollect.memory.recall.selection import is_visible
from recollect.memory.util.tokens import ApproximateCounter
from tests.memory.api.client_parts import build
from tests.memory.learn.doubles import ALICE, BOB, Angles, Breaks
from tests.memory.memories.memories import NOON, memory
from tests.memory.recall.memories import angle, item, stored
from tests.memory.recall.test_recaller import EMBEDDER, filled, recaller
from tests.support.constants import recalling
from tests.support.folding import rows
from tests.support.following import indexed
from tests.support.memories import InMemoryMemories
from tests.support.parts import parts_of

OWNER = Scope(tenant="t", user_id="alice")


def after(hours):
    return NOON + timedelta(hours=hours)


# In Oslo from noon on; in Rome from two o'clock on, which was told at five.
OSLO = replace(
    memory(OWNER, "Oslo", id="v1").item,
    status=MemoryStatus.SUPERSEDED,
    valid_from=NOON,
    valid_to=after(2),
    provenance=Provenance(recorded_at=NOON, superseded_by="m"),
)
ROME = replace(
    OSLO, id="m", text="Rome", status=MemoryStatus.ACTIVE, valid_from=after(2), valid_to=None,
    version=2, updated_at=after(5), provenance=Provenance(recorded_at=after(5)),
)  # fmt: skip
ENDED = replace(
    memory(OWNER, "has a cat", id="cat").item,
    status=MemoryStatus.SUPERSEDED,
    valid_to=after(3),
    updated_at=after(3),
    provenance=Provenance(recorded_at=after(4)),
)
ROWS = [OSLO, ROME, ENDED]


def texts(as_of, known_at=None):
    return sorted(item.text for item in at_a_time(ROWS, as_of=as_of, known_at=known_at))


def test_what_was_true_then():
    """As it is known now."""
    assert texts(after(-1)) == []
    assert texts(after(1)) == ["Oslo", "has a cat"]
    assert texts(after(2.5)) == ["Rome", "has a cat"]
    assert texts(after(6)) == ["Rome"]


def test_what_was_known_then():
    """The move was not known before it was told, nor that the cat would go."""
    assert texts(after(4), known_at=after(4)) == ["Oslo"]
    assert texts(after(3.5), known_at=after(3.5)) == ["Oslo", "has a cat"]
    assert texts(after(6), known_at=after(6)) == ["Rome"]
    assert texts(after(1), known_at=after(6)) == ["Oslo", "has a cat"]
    assert texts(after(3), known_at=after(4)) == ["Oslo"]
    assert texts(after(3), known_at=after(6)) == ["Rome"]


def test_an_earlier_version_is_shown_as_it_was():
    """Active, and without its end."""
    [found] = at_a_time([OSLO, ROME], as_of=after(3), known_at=after(3))
    assert (found.text, found.status, found.valid_to) == ("Oslo", MemoryStatus.ACTIVE, None)


def test_a_memory_without_times_is_true_from_when_it_is_known_on():
    """Not before: nobody can say."""
    item = memory(OWNER).item
    assert held(item, NOON)
    assert not held(item, after(-1))


MANY = 1003
ALICE_DRIVER = Scope(tenant="local", user_id="alice")


async def fill(engine, count):
    [vector] = await engine.parts.embedder.embed(["tea"])
    await engine.parts.store.put(
        [
            StoredMemory(
                memory(ALICE_DRIVER, f"tea {n}", minutes=n % 7, metadata={"n": n}).item, vector
            )
            for n in range(count)
        ]
    )


async def test_a_listing_without_a_limit_has_everything():
    """Of any number of memories, each once, in the order of a listing."""
    async with build() as memory:
        engine = memory._engine
        await fill(engine, MANY)
        found = await engine.queries.list(ALICE_DRIVER, read_arguments({}))
        assert len({item.id for item in found}) == MANY
        order = [(-item.created_at.timestamp(), item.id) for item in found]
        assert order == sorted(order)


async def test_users_without_an_index_are_searched_in_the_store():
    """With the filter, and as many as were asked for."""
    async with build() as memory:
        engine = memory._engine
        await fill(engine, 300)
        engine.recaller.indexes.max_memories = 10
        asked = read_arguments({"filters": {"n": {"gte": 100}}})
        hits = await engine.queries.search(ALICE_DRIVER, Query("tea"), asked, limit=150)
        assert len(hits) == 150
        assert all(hit.item.metadata["n"] >= 100 for hit in hits)


async def test_for_a_user_without_memories_nothing_is_embedded():
    """From their second message on: then it is known that there is nothing to compare with."""
    store = await filled(item("green tea"))
    found = recaller(store, Breaks(EMBEDDER, "embed", EmbeddingError("gone"), times=-1))
    await found.indexes.get(BOB)
    assert await found.recall(BOB, "green tea") == Selection((), ())
    await found.indexes.get(ALICE)
    with pytest.raises(EmbeddingError):
        await found.recall(ALICE, "green tea")


TURNS = frozenset({"t1", "t2"})


@rows(
    "said_in, version, visible",
    [
        (("t1",), 1, True),
        (("t1", "t2"), 1, True),
        (("t1", "t3"), 1, False),
        (("t1",), 2, False),
        ((), 1, False),
    ],
)
def test_only_what_nothing_else_says_is_visible(said_in, version, visible):
    """A memory of another turn too, a changed one, and one of unknown turns are recalled."""
    kept = replace(item("tea"), provenance=Provenance(turn_ids=said_in), version=version)
    assert is_visible(kept, TURNS) is visible


CAT = ("Her cat is called Mia.", 0.95)
MIA = ("Mia was born in Oslo.", 0.7)


@rows(
    "question, found, expected",
    [
        ("What is the cat called?", [CAT], None),
        ("Wie heißt die Katze?", [CAT], None),
        ("What is the cat called?", [("The dog barks.", CLEAR - 0.01)], Difficulty.UNSURE),
        ("What is the cat called?", [], Difficulty.UNSURE),
        ("What is the cat called? And where was it born?", [CAT], Difficulty.SEVERAL),
        ("猫叫什么名字？它在哪里出生？", [CAT], Difficulty.SEVERAL),
        (
            "Which flights, hotels, trains, museums, meals, gifts, letters, photos, boats, cars, parks?",
            [CAT],
            Difficulty.SEVERAL,
        ),
        ("Did the vet of Mia move to Bergen?", [CAT, MIA], Difficulty.APART),
        ("Was the cat Mia born in Oslo?", [CAT, MIA], None),
        ("Where does the vet of the cat spend winters?", [CAT], Difficulty.PARTLY),
        ("猫の医者は誰？", [("猫はミアです。", CLEAR)], Difficulty.PARTLY),
        ("Where do I earn my living?", [("User works at Google.", CLEAR)], None),
        ("Wie heißt die Katze von Ada?", [("Adas Katze heißt Mia.", CLEAR)], None),
    ],
)
def test_only_what_is_hard_is_judged(question, found, expected):
    """Simple look-ups ask no model: something sure was found, and one thing was asked for."""
    assert difficulty_of(question, found) is expected


@given(st.text(), st.lists(st.tuples(st.text(), st.floats(0, 1))))
def test_any_text_is_read(question, found):
    """Nothing sure is never enough, whatever the texts are."""
    sure = any(score >= CLEAR for _, score in found)
    assert sure or difficulty_of(question, found) is Difficulty.UNSURE


AGENT = Scope(tenant="local", user_id="alice", agent_id="x")


async def store_of(*memories, terms=lambda text: index_terms(text).terms):
    store = InMemoryMemories(dim=2, terms=terms)
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
        *crowd(degrees=100), stored("green zebra", degrees=60), stored("near", degrees=0)
    )
    embedder = Circle({"my green zebra?": 0, "green zebra": 0, "my tea": 0})
    options = recalling()
    indexes = HotIndexes(inner, dim=2)
    indexes.max_memories = 50
    recaller = Recaller(indexes, embedder, ApproximateCounter(), options)
    assert await indexes.get(ALICE) is None
    selection = await recaller.recall(ALICE, "my green zebra?")
    assert {hit.item.id for hit in selection.chosen} == {"green zebra", "near"}
    asked = Query("my tea", ("green zebra",))
    selection = await recaller.recall(ALICE, asked)
    assert {hit.item.id for hit in selection.chosen} == {"green zebra", "near"}
    store = indexed(inner, indexes)
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
