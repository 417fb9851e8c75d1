"""What all tombstones must do."""

from __future__ import annotations

from itertools import product

from recollect.memory.model.types import Scope
from tests.memory.state.samples import ALICE, ALICE_WORK

SCOPES = [
    Scope(tenant=tenant, user_id=user, agent_id=agent, run_id=run)
    for tenant, user, agent, run in product(
        ("t1", "t2"), ("u1", "u2", None), ("a1", None), ("r1", "r2", None)
    )
    if user or agent or run
]
"""Two tenants, every mixture of ids."""


class TombstoneContract:
    """Subclasses provide the fixture `tombstones`."""

    async def test_the_buried_are_known(self, tombstones):
        """Of the ids that are asked for, exactly the buried ones are named."""
        assert await tombstones.among("local", ["a"]) == set()
        epoch = await tombstones.epoch(ALICE)
        many = [f"m{n}" for n in range(5000)]
        await tombstones.add("local", ["a", "b", "ü:{x} '", *many])
        await tombstones.add("local", ["b", "c"])
        await tombstones.add("local", [])
        asked = ["a", "x", "c", "ü:{x} '", "a", *many]
        assert await tombstones.among("local", asked) == {"a", "c", "ü:{x} '", *many}
        assert (
            await tombstones.among("local", []) == await tombstones.among("other", asked) == set()
        )
        # Single memories close no scope.
        assert await tombstones.epoch(ALICE) == epoch

    async def test_closing_changes_the_epoch_each_time(self, tombstones):
        """No epoch comes twice, however often what admits the scope is closed."""
        seen = [await tombstones.epoch(ALICE_WORK)]
        for owner_ref in (ALICE, ALICE, ALICE_WORK, "local", ALICE, "local"):
            await tombstones.close_scope(owner_ref)
            seen.append(await tombstones.epoch(ALICE_WORK))
        assert len(set(seen)) == len(seen)

    async def test_exactly_the_admitted_change(self, tombstones):
        """For every mixture of ids, a close changes the epochs of what it admits and no other."""
        before = {scope: await tombstones.epoch(scope) for scope in SCOPES}
        for closed in (*SCOPES[::3], "t2"):
            await tombstones.close_scope(closed)
            after = {scope: await tombstones.epoch(scope) for scope in SCOPES}
            changed = {scope for scope in SCOPES if after[scope] != before[scope]}
            assert changed == {
                scope
                for scope in SCOPES
                if (closed.admits(scope) if isinstance(closed, Scope) else closed == scope.tenant)
            }
            before = after

    async def test_ids_cannot_be_confused(self, tombstones):
        """An id is one of its own kind, whatever characters it has."""
        twins = [
            Scope(tenant="t", user_id="a", agent_id="b"),
            Scope(tenant="t", user_id="a:b"),
            Scope(tenant="t", user_id="a/b"),
            Scope(tenant="t:a", user_id="b"),
            Scope(tenant="t", agent_id="a"),
            Scope(tenant="t", run_id="a"),
            Scope(tenant="t", user_id="*"),
        ]
        before = [await tombstones.epoch(scope) for scope in twins]
        await tombstones.close_scope(Scope(tenant="t", user_id="a"))
        after = [await tombstones.epoch(scope) for scope in twins]
        assert [a != b for a, b in zip(after, before, strict=True)] == [True] + [False] * 6
