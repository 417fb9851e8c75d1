"""The Milvus store keeps the contract, on Milvus Lite and on a real server."""

from __future__ import annotations

import string
import uuid
from unittest.mock import AsyncMock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.memory.model.errors import InvalidInputError, StoreError
from recollect.memory.model.types import Scope
from recollect.memory.query import parse
from recollect.memory.stores.inmemory import InMemoryStore
from recollect.memory.stores.milvus import reader
from tests.memory.stores.contract import (
    DIM,
    BasicContract,
    StoreContract,
    ids,
    memory,
    vector,
    words,
)
from tests.memory.stores.keyword_contract import KeywordContract
from tests.support.budget import examples


class TestOnLite(StoreContract):
    """Flushed now and then: what is in segments and what is not are read in different ways."""

    many = 1_200

    @pytest.fixture
    async def store(self, open_at, lite_address):
        return await open_at(lite_address, flush_every=3)


class TestWithTermsOnLite(BasicContract):
    """The same holds in a collection that has keyword search, and of what is never flushed."""

    @pytest.fixture
    async def store(self, open_at, lite_address):
        return await open_at(lite_address, terms=words)


class TestKeywordsOnLite(KeywordContract):
    @pytest.fixture
    async def store(self, open_at, lite_address):
        return await open_at(lite_address, terms=words, flush_every=3)


CONTRACT, ISOLATION = (f"c{uuid.uuid4().hex}" for _ in range(2))


@pytest.mark.server
class TestOnServer(StoreContract):
    many = 300

    @pytest.fixture
    async def store(self, open_at, server_address):
        # One collection for all: making one takes seconds, and every test has its own tenant.
        return await open_at(server_address, CONTRACT)

    async def test_server_is_asked_for_its_version(self, store):
        """2.3.5 is known to lose rows on upsert, so it is not trusted with one."""
        assert (store._dialect.embedded, store._dialect.upserts) == (False, False)

    async def test_more_than_a_page_is_loaded(self, store, alice):
        """Pages follow each other without gaps, with reads that lag and with those that do not."""
        stored = [memory(alice, str(n), vector(1.0, n)) for n in range(130)]
        await store.put(stored)
        store._reader._vector_rows = 50
        for fresh in (True, False):
            loaded = await store.load(alice, limit=1_000, fresh=fresh)
            assert [found.item.id for found in loaded] == sorted(ids(stored))
            assert len(await store.load(alice, limit=60, fresh=fresh)) == 60

    async def test_filters_on_metadata_are_answered_there(self, store, alice, monkeypatch):
        """Searches and counts read no memories to test them, but those that tell not all."""
        await store.put([
            memory(alice, str(n), vector(1.0, n), id=f"m{n}", metadata={"n": n, "tag": "ab"[n % 2]})
            for n in range(20)
        ])  # fmt: skip
        where = parse({"tag": "a", "n": {"gte": 2**53 + 1}})
        reading = AsyncMock(side_effect=AssertionError("it reads memories"))
        with monkeypatch.context() as watched:
            for method in ("nearest", "all_items"):
                watched.setattr(store._reader, method, reading)
            even = parse({"tag": "a", "n": {"lt": 9}})
            assert await store.count(alice, where=even, fresh=True) == 5
            found = await store.search(alice, vector(1.0), limit=2, where=even, fresh=True)
            assert ids(found) == {"m0", "m2"}
            assert await store.count(alice, where=where, fresh=True) == 0
        many = {f"k{n}": n for n in range(4_500)}
        for number, tag in enumerate("ab"):
            await store.put([
                memory(alice, id=f"wide{number}", metadata=many | {"tag": tag, "n": 2**53 + 1})
            ])  # fmt: skip
        assert await store.count(alice, where=where, fresh=True) == 1
        assert ids(await store.list(alice, limit=None, where=where)) == {"wide0"}
        found = await store.search(alice, vector(1.0), limit=9, where=where, fresh=True)
        assert ids(found) == {"wide0"}

    async def test_an_old_server_has_no_keywords(self, open_at, server_address, alice):
        """Asked for them, 2.3.5 makes a collection without, and says so when they are used."""
        store = await open_at(server_address, terms=words, partitions=1)
        assert not store.keywords
        with pytest.raises(StoreError, match="keywords"):
            await store.search_keywords(alice, ["tea"], limit=1)
        await store.put([memory(alice)])
        assert len(await store.load(alice, limit=9, fresh=True)) == 1


NASTY = st.text(
    st.sampled_from("\"'\\%_|&=!()[]{}$ \u2028é日😀") | st.sampled_from(string.ascii_letters),
    min_size=1,
    max_size=12,
).filter(str.strip)
SOME_ID = st.sampled_from(['a" or tenant != "', "b\\", "c"]) | NASTY
SCOPES = st.builds(
    lambda user, agent, run: (user, agent, run), *[st.none() | SOME_ID for _ in range(3)]
).filter(any)


