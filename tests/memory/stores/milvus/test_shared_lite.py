"""One Milvus Lite for several processes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path

import pytest

from recollect.memory.model.errors import StoreDamagedError, StoreError, StoreUnwritableError
from recollect.memory.stores.milvus import shared_lite as module
from recollect.memory.stores.milvus.shared_lite import SharedLite, running_lite
from recollect.memory.util.siblings import Sibling
from tests.support.folding import rows


@pytest.fixture
def sibling(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    return Sibling(shared, 1, 2)


@pytest.mark.process
async def test_the_parent_runs_it_and_starts_it_again(tmp_path, sibling):
    """The others know its address; after its death, the new one."""
    folder = tmp_path / "memories.db"
    async with asyncio.timeout(120), running_lite(folder, sibling.folder):
        endpoint = await SharedLite.open(folder, sibling)
        address, pid = await endpoint.address(), endpoint.pid
        assert endpoint.look() == ""
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        while endpoint.pid in (pid, None):
            await asyncio.sleep(0.05)
        assert await endpoint.address() != address
        await endpoint.close()
        assert endpoint.look() == ""
        folder.rename(tmp_path / "elsewhere")
        assert "is gone" in endpoint.look()
        (tmp_path / "elsewhere").rename(folder)


@rows(
    "noted, error",
    [
        ({"kind": "damaged", "told": "broken"}, StoreDamagedError),
        ({"kind": "unwritable", "told": "full"}, StoreUnwritableError),
        ({"kind": "down", "told": "it starts"}, StoreError),
    ],
)
async def test_the_others_are_told_why_it_cannot_be_used(tmp_path, sibling, noted, error):
    """With the error that its owner has."""
    (sibling.folder / "store.json").write_text(json.dumps(noted))
    with pytest.raises(error, match=noted["told"]) as raised:
        await SharedLite.open(tmp_path / "memories.db", sibling)
    assert type(raised.value) is error


async def test_damage_and_a_full_disk_do_not_end_the_parent(tmp_path, sibling, monkeypatch):
    """They are told; room for a full disk is looked for again, damage stays. Others end it."""
    errors: list[StoreError] = [StoreUnwritableError("full"), StoreDamagedError("broken")]

    async def failing(_folder: Path) -> None:
        raise errors.pop(0)

    monkeypatch.setattr(module.LiteEndpoint, "open", failing)
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.01)
    note = sibling.folder / "store.json"
    async with asyncio.timeout(60), running_lite(tmp_path / "memories.db", sibling.folder):
        assert json.loads(note.read_text()) == {"kind": "unwritable", "told": "full"}
        while "broken" not in note.read_text():
            await asyncio.sleep(0.01)
    assert not errors
    errors.append(StoreError("in use"))
    with pytest.raises(StoreError, match="in use"):
        async with running_lite(tmp_path / "memories.db", sibling.folder):
            pass
