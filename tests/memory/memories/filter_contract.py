"""What every vector store must do with filters."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from recollect.memory.model.types import Scope, StoredMemory
from recollect.memory.query import parse
from tests.support.budget import examples
from tests.support.filtering import filters, holds, items, samples

from .memories import ANY_STATUS, NOON, Tenancy, ids, memory, vector

CASES = examples(80)
AT_ONCE = 8
"""Cases: a fresh read of a Milvus server waits for its clock, 200 ms."""
OPERATORS = {
    "eq": ({"tag": "work"}, {"work"}),
    "ne": ({"field": "tag", "operator": "ne", "value": "work"}, {"home", "none"}),
    "gt": ({"priority": {"gt": 1}}, {"home"}),
    "gte": ({"priority": {"gte": 1}}, {"work", "home"}),
    "lt": ({"created_at": {"lt": "2026-03-02T12:01:00Z"}}, {"work"}),
    "lte": ({"created_at": {"lte": "2026-03-02T12:01:00Z"}}, {"work", "home"}),
    "in": ({"tag": ["work", "home"]}, {"work", "home"}),
    "nin": ({"tag": {"nin": ["work"]}}, {"home", "none"}),
    "contains": ({"memory": {"contains": "Tea"}}, {"work"}),
    "icontains": ({"memory": {"icontains": "tea"}}, {"work", "home"}),
    "exists": ({"tag": "*"}, {"work", "home"}),
    "AND": ({"AND": [{"tag": "*"}, {"priority": 2}]}, {"home"}),
    "OR": ({"OR": [{"tag": "work"}, {"priority": 2}]}, {"work", "home"}),
    "NOT": ({"NOT": {"tag": "home"}}, {"work", "none"}),
}
"""A filter for each operator, and the memories that pass it."""


class FilterContract(Tenancy):
    """A part of `StoreContract`."""

    async def test_limits_apply_after_filters(self, store, alice):
        """What does not pass takes no place, and the order stays."""
        stored = [
            memory(alice, str(n), vector(1.0, n), minutes=n, metadata={"even": n % 2 == 0})
            for n in range(20)
        ]
        await store.put(stored)
        where = parse({"even": False})
        newest = await store.list(alice, limit=3, where=where)
        assert [item.text for item in newest] == ["19", "17", "15"]
        near = await store.search(alice, vector(1.0), limit=3, where=where)
        assert [hit.item.text for hit in near] == ["1", "3", "5"]
        assert near[0].score == pytest.approx(2**-0.5, abs=1e-5)
        assert len(await store.load(alice, limit=3, where=where)) == 3

    async def test_any_filter_in_any_scope(self, store, alice, tenant):
        """What passes is what a reference says, and nothing of another scope ever."""
        bob = Scope(tenant=tenant, user_id="bob", agent_id="work")
        mine = replace(alice, run_id="work")
        drawn = samples(st.tuples(items(mine), items(bob)), 25)
        stored = []
        for number, pair in enumerate(drawn):
            stored += [
                replace(item, id=f"{item.scope.user_id}-{number}", created_at=NOON) for item in pair
            ]
        await store.put([StoredMemory(item, np.asarray(vector(1.0))) for item in stored])
        own = [item for item in stored if alice.admits(item.scope)]

        async def check(said: Any) -> None:
            where = parse(said)
            # A store may test here what it lists, and not what it counts.
            found, there = await asyncio.gather(
                store.list(alice, limit=None, statuses=ANY_STATUS, where=where),
                store.count(alice, statuses=ANY_STATUS, where=where),
            )
            assert ids(found) == {item.id for item in own if holds(said, item)}, said
            assert there == len(found), said

        tried = samples(filters(), CASES)
        for start in range(0, CASES, AT_ONCE):
            await asyncio.gather(*map(check, tried[start : start + AT_ONCE]))
