"""What every vector store must do."""

from __future__ import annotations

import asyncio
import itertools
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import numpy as np
import pytest

from recollect.memory.model.claims import (
    EntityClaim,
    EntityKind,
    GraphClaims,
    RelationClaim,
)
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import Doubt, MemoryStatus, Provenance, Scope, Source
from recollect.memory.model.visible_scope import VisibleScope
from recollect.memory.query import parse

from .filter_contract import AT_ONCE, OPERATORS, FilterContract
from .loading_contract import LoadingContract
from .memories import ANY_STATUS, DIM, HOSTILE, NOON, Tenancy, ids, memory, vector, words

__all__ = [
    "ANY_STATUS",
    "DIM",
    "HOSTILE",
    "NOON",
    "BasicContract",
    "StoreContract",
    "ids",
    "memory",
    "vector",
    "words",
]


def _in_sight(agent: Scope, scope: Scope) -> bool:
    """An agent of a user sees what has that agent or none, of that user."""
    return (
        (scope.tenant, scope.user_id) == (agent.tenant, agent.user_id)
        and scope.agent_id in (agent.agent_id, None)
        and agent.run_id in (None, scope.run_id)
    )


class BasicContract(Tenancy):
    """What tells one way to a backend from another. Subclasses provide the fixture `store`, open."""

    async def test_memory_comes_back_as_it_was(self, store, alice):
        """Every field survives, times to the millisecond; metadata is neither flattened nor converted."""
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
            metadata={
                "nested": {"list": [1, 2.5, None, True, {"deep": "💎"}]},
                "schlüssel": 'quote " and \\ backslash',
                "big": 2**60,
                "empty": {},
                "float": 1.0,
            },
        )
        await store.put([full])
        [found] = await store.get(scope.tenant, [full.item.id])
        assert found == full.item
        assert isinstance(found.metadata["float"], float)

    async def test_an_id_has_one_memory(self, store, alice, tenant):
        """The last one put, in one call or in several, whoever owned it before."""
        first = memory(alice, "old", vector(1.0))
        await store.put([first, memory(alice, "newer", id=first.item.id)])
        assert [item.text for item in await store.list(alice, limit=None)] == ["newer"]
        await store.put([memory(alice, "new", vector(0.0, 1.0), id=first.item.id)])
        [hit] = await store.search(alice, vector(0.0, 1.0), limit=5)
        assert (hit.item.text, hit.score) == ("new", pytest.approx(1.0, abs=1e-5))
        others = [Scope(tenant=tenant, user_id=f"user-{n}") for n in range(4)]
        for before, after in itertools.pairwise([alice, *others]):
            await store.put([memory(after, id=first.item.id)])
            assert await store.search(before, vector(1.0), limit=5) == []
            assert await store.list(before, limit=None) == []
            assert ids(await store.list(after, limit=None)) == {first.item.id}

    async def test_scopes_sights_and_statuses_are_hard_predicates(self, store, tenant):
        """For every combination exactly what they admit is seen, by every read."""
        scopes = [
            Scope(tenant=owner, user_id=user, agent_id=agent, run_id=run)
            for owner in (tenant, f"{tenant}-other", f'{tenant}" or tenant != "')
            for user, agent, run in itertools.product(
                ("u1", "u2", None), ("a1", 'a" or "', None), ("r1", None)
            )
            if user or agent or run
        ]
        stored = [
            memory(scope, f"m{n}", status=list(MemoryStatus)[n % len(MemoryStatus)])
            for n, scope in enumerate(scopes)
        ]
        await store.put(stored)
        own = [scope for scope in scopes if scope.tenant == tenant]
        sights = [scope for scope in own if scope.user_id and scope.agent_id]
        asked = [(scope, scope.admits) for scope in (*own, replace(own[0], tenant=f"{tenant}%"))]
        asked += [(VisibleScope.of(scope), partial(_in_sight, scope)) for scope in sights]

        async def check(number: int, who: Scope, admits: Callable[[Scope], bool]) -> None:
            statuses = (ANY_STATUS, {MemoryStatus.ACTIVE}, set())[number % 3]
            admitted = {
                one.item.id
                for one in stored
                if admits(one.item.scope) and one.item.status in statuses
            }
            how = {"statuses": statuses}
            found, loaded, count = await asyncio.gather(
                store.search(who, vector(1.0), limit=100, **how),
                store.load(who, limit=100, **how),
                store.count(who, **how),
            )
            assert ids(found) == ids(loaded) == admitted, who
            assert ids(await store.list(who, limit=None, **how)) == admitted, who
            assert count == len(admitted), who

        for start in range(0, len(asked), AT_ONCE):
            some = list(enumerate(asked))[start : start + AT_ONCE]
            await asyncio.gather(*(check(number, *each) for number, each in some))
        user = Scope(tenant=tenant, user_id="u1")
        active = {
            one.item.id
            for one in stored
            if user.admits(one.item.scope) and one.item.status is MemoryStatus.ACTIVE
        }
        assert ids(await store.list(user, limit=None)) == active != set()
        assert ids(await store.search(user, vector(1.0), limit=100)) == active
        ended = next(one.item for one in stored if one.item.status is MemoryStatus.SUPERSEDED)
        assert await store.get(ended.scope.tenant, [ended.id]) == [ended]

    async def test_several_questions_are_answered_as_each_by_itself(self, store, alice):
        """In their order, whatever the others find; none asks for nothing."""
        await store.put([memory(alice, str(n), vector(1.0, n)) for n in range(9)])
        several = [vector(1.0), vector(0.0, 1.0), vector(1.0)]
        alone = [await store.search(alice, one, limit=3) for one in several]
        assert await store.search_each(alice, several, limit=3) == alone
        assert alone[0] != alone[1]
        some = parse({"memory": {"in": ["1", "4", "7"]}})
        alone = [await store.search(alice, one, limit=2, where=some) for one in several]
        assert await store.search_each(alice, several, limit=2, where=some) == alone
        assert [len(each) for each in alone] == [2, 2, 2]
        assert await store.search_each(alice, [], limit=3) == []
        assert await store.search_each(alice, several, limit=0) == [[], [], []]

    async def test_hostile_ids_match_only_themselves(self, store, alice, tenant):
        """An id that looks like a filter is compared, never interpreted, in any place."""
        scopes = [
            scope
            for name in HOSTILE
            for scope in (Scope(tenant=tenant, user_id=name), Scope(tenant=tenant, agent_id=name))
        ]
        owned = [memory(scope) for scope in scopes]
        names = [f"{tenant}{name}" for name in (*HOSTILE, "two\nlines", "tab\t", "\r", "\x01")]
        await store.put([*owned, *(memory(alice, name, id=name) for name in names)])
        for start in range(0, len(owned), AT_ONCE):
            some = owned[start : start + AT_ONCE]
            found = await asyncio.gather(
                *(store.search(m.item.scope, vector(1.0), limit=100) for m in some)
            )
            assert [[hit.item for hit in hits] for hits in found] == [[m.item] for m in some]
        for name in names:
            assert [item.text for item in await store.get(tenant, [name])] == [name]
        await store.delete(tenant, names[:-1])
        assert ids(await store.list(alice, limit=None)) == {names[-1]}
        strangers = (
            'x" or tenant != "x',
            f'{tenant}" or "1" == "1',
            "%",
            f"{tenant}%",
            f"{tenant}x",
        )
        for name in strangers:
            scope = Scope(tenant=name, user_id="alice")
            assert await store.search(scope, vector(1.0), limit=5) == []
            assert await store.list(scope, limit=None) == []
            assert await store.get(name, [names[-1]]) == []
            await store.delete(name, [names[-1]])
            await store.reset(name)
        assert ids(await store.get(tenant, [names[-1]])) == {names[-1]}

    async def test_every_operator(self, store, alice):
        """Lists, loads, counts and searches agree on what passes."""
        await store.put([
            memory(alice, "likes Tea", vector(1.0), id="work", metadata={"tag": "work", "priority": 1}),
            memory(
                alice, "drinks tea", vector(1.0, 1.0), id="home", minutes=1,
                metadata={"tag": "home", "priority": 2},
            ),
            memory(alice, "owns a boat", vector(0.0, 1.0), id="none", minutes=2),
        ])  # fmt: skip

        async def passing(said: Any) -> list[set[str] | int]:
            how = {"where": parse(said)}
            found = await asyncio.gather(
                store.load(alice, limit=9, **how),
                store.search(alice, vector(1.0), limit=9, **how),
                store.count(alice, **how),
                store.list(alice, limit=None, **how),
            )
            return [each if isinstance(each, int) else ids(each) for each in found]

        wrong = {
            operator: found
            for operator, (said, expected) in OPERATORS.items()
            if (found := await passing(said)) != [expected, expected, len(expected), expected]
        }
        assert not wrong

    async def test_nothing_is_shared_with_the_caller(self, store, alice):
        """Changing what was put, or what was got, changes nothing in the store."""
        kept = memory(alice, metadata={"tags": ["a"]}, at=vector(1.0))
        await store.put([kept])
        kept.item.metadata["tags"].append("b")
        kept.vector[:] = 0
        [item] = await store.get(alice.tenant, [kept.item.id])
        item.metadata["tags"].append("c")
        [hit] = await store.search(alice, vector(1.0), limit=1)
        assert hit.item.metadata == {"tags": ["a"]}
        assert hit.score == pytest.approx(1.0, abs=1e-5)

    async def test_search_is_ordered_by_cosine(self, store, alice):
        """The score is the cosine, negative too; the limit cuts off the far ones, down to none."""
        assert await store.search(alice, vector(1.0), limit=5) == []
        at = {
            "same": vector(1.0),
            "near": vector(1.0, 1.0),
            "orthogonal": vector(0.0, 1.0),
            "opposite": vector(-1.0),
        }
        await store.put([memory(alice, text, where) for text, where in reversed(at.items())])
        for limit in (0, 2, 100_000):
            hits = await store.search(alice, vector(1.0), limit=limit)
            assert [hit.item.text for hit in hits] == list(at)[:limit]
            expected = [1.0, 2**-0.5, 0.0, -1.0][:limit]
            assert [hit.score for hit in hits] == pytest.approx(expected, abs=1e-5)

    async def test_listings_are_complete_and_newest_first(self, store, alice, tenant):
        """Not cut at the size of a page, with and without a user to prune by; limits keep the newest."""
        assert await store.list(alice, limit=None) == []
        stored = [memory(replace(alice, agent_id="a"), str(n), minutes=n) for n in range(self.many)]
        await store.put(stored)
        texts = [str(n) for n in reversed(range(self.many))]
        assert [m.text for m in await store.list(alice, limit=None)] == texts
        agent = Scope(tenant=tenant, agent_id="a")
        assert [m.text for m in await store.list(agent, limit=None)] == texts
        assert [m.text for m in await store.list(alice, limit=2)] == texts[:2]
        assert await store.list(alice, limit=0) == []
        loaded = await store.load(alice, limit=self.many + 1)
        assert [found.item.id for found in loaded] == sorted(ids(stored))
        assert len(await store.load(alice, limit=self.many - 1)) == self.many - 1
        assert await store.count(alice) == self.many

    async def test_get_takes_many_ids(self, store, alice):
        """Asking for more ids than fit into one expression, some twice, finds each once."""
        stored = [memory(alice, str(n)) for n in range(20)]
        await store.put(stored)
        wanted = [m.item.id for m in stored]
        unknown = [uuid.uuid4().hex for _ in range(1_200)]
        found = await store.get(alice.tenant, [*wanted, *unknown, *wanted])
        assert sorted(m.id for m in found) == sorted(wanted)

    async def test_deleted_is_gone(self, store, alice, tenant):
        """From every read, at once; its id may be used again, also by another user."""
        kept, gone = memory(alice), memory(alice)
        await store.put([kept])
        for number in range(3):
            other = Scope(tenant=tenant, user_id=f"user-{number}")
            await store.put([gone])
            found = await store.search(alice, vector(1.0), limit=9)
            assert ids(found) == {kept.item.id, gone.item.id}
            there = await store.delete(tenant, [gone.item.id, "unknown"])
            assert [item.id for item in there] == [gone.item.id]
            assert await store.get(tenant, [gone.item.id]) == []
            assert ids(await store.list(alice, limit=None)) == {kept.item.id}
            found = await store.search(alice, vector(1.0), limit=9)
            assert ids(found) == {kept.item.id}
            await store.put([memory(other, id=gone.item.id)])
            assert ids(await store.list(alice, limit=None)) == {kept.item.id}
            assert ids(await store.list(other, limit=None)) == {gone.item.id}

    async def test_reset_empties_one_tenant(self, store, alice):
        """It removes every memory of the tenant, of any status, and nobody else's, for good."""
        other = replace(alice, tenant=f"{alice.tenant}x")
        mine = [memory(alice, status=status) for status in MemoryStatus]
        theirs = memory(other)
        await store.put([*mine, theirs])
        await store.reset(alice.tenant)
        assert await store.list(alice, limit=None, statuses=ANY_STATUS) == []
        assert ids(await store.list(other, limit=None)) == {theirs.item.id}
        await store.put([memory(replace(alice, user_id="bob"), id=mine[0].item.id)])
        assert await store.list(alice, limit=None, statuses=ANY_STATUS) == []

    async def test_unusable_vectors_are_refused(self, store, alice):
        """A wrong shape or a non-number is named, and nothing is written; nothing at all is none."""
        bad = [np.ones(DIM + 1), np.ones((1, DIM)), np.full(DIM, np.nan), np.full(DIM, np.inf)]
        for each in bad:
            with pytest.raises(InvalidInputError, match="vector"):
                await store.put([memory(alice), memory(alice, at=each)])
            with pytest.raises(InvalidInputError, match="vector"):
                await store.search(alice, each, limit=1)
        await store.put([])
        await store.delete(alice.tenant, [])
        assert await store.get(alice.tenant, []) == await store.list(alice, limit=None) == []


class StoreContract(FilterContract, LoadingContract, BasicContract):
    """All that a store must do."""

    many = 2_500
    """Rows of the longest listing: more than one page where the backend pages."""
