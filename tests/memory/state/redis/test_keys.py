"""Keys that are used together lie together, whatever characters ids have."""

from __future__ import annotations

import asyncio
import json
import re

import hypothesis.strategies as st
import pytest
from hypothesis import given
from redis.crc import key_slot

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import OwnerRef, Scope, Spent
from recollect.memory.model.usage import UseKind
from recollect.memory.state.redis import RedisState
from recollect.memory.state.redis.job_scripts import NAMES
from recollect.memory.state.redis.keys import (
    Keys,
    decoded,
    encoded,
    owned_member,
    owned_prefix,
    owner_key,
    read_member,
)
from tests.memory.state.samples import ALICE, BOB, NOON, job, turn

KEYS = Keys("recollect:")
awkward = st.text(min_size=1, max_size=12) | st.text("{}:/!%=-*", min_size=1, max_size=6)
ids = st.one_of(
    st.none(), awkward.filter(lambda s: s.strip() and not re.search(r"[\x00-\x1f\x7f-\x9f]", s))
)
scopes = st.tuples(ids.filter(bool), ids, ids, ids).filter(lambda parts: any(parts[1:]))


def scope_of(parts: tuple[str, str | None, str | None, str | None]) -> Scope:
    tenant, user, agent, run = parts
    return Scope(tenant=tenant, user_id=user, agent_id=agent, run_id=run)


def slots(keys: list[str]) -> set[int]:
    return {key_slot(key.encode("utf-8", "surrogatepass")) for key in keys}


@given(awkward, awkward)
def test_keys_of_one_step_have_one_slot(one, other):
    """A conversation's keys, the queue's with any job's, a tenant's ledger: one slot each."""
    assert len(slots(list(KEYS.conversation(one)))) == 1
    assert len(slots([*KEYS.jobs(*NAMES), KEYS.done(one), KEYS.done(other)])) == 1
    assert len(slots(list(KEYS.index))) == 1
    assert len(slots([KEYS.version(one), KEYS.version(other)])) == 1
    assert len(slots([KEYS.ledger(one, NOON.date()), KEYS.spending(one, "c")])) == 1


@given(awkward, awkward)
def test_different_ids_have_different_keys(one, other):
    """Nobody reaches another's keys by choosing an id."""
    for key in (KEYS.turn, KEYS.version, KEYS.done, KEYS.tombs, KEYS.epochs):
        assert (key(one) == key(other)) == (one == other)
    assert decoded(encoded(one)) == one


@given(scopes, awkward)
def test_an_entry_of_the_index_can_be_read_back(parts, conversation):
    """Scope and conversation come back from any characters, lone surrogates too."""
    scope = scope_of(parts)
    for name in (conversation, conversation + "\ud800"):
        member = owned_member(scope, name)
        assert read_member(member) == (scope, owner_key(scope), name)


@given(scopes, scopes)
def test_all_that_is_meant_is_in_the_range(mine, theirs):
    """Whatever a scope or a tenant takes begins as is looked for, and no other tenant's does."""
    scope, other = scope_of(mine), scope_of(theirs)
    owner_ref: OwnerRef
    for owner_ref in (scope, scope.tenant):
        admitted = (
            owner_ref == other.tenant if isinstance(owner_ref, str) else owner_ref.admits(other)
        )
        inside = owned_member(other, "c").startswith(owned_prefix(owner_ref))
        assert inside or not admitted
        assert not inside or other.tenant == scope.tenant


def test_a_prefix_without_braces():
    """A brace in the prefix would spread keys that belong together."""
    for prefix in ("{a}", "a}", "{"):
        with pytest.raises(InvalidInputError, match=r"state\.prefix"):
            Keys(prefix)


def touched_by_lua(lines: list[str]) -> list[tuple[set[str], set[str]]]:
    """Of each script run that a server's monitor saw: the keys it was given, those it used."""
    runs: list[tuple[set[str], set[str]]] = []
    for line in lines:
        words = [json.loads(f'"{word}"') for word in re.findall(r'"((?:[^"\\]|\\.)*)"', line)]
        command = words[0].upper()
        if command in {"EVAL", "EVALSHA"}:
            runs.append((set(words[3 : 3 + int(words[2])]), set()))
        elif " lua]" in line and command != "TIME":
            at = 2 if command in {"XGROUP", "XINFO"} else 1
            runs[-1][1].add(words[at])
    return runs


async def use_everything(state: RedisState) -> None:
    """Each method once, some of them on several things."""
    odd = "c{1}:/ !"
    for name in ("a", "b"):
        await state.conversations.record(turn(name, odd))
        await state.conversations.record(turn(name, odd, recalled=("m{1}",)))
    await state.usage.settle()
    await state.usage.count("{t}", UseKind.NEGATIVE, ["{m}"], occasion="{o}", at=NOON)
    await state.usage.of("{t}", ["{m}"])
    await state.usage.erase("{t}", ["{m}"])
    await state.usage.reset("{t}")
    await state.conversations.pending(idle_since=None, scope=None)
    await state.conversations.unlearned(odd, 9)
    await state.conversations.mark_learned(odd, 1)
    await state.conversations.turns(odd, 0, 9)
    await state.conversations.prune(learned_before=NOON)
    await state.conversations.erase_turns("local", [f"{odd}/a"])
    await state.conversations.erase(ALICE)
    for name in ("{j1}", "j2", "j3"):
        await state.jobs.put(job(name))
    for end in ("ack", "retry", "dead_letter"):
        held = await state.jobs.claim(now=NOON, lease_seconds=60)
        assert held is not None
        await state.jobs.extend(held, until=NOON)
        await state.jobs.save_checkpoint(held, "text")
        if end == "ack":
            await state.jobs.ack(held)
        elif end == "retry":
            await state.jobs.retry(held, at=NOON, error="no")
        else:
            await state.jobs.dead_letter(held, error="no", raw="said")
            await state.jobs.revive(held.id)
            await state.jobs.hasten(held.id)
    await state.jobs.counts()
    await state.jobs.oldest()
    await state.jobs.reports()
    await state.jobs.tidy()
    await state.jobs.erase("local")
    await state.tombstones.add("local", ["m"])
    await state.tombstones.close_scope(BOB)
    await state.ledger.spend("{t}", NOON.date(), Spent(1, 1, 1))
    await state.ledger.call("{t}", NOON, most=1)
    await state.standings.change("{t}", "m", None, "new")
    await state.standings.of("{t}")
    await state.switches.write({"s": False})
    await state.switches.read()
    await state.peers.bump("v")
    await state.peers.current(["v", "w"])


async def test_scripts_touch_only_the_keys_they_are_given(own_redis, alone):
    """Each script's keys are passed to it and have one slot, as a cluster demands."""
    reader, writer = await asyncio.open_connection("127.0.0.1", own_redis.port)
    writer.write(b"MONITOR\r\n")
    assert await reader.readline() == b"+OK\r\n"
    await use_everything(alone)
    await alone.wire.send(("ECHO", "the end"))
    lines: list[str] = []
    while not lines or "the end" not in lines[-1]:
        lines.append((await reader.readline()).decode())
    writer.close()
    runs = touched_by_lua(lines)
    assert len(runs) > 30
    assert sum(len(used) for _, used in runs) > 100
    for given_keys, used in runs:
        assert used <= given_keys
        assert len(slots(list(given_keys))) == 1
