"""The composition root: settings in, application out. Nobody else constructs parts.

Everything lives in one `cleanup_ctx` that is taken down in reverse order; handlers find their
collaborators by closure, there are no globals.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial

from aiohttp import web

from config import Settings, is_loopback
from filters import Capture, RequestRecallOptions, TurnCache, request_filters
from memory import AsyncMemory
from memory.calibration import Calibration, calibration_for, is_calibrated, load_calibrations
from memory.embedders import CachedEmbedder, OpenAIEmbedderOptions, open_embedder
from memory.errors import RecollectError
from memory.learn import Learner
from memory.openai_client import load_openai
from memory.ports import Embedder, HistoryLog, TokenCounter, VectorStore
from memory.recall import HotIndexes, IndexedStore, Recaller
from memory.recall.text import stored_terms
from memory.state import State, open_history, open_state
from memory.stores import MilvusStoreOptions, is_remote, open_store
from memory.stores.reconnecting import open_or_reconnect
from memory.tokens import TiktokenCounter
from memory.worker import Worker

from .api.health import Health
from .api.memories import PREFIX, RESET, MemoryApi
from .chat import CHAT
from .credentials import ClientModels, FixedModel, TenantModel
from .errors import ProxyError, error_response
from .explaining import Explainer
from .guard import Breaker, Guard
from .learning import Learning, repeat
from .memory_route import MemoryRoute
from .passthrough import Passthrough
from .pipeline import Pipeline
from .relay import drop_own_headers
from .responses import RESPONSES
from .tasks import Tasks
from .telemetry import Telemetry, open_telemetry
from .threads import Threads
from .upstream import Upstream

log = logging.getLogger(__name__)

MAINTAIN_SECONDS = 2.0
"""How often a store that does not say may tidy up after writes."""
DIALECTS = (CHAT, RESPONSES)
"""The APIs whose requests are given memories and whose turns are learned."""
RECALLS_PER_CORE = 8
MOST_RECALLS = 32
"""At a time, unless configured: see `recall.max_concurrent`. A container's share of the cores that
are counted may be small, and the local embedder has two threads, so more cores bear no more."""
DRAIN_SECONDS = 5.0
"""Longest the shutdown waits for answers that are being captured."""


@dataclass(frozen=True, slots=True)
class Backends:
    """The opened parts of the engine."""

    embedder: Embedder
    tokens: TokenCounter
    store: VectorStore
    recaller: Recaller
    state: State
    history: HistoryLog
    notes: dict[str, str]
    """What was found damaged and set aside, for `/readyz`."""


@dataclass(slots=True)
class Handlers:
    """What the routes lead to, once the parts are there."""

    remembering: dict[str, MemoryRoute]
    """The routes with memory, by path."""
    passthrough: Passthrough
    api: MemoryApi
    health: Health


HANDLERS = web.AppKey("handlers", Handlers)
TASKS = web.AppKey("tasks", Tasks)


def build_app(settings: Settings) -> web.Application:
    """The application; its parts are opened when it starts and closed when it stops.

    Raises, at start-up: StateError, StoreError, EmbeddingError with what to do about it.
    """

    async def parts(app: web.Application) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            app[HANDLERS] = await _compose(settings, app[TASKS], stack)
            yield

    app = web.Application(
        # No limit here: bodies are bounded where they are read, a proxied one is the upstream's
        # to refuse.
        client_max_size=0,
    )
    app[TASKS] = Tasks()
    app.cleanup_ctx.append(parts)
    app.on_response_prepare.append(drop_own_headers)
    app.on_shutdown.append(_close_tunnels)
    _add_routes(app, api=settings.api.enabled)
    return app


async def _close_tunnels(app: web.Application) -> None:
    """A session has no end of its own; the server would wait for it."""
    app[HANDLERS].passthrough.tunnels.close()


def _add_routes(app: web.Application, *, api: bool) -> None:
    """Ours first; everything else, whatever it is, goes upstream."""
    route = app.router.add_route
    for dialect in DIALECTS:
        route("POST", dialect.path, _to(_remembering(dialect.path)))
    route("GET", "/healthz", _to(lambda handlers: handlers.health.live))
    route("GET", "/readyz", _to(lambda handlers: handlers.health.ready))
    if api:
        for path in (PREFIX, PREFIX + "/{rest:(?s:.*)}", RESET, RESET + "/"):
            route("*", path, _to(lambda handlers: handlers.api.handle))
    # A path may hold anything, an encoded line break too, which a plain dot would not match.
    route("*", "/{path:(?s:.*)}", _to(lambda handlers: handlers.passthrough.handle))


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def _remembering(path: str) -> Callable[[Handlers], Handler]:
    return lambda handlers: handlers.remembering[path].handle


def _to(pick: Callable[[Handlers], Handler]) -> Handler:
    """A route's handler; our refusals become what OpenAI clients read, here for all of them."""

    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            return await pick(request.app[HANDLERS])(request)
        except ProxyError as error:
            return error_response(error)

    return handle


