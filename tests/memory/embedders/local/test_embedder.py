import asyncio
import json
import threading
from pathlib import Path

import numpy as np
import pytest

from recollect.memory.embedders import LocalEmbedder, LocalEmbedderOptions, in_background
from recollect.memory.embedders.local.batches import RUN_TOKENS
from recollect.memory.embedders.local.embedder import BACKGROUND_TEXTS, WORKERS
from recollect.memory.embedders.local.model import MiniLM
from recollect.memory.model.errors import EmbeddingError

from ..contract import EmbedderContract

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text())


# Different neighbours move sums by a rounding error, and that can move a rounded value by one.
ROUNDED = 0.03


class TestContract(EmbedderContract):
    atol = ROUNDED

    @pytest.fixture
    def embedder(self, local):
        return local


async def test_is_near_the_reference(local):
    """Multiplying in integers costs almost nothing of transformers' vectors on torch.

    Those are mean pooled, normalised, and cut at 256 tokens.
    """
    vectors = await local.embed([entry["text"] for entry in GOLDEN])
    cosines = (vectors * np.array([entry["vector"] for entry in GOLDEN])).sum(axis=1)
    assert cosines.min() > 0.97
    assert cosines.mean() > 0.985


async def test_company_does_not_change_vectors(local):
    """A text's tokens see no other text of the run: rounding apart, the vectors are those alone."""
    texts = [entry["text"] for entry in GOLDEN]
    alone = [await local.embed([text]) for text in texts]
    assert np.abs(await local.embed(texts) - np.concatenate(alone)).max() < ROUNDED


async def test_identity(local):
    """Stored vectors are named after the published model."""
    assert (local.id, local.dim) == ("all-MiniLM-L6-v2", 384)


async def test_longer_than_the_limit(models_dir, monkeypatch):
    """`MAX_TOKENS` is where texts are cut: what comes later does not matter."""
    monkeypatch.setattr("recollect.memory.embedders.local.embedder.MAX_TOKENS", 8)
    options = LocalEmbedderOptions(model="minilm", model_dir=models_dir)
    embedder = await LocalEmbedder.open(options)
    a, b = await embedder.embed(
        ["one two three four five six seven", "one two three four five six"]
    )
    await embedder.close()
    assert np.allclose(a, b, atol=1e-6)


async def test_the_longest_limit(models_dir, monkeypatch):
    """The model's 512 positions can all be used."""
    options = LocalEmbedderOptions(model="minilm", model_dir=models_dir, threads=2)
    monkeypatch.setattr("recollect.memory.embedders.local.embedder.MAX_TOKENS", 512)
    embedder = await LocalEmbedder.open(options)
    assert (await embedder.embed(["word " * 1000])).shape == (1, 384)
    await embedder.close()


async def test_no_weights(tmp_path):
    """Missing files are named, with the command that fetches them."""
    with pytest.raises(EmbeddingError, match=r"tokenizer\.json.*recollect models fetch"):
        await LocalEmbedder.open(LocalEmbedderOptions(model="minilm", model_dir=tmp_path))


async def test_no_folder():
    """Opening without a folder is an error, not a guess."""
    with pytest.raises(EmbeddingError, match="model_dir"):
        await LocalEmbedder.open(LocalEmbedderOptions())


async def test_linked_weights(models_dir, tmp_path):
    """Files may be links to files of the same name elsewhere, as volumes make them."""
    for path in models_dir.iterdir():
        (tmp_path / path.name).symlink_to(path)
    embedder = await LocalEmbedder.open(LocalEmbedderOptions(model="minilm", model_dir=tmp_path))
    assert (await embedder.embed(["a"])).shape == (1, 384)
    await embedder.close()


async def test_a_failing_run_is_translated(local, monkeypatch):
    """Whatever the runtime raises becomes an EmbeddingError."""

    def fail(*_):
        raise OSError("disk gone")

    monkeypatch.setattr(local._model._words, "rows", fail)
    with pytest.raises(EmbeddingError, match="disk gone"):
        await local.embed(["a"])


