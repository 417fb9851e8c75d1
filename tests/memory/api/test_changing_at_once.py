"""Changes of one memory at the same time lose nothing, however their steps interleave."""

from __future__ import annotations

import random
from dataclasses import replace

from recollect.memory.model.types import MemoryStatus
from tests.memory.api.changing import (
    EVERY,
    FIRST,
    Dawdling,
    Process,
    at_once,
    check_chain,
    keep,
)
from tests.memory.learn.doubles import ALICE
from tests.support.budget import sampled
from tests.support.folding import rows
from tests.support.parts import parts_of

SEEDS = rows("seed", sampled(range(24)))


def process(seed, **state):
    """A process whose parts dawdle, and the same parts without that."""
    dice = random.Random(seed)
    plain = parts_of()
    slow = replace(
        plain,
        store=Dawdling(plain.store, dice),
        history=Dawdling(plain.history, dice),
        state=replace(plain.state, tombstones=Dawdling(plain.state.tombstones, dice), **state),
    )
    return Process(slow), plain


async def texts(parts, *statuses):
    rows = await parts.store.list(ALICE, limit=None, statuses=set(statuses) or EVERY)
    return sorted(row.text for row in rows)


@SEEDS
async def test_puts(seed):
    """All succeed, one after the other."""
    one, plain = process(seed)
    await keep(plain)
    said = await at_once(*(one.put(number) for number in range(6)))
    chain = await check_chain(plain)
    assert sorted(chain) == sorted([FIRST, *said])


@SEEDS
async def test_puts_and_a_learner(seed):
    """A learner that decided about the first text replaces it, or adds beside what was put since."""
    one, plain = process(seed)
    await keep(plain)
    *said, learned = await at_once(one.put(1), one.put(2), one.learn())
    chain = await check_chain(plain)
    assert await texts(plain) == sorted([FIRST, learned, *said])
    # The learner never replaces what it did not see.
    assert learned not in chain or chain.index(learned) == 1


@SEEDS
async def test_a_put_and_a_forget(seed):
    """Nothing is left of either."""
    one, plain = process(seed)
    await keep(plain)
    await at_once(one.put(), one.forget(), one.learn())
    assert [each for each in await texts(plain) if each != "learned "] == []
    assert await plain.history.of("local", "m") == []


@SEEDS
async def test_a_put_and_a_validation(seed):
    """Both are kept: it is active, says what was put, and both changes counted."""
    one, plain = process(seed)
    await keep(plain, MemoryStatus.QUARANTINED)
    [said, _] = await at_once(one.put(), one.validate())
    assert await texts(plain, MemoryStatus.ACTIVE) == [said]
    [row] = await plain.store.get("local", ["m"])
    assert row.version == 3
    await check_chain(plain)
