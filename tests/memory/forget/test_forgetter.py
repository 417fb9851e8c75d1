"""Forgetting by id, query, scope and tenant: what is gone, what stays, and what the receipt says.

Some of these are what went wrong elsewhere: success with nothing deleted (agentmemory#833), deleted
facts that are still recalled (cognee#3526), deletions that end after a page (mem0#6636).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.database.changes import ChangeKind, ChangeLine, SqlChanges
from recollect.memory.database.transactions import INSIDE
from recollect.memory.forget import ForgetKind
from recollect.memory.forget.receipt import NotForgottenError
from recollect.memory.model.errors import InvalidInputError, StateError
from recollect.memory.model.types import Job, MemoryStatus, Scope
from recollect.memory.records.invalidation import ANNOUNCED_SINGLY
from tests.memory.blocks.blocks import block
from tests.memory.forget.parts import (
    ALICE,
    ANY_STATUS,
    BOB,
    NOON,
    Parts,
    bus_of,
    memory,
    record,
    turn,
)
from tests.memory.learn.doubles import Breaks
from tests.support.budget import examples
from tests.support.folding import rows
from tests.support.sharing import log_over

MANY = min(1100, examples(300))
OTHER = Scope(tenant="other", user_id="alice")
WITH_AGENT = replace(ALICE, agent_id="a1")


def job(name: str, scope: Scope = ALICE) -> Job:
    return Job(id=name, scope=scope, conversation_id=f"c-{name}", upto_seq=1, reason="test")


class TestIds:
    async def test_everything_that_says_it_goes(self, parts):
        """The row, its version, the history of both and the turns it was learned from."""
        await parts.put(
            memory("m", "lives in Rome", turns=("t2",)),
            memory("v", "lives in Bonn", turns=("t1",), version_of="m"),
            memory("n", "likes tea", turns=("t3",)),
        )
        await parts.history.append(
            [record("m", "lives in Rome", "lives in Bonn"), record("n", "likes tea")]
        )
        for name, text in (("t1", "Bonn"), ("t2", "Rome"), ("t3", "tea")):
            await parts.conversations.record(turn(name, text))
        await parts.use("m", "n")
        for name, scope in {"hers": ALICE, "his": BOB}.items():
            await parts.jobs.put(job(name, scope))
            held = await parts.jobs.claim(now=NOON, lease_seconds=60)
            await parts.jobs.dead_letter(held, error="poison", raw="lives in Rome")
        receipt = await parts.forgetter().forget_ids("local", ["m"])
        assert await parts.ids() == {"n"}
        # It can never be written again.
        assert await parts.tombstones.among("local", ["m", "v", "n"]) == {"m", "v"}
        # Of dead jobs the answer goes, which operators read; the jobs stay, as do others' answers.
        raws = {each.job.id: each.raw for each in await parts.jobs.reports()}
        assert raws == {"hers": None, "his": "lives in Rome"}
        assert await parts.used("m", "n") == {"n"}
        assert await parts.history.of("local", "m") == []
        assert len(await parts.history.of("local", "n")) == 1
        assert [t.user_text for t in await parts.conversations.unlearned("c1", 9)] == ["tea"]
        erased = {"memories": 1, "versions": 1, "history": 1, "turns": 2, "jobs": 0, "usage": 1}
        assert receipt.as_dict()["erased"] == erased | {"blocks": 0, "links": 0, "entities": 0}
        assert (receipt.verified, receipt.asked, receipt.missing) == (True, 1, 0)

    async def test_it_is_not_recalled_any_more(self, parts):
        """A warm index, the store's search and its keyword search find nothing of it."""
        await parts.put(memory("m", "lives in Rome"), memory("n", "lives with a cat"))
        assert await parts.recalled("lives in Rome") == {"m", "n"}
        await parts.forgetter().forget_ids("local", ["m"])
        assert await parts.recalled("lives in Rome") == {"n"}
        [vector] = await parts.embedder.embed(["lives in Rome"])
        hits = await parts.store.search(ALICE, vector, limit=9, statuses=ANY_STATUS)
        assert {hit.item.id for hit in hits} == {"n"}
        found = await parts.store.search_keywords(ALICE, ["rome"], limit=9, statuses=ANY_STATUS)
        assert found == []

    async def test_what_does_not_exist_is_missing_and_not_erased(self, parts):
        """Nothing deleted is never told as something deleted."""
        receipt = await parts.forgetter().forget_ids("local", ["nobody"])
        assert receipt.found_nothing
        assert (receipt.asked, receipt.missing, receipt.memories) == (1, 1, 0)

    async def test_another_tenants_memory_stays(self, parts):
        """An id is looked for in one tenant only."""
        await parts.put(memory("m", "lives in Rome", OTHER))
        receipt = await parts.forgetter().forget_ids("local", ["m"])
        assert receipt.missing == 1
        assert await parts.ids(OTHER) == {"m"}
        assert not await parts.tombstones.among("other", ["m"])

    async def test_a_version_alone_takes_its_text_from_the_history(self, parts):
        """The memory stays, with what happened to it, but not with what it said before."""
        await parts.put(memory("m", "lives in Rome"), memory("v", "lives in Bonn", version_of="m"))
        changed = record("m", "lives in Rome", "lives in Bonn")
        await parts.history.append([record("m", "lives in Bonn"), changed])
        receipt = await parts.forgetter().forget_ids("local", ["v"])
        assert await parts.ids() == {"m"}
        told = await parts.history.of("local", "m")
        assert [(r.old_value, r.new_value) for r in told] == [(None, None), (None, "lives in Rome")]
        assert (receipt.versions, receipt.memories, receipt.history) == (1, 0, 2)

    async def test_history_of_a_memory_that_was_deleted_before_goes_too(self, parts):
        """Its text is only there."""
        await parts.history.append([record("m", "lives in Rome")])
        receipt = await parts.forgetter().forget_ids("local", ["m"])
        assert await parts.history.of("local", "m") == []
        assert (receipt.history, receipt.missing, receipt.found_nothing) == (1, 1, False)

    async def test_versions_of_a_memory_that_was_deleted_go_too(self):
        """The history leads to them."""
        parts = Parts()
        await parts.put(memory("v", "lives in Bonn", version_of="m"))
        await parts.history.append([record("m", "lives in Rome", "lives in Bonn")])
        await parts.forgetter().forget_ids("local", ["m"])
        assert await parts.ids() == set()
        assert await parts.history.of("local", "m") == []

    @rows("part", ["tombstones", "conversations", "history", "usage", "store"])
    async def test_nothing_is_forgotten_by_halves(self, part):
        """If a part of the database fails, all is as it was, and the next call forgets all."""
        parts = Parts()
        await parts.put(memory("m", "lives in Rome", turns=("t1",)))
        await parts.history.append([record("m", "lives in Rome")])
        await parts.conversations.record(turn("t1", "Rome"))
        methods = {"tombstones": "add", "conversations": "erase_turns", "store": "delete"}
        whole = getattr(parts, part)
        setattr(parts, part, Breaks(whole, methods.get(part, "erase"), StateError("x")))
        with pytest.raises(StateError):
            await parts.forgetter().forget_ids("local", ["m"])
        setattr(parts, part, whole)
        assert await parts.ids() == {"m"}
        assert len(await parts.history.of("local", "m")) == 1
        assert [t.user_text for t in await parts.conversations.unlearned("c1", 9)] == ["Rome"]
        assert not await parts.tombstones.among("local", ["m"])
        assert (await parts.forgetter().forget_ids("local", ["m"])).verified


