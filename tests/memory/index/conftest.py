"""Opens indexes, and closes them."""

import pytest

from recollect.memory.index import open_index
from recollect.memory.index.options import _Located


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """A test machine may be ten times slower."""
    monkeypatch.setattr(_Located, "call_seconds", 60.0)


@pytest.fixture
async def opening():
    """Opens an index by its options; the end of the test closes it."""
    opened = []

    async def run(options, *, dim, name="test"):
        index = await open_index(options, name=name, dim=dim)
        opened.append(index)
        return index

    yield run
    for index in opened:
        await index.close()
