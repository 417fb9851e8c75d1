"""What a client asks of a model for itself, told by meaning."""

import json
from pathlib import Path

import numpy as np
import pytest

from recollect.memory.calibration import SAFE, calibration_for
from recollect.memory.embedders import FakeEmbedder, LocalEmbedderOptions, open_embedder
from recollect.memory.recall import ClientRequests
from recollect.memory.recall.client_requests import FIRST, LAST, NONE, told_of

DEV = Path(__file__).parents[3] / "benchmarks/attacks/rows/asides.dev.jsonl"


@pytest.fixture
async def requests(models_dir):
    embedder = await open_embedder(LocalEmbedderOptions(model="pair", model_dir=models_dir))
    made = ClientRequests(embedder, calibration_for(embedder.id, dim=embedder.dim))
    await made.prepare()
    yield made
    await embedder.close()


async def test_the_rows_it_was_tuned_on_stay(requests):
    """Chats taken for clients' calls: none; calls that are missed: those that are known."""
    from benchmarks.attacks.asides import is_told

    rows = [json.loads(line) for line in DEV.read_text("utf-8").splitlines()]
    told = [row for row in rows if await is_told(row, requests.likeness)]
    assert [row["id"] for row in told if row["kind"] == "chat"] == []
    missed = [row["id"] for row in rows if row["kind"] == "own" and row not in told]
    assert len(missed) <= 6, missed


async def test_a_text_is_embedded_once_whatever_its_numbers_are():
    """Instructions tell the time, and come again with every message."""

    class Counting(FakeEmbedder):
        texts = 0

        async def embed(self, texts):
            self.texts += len(texts)
            return await super().embed(texts)

    embedder = Counting()
    requests = ClientRequests(embedder, SAFE)
    assert await requests.likeness("Name the chat. It is 10:45.") == NONE
    await requests.prepare()
    before = embedder.texts
    first = await requests.likeness("Name the chat. It is 10:45.")
    assert await requests.likeness("Name the chat. It is 10:46.") == first
    assert embedder.texts - before <= len(told_of("Name the chat. It is 10:45."))


def test_a_long_text_is_read_at_its_ends():
    """Instructions of hundreds of lines begin or end with what they want."""
    told = told_of("\n".join(f"sentence number {at}" for at in range(100)))
    assert len(told) == FIRST + LAST
    assert (told[0], told[-1]) == ("sentence number 0", "sentence number 99")
    assert np.isfinite(NONE)
