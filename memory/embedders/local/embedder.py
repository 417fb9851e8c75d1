"""The `Embedder` port over the local model, off the event loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Self, TypeVar

import numpy as np

from ...errors import EmbeddingError
from ...types import Vectors
from .batches import plan
from .model import DIM, MiniLM
from .options import LocalEmbedderOptions
from .weights import HINT, MODEL_ID, missing

WORKERS = 2
"""A question need not wait for a bulk job, and two runs at a time bound the working memory."""

_T = TypeVar("_T")
_A = TypeVar("_A")


class LocalEmbedder:
    """all-MiniLM-L6-v2 in two threads of its own.

    Calls wait for a thread on the event loop, in order, one piece of work at a time. So a call that
    is cancelled leaves nothing behind to be run later, however long the threads are taken.
    """

    def __init__(self, model: MiniLM, pool: ThreadPoolExecutor, batch_size: int) -> None:
        self._model = model
        self._pool = pool
        self._batch_size = batch_size
        self._closed = False
        self._idle = asyncio.Semaphore(WORKERS)

    @classmethod
    async def open(cls, options: LocalEmbedderOptions) -> Self:
        """Load the model.

        Raises:
            EmbeddingError: a file is missing (the message says how to get it) or unusable.
        """
        folder = options.model_dir
        if folder is None:
            raise EmbeddingError("embedder.model_dir is not set")
        folder = folder.expanduser()
        if absent := missing(folder):
            raise EmbeddingError(f"{folder} lacks {' and '.join(absent)}: {HINT}")
        pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="embed")
        try:
            model = await asyncio.get_running_loop().run_in_executor(
                pool,
                lambda: MiniLM.load(folder, threads=options.threads, max_tokens=options.max_tokens),
            )
        except BaseException:
            pool.shutdown(wait=False)
            raise
        return cls(model, pool, options.batch_size)

    @property
    def id(self) -> str:
        return MODEL_ID

    @property
    def dim(self) -> int:
        return DIM

    async def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), DIM), np.float32)
        for start in range(0, len(texts), self._batch_size):
            tokens = await self._off_loop(
                self._model.tokenize, texts[start : start + self._batch_size]
            )
            for group in plan([len(ids) for ids in tokens]):
                rows = await self._off_loop(self._model.run, [tokens[i] for i in group])
                vectors[[start + i for i in group]] = rows
        return vectors

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        # Waits for runs that cannot be interrupted (at most 65 ms each), off the loop as well.
        await asyncio.to_thread(self._pool.shutdown)
        self._model.close()

    async def _off_loop(self, work: Callable[[_A], _T], argument: _A) -> _T:
        loop = asyncio.get_running_loop()
        await self._idle.acquire()
        if self._closed:
            self._idle.release()
            raise EmbeddingError("the embedder is closed")
        running = self._pool.submit(work, argument)

        def free(_: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(self._idle.release)

        # When the work ends, not when its caller leaves: a run cannot be interrupted.
        running.add_done_callback(free)
        return await asyncio.wrap_future(running)
