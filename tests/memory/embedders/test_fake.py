import subprocess
import sys

import numpy as np
import pytest

from recollect.memory.embedders.fake import FakeEmbedder, FakeEmbedderOptions

from .contract import EmbedderContract


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self):
        return FakeEmbedder()


async def test_dim_is_configurable():
    """Vectors have the length the options ask for, and the id says so."""
    embedder = FakeEmbedder(FakeEmbedderOptions(dim=32))
    assert (await embedder.embed(["x"])).shape == (1, 32)
    assert embedder.id == "fake-words-32"


async def test_case_and_punctuation_do_not_matter():
    """Only words count."""
    a, b = await FakeEmbedder().embed(["User likes TEA!", "user, likes tea"])
    assert np.allclose(a, b)


async def test_inflection_is_nearer_than_nothing():
    """Character trigrams bring forms of one word together."""
    a, b, c = await FakeEmbedder().embed(["programming", "programmer", "vegetables"])
    assert a @ b > 0.2 > abs(a @ c)


@pytest.mark.process
async def test_equal_in_every_process():
    """Vectors do not depend on the process's hash seed."""
    code = (
        "import asyncio;from recollect.memory.embedders.fake import FakeEmbedder;"
        "print(asyncio.run(FakeEmbedder().embed(['green tea'])).tobytes().hex())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
