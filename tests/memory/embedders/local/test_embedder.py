"""What an embedder does with calls that come at the same time; its model is a tiny one."""

import asyncio
import threading
from pathlib import Path

import numpy as np
import pytest

from recollect.memory.embedders import in_background
from recollect.memory.embedders.local import LocalEmbedder, OnnxEmbedderOptions
from recollect.memory.embedders.local.batches import RUN_TOKENS
from recollect.memory.embedders.local.embedder import BACKGROUND_TEXTS, WORKERS
from recollect.memory.model.errors import EmbeddingError

OPTIONS = OnnxEmbedderOptions(folder=Path(__file__).parents[1] / "tiny")


@pytest.fixture
async def local():
    """An embedder in a thread of its own."""
    embedder = await LocalEmbedder.open_folder(OPTIONS)
    yield embedder
    await embedder.close()


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
    monkeypatch.setattr(
        local._model, "run", lambda texts: runs.append([*map(len, texts)]) or run(texts)
    )
    await local.embed([f"{'word ' * (i * 37 % 300)}number {i}" for i in range(40)])
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
    assert (await waiting).shape == (1, local.dim)
    assert len(started) == WORKERS + 1
    assert all(name.startswith("embed") for name in started)
