"""Upkeep over HTTP: called, read and taken back, and each refusal in the API's words."""

import pytest

from recollect.memory.model.jobs import JobKind, Spent
from recollect.memory.model.types import utc_now
from tests.support.upkeep import KeepsFirst

URL = "/v1/memories"


async def ask(client, method, path, **asked):
    answer = await client.request(method, URL + path, **asked)
    assert answer.status == 200, await answer.text()
    return await answer.json()


@pytest.fixture
async def client(client, engine):
    """A served API whose consolidation keeps the first of equal memories."""
    worker = engine.engine.background.worker
    worker.upkeep.add(KeepsFirst(engine.engine.parts.store))
    return client


async def test_what_upkeep_costs_is_told(client, engine):
    """By kind, beside what learning costs; its budget too."""
    today = utc_now().date()
    ledger = engine.engine.parts.state.ledger
    await ledger.spend("local", today, Spent(1, 20, 3))
    await ledger.spend("local", today, Spent(2, 40, 5), kind=JobKind.CONSOLIDATE)
    used = await ask(client, "GET", "/usage")
    assert (used["calls"], used["tokens"]) == (1, 23)
    assert used["upkeep"] == {"calls": 2, "tokens": 45, "daily_tokens": 100_000}
    assert used["kinds"] == {
        "learn": {"calls": 1, "tokens": 23},
        "consolidate": {"calls": 2, "tokens": 45},
    }
    totals = (await ask(client, "GET", "/stats"))["totals"]
    assert (totals["upkeep_tokens"], totals["consolidate_calls"]) == (45, 2)