async def _compose(settings: Settings, tasks: Tasks, stack: AsyncExitStack) -> Handlers:
    builds = Tasks()
    backends = await _open_backends(settings, builds, stack)
    stack.push_async_callback(builds.drain, 0)
    if not isinstance(settings.embedder, OpenAIEmbedderOptions):  # a remote one may charge for it
        builds.start(_warm_up(backends.recaller), name="warm-up")
    telemetry = open_telemetry(settings.telemetry)
    stack.callback(telemetry.shutdown)
    upstream = await stack.enter_async_context(Upstream(settings.upstream))
    client_models = ClientModels(settings.upstream)
    stack.push_async_callback(client_models.close)
    rewriters = await _rewriters(settings, client_models, stack)
    models: ClientModels | FixedModel = client_models
    if settings.learn.llm is not None:
        models = FixedModel(settings.learn.llm)
        stack.push_async_callback(models.close)
    learning = _learning(settings, backends, models, telemetry)
    guard = _guard(settings.recall)
    on_loopback = is_loopback(settings.listen.host)
    passthrough = Passthrough(upstream, telemetry)
    turns, threads = TurnCache(), Threads()
    remember = partial(
        MemoryRoute,
        upstream=upstream,
        passthrough=passthrough,
        pipeline=_pipeline(settings, backends, telemetry, learning, guard, turns, rewriters),
        threads=threads,
        models=client_models,
        on_new_tenant=learning.wake,
        tasks=tasks,
        telemetry=telemetry,
        identity=settings.identity,
        listen=settings.listen,
        limits=settings.upstream,
        on_loopback=on_loopback,
        recalls=settings.recall.enabled,
        learns=settings.learn.enabled,
        asks_model=settings.recall.rewrite.asks_model,
    )
    handlers = Handlers(
        remembering={dialect.path: remember(dialect) for dialect in DIALECTS},
        passthrough=passthrough,
        api=MemoryApi(
            memory=_memory(settings, backends, models),
            models=models,
            learning=learning,
            on_forgotten=(turns.forget, threads.forget),
            explainer=Explainer(backends.recaller, backends.tokens, settings.recall),
            api=settings.api,
            listen=settings.listen,
            identity=settings.identity,
            on_loopback=on_loopback,
        ),
        health=Health(
            {
                "store": backends.store.ping,
                "state": backends.state.jobs.counts,
                "recall": guard.ping,
            },
            backends.notes,
        ),
    )
    _start_loops(settings, backends, learning, stack)
    stack.push_async_callback(tasks.drain, DRAIN_SECONDS)
    return handlers


async def _warm_up(recaller: Recaller) -> None:
    with contextlib.suppress(RecollectError):  # said by whatever needs the part next
        await recaller.warm()


