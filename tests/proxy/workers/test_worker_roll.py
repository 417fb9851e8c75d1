"""Which workers serve."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recollect.memory.util.siblings import Sibling
from recollect.proxy.workers.worker_roll import Roll, RollCall, WorkerMissingError


async def test_every_worker_knows_who_serves(tmp_path: Path) -> None:
    """Its own number from 1, and how many serve; a missing one is told by those that serve.

    The start, before anybody serves, is not a failure.
    """
    roll, call = Roll(tmp_path, 2), RollCall(Sibling(tmp_path, 1, 2))
    assert call.counts() == {"worker": 2, "of": 2, "serving": 0, "pid": os.getpid()}
    await call.ping()
    roll.note(1, 4711)
    with pytest.raises(WorkerMissingError, match="worker 1"):
        await call.ping()
    roll.note(0, 4712)
    await call.ping()
    assert call.counts()["serving"] == 2
    roll.note(1, None)
    with pytest.raises(WorkerMissingError, match="worker 2"):
        await call.ping()
