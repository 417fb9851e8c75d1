"""The memories keep the contract of a store, on every database and with an index beside them."""

from __future__ import annotations

import pytest

from recollect.memory.memories import searching
from recollect.memory.memories.marks import SqlIndexMarks
from recollect.memory.memories.searching import NamedIndex
from recollect.memory.memories.store import SqlMemories, open_memories

from .databases import at, in_file, in_memory
from .indexes import NAME, Followed, PlainIndex, filled
from .keyword_contract import KeywordContract
from .store_contract import DIM, StoreContract, words


class MemoriesContract(StoreContract, KeywordContract):
    """Subclasses provide the fixture `scripts`."""

    @pytest.fixture
    async def store(self, scripts):
        return await open_memories(scripts, embedder_id="test", dim=DIM, terms=words)


class TestInMemory(MemoriesContract):
    @pytest.fixture
    async def scripts(self):
        scripts = in_memory()
        yield scripts
        await scripts.close()


class TestInFile(MemoriesContract):
    @pytest.fixture
    async def scripts(self, tmp_path):
        scripts = await in_file(tmp_path)
        yield scripts
        await scripts.close()


class TestInPostgres(MemoriesContract):
    @pytest.fixture
    async def scripts(self, url):
        scripts = await at(url)
        yield scripts
        await scripts.close()


class TestWithAnIndex(MemoriesContract):
    """Every search asks it, whatever the number of memories."""

    @pytest.fixture
    async def scripts(self):
        scripts = in_memory()
        yield scripts
        await scripts.close()

    @pytest.fixture(params=["filled", "behind"])
    async def store(self, request, scripts, monkeypatch):
        monkeypatch.setattr(searching, "FEW", 0)
        index = PlainIndex()
        kind = Followed if request.param == "filled" else SqlMemories
        await open_memories(scripts, embedder_id="test", dim=DIM)
        store = kind(
            scripts,
            embedder_id="test",
            dim=DIM,
            terms=words,
            index=NamedIndex(index, NAME, SqlIndexMarks(scripts)),
        )
        await filled(scripts, index, upto=0)
        return store
