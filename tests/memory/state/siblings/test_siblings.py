"""The log of changes, between the processes of one machine."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from recollect.memory.database.changes import ChangeKind, ChangeLine, SqlChanges
from recollect.memory.model.types import Scope
from recollect.memory.state.shared_log import SharedLog
from recollect.memory.state.siblings import SiblingReaders
from recollect.memory.util import sibling_messages as mesh_module
from tests.support.siblings import listening, meshes
from tests.support.state import in_memory_scripts
from tests.support.waiting import HANG_SECONDS, until

COUNT = """
import sys
from pathlib import Path
from recollect.memory.state.siblings import SiblingReaders
from recollect.memory.util.sibling_messages import SiblingMessages
from recollect.memory.util.siblings import Sibling
readers = SiblingReaders(SiblingMessages(Sibling(Path(sys.argv[1]), 1, 2)))
for _ in range(1000):
    readers.count()
"""


def test_what_one_wrote_all_know(tmp_path):
    """At once; and a worker that starts again goes on where the dead one was."""
    one, two = map(SiblingReaders, meshes(tmp_path))
    seen = [two.counted()]
    for each in (one, two, one, SiblingReaders(meshes(tmp_path)[0])):
        each.count()
        seen.append(two.counted())
        assert one.counted() == two.counted()
    assert len(set(seen)) == len(seen)


@pytest.mark.process
def test_two_processes_lose_no_count(tmp_path):
    """Without a lock: each counts in a cell of its own."""
    ours = SiblingReaders(meshes(tmp_path)[0])
    other = subprocess.Popen([sys.executable, "-c", COUNT, str(tmp_path)])
    for _ in range(1000):
        ours.count()
    assert other.wait(timeout=HANG_SECONDS) == 0
    assert ours.counted() == 2000


LINE = ChangeLine(ChangeKind.GONE, Scope(tenant="local", user_id="alice"), ["m1"])


def sharing(folder):
    """Two siblings on one database, their meshes, and what the second hears."""
    scripts, made = in_memory_scripts(), meshes(folder)
    logs = [SharedLog(scripts, SiblingReaders(sibling_messages)) for sibling_messages in made]
    heard: list[ChangeLine] = []
    logs[1].elsewhere.append(heard.append)
    return logs, made, heard


async def test_what_is_told_is_heard_when_it_returns(tmp_path):
    """By every other one; not by the sender, whose caches know it."""
    (one, two), (sibling_messages, other), heard = sharing(tmp_path)
    own: list[ChangeLine] = []
    one.elsewhere.append(own.append)
    async with listening(other, sibling_messages):
        await two.read()
        await one.tell([LINE])
        assert heard == [LINE]
        await one.read()
    assert own == []


async def test_who_is_asked_first_looks_whether_anybody_wrote(tmp_path, monkeypatch):
    """Without a word, and without a question to the database while nobody did."""
    (one, two), _, heard = sharing(tmp_path)
    await two.fresh()
    await one.add([LINE])
    assert heard == []
    await two.fresh()
    assert heard == [LINE]
    monkeypatch.setattr(SqlChanges, "after", None)
    await two.fresh()


async def test_who_sleeps_is_woken(tmp_path):
    """By the loop of the one who wrote, long before it would look by itself."""
    (one, two), (sibling_messages, other), heard = sharing(tmp_path)
    async with listening(other, sibling_messages):
        await two.read()
        telling = asyncio.ensure_future(one.run())
        await one.add([LINE])
        await until(lambda: heard == [LINE])
        telling.cancel()


async def test_a_silent_sibling_stops_nobody(tmp_path, monkeypatch, caplog):
    """That it does not answer is logged; it reads the line when it can."""
    monkeypatch.setattr(mesh_module, "ANSWER_SECONDS", 0.05)
    (one, two), (sibling_messages, other), heard = sharing(tmp_path)
    await two.read()
    async with listening(other, sibling_messages), two._turn:
        await one.tell([LINE])
        assert heard == []
    assert "a change is heard late" in caplog.text
    await two.fresh()
    assert heard == [LINE]
