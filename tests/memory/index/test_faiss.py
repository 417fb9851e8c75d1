"""FAISS keeps the contract, in a folder."""

from functools import partial

import pytest

from recollect.memory.index.options import FaissIndexOptions
from tests.memory.index.contract import FolderContract
from tests.support.budget import scaled


class TestFolder(FolderContract):
    many = scaled(10_000)

    @pytest.fixture
    def folder(self, tmp_path):
        return tmp_path / "index.faiss"

    @pytest.fixture
    def open_index(self, opening, folder):
        return partial(opening, FaissIndexOptions(uri=str(folder)))
