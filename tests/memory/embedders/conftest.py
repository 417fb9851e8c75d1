import os
from pathlib import Path

import pytest

from memory.embedders import LocalEmbedder, LocalEmbedderOptions
from memory.embedders.local.weights import missing


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The folder with the real weights, which set-up fetches."""
    folder = Path(os.environ.get("RECOLLECT_TEST_MODELS", "~/.recollect/models")).expanduser()
    if absent := missing(folder):
        pytest.fail(f"{folder} lacks {absent}: run 'make setup'")
    return folder


@pytest.fixture
async def local(models_dir):
    """The real local embedder."""
    embedder = await LocalEmbedder.open(LocalEmbedderOptions(model_dir=models_dir))
    yield embedder
    await embedder.close()
