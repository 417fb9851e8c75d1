"""The composition root: settings in, application out. Nobody else constructs parts.

Everything lives in one `cleanup_ctx` that is taken down in reverse order; handlers find their
collaborators by closure, there are no globals.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

from aiohttp import web

from config import Settings
from filters import Capture, TurnCache, request_filters
from memory import AsyncMemory
from memory.background.quiet import Quiet
from memory.embedders import OpenAIEmbedderOptions
from memory.errors import RecollectError
from memory.learn import drift_bound
from memory.openai_client import load_openai
from memory.recall import Recaller
from memory.trust.redact import Redactor

from .access.access import Access
from .access.credentials import ClientModels, FixedModel, TenantModel
from .access.fence import fence_of
from .api.forgetting import Forgetting
from .api.health import Health
from .api.jobs import JobsApi
from .api.memories import RESET, MemoryApi
from .api.operations import PREFIX
from .backends import Backends, maintain_seconds, open_backends
from .dialects.chat import CHAT
from .dialects.dialect import Dialect
from .dialects.responses import RESPONSES
from .drift import Drift
from .errors import answer_errors, note_begun
from .explaining import Explainer
from .learning import Learning, repeat
from .learning_parts import LearningParts, compose_learning, start_learning
from .route.memory_route import MemoryRoute
from .route.pipeline import Pipeline
from .route.reader import Reader
from .route.request_side import RequestSide
from .route.response_side import ResponseSide
from .route.threads import Threads
from .tasks import Tasks
from .telemetry import Telemetry, open_telemetry
from .transport.header_bytes import keep_header_bytes
from .transport.passthrough import Passthrough
from .transport.relay import mend_headers
from .transport.upstream import Upstream
from .watchdog import Watchdog

log = logging.getLogger(__name__)

DIALECTS = (CHAT, RESPONSES)
"""The APIs whose requests are given memories and whose turns are learned."""
DRAIN_SECONDS = 5.0
"""Longest the shutdown waits for answers that are being captured."""


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
    keep_header_bytes()

    async def parts(app: web.Application) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            app[HANDLERS] = await _compose(settings, app[TASKS], stack)
            yield

    app = web.Application(
        # No limit here: bodies are bounded where they are read, a proxied one is the upstream's
        # to refuse.
        client_max_size=0,
        middlewares=[answer_errors],
    )
    app[TASKS] = Tasks()
    app.cleanup_ctx.append(parts)
    app.on_response_prepare.extend((mend_headers, note_begun))
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
    """A route's handler, whose parts are there once the application has started."""

    async def handle(request: web.Request) -> web.StreamResponse:
        return await pick(request.app[HANDLERS])(request)

    return handle


async def _compose(settings: Settings, tasks: Tasks, stack: AsyncExitStack) -> Handlers:
    builds = Tasks()
    backends = await open_backends(settings, builds, stack)
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
    turns, threads = TurnCache(), Threads()
    redactor = Redactor(settings.learn.redact)
    quiet = Quiet()
    parts = compose_learning(
        settings,
        backends,
        models,
        telemetry,
        stack,
        redactor=redactor,
        quiet=quiet,
        proposal_key=_proposal_key(settings),
    )
    learning = parts.learning
    drift = _drift(settings, backends, learning)
    capture = _capture(settings, backends, redactor, drift)
    backends.gone.subscribe(turns, threads, capture)
    pipeline = _pipeline(settings, backends, telemetry, learning, capture, quiet, turns, rewriters)
    watchdog = Watchdog()
    access = Access(settings.identity, settings.listen)
    _warn_of_strangers(settings, on_loopback=access.on_loopback)
    passthrough = Passthrough(upstream, telemetry)
    asking = RequestSide(access, threads, pipeline)

    def remember(dialect: Dialect) -> MemoryRoute:
        return MemoryRoute(
            Reader(dialect, settings.upstream.max_parsed_bytes),
            asking,
            ResponseSide(dialect, pipeline, threads, client_models, tasks),
            access=access,
            passthrough=passthrough,
            telemetry=telemetry,
        )

    handlers = Handlers(
        remembering={dialect.path: remember(dialect) for dialect in DIALECTS},
        passthrough=passthrough,
        api=MemoryApi(
            memory=_memory(settings, backends, models, parts),
            models=models,
            learning=learning,
            forgetting=Forgetting(parts.forgetter),
            jobs=JobsApi(
                backends.state.jobs,
                backends.state.ledger,
                daily_tokens=settings.learn.daily_tokens,
                on_due=learning.wake,
            ),
            explainer=Explainer(backends.recaller, backends.tokens, settings.recall),
            api=settings.api,
            listen=settings.listen,
            identity=settings.identity,
            on_loopback=access.on_loopback,
        ),
        health=Health(
            {
                "store": backends.store.ping,
                "state": backends.state.ping,
                "history": backends.ping_history,
                "recall": pipeline.bounds.recall.ping,
                "capture": capture.ping,
            },
            backends.state.jobs,
            counted=lambda: {**capture.counted, "refused": backends.refused},
            loop=lambda: watchdog.counted,
        ),
    )
    _start_loops(settings, backends, drift, watchdog, stack)
    await start_learning(parts, settings, stack)
    stack.push_async_callback(tasks.drain, DRAIN_SECONDS)
    return handlers


