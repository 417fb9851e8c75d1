"""Counters and announcements between the processes of one machine."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from recollect.memory.model.types import OwnerRef, Scope
from recollect.memory.state.siblings import SiblingPeers
from recollect.memory.state.siblings.counters import SharedCounters
from recollect.memory.util import mesh as mesh_module
from recollect.memory.util.siblings import Sibling
from tests.support.siblings import listening, meshes

COUNT = """
import sys
from pathlib import Path
from recollect.memory.state.siblings.counters import SharedCounters
counters = SharedCounters(Path(sys.argv[1]), number=1, count=2)
for _ in range(1000):
    counters.count("alice")
print(counters.value("alice"))
"""


def test_what_one_counts_all_see(tmp_path):
    """At once; a key that nobody counted is 0, and each value is that of all together."""
    one, two = (SharedCounters.of(Sibling(tmp_path, number, 2)) for number in range(2))
    assert one.value("alice") == 0
    assert (one.count("alice"), two.count("alice"), one.count("alice")) == (1, 2, 3)
    assert (two.value("alice"), two.value("bob")) == (3, 0)


def test_they_outlive_a_process(tmp_path):
    """A worker that starts again goes on where the dead one was: no value comes twice."""
    first = SharedCounters.of(Sibling(tmp_path, 0, 2))
    first.count("alice")
    first.close()
    assert SharedCounters.of(Sibling(tmp_path, 0, 2)).count("alice") == 2


@pytest.mark.process
def test_two_processes_lose_no_count(tmp_path):
    """Without a lock: each counts in cells of its own."""
    path = tmp_path / "counters"
    ours = SharedCounters(path, number=0, count=2)
    other = subprocess.Popen([sys.executable, "-c", COUNT, str(path)], stdout=subprocess.PIPE)
    for _ in range(1000):
        ours.count("alice")
    other.communicate(timeout=60)
    assert ours.value("alice") == 2000


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
    monkeypatch.setattr(mesh_module, "ANSWER_SECONDS", 0.05)
    one, two = meshes(tmp_path)
    stuck = asyncio.Event()

    async def never(_values: Any) -> None:
        await stuck.wait()

    two.on("gone", never)
    async with listening(two, one):
        await SiblingPeers(one).publish(ALICE)
    assert "an announcement arrives late" in caplog.text
