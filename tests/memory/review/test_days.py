"""What waits too long is left out with a word, and never let in by time."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from recollect.memory import AsyncMemory
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.doubts import told
from recollect.memory.model.types import utc_now
from tests.memory.learn.doubles import Says
from tests.support.clock import Telling
from tests.support.parts import engine_of
from tests.support.scripted import facts

from .test_review import ADA, BOTH, NUTS, OPTIONS, shown, waiting


async def after(memory: AsyncMemory, days: list[float], passed: float) -> int:
    """What the upkeep leaves out when so many days have passed."""
    days[0] = passed
    return (await memory._engine.background.retention.run()).left_out


async def test_after_its_days_it_is_left_out_and_can_still_be_kept() -> None:
    """It says so with the date, once; its history has it; it stays quarantined until a person."""
    days = [0.0]
    clock = Telling(lambda: utc_now() + timedelta(days=days[0]))
    engine = engine_of(Says(facts(NUTS)), OPTIONS, clock=clock)
    memory = AsyncMemory(engine)
    await memory.add([{"role": "user", "content": BOTH}], **ADA)
    assert await after(memory, days, 13) == 0
    assert await after(memory, days, 15) == 1
    assert await after(memory, days, 100) == 0
    [one] = await waiting(memory)
    assert one["status"] == "quarantined"
    assert one["review"]["left_out"]
    assert "until" not in one["review"]
    reasons: list[Any] = one["provenance"]["reasons"]
    assert reasons[-1]["detail"].startswith("after 15 days, on ")
    assert any("left out" in line for line in told(reasons))
    assert "left out" in (await memory.history(one["id"], **ADA))[-1]["reason"]
    why = await memory.whynot(memory_id=one["id"], **ADA)
    assert "left out" in why["why"]
    assert "peanuts" not in await shown(memory)
    await memory.review(one["id"], "keep", **ADA)
    assert "peanuts" in await shown(memory)
    await engine.close()


async def test_who_looks_at_it_meanwhile_may_still_decide() -> None:
    """That its days end is no change that a person would have to read again."""
    days = [0.0]
    clock = Telling(lambda: utc_now() + timedelta(days=days[0]))
    engine = engine_of(Says(facts(NUTS)), OPTIONS, clock=clock)
    memory = AsyncMemory(engine)
    await memory.add([{"role": "user", "content": BOTH}], **ADA)
    [seen] = await waiting(memory)
    assert await after(memory, days, 15) == 1
    kept = await memory.review(seen["id"], "keep", version=seen["version"], **ADA)
    assert kept["status"] == "active"
    await engine.close()


async def test_it_is_left_out_as_soon_as_its_days_are_over() -> None:
    """Also before the upkeep comes to it: nobody is told that it waits until an earlier moment."""
    options = EngineOptions(trust={"review": {"health": 1e-9}})
    engine = engine_of(Says(facts(NUTS)), options)
    memory = AsyncMemory(engine)
    await memory.add([{"role": "user", "content": BOTH}], **ADA)
    [one] = await waiting(memory)
    assert one["review"]["left_out"]
    assert "until" not in one["review"]
    await engine.close()


@pytest.mark.parametrize("days", [float("inf"), float("nan"), 99_999_999, 0])
def test_days_that_end_at_no_moment(days: float) -> None:
    """They are refused by their name, as are those of retention."""
    for part, name in (("trust", "review"), ("retention", "erase_days"), ("retention", "ttl_days")):
        kind = {"review": "health", "erase_days": "turns", "ttl_days": "episodic"}[name]
        with pytest.raises(ValidationError, match=kind):
            EngineOptions.model_validate({part: {name: {kind: days}}})
