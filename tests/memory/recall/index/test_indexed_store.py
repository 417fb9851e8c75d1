"""A store's writes reach the indexes."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.model.errors import StoreError
from recollect.memory.model.ports import KeywordSearch
from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.recall.index import IndexedStore
from recollect.memory.recall.index.hot import Write
from recollect.memory.recall.index.key import IndexKey
from recollect.memory.stores.inmemory import InMemoryStore
from tests.support.folding import rows

from ....support.budget import examples
from ....support.versions import LocalVersions
from ...learn.doubles import ALICE, BOB, Breaks
from ..memories import angle, index_of, stored
from .doubles import Process

HERS = IndexKey.of(ALICE)
OTHER = Scope(tenant="other", user_id="alice")


def texts(index):
    return sorted(entry.item.text for entry in index.entries if entry is not None)


@rows(
    "write, left",
    [
        (Write.put(stored("coffee", id="2"), 0), ["coffee", "tea"]),
        (Write.put(stored("green tea", id="1"), 0), ["green tea"]),
        (Write.put(stored("tea", id="1", status=MemoryStatus.SUPERSEDED), 0), []),
        (Write.put(stored("tea", id="2", status=MemoryStatus.QUARANTINED), 0), ["tea"]),
        (Write.put(stored("tea", BOB, id="1"), 0), []),
        (Write.put(stored("coffee", BOB, id="2"), 0), ["tea"]),
        (Write.put(stored("coffee", OTHER, id="1"), 0), ["tea"]),
        (Write.erased("1", ALICE.tenant, 0), []),
        (Write.erased("2", ALICE.tenant, 0), ["tea"]),
        (Write.erased("1", OTHER.tenant, 0), ["tea"]),
    ],
)
def test_an_index_after_a_write(write, left):
    """Added, replaced, gone or moved away; what is another user's or tenant's changes nothing."""
    index = index_of(stored("tea", id="1"))
    changed = write.carry_out(HERS, index)
    assert (texts(index), changed) == (left, left != ["tea"])


SCOPES = [
    ALICE,
    OTHER,
    Scope(tenant="local", user_id="alice", agent_id="x"),
    Scope(tenant="local", user_id="bob", agent_id="x", run_id="r"),
    Scope(tenant="local", agent_id="x"),
    Scope(tenant="local", run_id="r"),
]


STATUSES = st.sampled_from([MemoryStatus.ACTIVE, MemoryStatus.ACTIVE, *MemoryStatus])
PUTS = st.builds(
    lambda number, scope, status, words: ("put", number, scope, status, words),
    st.integers(0, 5),
    st.sampled_from(SCOPES),
    STATUSES,
    st.sampled_from(["tea", "Ann: coffee", ""]),
)
OTHERS = st.one_of(
    st.tuples(st.just("ask"), st.sampled_from(SCOPES)),
    st.tuples(st.just("delete"), st.sampled_from(["local", "other"]), st.integers(0, 5)),
    st.tuples(st.just("reset"), st.sampled_from(["local", "other"])),
    st.tuples(st.just("fail"), st.sampled_from(["put", "delete", "reset"]), st.booleans()),
    st.tuples(st.just("pass"), st.floats(0, 10)),
)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.one_of(PUTS, OTHERS)), max_size=25),
    st.booleans(),
    st.sampled_from([2, 1000]),
)
@settings(max_examples=examples(150))
def test_the_indexes_hold_what_the_store_holds(steps, two, max_memories):
    """After any writes, failures and questions of one or two processes, for every scope."""

    async def run():
        store = InMemoryStore(dim=2)
        failing = Breaks(store, "", StoreError("gone"), times=0, after=True)
        versions = LocalVersions() if two else None
        processes = [
            Process(failing, versions=versions, max_memories=max_memories) for _ in range(1 + two)
        ]
        for number, step in steps:
            await carry_out(processes[number % len(processes)], failing, step)
        for process in processes:
            process.clock.now += 100  # those with too many are looked at again
            for scope in SCOPES:
                expected = sorted(item.text for item in await store.list(scope, limit=None))
                found = await process.texts(scope)
                may_be_large = await store.count(IndexKey.of(scope).scope) > max_memories
                assert found == expected or (found is None and may_be_large)

    async def carry_out(process, failing, step):
        match step:
            case "put", number, scope, status, words:
                # Other processes are not told where a memory was before it moved.
                scope = SCOPES[number] if two else scope
                # Ids are of a tenant: no two share one.
                memory_id = f"{scope.tenant} {number}"
                await told(process.put(words, id=memory_id, scope=scope, status=status))
            case "delete", tenant, number:
                await told(process.indexed.delete(tenant, [f"{tenant} {number}"]))
            case "reset", tenant:
                await told(process.indexed.reset(tenant))
            case "ask", scope:
                await process.texts(scope)
            case "fail", method, after:
                failing._method, failing.left, failing._after = method, 1, after
            case "pass", seconds:
                process.clock.now += seconds

    async def told(write):
        try:
            await write
        except StoreError:
            return

    asyncio.run(run())


class Slow(InMemoryStore):
    """Writes at once and answers never."""

    stuck = False

    async def put(self, memories):
        await super().put(memories)
        if self.stuck:
            await asyncio.Event().wait()


async def test_a_cancelled_write_is_looked_up():
    """Whoever gave up does not know what became of it, and neither does the index."""
    process = Process(Slow(dim=2))
    await process.put("theirs", scope=OTHER)
    assert (await process.texts(), await process.texts(OTHER)) == ([], ["theirs"])
    Slow.stuck = True
    try:
        writing = asyncio.ensure_future(process.put("tea"))
        await asyncio.sleep(0)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
    finally:
        Slow.stuck = False
    assert await process.texts() == ["tea"]
    assert await process.texts(OTHER) == ["theirs"]
    assert process.store.loads == 3


async def test_everything_else_passes():
    """Reads and upkeep are those of the store inside, with what they were asked for."""
    process = Process()
    store = process.indexed
    await process.put("tea", "coffee", degrees=0)
    await process.put("secret", status=MemoryStatus.QUARANTINED)
    any_status = frozenset(MemoryStatus)
    hits = await store.search(ALICE, angle(0), limit=1, statuses=any_status, fresh=True)
    assert [round(hit.score, 3) for hit in hits] == [1.0]
    assert [item.text for item in await store.get(ALICE.tenant, ["tea"])] == ["tea"]
    assert len(await store.list(ALICE, limit=None, statuses=any_status)) == 3
    assert len(await store.list(ALICE, limit=1)) == 1
    assert len(await store.load(ALICE, limit=9, statuses=any_status, fresh=True)) == 3
    assert await store.count(ALICE, statuses=any_status, fresh=True) == 3
    assert [memory.item.id for memory in await store.scan(after="coffee", limit=1)] == ["secret"]
    await store.ping()
    await store.maintain()
    await store.close()
    with pytest.raises(StoreError):
        await store.ping()


async def test_words_are_searched_where_the_store_can():
    """The power is that of the store inside, and so is its absence."""
    able = IndexedStore(InMemoryStore(dim=2, terms=str.split), Process().hot)
    await able.put([stored("green tea"), stored("black tea", status=MemoryStatus.QUARANTINED)])
    assert isinstance(able, KeywordSearch)
    assert able.keywords
    hits = await able.search_keywords(ALICE, ["tea"], limit=9, statuses=frozenset(MemoryStatus))
    assert {hit.item.id for hit in hits} == {"green tea", "black tea"}
    assert len(await able.search_keywords(ALICE, ["tea"], limit=9)) == 1
    unable = IndexedStore(InMemoryStore(dim=2), Process().hot)
    assert not unable.keywords
    with pytest.raises(StoreError):
        await unable.search_keywords(ALICE, ["tea"], limit=9)
