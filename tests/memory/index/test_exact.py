"""The index in this process keeps the contract."""

from functools import partial

import pytest

from recollect.memory.index import ExactIndexOptions
from tests.memory.index.contract import IndexContract
from tests.support.budget import scaled


class TestExact(IndexContract):
    many = scaled(10_000)

    @pytest.fixture
    def open_index(self, opening):
        return partial(opening, ExactIndexOptions())