async def _open_backends(settings: Settings, builds: Tasks, stack: AsyncExitStack) -> Backends:
    """Open all parts at once: each waits for another disk, process or import.

    `builds` are what the hot index goes on with when the request that needed it has left.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    embedder, tokens, state, (history, history_aside) = await asyncio.gather(
        open_embedder(settings.embedder),
        TiktokenCounter.open(),
        open_state(settings.state),
        open_history(settings.history),
    )
    embedder = CachedEmbedder(embedder, max_entries=settings.embedder.cache_entries)
    stack.push_async_callback(embedder.close)
    stack.push_async_callback(state.conversations.close)
    stack.push_async_callback(history.close)
    store = await open_or_reconnect(
        partial(
            open_store,
            settings.store,
            embedder_id=embedder.id,
            dim=embedder.dim,
            terms=stored_terms,
        ),
        remote=is_remote(settings.store),
    )
    stack.push_async_callback(store.close)
    calibration = _calibration(settings, embedder)
    indexes = HotIndexes(
        store,
        settings.recall.index,
        dim=embedder.dim,
        shared=is_remote(settings.store),
        spawn=lambda build: builds.start(build, name="index build"),
    )
    recaller = Recaller(indexes, embedder, tokens, settings.recall, calibration=calibration)
    notes = {path.name: "set aside as damaged" for path in [*state.set_aside, *history_aside]}
    store = IndexedStore(store, indexes)
    return Backends(embedder, tokens, store, recaller, state, history, notes)


def _calibration(settings: Settings, embedder: Embedder) -> Calibration:
    """The thresholds of this embedder. Raises InvalidInputError for a file that is damaged."""
    path = settings.recall.calibration
    measured = load_calibrations(path) if path is not None else {}
    if not is_calibrated(embedder.id, dim=embedder.dim, measured=measured):
        log.warning(
            "no thresholds were measured for the embedder %s: recall lets more through and "
            "learning merges only exact repetitions, until `recollect calibrate` has measured it",
            embedder.id,
        )
    return calibration_for(embedder.id, dim=embedder.dim, measured=measured)


def _learning(
    settings: Settings,
    backends: Backends,
    models: ClientModels | FixedModel,
    telemetry: Telemetry,
) -> Learning:
    learner = Learner(
        backends.store,
        backends.embedder,
        backends.history,
        calibration=backends.recaller.calibration,
        max_output_tokens=settings.learn.max_output_tokens,
    )
    worker = Worker(
        learner, backends.state.conversations, backends.state.jobs, models, settings.learn
    )
    return Learning(worker, settings.learn, telemetry)


def _guard(options: RequestRecallOptions) -> Guard:
    breaker = Breaker(failures=options.breaker_failures, seconds=options.breaker_seconds)
    by_cores = min(MOST_RECALLS, RECALLS_PER_CORE * (os.cpu_count() or 1))
    most = options.max_concurrent or by_cores
    return Guard(breaker, max_concurrent=most)


def _rewrite_guard(options: RequestRecallOptions) -> Guard:
    breaker = Breaker(failures=options.breaker_failures, seconds=options.breaker_seconds)
    return Guard(breaker, max_concurrent=options.rewrite.max_concurrent, name="the rewrite")


async def _rewriters(
    settings: Settings, clients: ClientModels, stack: AsyncExitStack
) -> ClientModels | FixedModel:
    """Where a rewrite finds its model, if it asks one."""
    options = settings.recall.rewrite
    if not options.asks_model:
        return clients
    await load_openai()  # its import would eat the first deadline
    if options.llm is None:
        return clients
    model = FixedModel(options.llm)
    stack.push_async_callback(model.close)
    return model


def _pipeline(
    settings: Settings,
    backends: Backends,
    telemetry: Telemetry,
    learning: Learning,
    guard: Guard,
    turns: TurnCache,
    rewriters: ClientModels | FixedModel,
) -> Pipeline:
    return Pipeline(
        request_filters(settings.recall, backends.recaller, backends.tokens, turns, rewriters),
        Capture(backends.state.conversations, backends.state.jobs, settings.learn),
        telemetry,
        deadline_seconds=settings.recall.deadline_ms / 1000,
        on_due=learning.wake,
        guard=guard,
        new_guard=partial(_rewrite_guard, settings.recall),
    )


def _memory(
    settings: Settings, backends: Backends, models: ClientModels | FixedModel
) -> AsyncMemory:
    tenant = settings.identity.tenant
    return AsyncMemory(
        store=backends.store,
        embedder=backends.embedder,
        history=backends.history,
        model=TenantModel(models, tenant),
        tenant=tenant,
        recaller=backends.recaller,
    )


def _start_loops(
    settings: Settings, backends: Backends, learning: Learning, stack: AsyncExitStack
) -> None:
    """Loops end by cancellation, before the parts they use are closed."""
    loops = Tasks()
    store = settings.store
    seconds = (
        store.flush_idle_seconds if isinstance(store, MilvusStoreOptions) else MAINTAIN_SECONDS
    )
    loops.start(repeat(seconds, backends.store.maintain), name="store maintenance")
    if settings.learn.enabled:
        learning.start(loops)
    stack.push_async_callback(loops.drain, 0)
