"""What siblings hear of each other's writes and removals."""

from __future__ import annotations

import asyncio
from typing import Any

from recollect.memory.model.types import OwnerRef, Scope
from recollect.memory.state.siblings import SiblingPeers
from recollect.memory.util import mesh as module
from tests.support.siblings import listening, meshes

ALICE = Scope(tenant="local", user_id="alice")


async def test_an_announcement_has_arrived_when_it_is_published(tmp_path):
    """At every other one, after a gap at its start; not at the sender."""
    one, two = meshes(tmp_path)
    heard: list[tuple[OwnerRef, str | None]] = []
    gaps: list[Any] = []
    peers = [SiblingPeers(mesh) for mesh in (one, two)]
    hearing = asyncio.ensure_future(
        peers[1].listen(lambda *said: heard.append(said), lambda: gaps.append(1))
    )
    await asyncio.sleep(0)
    async with listening(two, one):
        await peers[0].publish(ALICE, "m1")
        await peers[0].publish("local")
        assert heard == [(ALICE, "m1"), ("local", None)]
        assert gaps == [1]
    hearing.cancel()


async def test_writes_are_counted_for_all(tmp_path):
    """A count is seen by the others at once."""
    one, two = map(SiblingPeers, meshes(tmp_path))
    assert await one.bump("alice") == 1
    assert await two.current(["alice", "bob"]) == (1, 0)
    assert await two.current([]) == ()


async def test_a_silent_sibling_stops_nobody(tmp_path, monkeypatch, caplog):
    """An announcement that one does not answer is logged; it hears it when it can."""
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.05)
    one, two = meshes(tmp_path)
    stuck = asyncio.Event()

    async def never(_values: Any) -> None:
        await stuck.wait()

    two.on("gone", never)
    async with listening(two, one):
        await SiblingPeers(one).publish(ALICE)
    assert "an announcement arrives late" in caplog.text
