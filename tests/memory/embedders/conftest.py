import pytest

from recollect.memory.embedders import LocalEmbedder, LocalEmbedderOptions


@pytest.fixture
async def local(models_dir):
    """The real local embedder."""
    embedder = await LocalEmbedder.open(LocalEmbedderOptions(model="minilm", model_dir=models_dir))
    yield embedder
    await embedder.close()
