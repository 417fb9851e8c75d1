"""Three replicas, one killed again and again: the short form of `benchmarks/replicas`."""

from __future__ import annotations

import pytest

from benchmarks.replicas.stage import run

pytestmark = pytest.mark.process


async def test_kills_lose_nothing_and_double_nothing(tmp_path, models_dir):
    """Each acknowledged chat is one memory; chats fail on the killed replica's open streams only."""
    outcome = await run(tmp_path, models_dir, seconds=20, every=6, clients=3, replicas=3, pause=0.2)
    assert outcome.kills >= 1
    assert len(outcome.acknowledged) > 10
    assert not outcome.lost
    assert not outcome.doubled
    assert outcome.broken["elsewhere"] == 0