async def test_nan_goes_no_further(local, monkeypatch):
    """A model that answers something not finite is an EmbeddingError."""
    nan = np.full((1, 384), np.nan, np.float32)
    monkeypatch.setattr(local._model, "run", lambda _: nan)
    with pytest.raises(EmbeddingError, match="not finite"):
        await local.embed(["a"])


async def test_weights_that_answer_nonsense(models_dir, monkeypatch):
    """Opening uses the model once, so that one that cannot be used does not open."""
    monkeypatch.setattr(MiniLM, "run", lambda *_: np.full((1, 384), np.nan, np.float32))
    with pytest.raises(EmbeddingError, match="not finite"):
        await LocalEmbedder.open(LocalEmbedderOptions(model="minilm", model_dir=models_dir))


async def test_questions_share_runs(local, monkeypatch):
    """Questions that come while the threads are taken are embedded by few runs."""
    runs, run = [], local._model.run

    def counting(texts):
        runs.append(len(texts))
        return run(texts)

    monkeypatch.setattr(local._model, "run", counting)
    await asyncio.gather(*(local.embed([f"question {i}"]) for i in range(20)))
    assert sum(runs) == 20
    assert len(runs) < 10


async def test_a_question_waits_for_one_background_run(local, monkeypatch):
    """However many texts of the background came before it, it is in the next run."""
    begun, free, runs, tokenize = threading.Event(), threading.Event(), [], local._model.tokenize

    def noting(texts):
        runs.append(len(texts))
        begun.set()
        free.wait()
        return tokenize(texts)

    async def background():
        with in_background():
            await local.embed([f"fact {n}" for n in range(20)])

    monkeypatch.setattr(local._model, "tokenize", noting)
    monkeypatch.setattr("recollect.memory.embedders.local.embedder.RUN_CHARS", 10**6)
    facts = asyncio.ensure_future(background())
    await asyncio.to_thread(begun.wait)
    question = asyncio.ensure_future(local.embed(["how", "who", "when"]))
    await asyncio.sleep(0)
    free.set()
    await question
    before = runs.index(3)
    await facts
    assert (before, runs[0]) == (1, BACKGROUND_TEXTS)
    assert sum(runs) == 23


async def test_a_run_is_bounded(local, monkeypatch):
    """No run has more tokens than the bound but one of a single text, and all texts are run."""
    runs, run = [], local._model.run

    def counting(texts):
        runs.append([len(text) for text in texts])
        return run(texts)

    monkeypatch.setattr(local._model, "run", counting)
    texts = [f"{'word ' * (i * 37 % 300)}number {i}" for i in range(40)]
    assert (await local.embed(texts)).shape == (40, 384)
    assert sum(map(len, runs)) == 40
    assert all(sum(tokens) <= RUN_TOKENS or len(tokens) == 1 for tokens in runs)


async def test_closing_during_a_call(local):
    """A call that is running when the embedder closes ends, in a result or an EmbeddingError."""
    calls = [asyncio.ensure_future(local.embed(["text " * 200] * 20)) for _ in range(4)]
    await asyncio.sleep(0)
    await local.close()
    for result in await asyncio.gather(*calls, return_exceptions=True):
        assert isinstance(result, (np.ndarray, EmbeddingError))


async def test_calls_that_left_are_never_run(local, monkeypatch):
    """While the threads are taken, cancelled calls leave no work behind, and others still wait."""
    free, started = threading.Event(), []
    tokenize = local._model.tokenize

    def blocking(texts):
        started.append(threading.current_thread().name)
        free.wait()
        return tokenize(texts)

    monkeypatch.setattr(local._model, "tokenize", blocking)
    try:
        calls = [asyncio.ensure_future(local.embed(["left"])) for _ in range(100)]
        while len(started) < WORKERS:
            await asyncio.sleep(0)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        assert all(call.cancelled() for call in calls)
        assert local._pool._work_queue.qsize() == 0
        waiting = asyncio.ensure_future(local.embed(["stays"]))
        await asyncio.sleep(0)
        assert len(started) == WORKERS
    finally:
        free.set()
    assert (await waiting).shape == (1, 384)
    assert len(started) == WORKERS + 1
    assert all(name.startswith("embed") for name in started)
