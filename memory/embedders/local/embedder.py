"""The `Embedder` port over the local model, off the event loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Protocol, Self, assert_never

from ...model.errors import EmbeddingError
from ...model.types import Vectors
from ..batcher import Batcher, Cancel, Rows
from .batches import RUN_TOKENS, leading
from .folder import FolderModel
from .model import MiniLM
from .options import LocalEmbedderOptions, LocalModel, OnnxEmbedderOptions
from .pair import ModelPair
from .use import UniversalEncoder
from .weights import HINT, MINILM, NEEDED, chosen, id_of, missing

WORKERS = 1
"""Processor time per question at 150 a second with MiniLM in single precision: 4.6 ms with one
worker, 5.5 with two, because runs are smaller and two of them share the cache. One worker costs
latency: median 18 ms against 14, p99 65 against 44 (two otherwise idle cores)."""
BATCH = 32
"""Most texts of one run; waiting texts are run together."""
THREADS = 1
"""Of one run. With more, recalls at the same time wait for each other's threads."""
MAX_TOKENS = 256
"""Longer texts are truncated: MiniLM was published with 256, its limit is 512."""
BACKGROUND_TEXTS = 2
"""Texts of a background run, for whose end a question that arrives then waits. Processor time per
text of 20 words: 3.6 ms alone, 2.6 for two, 2.5 for three, 2.3 for four."""
RUN_CHARS = RUN_TOKENS * 5
"""Maximum characters tokenised for one run; those that do not fit it are tokenised again for the
next. English has four to five characters per token; text with more only makes a smaller run."""


class Model(Protocol):
    """A model in this process. Its methods block and are safe in several threads."""

    @property
    def dim(self) -> int: ...

    def tokenize(self, texts: Sequence[str]) -> Sequence[Any]:
        """The tokens of each text, truncated to the model's maximum length; they have a `len`."""

    def run(self, texts: Sequence[Any]) -> Vectors:
        """Embed tokenised texts as one batch. Raises EmbeddingError."""

    def close(self) -> None:
        """Release everything; later calls are errors."""


class LocalEmbedder:
    """A model in its own threads, which take waiting texts when they are free."""

    def __init__(
        self,
        model: Model,
        pool: ThreadPoolExecutor,
        batch_size: int,
        *,
        model_id: str = MINILM.model_id,
    ) -> None:
        """`pool` has `WORKERS` threads; the embedder shuts it down."""
        self._model = model
        self._pool = pool
        self.id, self.dim = model_id, model.dim
        self._batcher = Batcher(
            self._start,
            dim=model.dim,
            max_batch=batch_size,
            slots=WORKERS,
            background_batch=BACKGROUND_TEXTS,
        )
        self._closed = False

    @classmethod
    async def open(cls, options: LocalEmbedderOptions) -> Self:
        """Load the model and run it once, so that the first request is not slow.

        Raises:
            EmbeddingError: a file is missing (the message says how to get it) or unusable.
        """
        folder = options.model_dir
        if folder is None:
            raise EmbeddingError("embedder.model_dir is not set")
        folder = folder.expanduser()
        model = chosen(options, None)
        if absent := [n for each in NEEDED[model] for n in missing(folder, each)]:
            raise EmbeddingError(
                f"{folder} lacks {' and '.join(absent)}: {HINT} with the "
                "same settings, or set embedder.model_dir to a folder that has them"
            )
        name = id_of(model)
        try:
            return await cls._opened(partial(_load, model, folder), name)
        except EmbeddingError as error:
            # Their sizes are right, and hashes are read by `check` only: they take 0.1 s.
            raise EmbeddingError(
                f"{error}; if the files in {folder} are damaged, {HINT}"
            ) from error

    @classmethod
    async def open_folder(cls, options: OnnxEmbedderOptions) -> Self:
        """The model of a folder, loaded and run once. Raises what `open` raises."""
        if options.folder is None:
            raise EmbeddingError("embedder.folder is not set: name the folder with model.onnx")
        folder = options.folder.expanduser()
        load = partial(
            FolderModel.load,
            folder,
            threads=THREADS,
            max_tokens=MAX_TOKENS,
        )
        return await cls._opened(load, folder.resolve().name)

    @classmethod
    async def _opened(cls, load: Callable[[], Model], model_id: str) -> Self:
        pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="embed")
        try:
            model = await asyncio.get_running_loop().run_in_executor(pool, load)
            embedder = cls(model, pool, BATCH, model_id=model_id)
            await embedder.embed(["warm"])
        except BaseException:
            pool.shutdown(wait=False)
            raise
        return embedder

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return await self._batcher.embed(texts)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._batcher.close()
        # Runs cannot be interrupted (about 60 ms each), so the wait is off the loop.
        await asyncio.to_thread(self._pool.shutdown)
        self._model.close()

    def _start(self, texts: list[str], done: Callable[[Rows], None]) -> Cancel:
        loop = asyncio.get_running_loop()

        def tell(run: Future[Vectors]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(done, run.result)

        running = self._pool.submit(self._run, texts)
        running.add_done_callback(tell)
        return running.cancel

    def _run(self, texts: list[str]) -> Vectors:
        """Embed as many of the first texts as fit one run; called in a thread."""
        tokens = self._model.tokenize(texts[: leading(map(len, texts), RUN_CHARS)])
        return self._model.run(tokens[: leading(map(len, tokens), RUN_TOKENS)])


def _load(model: LocalModel, folder: Path) -> Model:
    """Raises EmbeddingError."""
    first, second = partial(MiniLM.load, folder), partial(UniversalEncoder.load, folder)
    match model:
        case "minilm":
            return first(threads=THREADS, max_tokens=MAX_TOKENS)
        case "use":
            return second(threads=THREADS, max_tokens=MAX_TOKENS)
        case "pair":
            return ModelPair(
                first(threads=THREADS, max_tokens=MAX_TOKENS),
                second(threads=THREADS, max_tokens=MAX_TOKENS),
            )
        case _:
            assert_never(model)
