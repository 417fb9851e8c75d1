"""`recollect memories conflicts`, `settle` and `restore`."""

import asyncio
import json

import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    StoredMemory,
    utc_now,
)
from recollect.proxy.cli import main

from .test_explain import Running, opened
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

HERS = ["--user", "alice"]


async def fill(folder):
    """Put two memories of one matter there, the second pending."""
    store = await opened(folder)
    for name, pending in (("old", ()), ("new", ("old",))):
        [vector] = await FakeEmbedder().embed([name])
        item = MemoryItem(
            id=name,
            text=f"User's rent is {name}",
            type=MemoryType.SEMANTIC,
            scope=Scope(tenant="local", user_id="alice"),
            created_at=utc_now(),
            updated_at=utc_now(),
            embedder_id=FakeEmbedder().id,
            provenance=Provenance(matter="old", pending=pending),
        )
        await store.put([StoredMemory(item, vector)])
    await store.close()


@pytest.mark.process
def test_conflicts_are_shown_settled_and_undone(folder, capsys):
    """By id, with what each replaces; one call takes it back."""
    asyncio.run(fill(folder))
    assert main(["memories", "conflicts", *HERS]) == 0
    shown = capsys.readouterr()
    assert shown.out.index("User's rent is new") < shown.out.index("User's rent is old")
    assert "1 pending" in shown.err
    assert main(["memories", "conflicts", *HERS, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["others"][0]["id"] == "old"
    assert main(["memories", "settle", "new", "--replaces", "old"]) == 0
    capsys.readouterr()
    assert main(["memories", "conflicts", *HERS]) == 1
    assert "nothing is pending for user alice" in capsys.readouterr().err
    assert main(["memories", "get", "old"]) == 0
    assert "settled it by hand" in capsys.readouterr().out
    assert main(["memories", "restore", "old"]) == 0
    assert main(["memories", "settle", "new", "--replaces", "nobody"]) == 1
    assert "there is no memory 'nobody'" in capsys.readouterr().err


@pytest.mark.process
async def test_a_running_proxy_is_asked(environ, capsys):
    """With a body, and an error is shown."""
    async with Running(environ) as proxy:
        await proxy.remember("User likes tea")
        listed = await asyncio.to_thread(main, ["memories", "list", *HERS, "--json"])
        assert listed == 0
        name = json.loads(capsys.readouterr().out)["id"]
        assert await asyncio.to_thread(main, ["memories", "settle", name]) == 0
        assert await asyncio.to_thread(main, ["memories", "conflicts", *HERS]) == 1
        assert await asyncio.to_thread(main, ["memories", "restore", name]) == 1
