"""Locks on memories between processes."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from recollect.memory.model.errors import ConflictError
from recollect.memory.state.siblings import SiblingLocks
from recollect.memory.state.siblings import locks as module
from tests.memory.state.contract import LockContract

HOLD = """
import asyncio, sys
from pathlib import Path
from recollect.memory.state.siblings import SiblingLocks
async def main():
    async with SiblingLocks(Path(sys.argv[1])).hold("local", ["m", "n"]):
        print("held", flush=True)
        sys.stdin.readline()
asyncio.run(main())
"""


class TestSiblingLocks(LockContract):
    @pytest.fixture
    def locks(self, tmp_path):
        return SiblingLocks(tmp_path)


@pytest.mark.process
async def test_another_process_waits_and_a_dead_one_holds_nothing(tmp_path, monkeypatch):
    """What one process holds another cannot take, until the first lets go or is killed."""
    monkeypatch.setattr(module, "WAIT_SECONDS", 0.05)
    locks = SiblingLocks(tmp_path)
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert other.stdout is not None
    assert await asyncio.to_thread(other.stdout.readline) == b"held\n"
    with pytest.raises(ConflictError, match="another process"):
        async with locks.hold("local", ["n"]):
            pass
    async with locks.hold("local", ["o"]):
        pass
    other.kill()
    other.wait()
    async with locks.hold("local", ["n", "m"]) as confirm:
        await confirm()
    other.communicate()
