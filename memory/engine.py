"""The engine: everything of `memory/`, each part built once, here.

Opening (`opening`) needs disks, servers and imports; composing, below, needs nothing. Whoever has
open parts composes them in the same way: tests and benchmarks do.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from .background.background import Background
from .background.learning import OnRun, unnoticed
from .background.quiet import Quiet
from .background.worker import Run
from .bulk import Bulk
from .changes import Changes
from .embedders import CachedEmbedder, OpenAIEmbedderOptions
from .errors import RecollectError
from .forget import Forgetter
from .gone import Gone
from .learn import Learner
from .llms import FixedModel, MeteredModel, OpenAIChatModel, TenantModel
from .opening import open_parts
from .options import EngineOptions
from .parts import Parts
from .ports import ChatModel, ModelSource, TokenCounter
from .recall import HotIndexes, IndexedStore, Recaller
from .tasks import Tasks
from .trust.redact import Redactor

__all__ = ["Engine", "Quiet", "Run", "nobody"]

THREADS = 2
"""That redact and judge long texts; more would only take the interpreter from requests."""


class Engine:
    """Remembers, recalls, learns and forgets, for any number of tenants.

    async with Engine.open(options) as engine:
        memory = AsyncMemory(engine, tenant="acme")
        async with engine.running():
            ...  # what is due is learned, what is too old is erased
    """

    def __init__(
        self,
        parts: Parts,
        options: EngineOptions,
        models: ModelSource,
        *,
        vision: ChatModel | None = None,
        on_run: OnRun = unnoticed,
        key: bytes | None = None,
    ) -> None:
        """Compose open parts; nothing runs, and nothing is read or written.

        `models` finds the model of a tenant, `vision` describes pictures. `on_run` is told of each
        job that was run. `key` signs proposals to forget: engines that confirm each other's need
        the same one.
        """
        self.options = options
        self._models, self._vision = models, vision
        self._builds = Tasks()
        embedder = CachedEmbedder(parts.embedder, max_entries=options.embedder.cache_entries)
        indexes = HotIndexes(
            parts.store,
            options.recall.index,
            dim=embedder.dim,
            versions=parts.state.versions,
            shared=options.store.remote,
            spawn=lambda build: self._builds.start(build, name="index build"),
        )
        self.recaller = Recaller(
            indexes, embedder, parts.tokens, options.recall, calibration=parts.calibration
        )
        self.parts = replace(parts, embedder=embedder, store=IndexedStore(parts.store, indexes))
        self.gone = Gone(parts.state.announcements)
        self.gone.subscribe(embedder)
        self.quiet = Quiet()
        self.bulk = Bulk(THREADS, name="memory")
        self._redactor = Redactor(options.learn.redact)
        self.forgetter = Forgetter(self.parts, gone=self.gone, key=key)
        self.changes = Changes(self.parts, guard=self.forgetter.guard)
        self.learner = Learner(
            self.parts,
            guard=self.forgetter.guard,
            options=options.learn,
            redact=self.redact,
            vision=self._pictures_of if vision is not None else None,
            pause=self.quiet.gap,
        )
        self.background = Background(
            self.parts, self.learner, self.forgetter, models, options, on_run
        )

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        options: EngineOptions,
        models: ModelSource | None = None,
        *,
        serving: bool = False,
        tokens: TokenCounter | None = None,
        on_run: OnRun = unnoticed,
        key: bytes | None = None,
    ) -> AsyncIterator[Engine]:
        """Open the parts, compose them, and close them in the end.

        `learn.llm` is asked before `models`; without both nothing can be extracted. With
        `serving` a part that is damaged or away is no obstacle; for that and `tokens` see
        `open_parts`, for the others the constructor.

        Raises:
            InvalidInputError: two options cannot go together; names the key.
            RecollectError: a part cannot be opened; names it and its setting.
        """
        async with AsyncExitStack() as stack:
            parts = await open_parts(options, stack, serving=serving, tokens=tokens)
            if options.learn.llm is not None:
                models = FixedModel(options.learn.llm)
                stack.push_async_callback(models.close)
            vision = None
            if options.learn.vision is not None:
                vision = OpenAIChatModel(options.learn.vision)
                stack.push_async_callback(vision.close)
            engine = cls(parts, options, models or nobody, vision=vision, on_run=on_run, key=key)
            stack.push_async_callback(engine.close)
            yield engine

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Work in the background: learn, keep order, hear what other processes say."""
        loops = Tasks()
        loops.start(self.gone.listen(), name="announcements")
        if not isinstance(self.options.embedder, OpenAIEmbedderOptions):  # it may charge for it
            self._builds.start(self._warm_up(), name="warm-up")
        try:
            async with self.background.running():
                yield
        finally:
            await loops.drain(0)

    def redact(self, text: str) -> str:
        """The text without secrets, as `learn.redact` says."""
        return self._redactor.redact(text).text

    def model_of(self, tenant: str) -> ChatModel:
        """The model that a tenant's facts are extracted with, at its expense."""
        return self._metered(TenantModel(self._models, tenant), tenant)

    async def close(self) -> None:
        """End what runs; the parts are closed by whoever opened them."""
        self.bulk.close()
        await self._builds.drain(0)

    def _pictures_of(self, tenant: str) -> ChatModel:
        assert self._vision is not None  # noqa: S101 - the learner is given this only then
        return self._metered(self._vision, tenant)

    def _metered(self, model: ChatModel, tenant: str) -> ChatModel:
        budget = self.options.learn.daily_tokens
        return MeteredModel(model, self.parts.state.ledger, tenant, daily_tokens=budget)

    async def _warm_up(self) -> None:
        with contextlib.suppress(RecollectError):  # said by whatever needs the part next
            await self.recaller.warm()


async def nobody(tenant: str, model: str) -> ChatModel | None:
    """A `ModelSource` that has no model."""
    del tenant, model
    return None
