import pytest

from recollect.memory.embedders import LocalEmbedder, LocalEmbedderOptions
from recollect.memory.embedders.local import embedder as module
from tests.support.models import LOAD


@pytest.fixture(autouse=True)
def loaded_here(monkeypatch):
    """What loads weights is what is tested."""
    monkeypatch.setattr(module, "_load", LOAD)


@pytest.fixture
async def local(models_dir):
    """The real local embedder."""
    embedder = await LocalEmbedder.open(LocalEmbedderOptions(model="minilm", model_dir=models_dir))
    yield embedder
    await embedder.close()
