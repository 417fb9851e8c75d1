"""Answers queries from the store: pages, counts, searches, also of another time."""

from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.types import MemoryStatus, Provenance, Scope, StoredMemory
from recollect.memory.query.arguments import read_arguments
from recollect.memory.recall.queries import at_a_time, held
from recollect.memory.recall.query import Query

from ..api.client_parts import build
from ..stores.memories import NOON, memory
from ..stores.memories import memory as stored

ALICE = Scope(tenant="t", user_id="alice")


def after(hours):
    return NOON + timedelta(hours=hours)


# In Oslo from noon on; in Rome from two o'clock on, which was told at five.
OSLO = replace(
    memory(ALICE, "Oslo", id="v1").item,
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
    memory(ALICE, "has a cat", id="cat").item,
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
    item = memory(ALICE).item
    assert held(item, NOON)
    assert not held(item, after(-1))


MANY = 1003
ALICE_DRIVER = Scope(tenant="local", user_id="alice")


async def filled(engine, count):
    [vector] = await engine.parts.embedder.embed(["tea"])
    await engine.parts.store.put(
        [
            StoredMemory(
                stored(ALICE_DRIVER, f"tea {n}", minutes=n % 7, metadata={"n": n}).item, vector
            )
            for n in range(count)
        ]
    )


async def test_a_listing_without_a_limit_has_everything():
    """Of any number of memories, each once, in the order of a listing."""
    async with build() as memory:
        engine = memory._engine
        await filled(engine, MANY)
        found = await engine.queries.list(ALICE_DRIVER, read_arguments({}))
        assert len({item.id for item in found}) == MANY
        order = [(-item.created_at.timestamp(), item.id) for item in found]
        assert order == sorted(order)


async def test_users_without_an_index_are_searched_in_the_store():
    """With the filter, and as many as were asked for."""
    async with build() as memory:
        engine = memory._engine
        await filled(engine, 300)
        engine.recaller.indexes.max_memories = 10
        asked = read_arguments({"filters": {"n": {"gte": 100}}})
        hits = await engine.queries.search(ALICE_DRIVER, Query("tea"), asked, limit=150)
        assert len(hits) == 150
        assert all(hit.item.metadata["n"] >= 100 for hit in hits)
