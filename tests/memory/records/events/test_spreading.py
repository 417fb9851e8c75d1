"""Changes that siblings tell each other."""

from __future__ import annotations

import asyncio
from pathlib import Path

from recollect.memory.records.events import ChangeTexts, Feed, spread
from tests.memory.records.events.test_feed import ADA, record
from tests.support.siblings import listening, meshes
from tests.support.state import InMemoryHistory


async def test_followers_at_another_worker_hear_of_a_change(tmp_path: Path) -> None:
    """In order, once, with its id; whoever wants those of its own process only is not told."""
    one, two = meshes(tmp_path)
    feeds = [Feed(ChangeTexts(InMemoryHistory(), shared=True)) for _ in range(2)]
    spreading = [spread(feed, mesh) for feed, mesh in zip(feeds, (one, two), strict=True)]
    following, own = feeds[1].subscribe(ADA), feeds[1].subscribe(own=True)
    elsewhere = feeds[1].subscribe("other")
    telling = asyncio.ensure_future(spreading[0].run())
    async with listening(two, one), asyncio.timeout(60):
        feeds[0].wrote([record(1), record(2)], 0)
        assert [(await anext(following))["id"] for _ in range(2)] == ["1", "2"]
    telling.cancel()
    assert (own.waiting, elsewhere.waiting, following.waiting) == (0, 0, 0)


def test_the_changes_of_ones_own_are_told_to_all(tmp_path: Path) -> None:
    """Also where nobody follows here: somebody may elsewhere."""
    feed = Feed(ChangeTexts(InMemoryHistory()))
    assert not feed.followed
    spread(feed, meshes(tmp_path)[0])
    assert feed.followed
