"""What memory took and gave, by day."""

from datetime import timedelta

import pytest

from recollect import AsyncMemory
from recollect.memory.model.daily_sums import Summed
from recollect.memory.model.errors import ForbiddenError
from recollect.memory.model.jobs import JobKind, Spent
from recollect.memory.model.types import utc_now
from tests.support.parts import engine_of


async def test_figures_of_days():
    """Each day with what is known of it, oldest first, and the sums of these days only."""
    engine = engine_of()
    sums, ledger, today = engine.parts.state.sums, engine.parts.state.ledger, utc_now().date()
    await sums.add("acme", today, {Summed.CHATS: 3, Summed.RECALLED: 1}, batch="1")
    await ledger.spend("acme", today - timedelta(days=1), Spent(1, 20, 3))
    await sums.add("acme", today - timedelta(days=2), {Summed.CHATS: 100}, batch="2")
    await sums.add("other", today, {Summed.CHATS: 1000}, batch="3")
    engine.meter.count("acme", {Summed.CHATS: 4})
    found = await AsyncMemory(engine, tenant="acme").stats(days=2)
    yesterday, now = found["days"]
    assert (yesterday["extraction_calls"], yesterday["extraction_tokens"]) == (1, 23)
    assert (now["chats"], now["recalled"], now["extraction_calls"]) == (7, 1, 0)
    assert {day["tenant"] for day in found["days"]} == {"acme"}
    assert found["totals"] == {name: yesterday[name] + now[name] for name in found["totals"]}


async def test_upkeep_is_told_by_kind():
    """Beside learning, of which judging is a part."""
    engine = engine_of()
    ledger, today = engine.parts.state.ledger, utc_now().date()
    await ledger.spend("local", today, Spent(1, 20, 3))
    await ledger.spend("local", today, Spent(1, 1, 1), kind=JobKind.JUDGE)
    await ledger.spend("local", today, Spent(2, 40, 5), kind=JobKind.CONSOLIDATE)
    await ledger.spend("local", today, Spent(1, 7, 0), kind=JobKind.REFLECT)
    totals = (await AsyncMemory(engine).stats())["totals"]
    assert (totals["extraction_calls"], totals["extraction_tokens"]) == (2, 25)
    assert (totals["judge_calls"], totals["judge_tokens"]) == (1, 2)
    assert (totals["upkeep_calls"], totals["upkeep_tokens"]) == (3, 52)
    assert (totals["consolidate_tokens"], totals["reflect_tokens"]) == (45, 7)
    assert (totals["episode_calls"], totals["episode_tokens"]) == (0, 0)


async def test_a_single_user_has_no_figures_of_the_tenant():
    """They are about everybody's chats."""
    with pytest.raises(ForbiddenError):
        await AsyncMemory(engine_of(), only_user="alice").stats()