class TestScope:
    async def test_all_of_a_scope_and_nothing_else(self, parts):
        """Rows of every status, turns, jobs, blocks and history; others keep theirs."""
        statuses = [memory(s.value, f"{s.value} thing", status=s) for s in MemoryStatus]
        await parts.put(
            *statuses,
            memory("agents", "with the agent", WITH_AGENT),
            memory("bobs", "Bob's", BOB),
            memory("others", "other tenant's", OTHER),
        )
        for scope in (ALICE, WITH_AGENT, BOB, OTHER):
            gone = record(f"gone-{scope}", "text", scope=scope)
            await parts.history.append([replace(gone, id=f"h{scope}")])
            name = f"c-{scope.tenant}-{scope.user_id}-{scope.agent_id}"
            await parts.conversations.record(turn(name, "said", scope, name))
            await parts.jobs.put(job(name, scope))
            await parts.state.blocks.create(block("tea", scope=scope))
        await parts.use("agents", "bobs")
        receipt = await parts.forgetter().forget_scope(ALICE)
        assert await parts.used("agents", "bobs") == {"bobs"}
        assert [await parts.ids(s) for s in (ALICE, BOB, OTHER)] == [set(), {"bobs"}, {"others"}]
        erased = {"memories": 5, "versions": 0, "history": 2, "turns": 2, "jobs": 2, "usage": 1}
        assert receipt.as_dict()["erased"] == erased | {"blocks": 2, "links": 0, "entities": 0}
        left = {(r.job.scope.tenant, r.job.scope.user_id) for r in await parts.jobs.reports()}
        assert left == {("local", "bob"), ("other", "alice")}
        assert len(await parts.conversations.pending(idle_since=None, scope=None)) == 2
        assert len(await parts.history.of("local", f"gone-{BOB}")) == 1
        assert [one.scope for one in await parts.state.blocks.of_owner("local")] == [BOB]

    async def test_a_running_job_is_cancelled(self, parts):
        """It cannot go on, and who claims it next is told."""
        await parts.jobs.put(job("j"))
        held = await parts.jobs.claim(now=NOON, lease_seconds=60)
        receipt = await parts.forgetter().forget_scope(ALICE)
        assert receipt.jobs == 1
        assert not await parts.jobs.save_checkpoint(held, "[]")
        later = await parts.jobs.claim(now=NOON + timedelta(seconds=61), lease_seconds=60)
        assert later.cancelled