async def _warm_up(recaller: Recaller) -> None:
    with contextlib.suppress(RecollectError):  # said by whatever needs the part next
        await recaller.warm()


def _warn_of_strangers(settings: Settings, *, on_loopback: bool) -> None:
    identity = settings.identity
    if identity.mode == "personal" and not (on_loopback or identity.trust_callers):
        log.warning(
            "chats have no memory: %s can be reached by anybody, who could name any user. "
            "Use identity.mode: gateway, or set identity.trust_callers if something in front "
            "decides who may call",
            settings.listen.host,
        )


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


def _capture(
    settings: Settings, backends: Backends, redactor: Redactor, drift: Drift | None
) -> Capture:
    return Capture(
        backends.state.conversations,
        backends.state.jobs,
        settings.learn,
        redact=lambda text: redactor.redact(text).text,
        images=settings.learn.vision is not None,
        on_recorded=drift.note if drift is not None else None,
    )


def _pipeline(
    settings: Settings,
    backends: Backends,
    telemetry: Telemetry,
    learning: Learning,
    capture: Capture,
    quiet: Quiet,
    turns: TurnCache,
    rewriters: ClientModels | FixedModel,
) -> Pipeline:
    return Pipeline(
        request_filters(
            settings.recall,
            backends.recaller,
            backends.tokens,
            fence_of(settings),
            turns,
            rewriters,
        ),
        capture,
        telemetry,
        options=settings.recall,
        wake=learning.wake,
        quiet=quiet,
    )


def _memory(
    settings: Settings,
    backends: Backends,
    models: ClientModels | FixedModel,
    parts: LearningParts,
) -> AsyncMemory:
    tenant = settings.identity.tenant
    return AsyncMemory(
        store=backends.store,
        embedder=backends.embedder,
        history=backends.history,
        model=TenantModel(models, tenant),
        tenant=tenant,
        recaller=backends.recaller,
        tombstones=backends.state.tombstones,
        forgetter=parts.forgetter,
        options=settings.learn,
        redactor=parts.redactor,
        vision=parts.vision,
    )


def _drift(settings: Settings, backends: Backends, learning: Learning) -> Drift | None:
    if not (settings.learn.enabled and settings.learn.drift):
        return None
    threshold = settings.learn.drift_threshold
    return Drift(
        backends.state.conversations,
        backends.state.jobs,
        backends.embedder,
        threshold=drift_bound(backends.recaller.calibration) if threshold is None else threshold,
        max_queued=settings.learn.max_queued,
        on_due=learning.wake,
    )


def _proposal_key(settings: Settings) -> bytes | None:
    """What every replica knows and nobody else does."""
    token = settings.api.token
    if token is None:
        return None
    return hashlib.sha256(b"recollect proposals " + token.get_secret_value().encode()).digest()


def _start_loops(
    settings: Settings,
    backends: Backends,
    drift: Drift | None,
    watchdog: Watchdog,
    stack: AsyncExitStack,
) -> None:
    """Loops end by cancellation, before the parts they use are closed."""
    loops = Tasks()
    loops.start(
        repeat(maintain_seconds(settings), backends.store.maintain), name="store maintenance"
    )
    loops.start(watchdog.run(), name="watchdog")
    loops.start(backends.gone.listen(), name="announcements")
    if drift is not None:
        loops.start(drift.run(), name="topic drift")
    stack.push_async_callback(loops.drain, 0)
