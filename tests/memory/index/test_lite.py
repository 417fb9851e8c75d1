"""The embedded Milvus keeps the contract, in a process that those who use it share."""

from functools import partial

import pytest

from recollect.memory.index import MilvusIndexOptions
from tests.memory.index.contract import FolderContract
from tests.support.budget import scaled


@pytest.mark.process
class TestLite(FolderContract):
    many = scaled(10_000)

    @pytest.fixture
    def folder(self, tmp_path):
        return tmp_path / "index.milvus"

    @pytest.fixture
    def open_index(self, opening, folder):
        options = MilvusIndexOptions(uri=str(folder), timeout_seconds=60)
        return partial(opening, options)