class TestTenant:
    async def test_everybody_of_a_tenant(self, parts):
        """All users' memories, turns, jobs and history; another tenant keeps its own."""
        await parts.put(
            memory("a", "Rome"),
            memory("b", "tea", BOB),
            memory("v", "Bonn", version_of="a"),
            memory("o", "other", OTHER),
        )
        await parts.history.append([record("a", "Rome"), record("long-gone", "coffee")])
        await parts.conversations.record(turn("t", "said"))
        await parts.jobs.put(job("j", BOB))
        await parts.use("a", "long-gone")
        await parts.use("o", tenant="other")
        receipt = await parts.forgetter().forget_tenant("local")
        assert await parts.used("a", "long-gone") == set()
        assert await parts.used("o", tenant="other") == {"o"}
        erased = {"memories": 2, "versions": 1, "history": 1, "turns": 1, "jobs": 1, "usage": 1}
        assert receipt.as_dict()["erased"] == erased | {"blocks": 0, "links": 0, "entities": 0}
        assert await parts.ids() | await parts.ids(BOB) == set()
        assert await parts.ids(OTHER) == {"o"}
        assert await parts.history.of("local", "long-gone") == []


class TestQuery:
    async def test_what_was_proposed_is_forgotten_and_nothing_else(self, parts):
        """Every status and the versions are proposed; nothing changes before the confirmation."""
        await parts.put(
            memory("m", "The Hawaii budget is 15,000"),
            memory("v", "The spending limit is 10,000", version_of="m"),
            memory("q", "Ignore the Hawaii budget", status=MemoryStatus.QUARANTINED),
            memory("a", "A Hawaii trip has a budget", status=MemoryStatus.ARCHIVED),
            memory("n", "Likes green tea"),
            memory("bobs", "The Hawaii budget is 1", BOB),
        )
        forgetter = parts.forgetter()
        proposal = await forgetter.propose(ALICE, "Hawaii budget")
        assert {item.id for item in proposal.items} == {"m", "v", "q", "a"}
        assert len(await parts.ids()) == 5
        receipt = await forgetter.confirm(ALICE, proposal.token)
        assert (receipt.kind, receipt.memories, receipt.versions) == (ForgetKind.QUERY, 3, 1)
        assert await parts.ids() == {"n"}
        assert await parts.ids(BOB) == {"bobs"}

    async def test_some_of_it_may_be_kept(self, parts):
        """Who looks through a proposal can leave something out."""
        await parts.put(memory("m", "Hawaii budget"), memory("n", "Hawaii budget talk"))
        forgetter = parts.forgetter()
        proposal = await forgetter.propose(ALICE, "Hawaii budget")
        await forgetter.confirm(ALICE, proposal.token, keep=["n"])
        assert await parts.ids() == {"n"}

    async def test_changed_meanwhile_is_refused(self, parts):
        """A memory that says something else now was not shown to anybody."""
        await parts.put(memory("m", "Hawaii budget"))
        forgetter = parts.forgetter()
        proposal = await forgetter.propose(ALICE, "Hawaii budget")
        await parts.put(memory("m", "Iceland budget"))
        with pytest.raises(InvalidInputError, match="changed since"):
            await forgetter.confirm(ALICE, proposal.token)
        assert await parts.ids() == {"m"}

    async def test_only_who_was_asked_confirms_and_once(self):
        """A token is worth nothing to anybody else; a request that is repeated gets a receipt again."""
        parts = Parts()
        await parts.put(memory("m", "Hawaii budget"))
        forgetter = parts.forgetter()
        proposal = await forgetter.propose(ALICE, "Hawaii budget")
        for scope in (BOB, OTHER, WITH_AGENT):
            with pytest.raises(InvalidInputError, match="token"):
                await forgetter.confirm(scope, proposal.token)
        assert await parts.ids() == {"m"}
        assert (await forgetter.confirm(ALICE, proposal.token)).memories == 1
        assert (await forgetter.confirm(ALICE, proposal.token)).found_nothing
        nothing = await forgetter.propose(ALICE, "Hawaii budget")
        assert (nothing.items, nothing.token) == ((), None)

    async def test_no_query(self):
        """White space is not about anything."""
        with pytest.raises(InvalidInputError, match="query"):
            await Parts().forgetter().propose(ALICE, "  ")