async def test_lite_finds_metadata_in_its_text(open_at, lite_address, monkeypatch):
    """Only memories that have the pattern are read; signs of patterns in it are no signs."""
    store = await open_at(lite_address, flush_every=5)
    alice = Scope(tenant=uuid.uuid4().hex, user_id="alice")
    tags = ['50%_off\\"x"', "50xx_off", "é\n", "plain"]
    await store.put([
        memory(alice, str(n), vector(1.0, n), id=f"m{n}", metadata={"a_b%": tags[n % 4], "n": n})
        for n in range(20)
    ])  # fmt: skip
    read = []
    decoded = reader._decoded

    async def counted(page, decode):
        read.append(len(page))
        return await decoded(page, decode)

    monkeypatch.setattr(reader, "_decoded", counted)
    for number, tag in enumerate(tags):
        where = parse({"field": "metadata.a_b%", "operator": "eq", "value": tag})
        expected = {f"m{n}" for n in range(number, 20, 4)}
        assert ids(await store.list(alice, limit=None, where=where)) == expected
        assert await store.count(alice, where=where) == 5
        found = await store.search(alice, vector(1.0), limit=9, where=where)
        assert ids(found) == expected
    assert sum(read) == 2 * 20


async def test_enough_near_memories_pass_without_reading_all(open_at, lite_address, monkeypatch):
    """A filter that nothing narrows: if the nearest few that pass are enough, they are the best."""
    store = await open_at(lite_address)
    alice = Scope(tenant=uuid.uuid4().hex, user_id="alice")
    await store.put([
        memory(alice, str(n), vector(1.0, n), id=f"m{n}", metadata={"n": n}) for n in range(40)
    ])  # fmt: skip
    nearest = store._reader.nearest
    reading = AsyncMock(side_effect=nearest)
    monkeypatch.setattr(store._reader, "nearest", reading)
    odd = parse({"n": {"nin": list(range(0, 40, 2))}})
    found = await store.search(alice, vector(1.0), limit=3, where=odd)
    assert ([hit.item.id for hit in found], reading.await_count) == (["m1", "m3", "m5"], 0)
    late = parse({"n": {"nin": list(range(37))}})
    found = await store.search(alice, vector(1.0), limit=3, where=late)
    assert ([hit.item.id for hit in found], reading.await_count) == (["m37", "m38", "m39"], 1)


class TestAgainstTheReference:
    @settings(
        max_examples=examples(25),
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(stored=st.lists(SCOPES, min_size=1, max_size=5), asked=st.lists(SCOPES, max_size=3))
    async def test_isolation_is_that_of_the_reference(self, open_at, lite_address, stored, asked):
        """Whatever the ids are, Milvus Lite shows a scope exactly what the reference shows it."""
        lite = await open_at(lite_address, ISOLATION)
        reference = InMemoryStore(dim=DIM)
        tenant = f'"{uuid.uuid4().hex}\\'
        scopes = [Scope(tenant=tenant, user_id=u, agent_id=a, run_id=r) for u, a, r in stored]
        memories = [memory(scope) for scope in scopes]
        for store in (lite, reference):
            await store.put(memories)
        for user, agent, run in (*stored, *asked):
            scope = Scope(tenant=tenant, user_id=user, agent_id=agent, run_id=run)
            expected = ids(await reference.search(scope, vector(1.0), limit=99))
            assert ids(await lite.search(scope, vector(1.0), limit=99)) == expected
            assert ids(await lite.list(scope, limit=None)) == expected


class TestRefusing:
    async def test_what_does_not_fit_is_named_and_nothing_written(self, open_at, lite_address):
        """One memory that cannot be kept keeps all of its call out; `test_rows.py` has the rest."""
        store = await open_at(lite_address)
        scope = Scope(tenant="t", user_id="u")
        with pytest.raises(InvalidInputError) as refusal:
            await store.put([memory(scope), memory(scope, "é" * 40_000)])
        assert refusal.value.field == "text"
        assert await store.list(scope, limit=None) == []

    async def test_longest_values_fit(self, open_at, lite_address):
        """Everything the types allow can be stored: no id is too long for its column."""
        store = await open_at(lite_address)
        longest = "😀" * 256
        scope = Scope(tenant=longest, user_id=longest, agent_id=longest, run_id=longest)
        kept = memory(scope, "x" * 65_535, id="y" * 512)
        await store.put([kept])
        [hit] = await store.search(scope, vector(1.0), limit=1, fresh=True)
        assert hit.item == kept.item
