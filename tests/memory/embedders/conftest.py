import pytest

from recollect.memory.embedders.local import embedder as module
from tests.support.models import LOAD


@pytest.fixture(autouse=True)
def loaded_here(monkeypatch):
    """What loads weights is what is tested."""
    monkeypatch.setattr(module, "_load", LOAD)
