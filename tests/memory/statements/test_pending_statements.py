"""Whoever writes next may wait for what was said a moment ago."""

import asyncio
from dataclasses import replace

from recollect.memory.model.types import Scope, utc_now
from recollect.memory.statements import pending_statements
from recollect.memory.statements.pending_statements import PendingStatements

from ..state.samples import turn


def new():
    return replace(turn("a"), created_at=utc_now())


async def test_it_is_waited_for_until_it_is_embedded():
    """By its user alone; afterwards there is nothing to wait for."""
    said, one = PendingStatements(), new()
    said.add(one)

    async def embed():
        await asyncio.sleep(0)
        assert said.awaited == 1
        assert not await said.settled(Scope(tenant="local", user_id="bob"))
        said.drop(one)

    waited, _ = await asyncio.gather(said.settled(one.scope), embed())
    assert waited
    assert said.awaited == 0
    assert not await said.settled(one.scope)


async def test_the_wait_is_bounded(monkeypatch):
    """A slow embedder holds no message."""
    monkeypatch.setattr(pending_statements, "WAIT_SECONDS", 0.001)
    said, one = PendingStatements(), new()
    said.add(one)
    assert await said.settled(one.scope)
    assert said.awaited == 0
