"""What an index may decide, and what not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.memory.index.digests import digest, mark_of
from recollect.memory.memories import searching
from recollect.memory.memories.index_filter import thin_filter
from recollect.memory.memories.log import index_row, prune_log
from recollect.memory.memories.marks import SqlIndexMarks
from recollect.memory.memories.searching import NamedIndex
from recollect.memory.memories.store import SqlMemories, open_memories
from recollect.memory.model.errors import StoreError
from recollect.memory.model.times import to_ms
from recollect.memory.model.types import ACTIVE, Scope, utc_now
from recollect.memory.model.visible_scope import VisibleScope
from recollect.memory.query import EVERYTHING, parse
from tests.support.admitting import admits

from .databases import at, in_memory
from .indexes import NAME, PlainIndex, filled
from .memories import DIM, NOON, Tenancy, ids, memory, vector

FEW = 10


class TestIndexed(Tenancy):
    @pytest.fixture(autouse=True)
    def few(self, monkeypatch):
        monkeypatch.setattr(searching, "FEW", FEW)

    @pytest.fixture
    async def scripts(self):
        scripts = in_memory()
        yield scripts
        await scripts.close()

    @pytest.fixture
    def index(self):
        return PlainIndex()

    @pytest.fixture
    async def store(self, scripts, index):
        await open_memories(scripts, embedder_id="test", dim=DIM)
        store = SqlMemories(
            scripts,
            embedder_id="test",
            dim=DIM,
            index=NamedIndex(index, NAME, SqlIndexMarks(scripts)),
        )
        await filled(scripts, index)
        return store

    async def test_an_index_is_asked_where_there_are_many(self, store, scripts, index, alice):
        """A scope with few is compared at once; one with more is not read."""
        stored = [memory(alice, str(n), vector(1.0, n)) for n in range(FEW)]
        await store.put(stored)
        await filled(scripts, index)
        assert len(await store.search(alice, vector(1.0), limit=3)) == 3
        assert index.asked == 0
        await store.put([memory(alice, "more", vector(1.0, 99))])
        await filled(scripts, index)
        hits = await store.search(alice, vector(1.0), limit=3)
        assert [hit.item.text for hit in hits] == ["0", "1", "2"]
        assert index.asked == 1

    async def test_what_an_index_proposes_is_tested(self, store, scripts, index, alice, tenant):
        """One that is wrong about owner, status and vector shows nobody anything of others."""
        bob = replace(alice, user_id="bob")
        mine = [memory(alice, str(n), vector(1.0, n)) for n in range(1, 30)]
        await store.put([*mine, *(memory(bob, "secret", vector(1.0)) for _ in range(5))])
        await filled(scripts, index)
        of_alice = digest(tenant, "alice")
        index.rows = {
            key: replace(row, user=of_alice, vector=vector(1.0)) for key, row in index.rows.items()
        }
        hits = await store.search(alice, vector(1.0), limit=5)
        assert index.asked
        assert {hit.item.scope for hit in hits} == {alice}
        assert hits[0].score < 1.0

    async def test_what_the_index_does_not_know_yet_is_found(self, store, scripts, index, alice):
        """A change is seen by the next search; what was removed since is not found."""
        stored = [memory(alice, str(n), vector(1.0, n + 1)) for n in range(30)]
        await store.put(stored)
        await filled(scripts, index)
        new, changed, gone = memory(alice, "new", vector(1.0)), stored[20], stored[0]
        await store.put([new, memory(alice, "now near", vector(1.0, 0.1), id=changed.item.id)])
        await store.delete(alice.tenant, [gone.item.id])
        hits = await store.search(alice, vector(1.0), limit=3)
        assert [hit.item.text for hit in hits] == ["new", "now near", "1"]
        assert index.asked == 1

    async def test_all_are_compared_where_the_index_proposes_too_few(
        self, store, scripts, index, alice
    ):
        """A filter that few pass finds them, however far away they are."""
        far = memory(alice, "far", vector(-1.0), metadata={"tag": "rare"})
        await store.put([*(memory(alice, str(n)) for n in range(300)), far])
        await filled(scripts, index)
        # No mark tells this.
        where = parse({"tag": {"contains": "rare"}})
        assert ids(await store.search(alice, vector(1.0), limit=2, where=where)) == {far.item.id}
        assert index.asked == 2

    async def test_of_several_questions_only_those_are_compared(self, store, scripts, index, alice):
        """An index that proposes enough for one of them is not asked in vain."""
        await store.put([memory(alice, str(n), vector(1.0, n)) for n in range(30)])
        await filled(scripts, index)
        asked = [vector(1.0), vector(0.0, 1.0)]
        alone = [ids(await store.search(alice, one, limit=2)) for one in asked]
        index.asked, whole = 0, index.search

        async def once(*given, **how):
            return await whole(*given, **how) if index.asked == 0 else []

        index.search = once
        found = await store.search_each(alice, asked, limit=2)
        assert [ids(hits) for hits in found] == alone

    async def test_an_index_that_fails_is_absent(self, store, scripts, index, alice):
        """All are compared: an answer takes longer, and is the same."""
        await store.put([memory(alice, str(n), vector(1.0, n)) for n in range(30)])
        await filled(scripts, index)
        index.error = StoreError("gone")
        hits = await store.search(alice, vector(1.0), limit=2)
        assert [hit.item.text for hit in hits] == ["0", "1"]
        assert index.asked == 1

    async def test_an_index_that_misses_lines_of_the_log_is_not_asked(
        self, store, scripts, index, alice
    ):
        """What it does not know is not told any more."""
        await store.put([memory(alice, str(n), vector(1.0, n)) for n in range(30)])
        await prune_log(scripts, before=utc_now().replace(year=9999))
        assert len(await store.search(alice, vector(1.0), limit=2)) == 2
        assert index.asked == 0


class TestIndexedInPostgres(TestIndexed):
    @pytest.fixture
    async def scripts(self, url):
        scripts = await at(url)
        yield scripts
        await scripts.close()


def test_a_thin_filter_admits_what_a_filter_admits():
    """Scope, status, type, time and equal metadata are said; whatever else is left out."""
    scope = Scope(tenant="t", user_id="u", agent_id="a")
    where = parse({
        "AND": [
            {"type": ["semantic"]},
            {"created_at": {"gte": NOON.isoformat()}},
            {"colour": "red"},
            {"size": {"gt": 3}},
            {"NOT": {"shape": "round"}},
        ]
    })  # fmt: skip
    thin = thin_filter(scope, ACTIVE, where)
    assert thin.tenant == digest("t")
    assert (thin.user, thin.agent, thin.run) == (digest("t", "u"), digest("a"), None)
    assert thin.kinds == {digest("semantic")}
    assert thin.statuses == {digest("active")}
    assert (thin.since, thin.until) == (to_ms(NOON), None)
    assert thin.marks == {mark_of(("colour",), "red")}
    either = thin_filter(VisibleScope.of(scope), ACTIVE, parse({"OR": [{"a": 1}, {"b": 2}]}))
    assert either.agent is None
    assert not either.marks


def test_a_row_of_an_index_passes_the_filter_of_its_scope():
    """Digests of rows and of questions are made alike."""
    row = (7, "t", "u", "", "", "semantic", "active", 5, '{"a":{"b":1}}', vector(1.0).tobytes())
    scope = Scope(tenant="t", user_id="u")
    assert admits(thin_filter(scope, ACTIVE, parse({"a.b": 1.0})), index_row(row))
    assert not admits(thin_filter(replace(scope, user_id="v"), ACTIVE, EVERYTHING), index_row(row))
    agents = Scope(tenant="t", agent_id="x")
    assert not admits(thin_filter(agents, ACTIVE, EVERYTHING), index_row(row))
