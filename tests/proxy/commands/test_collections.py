"""`recollect collections`: what is there is told, and what is in use is not removed by accident."""

from __future__ import annotations

import asyncio
import json

import pytest

from recollect.memory.model.types import Scope
from recollect.memory.stores import QdrantStoreOptions, open_for_reindex, open_store
from recollect.proxy.cli import main
from recollect.proxy.commands import checks, collections
from tests.memory.stores.memories import DIM, memory
from tests.support.folding import rows

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


def names(capsys):
    """Those that are there."""
    assert main(["collections", "list", "--json"]) == 0
    return [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()]


def test_lists_whose_vectors_and_how_many(options, capsys):
    """A person sees what is in use and what an interrupted reindex left."""
    assert main(["collections", "list"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "memories  vectors of  name",
        "       3  old (8)     recollect_memories    store.collection",
        "       1  new (8)     recollect_memories_2  a reindex that did not end",
    ]


def test_nothing_is_removed_without_an_answer(options, capsys):
    """Without a terminal nobody can be asked."""
    assert main(["collections", "delete", "recollect_memories_2"]) == 2
    assert "nothing was changed" in capsys.readouterr().err
    assert names(capsys) == ["recollect_memories", "recollect_memories_2"]


def test_what_a_reindex_left_is_removed(options, capsys):
    """With `--yes` it is gone, and the memories stay."""
    assert main(["collections", "delete", "recollect_memories_2", "--yes"]) == 0
    assert "1 memories" in capsys.readouterr().err
    assert names(capsys) == ["recollect_memories"]


def test_the_one_in_use_needs_more_than_yes(options, capsys):
    """A script that says yes to all does not remove every memory."""
    assert main(["collections", "delete", "recollect_memories", "--yes"]) == 2
    assert "--in-use" in capsys.readouterr().err
    assert "recollect_memories" in names(capsys)
    assert main(["collections", "delete", "recollect_memories", "--yes", "--in-use"]) == 0
    assert names(capsys) == ["recollect_memories_2"]


@rows(
    "name, said",
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
    assert "recollect_memories" in names(capsys)


def test_an_unknown_name_is_told_with_those_that_are_there(options, capsys):
    """A slip of the pen is seen at once."""
    assert main(["collections", "delete", "recolect_memories", "--yes"]) == 1
    assert "recollect_memories_2" in capsys.readouterr().err
