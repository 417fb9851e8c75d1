"""The engine: builds each part of `memory/` once.

Opening (`opening`) needs disks, servers and imports; composing, here, needs none of them. Tests and
benchmarks compose open parts in the same way.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, cast

from ..blocks import BlockKeeper, BlockPrompt, BlockWritePolicy, Fence
from ..blocks.prompt import BLOCK_TOKENS
from ..calibration import SAFE
from ..conversations.search import ConversationSearch
from ..database.changes import ChangeLine
from ..embedders import CachedEmbedder, OpenAIEmbedderOptions
from ..forget import Forgetter, ForgettingByChat
from ..graph import EntityFinder
from ..jobs.file_watch import FileWatch
from ..jobs.flushing import FlushProgress
from ..jobs.learning import OnRun, unnoticed
from ..jobs.runs import NearDecision, Run, RunOutcome, compared_in
from ..learn import Learner, ReviewKinds, Stage, VerbatimWriter
from ..llms import (
    Account,
    CheckedModels,
    FixedModel,
    MeteredModel,
    OnSpent,
    TenantModel,
    guarded_model,
)
from ..memories import SqlMemories
from ..model.errors import RecollectError
from ..model.ports import ChatExplainer, ChatModel, ModelSource, TokenCounter
from ..model.types import Decision
from ..recall import ClientRequests, HotIndexes, Recaller, SharedMemoryReader, Withholding
from ..recall.importance import ImportanceScale
from ..recall.prototypes import Prototypes
from ..recall.queries import Queries
from ..records.events import ChangeDict, ChangeTexts, Feed, Subscription
from ..records.invalidation import InvalidationBus
from ..records.lookup import MemoryLookup
from ..records.parts import Parts
from ..records.writing import FollowedMemories
from ..statements.conversations import IndexingConversations
from ..statements.holding import StatementHolder
from ..statements.indexer import StatementIndexer
from ..statements.rows import StatementRows
from ..statements.statement_cache import Embedding, StatementCache
from ..transfer import Exporter, Importer
from ..trust.redact import Redactor, redacted_values
from ..upkeep.cascade import DerivedUpkeep
from ..upkeep.consolidate.step import ConsolidateStep
from ..upkeep.episodes.step import EpisodeStep
from ..upkeep.reflect.step import ReflectStep
from ..util.clock import CLOCK, Clock
from ..util.fair_thread_pool import FairThreadPool
from ..util.idle_gate import IdleGate
from ..util.loops import guarded
from ..util.registry import Registry
from ..util.sibling_messages import SiblingMessages
from ..util.tasks import Tasks
from .background import Background
from .daily_meter import DailyMeter
from .feature_switches import FeatureSwitches
from .graph_parts import graph_of
from .injection_log import InjectionLog
from .opening import open_parts
from .options import EngineOptions
from .owner_counts import OwnerCounts
from .user_policies import UserPolicies
from .warm_indexes import WarmIndexes
from .wiring import follow, register, withholding_of, writer_of

__all__ = [
    "ChangeDict",
    "ChangeTexts",
    "Engine",
    "Feed",
    "FlushProgress",
    "NearDecision",
    "Run",
    "RunOutcome",
    "Subscription",
    "compared_in",
    "nobody",
]

WARM_SECONDS = 10.0
"""Longest time that `warm` delays a start."""
THREADS = 2
"""Threads that redact and judge long texts; more would take the interpreter from requests."""


def _unheard(_decisions: Sequence[Decision]) -> None:
    """The default `Engine.on_decided`: does nothing."""


class Engine:
    """Remembers, recalls, learns and forgets, for any number of tenants.

    async with Engine.open(options) as engine:
        memory = AsyncMemory(engine, tenant="acme")
        async with engine.running():
            ...  # due turns are learned, old data is erased
    """

    is_running = False
    """Whether the background work runs; a program that only calls has none."""
    explainer: ChatExplainer | None = None
    """Tells what a chat does with a message; who serves chats says how they are served."""
    on_decided: Callable[[Sequence[Decision]], None] = staticmethod(_unheard)
    """Is told what was decided of the facts of an addition."""

    def __init__(
        self,
        parts: Parts,
        options: EngineOptions,
        models: ModelSource,
        *,
        vision: ChatModel | None = None,
        on_run: OnRun = unnoticed,
        key: bytes | None = None,
        clock: Clock = CLOCK,
    ) -> None:
        """Compose open parts; starts nothing, reads and writes nothing.

        `models` finds the model of a tenant, `vision` describes pictures. `on_run` is told of each
        job that was run. `key` signs proposals to forget: engines that confirm each other's need
        the same one. `clock` is that of the background work.
        """
        self.options, self.registry = options, parts.registry
        self._models, self._vision = models, vision
        self.builds = Tasks()
        embedder = CachedEmbedder(parts.embedder)
        indexes = HotIndexes(
            parts.store,
            dim=embedder.dim,
            elsewhere=parts.state.log,
            spawn=lambda build: self.builds.start(build, name="index build"),
        )
        indexes.counters = parts.state.usage
        warm = WarmIndexes(indexes, parts.sibling_messages)
        self.said = StatementCache(
            parts.state.conversations,
            parts.tokens,
            embedding=Embedding(embedder.id, embedder.dim),
            log=parts.state.log,
        )
        self.recaller = Recaller(
            indexes,
            embedder,
            parts.tokens,
            options.recall,
            calibration=parts.calibration,
            said=self.said,
        )
        self.recaller.visible_scope, self.recaller.extra_sources.graph, self.recaller.compares = (
            options.identity.visible_scope,
            parts.graph,
            options.recall.profile.enabled and self.tells_meaning(),
        )
        self.policies = UserPolicies(
            parts.state.user_rules,
            withholding_of(options, self.recaller, vision),
            options,
            parts.state.log,
        )
        self.shared_memories = self.recaller.extra_sources.shared_memories = SharedMemoryReader(
            parts.state.attachments, parts.store, indexes
        )
        self.client_requests, self.meter = (
            ClientRequests(embedder, parts.calibration),
            DailyMeter(parts.state.sums),
        )
        embedder.on_asked = self.meter.embedded
        self.watch = FileWatch((parts.state,))
        self.idle_gate, self.bulk = IdleGate(), FairThreadPool(THREADS, name="memory")
        self.feed = Feed(ChangeTexts(parts.history, shared=parts.state.shared), parts.state.log)
        writer = writer_of(parts, indexes, self.feed, self._announced)
        self.injected = InjectionLog(parts.state.deeds, writer.linked)
        self.graph = graph_of(parts, writer, bulk=self.bulk, pause=self.idle_gate.wait_for_idle)
        follow(writer, parts, indexes, self.graph, self.feed, self.said)
        parts = replace(
            parts,
            embedder=embedder,
            store=cast("SqlMemories", FollowedMemories(parts.store, writer)),
            writer=writer,
            visible_scope=options.identity.visible_scope,
            scale=ImportanceScale.of(embedder.id, parts.calibration),
        )
        self.indexer = StatementIndexer(
            parts,
            self.said,
            indexes,
            bulk=self.bulk,
            pause=self.idle_gate.wait_for_idle,
            prototypes=lambda: self.recaller.prototypes,
        )
        self.indexer.on_embedded, self.recaller.extra_sources.settled = (
            self.meter.embedded_for,
            self.indexer.settled,
        )
        conversations = IndexingConversations(
            parts.state.conversations,
            self.said,
            self.indexer.note,
            None if parts.sibling_messages is None else self.indexer.shown,
        )
        self.parts = replace(parts, state=replace(parts.state, conversations=conversations))
        self.said_rows = StatementRows(conversations, self.said)
        self.queries = Queries(
            self.parts.store,
            self.recaller,
            self.said_rows,
            None if self.graph is None else EntityFinder(self.graph),
        )
        self.sibling_messages = parts.sibling_messages
        self.bus = InvalidationBus(parts.state.log)
        self.bus.subscribe(embedder, self.said, self.feed.texts, self.shared_memories)
        self.conversations = ConversationSearch(conversations, embedder, self.recaller, self.bus)
        self.bus.erasing.append(parts.state.tasks.forget)
        self._redactor, self.stage, self.review = (
            Redactor(options.learn.redact),
            Stage(embedder, parts.calibration),
            ReviewKinds(options.trust.review.days, embedder, self._meaning),
        )
        self.forgetter = Forgetter(self.parts, bus=self.bus, heard=self.said_rows, key=key)
        self.spoken = ForgettingByChat(
            self.parts,
            self.forgetter,
            has_nothing=self.recaller.has_nothing,
            readable=self.withholding.read,
        )
        self.blocks = BlockKeeper(
            self.parts.state,
            self.bus,
            count=parts.tokens.count,
            redact=self.redact,
            refuse=BlockWritePolicy(embedder, lambda: self.recaller.prototypes),
            withholding=self.withholding,
        )
        self.block_prompt = BlockPrompt(
            self.blocks,
            Fence(secrets.token_bytes(32)),
            budget=BLOCK_TOKENS,
            count=parts.tokens.count,
        )
        self.indexer.holder, self.said.waits = (
            StatementHolder(
                self.parts,
                self.said,
                self.forgetter.guard,
                self.review,
                lambda: self.switches.refuses,
            ),
            bool(self.review),
        )
        self.direct = VerbatimWriter(self.parts, guard=self.forgetter.guard, review=self.review)
        self.owner_counts = OwnerCounts(self.parts, warm)
        self.lookup = MemoryLookup(self.parts.store, self.parts.history, self.said_rows)
        self.exporter, self.importer = (
            Exporter(
                self.parts, self.said_rows, bulk=self.bulk, pause=self.idle_gate.wait_for_idle
            ),
            Importer(
                self.parts,
                self.forgetter,
                self.said_rows,
                redact=self.redact,
                bulk=self.bulk,
                pause=self.idle_gate.wait_for_idle,
            ),
        )
        self.learner = Learner(
            self.parts,
            guard=self.forgetter.guard,
            options=options.learn,
            redact=self.redact,
            vision=vision,
            pause=self.idle_gate.wait_for_idle,
        ).asking(graph=options.graph.enabled, review=self.review)
        self.background = Background(
            self.parts,
            self.learner,
            self.forgetter,
            self.checked(models),
            options,
            self.meter.noting(on_run),
            clock=clock,
        )
        self._compose_upkeep()
        self.switches = FeatureSwitches(parts.state.switches, parts.state.log)
        self.switches.told.append(self._switched)
        register(self)

    def _announced(self, lines: Sequence[ChangeLine]) -> None:
        self.said.announced(lines)
        self.bus.heard(lines)

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
        sibling_messages: SiblingMessages | None = None,
        clock: Clock = CLOCK,
    ) -> AsyncIterator[Engine]:
        """Open the parts, compose them, and close them at the end.

        `learn.llm` takes precedence over `models`; without both, facts cannot be extracted. With
        `serving`, a damaged or unreachable part does not prevent the start; see `open_parts` for it
        and for `tokens`, and the constructor for the other arguments.

        Raises:
            InvalidInputError: two options contradict each other; names the key.
            RecollectError: a part cannot be opened; names it and its setting.
        """
        async with Registry() as registry:
            parts = await open_parts(
                options, registry, serving=serving, tokens=tokens, sibling_messages=sibling_messages
            )
            if options.learn.llm is not None:
                models = FixedModel(options.learn.llm, "learn.llm")
                registry.register("learn.llm", close=models.close)
            vision = None
            if options.learn.vision is not None:
                vision = guarded_model(options.learn.vision, setting="learn.vision")
                registry.register("learn.vision", close=vision.close)
            models = models or nobody
            made = cls(parts, options, models, vision=vision, on_run=on_run, key=key, clock=clock)
            if parts.state.missing is None:
                await guarded(made.policies.load)
            yield made

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the background work: learning, upkeep, and announcements of other processes."""
        self.is_running = True
        if self.parts.state.missing is None:
            await guarded(self.switches.load)
        try:
            async with self.registry.running(), self.background.running():
                yield
        finally:
            self.is_running = False

    async def close(self) -> None:
        """Stop the engine's work, and close the parts that were opened for it."""
        await self.registry.close()

    def _compose_upkeep(self) -> None:
        """The steps of the background's jobs, what its schedule yields to, and what falls."""
        chosen, redact, idle = (
            self.options.upkeep,
            self.learner.redact,
            self.options.learn.idle_seconds,
        )
        self.background.worker.upkeep.add(
            ConsolidateStep(self.parts, chosen, redact=redact, pause=self.idle_gate.wait_for_idle),
            EpisodeStep(self.parts, idle_seconds=idle, redact=redact, review=self.review),
            ReflectStep(self.parts, redact=redact),
        )
        self.background.schedule.pause = self.idle_gate.wait_for_idle
        warm = self.recaller.indexes.derived
        self.derived_upkeep = DerivedUpkeep(self.parts, self.forgetter, warm=warm)
        self.parts.writer.followers.append(self.derived_upkeep)

    @property
    def withholding(self) -> Withholding:
        """What keeps memories from models."""
        return self.recaller.withholding

    @property
    def learns(self) -> bool:
        """Whether something may be learned: configured, and not switched off by an operator."""
        return self.options.learn.enabled and self.switches.learn

    def _switched(self) -> None:
        self.background.worker.paused = not self.switches.learn
        if self.switches.learn:
            self.background.learning.wake()

    def redact(self, text: str) -> str:
        """The text without secrets, as configured in `learn.redact`."""
        return self._redactor.redact(text).text

    def redact_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The same for metadata: its names and values."""
        return redacted_values(values, self.redact)

    def model_of(self, tenant: str) -> ChatModel:
        """The model that extracts a tenant's facts, charged to the tenant's budget."""
        return self._metered(TenantModel(self.checked(self._models), tenant), tenant)

    def checked(self, models: ModelSource) -> ModelSource:
        """The same models, which are sent nothing that the policy keeps from them."""
        return CheckedModels(models, self.withholding.check)

    @property
    def has_model(self) -> bool:
        """Whether a model was chosen that may be asked: one that a chat lends is not."""
        return self._models is not nobody and getattr(self._models, "configured", True)

    def vision_of(self, tenant: str) -> ChatModel | None:
        """The model that describes a tenant's pictures, charged to the tenant; None without one."""
        return None if self._vision is None else self._metered(self._vision, tenant)

    def _metered(self, model: ChatModel, tenant: str) -> ChatModel:
        budget, ledger = self.options.learn.daily_tokens, self.parts.state.ledger
        told = self.background.worker.extracting.on_spent
        return MeteredModel(model, Account(ledger, tenant), daily_tokens=budget, on_spent=told)

    def tell_spending(self, on_spent: OnSpent) -> None:
        """Tell `on_spent` of every call of a model for learning from now on."""
        self.background.worker.extracting.on_spent = on_spent

    def tells_meaning(self) -> bool:
        """Whether examples are worth embedding: a remote call may cost money.

        Of a remote embedder of which nothing was measured they tell little.
        """
        remote = isinstance(self.options.embedder, OpenAIEmbedderOptions)
        return not remote or self.recaller.calibration != SAFE

    async def _meaning(self) -> Prototypes | None:
        """What texts are compared with, made now; None where it is worth nothing."""
        if self.tells_meaning():
            await self.recaller.prepare()
        return self.recaller.prototypes

    async def warm(self) -> None:
        """Load what the first recall needs; to be awaited before the first request.

        Takes at most `WARM_SECONDS`. A part that fails is reported by its next use.
        """
        if isinstance(self.options.embedder, OpenAIEmbedderOptions):
            return  # a call may cost money
        with contextlib.suppress(RecollectError, TimeoutError):
            async with asyncio.timeout(WARM_SECONDS):
                await self.recaller.warm()


async def nobody(tenant: str, model: str) -> ChatModel | None:
    """A `ModelSource` that has no model."""
    del tenant, model
    return None
