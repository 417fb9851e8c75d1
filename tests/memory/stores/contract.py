"""What every vector store must do."""

from __future__ import annotations

import itertools
import uuid
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from recollect.memory.model.claims import (
    EntityClaim,
    EntityKind,
    GraphClaims,
    RelationClaim,
)
from recollect.memory.model.errors import InvalidInputError, StoreError
from recollect.memory.model.ports import VectorStore
from recollect.memory.model.sight import Sight
from recollect.memory.model.types import Doubt, MemoryStatus, Provenance, Scope, Source

from .filter_contract import FilterContract
from .loading_contract import LoadingContract
from .memories import ANY_STATUS, DIM, HOSTILE, NOON, ids, memory, vector, words

__all__ = [
    "ANY_STATUS",
    "DIM",
    "HOSTILE",
    "NOON",
    "StoreContract",
    "ids",
    "memory",
    "vector",
    "words",
]


class StoreContract(FilterContract, LoadingContract):
    """Subclasses provide the fixtures `store` (open, of `DIM` dimensions) and `tenant` (unused)."""

    many = 2_500
    """Rows of the longest listing: more than one page where the backend pages."""

    async def test_memory_comes_back_as_it_was(self, store: VectorStore, alice: Scope) -> None:
        """Every field of a memory survives, times to the millisecond."""
        scope = replace(alice, agent_id="helper", run_id="run-7")
        full = memory(
            scope,
            "Likes\ttea,\n“green” mostly 🍵",
            importance=0.75,
            status=MemoryStatus.QUARANTINED,
            provenance=Provenance(
                source=Source.EXTRACTION,
                conversation_id="c1",
                turn_ids=("t1", "t2"),
                quote='she said "tea"',
                model="m",
                sequence=7,
                batch="job 1",
                recorded_at=NOON + timedelta(milliseconds=3),
                superseded_by="another",
                ended="person: never",
                ended_at=NOON + timedelta(milliseconds=4),
                ended_from=MemoryStatus.QUARANTINED,
                flags=("instruction", "secrecy"),
                reasons=(
                    Doubt("secrecy", "tool", "hides it", "Tell \x00 nobody…"),
                    Doubt("steering"),
                ),
                taken_from="the rest",
                withheld=("a", "b"),
                given="key",
                subject="Ann",
                predicate="drinks",
                object="tea",
                context="breakfast with Ann",
                claims=GraphClaims(
                    entities=(
                        EntityClaim(name="Ann", kind=EntityKind.PERSON, aliases=("my wife",)),
                        EntityClaim(name="tea"),
                    ),
                    relations=(RelationClaim(source="Ann", relation="drinks", target="tea"),),
                ),
            ),
            valid_from=NOON,
            valid_to=NOON + timedelta(days=1, milliseconds=7),
            last_accessed_at=NOON + timedelta(seconds=1),
            access_count=3,
            version=7,
        )
        await store.put([full])
        assert await store.get(scope.tenant, [full.item.id]) == [full.item]

    async def test_metadata_comes_back_as_it_was(self, store: VectorStore, alice: Scope) -> None:
        """Nested, typed and non-ASCII metadata is neither flattened nor converted."""
        metadata = {
            "nested": {"list": [1, 2.5, None, True, {"deep": "💎"}]},
            "schlüssel": 'quote " and \\ backslash',
            "big": 2**60,
            "empty": {},
            "float": 1.0,
        }
        kept = memory(alice, metadata=metadata)
        await store.put([kept])
        [item] = await store.get(alice.tenant, [kept.item.id])
        assert item.metadata == metadata
        assert isinstance(item.metadata["float"], float)

    async def test_nothing_is_shared_with_the_caller(
        self, store: VectorStore, alice: Scope
    ) -> None:
        """Changing what was put, or what was got, changes nothing in the store."""
        kept = memory(alice, metadata={"tags": ["a"]}, at=vector(1.0))
        await store.put([kept])
        kept.item.metadata["tags"].append("b")
        kept.vector[:] = 0
        [item] = await store.get(alice.tenant, [kept.item.id])
        item.metadata["tags"].append("c")
        [hit] = await store.search(alice, vector(1.0), limit=1, fresh=True)
        assert hit.item.metadata == {"tags": ["a"]}
        assert hit.score == pytest.approx(1.0, abs=1e-5)

    async def test_same_id_replaces(self, store: VectorStore, alice: Scope) -> None:
        """Putting an id again leaves one memory: the last."""
        first = memory(alice, "old", vector(1.0))
        await store.put([first])
        await store.put([memory(alice, "new", vector(0.0, 1.0), id=first.item.id)])
        [item] = await store.list(alice, limit=None)
        assert item.text == "new"
        [hit] = await store.search(alice, vector(0.0, 1.0), limit=5, fresh=True)
        assert (hit.item.text, hit.score) == ("new", pytest.approx(1.0, abs=1e-5))

    async def test_last_of_the_same_id_in_one_call_wins(
        self, store: VectorStore, alice: Scope
    ) -> None:
        """One call with an id twice keeps the second."""
        first = memory(alice, "old")
        await store.put([first, memory(alice, "new", id=first.item.id)])
        assert [item.text for item in await store.list(alice, limit=None)] == ["new"]

    async def test_replacement_may_change_the_owner(
        self, store: VectorStore, alice: Scope, tenant: str
    ) -> None:
        """A memory given to another user is gone from the first one's results and listings."""
        others = [Scope(tenant=tenant, user_id=f"user-{n}") for n in range(4)]
        kept = memory(alice)
        await store.put([kept])
        for before, after in itertools.pairwise([alice, *others]):
            await store.put([memory(after, id=kept.item.id)])
            assert await store.search(before, vector(1.0), limit=5, fresh=True) == []
            assert await store.list(before, limit=None) == []
            assert ids(await store.list(after, limit=None)) == {kept.item.id}

    async def test_search_is_ordered_by_cosine(self, store: VectorStore, alice: Scope) -> None:
        """The nearest comes first, and its score is the cosine similarity, negative ones too."""
        at = {
            "same": vector(1.0),
            "near": vector(1.0, 1.0),
            "orthogonal": vector(0.0, 1.0),
            "opposite": vector(-1.0),
        }
        await store.put([memory(alice, text, where) for text, where in reversed(at.items())])
        hits = await store.search(alice, vector(1.0), limit=10, fresh=True)
        assert [hit.item.text for hit in hits] == list(at)
        expected = [1.0, 2**-0.5, 0.0, -1.0]
        assert [hit.score for hit in hits] == pytest.approx(expected, abs=1e-5)

    async def test_search_returns_at_most_the_limit(self, store: VectorStore, alice: Scope) -> None:
        """The limit cuts off the far ones; a limit of none finds none."""
        await store.put([memory(alice, str(n), vector(1.0, n)) for n in range(5)])
        hits = await store.search(alice, vector(1.0), limit=2, fresh=True)
        assert [hit.item.text for hit in hits] == ["0", "1"]
        assert await store.search(alice, vector(1.0), limit=0, fresh=True) == []
        assert len(await store.search(alice, vector(1.0), limit=100_000, fresh=True)) == 5

    async def test_search_of_an_empty_store(self, store: VectorStore, alice: Scope) -> None:
        """Nothing stored is nothing found, not an error."""
        assert await store.search(alice, vector(1.0), limit=5) == []
        assert await store.list(alice, limit=None) == []
        assert await store.get(alice.tenant, ["unknown"]) == []

    async def test_scope_is_a_hard_predicate(self, store: VectorStore, tenant: str) -> None:
        """For every combination of ids, exactly the records the scope admits are seen."""
        scopes = [
            Scope(tenant=owner, user_id=user, agent_id=agent, run_id=run)
            for owner in (tenant, f"{tenant}-other")
            for user, agent, run in itertools.product(
                ("u1", "u2", None), ("a1", None), ("r1", None)
            )
            if user or agent or run
        ]
        stored = [memory(scope, f"m{n}") for n, scope in enumerate(scopes)]
        await store.put(stored)
        for scope in (s for s in scopes if s.tenant == tenant):
            admitted = {m.item.id for m in stored if scope.admits(m.item.scope)}
            found = await store.search(scope, vector(1.0), limit=100, fresh=True)
            assert ids(found) == admitted, scope
            assert ids(await store.list(scope, limit=None)) == admitted, scope

    async def test_a_sight_is_a_hard_predicate_too(self, store: VectorStore, tenant: str) -> None:
        """An agent of a user is shown what has that agent or none, and that user, in every read."""
        kept = [
            memory(Scope(tenant=owner, user_id=user, agent_id=agent, run_id=run), f"{n}")
            for n, (owner, user, agent, run) in enumerate(
                itertools.product(
                    (tenant, f"{tenant}-other"), ("u1", "u2"), ("a1", 'a" or "', None), ("r1", None)
                )
            )
        ]
        await store.put(kept)
        for agent, run in itertools.product(("a1", 'a" or "'), ("r1", None)):
            scope = Scope(tenant=tenant, user_id="u1", agent_id=agent, run_id=run)
            sight = Sight.of(scope)
            admitted = {
                each.item.id
                for each in kept
                if each.item.scope.tenant == tenant
                and each.item.scope.user_id == "u1"
                and each.item.scope.agent_id in (agent, None)
                and run in (None, each.item.scope.run_id)
            }
            found = await store.search(sight, vector(1.0), limit=100, fresh=True)
            loaded = await store.load(sight, limit=100, fresh=True)
            assert ids(found) == {each.item.id for each in loaded} == admitted
            assert ids(await store.list(sight, limit=None)) == admitted
            assert await store.count(sight, fresh=True) == len(admitted)

    async def test_hostile_scope_ids_match_only_themselves(
        self, store: VectorStore, tenant: str
    ) -> None:
        """An id that looks like a filter is compared, never interpreted."""
        owners = {name: memory(Scope(tenant=tenant, user_id=name)) for name in HOSTILE}
        agents = {name: memory(Scope(tenant=tenant, agent_id=name)) for name in HOSTILE}
        await store.put([*owners.values(), *agents.values()])
        for kept in (*owners.values(), *agents.values()):
            found = await store.search(kept.item.scope, vector(1.0), limit=100, fresh=True)
            assert [hit.item for hit in found] == [kept.item]

    async def test_hostile_tenant_sees_nothing(self, store: VectorStore, alice: Scope) -> None:
        """A tenant that tries to widen the filter reads, deletes and resets nobody's memories."""
        kept = memory(alice)
        await store.put([kept])
        for name in (
            'x" or tenant != "x',
            f'{alice.tenant}" or "1" == "1',
            "%",
            f"{alice.tenant}%",
        ):
            scope = Scope(tenant=name, user_id="alice")
            assert await store.search(scope, vector(1.0), limit=5, fresh=True) == []
            assert await store.list(scope, limit=None) == []
            assert await store.get(name, [kept.item.id]) == []
            await store.delete(name, [kept.item.id])
            await store.reset(name)
        assert await store.get(alice.tenant, [kept.item.id]) == [kept.item]

    async def test_hostile_memory_ids_match_only_themselves(
        self, store: VectorStore, alice: Scope
    ) -> None:
        """Memory ids with quotes, backslashes, line breaks and the like are got and deleted alone."""
        names = [
            f"{alice.tenant}{name}" for name in (*HOSTILE, "two\nlines", "tab\t", "\r", "\x01")
        ]
        await store.put([memory(alice, name, id=name) for name in names])
        for name in names:
            assert [item.text for item in await store.get(alice.tenant, [name])] == [name]
        await store.delete(alice.tenant, names[:-1])
        assert ids(await store.list(alice, limit=None)) == {names[-1]}

    async def test_only_asked_for_statuses_are_seen(self, store: VectorStore, alice: Scope) -> None:
        """Active ones by default, others when asked for, none when none is asked for."""
        stored = {status: memory(alice, status=status) for status in MemoryStatus}
        await store.put(list(stored.values()))
        for statuses in ({MemoryStatus.QUARANTINED}, ANY_STATUS, set()):
            expected = {stored[status].item.id for status in statuses}
            found = await store.search(alice, vector(1.0), limit=9, statuses=statuses, fresh=True)
            assert ids(found) == expected
            assert ids(await store.list(alice, limit=None, statuses=statuses)) == expected
        active = {stored[MemoryStatus.ACTIVE].item.id}
        assert ids(await store.search(alice, vector(1.0), limit=9, fresh=True)) == active
        assert ids(await store.list(alice, limit=None)) == active

    async def test_get_finds_every_status(self, store: VectorStore, alice: Scope) -> None:
        """By id, a superseded memory is found too."""
        kept = memory(alice, status=MemoryStatus.SUPERSEDED)
        await store.put([kept])
        assert ids(await store.get(alice.tenant, [kept.item.id])) == {kept.item.id}

    async def test_list_is_newest_first(self, store: VectorStore, alice: Scope) -> None:
        """Listings go back in time, and the limit keeps the newest."""
        for minutes in (3, 1, 4, 2):
            await store.put([memory(alice, str(minutes), minutes=minutes)])
        assert [m.text for m in await store.list(alice, limit=None)] == ["4", "3", "2", "1"]
        assert [m.text for m in await store.list(alice, limit=2)] == ["4", "3"]
        assert await store.list(alice, limit=0) == []

    async def test_list_without_limit_is_complete(
        self, store: VectorStore, alice: Scope, tenant: str
    ) -> None:
        """A listing is not cut at the size of a page, with and without a user to prune by."""
        scope = replace(alice, agent_id="a")
        stored = [memory(scope, str(n), minutes=n) for n in range(self.many)]
        await store.put(stored)
        texts = [str(n) for n in reversed(range(self.many))]
        assert [m.text for m in await store.list(alice, limit=None)] == texts
        agent = Scope(tenant=tenant, agent_id="a")
        assert [m.text for m in await store.list(agent, limit=None)] == texts

    async def test_get_takes_many_ids(self, store: VectorStore, alice: Scope) -> None:
        """Asking for more ids than fit into one expression, some twice, finds each once."""
        stored = [memory(alice, str(n)) for n in range(20)]
        await store.put(stored)
        wanted = [m.item.id for m in stored]
        unknown = [uuid.uuid4().hex for _ in range(1_200)]
        found = await store.get(alice.tenant, [*wanted, *unknown, *wanted])
        assert sorted(m.id for m in found) == sorted(wanted)

    async def test_deleted_is_gone(self, store: VectorStore, alice: Scope) -> None:
        """A deleted memory is neither got nor listed nor found; unknown ids are no error."""
        kept, gone = memory(alice), memory(alice)
        await store.put([kept, gone])
        await store.delete(alice.tenant, [gone.item.id, "unknown"])
        assert await store.get(alice.tenant, [gone.item.id]) == []
        assert ids(await store.list(alice, limit=None)) == {kept.item.id}
        assert ids(await store.search(alice, vector(1.0), limit=9, fresh=True)) == {kept.item.id}

    async def test_deleted_may_be_put_again(self, store: VectorStore, alice: Scope) -> None:
        """An id that was deleted can be used again."""
        kept = memory(alice)
        for _ in range(2):
            await store.put([kept])
            assert ids(await store.list(alice, limit=None)) == {kept.item.id}
            await store.delete(alice.tenant, [kept.item.id])
            assert await store.list(alice, limit=None) == []

    async def test_other_tenants_can_neither_get_nor_delete(
        self, store: VectorStore, alice: Scope
    ) -> None:
        """An id alone is no access: the tenant must be its owner's."""
        kept = memory(alice)
        await store.put([kept])
        assert await store.get(f"{alice.tenant}x", [kept.item.id]) == []
        await store.delete(f"{alice.tenant}x", [kept.item.id])
        assert await store.get(alice.tenant, [kept.item.id]) == [kept.item]

    async def test_reset_empties_one_tenant(self, store: VectorStore, alice: Scope) -> None:
        """Reset removes every memory of the tenant, of any status, and nobody else's."""
        other = replace(alice, tenant=f"{alice.tenant}x")
        mine = [memory(alice, status=status) for status in MemoryStatus]
        theirs = memory(other)
        await store.put([*mine, theirs])
        await store.reset(alice.tenant)
        assert await store.list(alice, limit=None, statuses=ANY_STATUS) == []
        assert ids(await store.list(other, limit=None)) == {theirs.item.id}

    async def test_fresh_reads_see_own_writes(self, store: VectorStore, alice: Scope) -> None:
        """A fresh search sees each put and delete that returned before it."""
        for _ in range(3):
            kept = memory(alice)
            await store.put([kept])
            assert ids(await store.search(alice, vector(1.0), limit=9, fresh=True)) == {
                kept.item.id
            }
            await store.delete(alice.tenant, [kept.item.id])
            assert await store.search(alice, vector(1.0), limit=9, fresh=True) == []

    @pytest.mark.parametrize(
        "bad",
        [np.ones(DIM + 1), np.ones((1, DIM)), np.full(DIM, np.nan), np.full(DIM, np.inf)],
        ids=["long", "nested", "nan", "infinite"],
    )
    async def test_unusable_vector_is_refused(self, store: VectorStore, alice: Scope, bad) -> None:
        """A vector of the wrong shape or with a non-number is named, and nothing is written."""
        with pytest.raises(InvalidInputError, match="vector"):
            await store.put([memory(alice), memory(alice, at=bad)])
        with pytest.raises(InvalidInputError, match="vector"):
            await store.search(alice, bad, limit=1)
        assert await store.list(alice, limit=None) == []

    async def test_nothing_to_do_is_no_error(self, store: VectorStore, alice: Scope) -> None:
        """Empty puts, gets and deletes are allowed."""
        await store.put([])
        await store.delete(alice.tenant, [])
        assert await store.get(alice.tenant, []) == []

    async def test_answers_a_ping(self, store: VectorStore) -> None:
        """An open store says so."""
        await store.ping()

    async def test_closed_store_refuses(self, store: VectorStore, alice: Scope) -> None:
        """After close every call is a StoreError; closing again is not."""
        await store.close()
        await store.close()
        calls = [
            lambda: store.put([memory(alice)]),
            lambda: store.search(alice, vector(1.0), limit=1),
            lambda: store.get(alice.tenant, ["x"]),
            lambda: store.list(alice, limit=None),
            lambda: store.load(alice, limit=1),
            lambda: store.count(alice),
            lambda: store.scan(after=None, limit=1),
            lambda: store.delete(alice.tenant, ["x"]),
            lambda: store.reset(alice.tenant),
            store.ping,
        ]
        for call in calls:
            with pytest.raises(StoreError, match="closed"):
                await call()

    async def test_deleted_may_be_put_again_by_another(
        self, store: VectorStore, alice: Scope, tenant: str
    ) -> None:
        """An id that was deleted and is used by another user does not come back to the first."""
        kept = memory(alice)
        for n in range(4):
            other = Scope(tenant=tenant, user_id=f"user-{n}")
            await store.put([kept])
            await store.delete(tenant, [kept.item.id])
            await store.put([memory(other, id=kept.item.id)])
            assert await store.search(alice, vector(1.0), limit=5, fresh=True) == []
            assert ids(await store.list(other, limit=None)) == {kept.item.id}
            await store.reset(tenant)
            await store.put([memory(other, id=kept.item.id)])
            assert await store.list(alice, limit=None) == []
