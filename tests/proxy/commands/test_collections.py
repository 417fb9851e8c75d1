"""`recollect collections`: what is there is told, and what is in use is not removed by accident."""

from __future__ import annotations

import asyncio

import pytest

from recollect.memory.model.types import Scope
from recollect.memory.stores import QdrantStoreOptions, open_for_reindex, open_store
from recollect.proxy.cli import main
from recollect.proxy.commands import checks, collections
from tests.memory.stores.memories import DIM, memory

from .transcript import check

ALICE = Scope(tenant="t", user_id="alice")


@pytest.fixture
def options(environ, tmp_path):
    """A store with three memories, and one that a reindex has moved already."""
    environ.setenv("RECOLLECT_STORE__BACKEND", "qdrant")
    options = QdrantStoreOptions(uri=str(tmp_path / "data" / "memories.qdrant"))

    async def fill():
        store = await open_store(options, embedder_id="old", dim=DIM)
        await store.put([memory(ALICE, str(number)) for number in range(3)])
        await store.close()
        swap = await open_for_reindex(options, embedder_id="new", dim=DIM)
        await swap.target.put([memory(ALICE, "moved")])
        await swap.close()

    asyncio.run(fill())
    return options


SESSION = """
$ recollect collections list
memories  vectors of  name
       3  old (8)     recollect_memories    store.collection
       1  new (8)     recollect_memories_2  a reindex that did not end

$ recollect collections delete recolect_memories --yes
recollect: ⋮recollect_memories_2⋮
[1]

$ recollect collections delete recollect_memories_2
recollect: nothing was changed; answer y, or use --yes
[2]

$ recollect collections delete recollect_memories_2 --yes
recollect_memories_2 is removed, with 1 memories

$ recollect collections delete recollect_memories --yes
recollect: recollect_memories is the one in use: --yes removes it with --in-use only
[2]

$ recollect collections info recollect_memories
memories  vectors of  name
       3  old (8)     recollect_memories  store.collection

$ recollect collections delete recollect_memories --yes --in-use
recollect_memories is removed, with 3 memories

$ recollect collections list
recollect: there are no collections of Recollect
[1]
"""


@pytest.mark.usefixtures("options")
def test_what_is_in_use_is_not_removed_by_accident():
    """What is there is listed; without an answer nothing goes, and a yes to all is not enough."""
    check(SESSION)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("recollect_memories", "3 memories of old (8)? It is the one in use"),
        ("recollect_memories_2", "1 memories of new (8)? The memories themselves are in"),
    ],
)
def test_the_question_says_what_is_lost(options, monkeypatch, name, said):
    """A person reads how many memories, whose vectors, and what remains."""
    asked = []
    monkeypatch.setattr(collections, "confirmed", lambda question: not asked.append(question))
    assert main(["collections", "delete", name]) == 0
    assert said in asked[0]


def test_nothing_is_taken_from_a_running_proxy(options, capsys, monkeypatch):
    """A server would not stop whoever removes what a proxy uses."""

    async def running(_settings):
        return "ok"

    monkeypatch.setattr(checks, "running_store", running)
    assert main(["collections", "delete", "recollect_memories", "--yes", "--in-use"]) == 1
    assert "stop it first" in capsys.readouterr().err
    check("$ recollect collections info recollect_memories\n⋮       3  old⋮")
