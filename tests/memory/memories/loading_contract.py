"""What every vector store must do when memories are read with their vectors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recollect.memory.model.owner import covers
from recollect.memory.model.types import MemoryStatus, MemoryType, Provenance, Scope, StoredMemory

from .memories import Tenancy, ids, memory, vector


class LoadingContract(Tenancy):
    """A part of `StoreContract`."""

    many: int

    async def test_loaded_memories_have_their_vectors(self, store, alice):
        """What is loaded is what was put, vector by vector, in the order of the ids."""
        stored = [memory(alice, str(n), vector(1.0, n)) for n in range(30)]
        await store.put(stored)
        stored.sort(key=lambda kept: kept.item.id)
        loaded = await store.load(alice, limit=100)
        assert [found.item for found in loaded] == [kept.item for kept in stored]
        for found, kept in zip(loaded, stored, strict=True):
            assert found.vector.dtype == np.float32
            np.testing.assert_allclose(found.vector, kept.vector, atol=1e-6)

    async def test_load_returns_at_most_the_limit(self, store, alice):
        """A limit keeps the first ids, the same ones each time; a limit of none loads none."""
        stored = [memory(alice, str(n)) for n in range(5)]
        await store.put(stored)
        first = sorted(ids(stored))[:2]
        for _ in range(2):
            loaded = await store.load(alice, limit=2)
            assert [found.item.id for found in loaded] == first
        for limit in (0, -1):
            assert await store.load(alice, limit=limit) == []
        nobody = replace(alice, user_id="nobody")
        assert await store.load(nobody, limit=9) == []
        assert await store.count(nobody) == 0

    async def test_load_and_count_see_every_change(self, store, alice):
        """What was replaced, deleted or given away is loaded and counted as it is now."""
        kept, changed, gone, given = (memory(alice, text) for text in "abcd")
        await store.put([kept, changed, gone, given])
        other = replace(alice, user_id="other")
        await store.put([memory(alice, "new", vector(0.0, 1.0), id=changed.item.id)])
        await store.put([memory(other, id=given.item.id)])
        await store.delete(alice.tenant, [gone.item.id])
        for _ in range(2):
            loaded = await store.load(alice, limit=9)
            by_id = {found.item.id: found for found in loaded}
            assert set(by_id) == {kept.item.id, changed.item.id}
            assert by_id[changed.item.id].item.text == "new"
            assert by_id[changed.item.id].vector[1] == pytest.approx(1.0)
            assert await store.count(alice) == 2
            assert ids(await store.load(other, limit=9)) == {given.item.id}

    async def test_scan_goes_through_everything(self, store, alice):
        """A scan sees every tenant and status once, in the order of the ids, and can go on."""
        other = replace(alice, tenant=f"{alice.tenant}x")
        stored = [
            memory(scope, id=f"{alice.tenant}{n}{scope.tenant[-1]}", status=status, at=vector(1, n))
            for n, status in enumerate(MemoryStatus)
            for scope in (alice, other)
        ]
        await store.put(stored)
        expected = sorted(stored, key=lambda kept: kept.item.id)
        seen: list[StoredMemory] = []
        # Nothing sorts between the tenant's own ids, so others in the store are not in the way.
        last: str | None = alice.tenant
        while len(seen) < len(expected):
            page = await store.scan(after=last, limit=2)
            seen += page
            last = page[-1].item.id
        assert [one.item for one in seen[: len(expected)]] == [kept.item for kept in expected]
        np.testing.assert_allclose(seen[-1].vector, expected[-1].vector, atol=1e-6)
        assert await store.scan(after=None, limit=0) == []
        assert len(await store.scan(after=None, limit=1)) == 1
        assert await store.scan(after="\U0010ffff", limit=9) == []

    async def test_an_owners_rows_are_read_alone(self, store, tenant):
        """Of a tenant or a scope, of every status, by id and page by page, with vectors or not."""
        scopes = [
            Scope(tenant=owner, user_id=user, agent_id=agent)
            for owner in (tenant, f"{tenant}-other", f'{tenant}" or tenant != "')
            for user, agent in (("u1", None), ("u1", "a1"), ("u2", None), (None, "a1"))
        ]
        stored = [memory(scope, status=status) for scope in scopes for status in MemoryStatus]
        await store.put(stored)
        for owner_ref in (tenant, *scopes):
            own = sorted(one.item.id for one in stored if covers(owner_ref, one.item.scope))
            seen: list[str] = []
            while page := await store.scan(
                after=seen[-1] if seen else None, limit=7, owner_ref=owner_ref
            ):
                assert len(page) <= 7
                seen += [one.item.id for one in page]
            assert seen == own, owner_ref
            middle = own[len(own) // 2]
            walked = await store.walk(owner_ref, after=middle, limit=99)
            assert [item.id for item in walked] == own[len(own) // 2 + 1 :]
        assert await store.walk(tenant, after=None, limit=0) == []
        assert await store.scan(after=None, limit=9, owner_ref=f"{tenant} nobody") == []

    async def test_a_tally_counts_each_scope(self, store, tenant):
        """Rows of every status and active ones by scope, and turns that active ones came from."""
        scopes = [Scope(tenant=tenant, user_id="u1"), Scope(tenant=tenant, agent_id="a1")]
        other = Scope(tenant=f"{tenant}-other", user_id="u1")
        stored = [memory(scope, status=s) for scope in (*scopes, other) for s in MemoryStatus]
        active = next(one for one in stored if one.item.status is MemoryStatus.ACTIVE)
        ended = next(one for one in stored if one.item.status is not MemoryStatus.ACTIVE)
        learned = [
            replace(one, item=replace(one.item, provenance=Provenance(turn_ids=(turn, "more"))))
            for one, turn in ((active, "told"), (ended, "not told"))
        ]
        # What an episode tells stands beside it.
        episode = Provenance(turn_ids=("not told", "unknown"), stretch="not told")
        later = next(one for one in stored if one.item.scope == scopes[1])
        assert later.item.status is MemoryStatus.ACTIVE
        its_item = replace(later.item, provenance=episode)
        learned.append(replace(later, item=its_item))
        await store.put([*stored, *learned])
        tally = await store.tally(tenant, turns={"told", "not told", "unknown"})
        assert {scope: (one.rows, one.active) for scope, one in tally.scopes.items()} == {
            scope: (len(MemoryStatus), 1) for scope in scopes
        }
        assert tally.told == {"told"}
        [first] = {(one.first, one.latest) for one in tally.scopes.values()}
        assert first == (active.item.created_at, active.item.updated_at)
        assert (await store.tally(tenant)).told == set()
        assert other in (await store.tally(None)).scopes

    async def test_a_tally_tells_what_waits_for_a_judgement(self, store, tenant):
        """Active memories with those of the same matter; what has ended waits for nobody."""
        scope = Scope(tenant=tenant, user_id="u1")
        waits, ended, plain = (
            memory(scope),
            memory(scope, status=MemoryStatus.SUPERSEDED),
            memory(scope),
        )
        origin = Provenance(pending=("one", "two"), turn_ids=('"pending":[',))
        decoy = Provenance(turn_ids=('"pending":[',))
        await store.put(
            [replace(one, item=replace(one.item, provenance=origin)) for one in (waits, ended)]
            + [replace(plain, item=replace(plain.item, provenance=decoy))]
        )
        found = await store.tally(tenant, waiting=True)
        assert found.waiting == {(tenant, waits.item.id): ("one", "two")}
        assert (await store.tally(tenant)).waiting == {}

    async def test_a_tally_tells_kinds_and_days(self, store, tenant):
        """By type and status, of a tenant or of a scope; what ended was made on no day."""
        own, other = (Scope(tenant=tenant, user_id=name) for name in ("u1", "u2"))
        await store.put([memory(own, status=s) for s in MemoryStatus])
        event = memory(other)
        await store.put([replace(event, item=replace(event.item, type=MemoryType.EPISODIC))])
        every = await store.tally(tenant)
        assert every.kinds == {
            **{(MemoryType.SEMANTIC, status): 1 for status in MemoryStatus},
            (MemoryType.EPISODIC, MemoryStatus.ACTIVE): 1,
        }
        ended = MemoryStatus.SUPERSEDED
        assert sum(every.days.values()) == sum(n for k, n in every.kinds.items() if k[1] != ended)
        assert (await store.tally(other)).kinds == {(MemoryType.EPISODIC, MemoryStatus.ACTIVE): 1}