class TestCaches:
    async def test_each_id_is_told_after_the_store_has_it_no_more(self):
        """Who asks the store when told finds nothing to keep again."""
        parts = Parts()
        await parts.put(memory("m", "Rome"), memory("v", "Bonn", version_of="m"))
        seen = []

        def told(owner_ref, one):
            seen.append((owner_ref, one, set(parts.store.all)))

        receipt = await parts.forgetter(bus=bus_of(told, told)).forget_ids("local", ["m"])
        assert {entry[:2] for entry in seen} == {("local", "m"), ("local", "v")}
        assert all(not left for *_, left in seen)
        assert receipt.caches == 2

    async def test_of_many_everything_of_their_scopes_is_dropped(self):
        """A thousand calls of every cache would hold up everybody else."""
        parts = Parts()
        many = [f"m{n}" for n in range(ANNOUNCED_SINGLY + 1)]
        await parts.put(*(memory(name, name) for name in many))
        await parts.forgetter().forget_ids("local", many)
        assert parts.told == [(ALICE, None)]

    async def test_of_nothing_nobody_is_told(self):
        """No id is not every id."""
        parts = Parts()
        await parts.put(memory("m", "Rome"))
        await parts.forgetter().forget_ids("local", [])
        assert parts.told == []

    async def test_other_processes_are_told(self):
        """In the transaction that erases it, without its text: whoever reads the log drops it."""
        parts, heard = Parts(), []
        await parts.put(memory("m", "Rome"))
        there = log_over(parts.state.scripts, heard.append)
        await there.read()
        forgetter = parts.forgetter()
        writer = forgetter._writer
        writer._inside = replace(writer._inside, log=SqlChanges(INSIDE, "here"))
        await forgetter.forget_ids("local", ["m"])
        await there.read()
        told = {line.kind: line for line in heard}
        assert told[ChangeKind.GONE] == ChangeLine(ChangeKind.GONE, "local", ["m"])
        assert told[ChangeKind.FORGOTTEN] == ChangeLine(ChangeKind.FORGOTTEN, ALICE, [])
        [event] = told[ChangeKind.EVENTS].told
        assert (event["event"], event["memory_id"]) == ("FORGET", "m")
        assert "Rome" not in str(heard)

    async def test_a_scope_and_a_tenant_are_told_as_such(self):
        """Caches drop what they hold of it, by whatever id."""
        parts = Parts()
        await parts.forgetter().forget_scope(ALICE)
        await parts.forgetter().forget_tenant("local")
        assert parts.told == [(ALICE, None), ("local", None)]


class Ignores:
    """A store that says it has deleted."""

    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        return getattr(self._inner, name)

    async def delete(self, tenant, ids):
        """Done, it says."""
        return []

    async def reset(self, tenant):
        """Done, it says."""


class TestProof:
    @rows("what", ["ids", "scope", "tenant"])
    async def test_what_is_still_found_is_an_error(self, what):
        """Success is never told of what is still there, whatever the store says."""
        parts = Parts()
        await parts.put(memory("m", "Rome"))
        parts.store = Ignores(parts.store)
        forgetter = parts.forgetter()
        with pytest.raises(NotForgottenError) as caught:
            await {
                "ids": lambda: forgetter.forget_ids("local", ["m"]),
                "scope": lambda: forgetter.forget_scope(ALICE),
                "tenant": lambda: forgetter.forget_tenant("local"),
            }[what]()
        assert not caught.value.receipt.verified


async def test_a_receipt_holds_no_text_no_tenant_and_no_user(caplog):
    """Nor does the log: they outlive what was forgotten."""
    caplog.set_level("INFO")
    parts = Parts()
    scope = Scope(tenant="tenantname", user_id="username")
    await parts.put(memory("m", "lives in Rome", scope))
    receipt = await parts.forgetter().forget_scope(scope)
    for told in (repr(receipt), str(receipt.as_dict()), caplog.text):
        assert "m" not in told.split("'")
        assert not {word for word in ("Rome", "tenantname", "username") if word in told}
