"""The composition root of the proxy: settings in, application out.

All parts live in one `cleanup_ctx`, which closes them in reverse order. Handlers get their
collaborators by closure; there are no globals.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

from aiohttp import web

from recollect.config import Settings
from recollect.config.server import IdentityOptions
from recollect.filters import Capture, TurnCache, request_filters
from recollect.filters.explaining import explainer_of
from recollect.memory.engine.doubtful_counts import doubtful_in
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import OpenAIEmbedderOptions
from recollect.memory.llms import FixedModel, load_openai
from recollect.memory.model.ports import ModelSource
from recollect.memory.util.anchor import AnchoredFolder
from recollect.memory.util.sibling_messages import SiblingMessages
from recollect.memory.util.siblings import Sibling
from recollect.memory.util.tasks import Tasks

from .access.accepted import Accepted, accepted_of
from .access.access import Access
from .access.api_token_guard import ApiTokenGuard
from .access.audit import Audit
from .access.auth import Checks
from .access.credentials import ClientModels
from .access.installation_keys import fence_of, proposal_key, seal_key
from .access.jwks import SigningKeys
from .access.no_memory_notices import without_memory
from .access.reserved_paths import MEMORY_API
from .access.shared_default import SharedDefault
from .access.token_file import TokenFile
from .access.upstream_guard import Handler, UpstreamGuard
from .api.dispatch import Dispatcher
from .api.health import Count, Health
from .api.mem0.handlers import Mem0
from .api.memories import MemoryApi
from .api.operations import Operation
from .api.state.handlers import StateApi
from .api.state.operating import OperatingApi
from .api.tables import handled
from .api.tasks.handlers import TaskApi
from .api.tasks.room import TaskRoom
from .api.tasks.runner import TaskRunner
from .api.tasks.task_runners import TaskRunners
from .api.whatif.handlers import WhatIfApi
from .chat.chat_switches import ChatSwitches
from .chat.compressing import CompressingModels, compress_of
from .chat.memory_route import MemoryRoute
from .chat.pipeline import Pipeline
from .chat.placing.places import ModelPlaces, places_of
from .chat.reader import Reader
from .chat.recent_chats import RecentChats
from .chat.request_side import RequestSide
from .chat.response_side import ResponseSide
from .chat.shared_turns import share_turns
from .chat.threads import Threads
from .chat.tooling.loop import loops_of
from .chat.whatif.asking import Asker, own_key
from .chat.whatif.lines import Lines
from .chat.whatif.trying import WhatIf
from .dashboard.files import ROOT as DASHBOARD
from .dashboard.handler import Dashboard
from .dialects.chat import CHAT
from .dialects.dialect import Dialect
from .dialects.messages import MESSAGES
from .dialects.ollama import OLLAMA
from .dialects.responses import RESPONSES
from .errors import answer_errors, note_begun
from .mcp.endpoint import MCP, McpEndpoint
from .telemetry.merged_exposition import TOPIC as METRICS_TOPIC
from .telemetry.port import metrics_port
from .telemetry.scrape import Scrape
from .telemetry.slow_counts import SlowCounts
from .telemetry.tracing import Telemetry, open_telemetry
from .transport.header_bytes import keep_header_bytes
from .transport.passthrough import Passthrough
from .transport.paths import spellings
from .transport.relay import mend_headers
from .transport.upstream import Upstream
from .watchdog import Watchdog
from .webhook import delivering
from .workers.worker_numbers import own_file
from .workers.worker_roll import RollCall

log = logging.getLogger(__name__)

DIALECTS = (CHAT, RESPONSES, MESSAGES, OLLAMA)
"""The APIs with memory: requests get memories, turns are learned."""
TASK_DAYS = 7.0
"""Days after which a task of the API that has ended is removed, with the file of its export."""
DRAIN_SECONDS = 5.0
"""Longest time that the shutdown waits for captures in progress."""


@dataclass(slots=True)
class Handlers:
    """The handlers of the routes; they exist once the parts are open."""

    remembering: dict[str, MemoryRoute]
    """The routes with memory, by path."""
    passthrough: Passthrough
    guard: UpstreamGuard
    api: Dispatcher
    memories: MemoryApi
    state: StateApi
    mcp: McpEndpoint
    accepted: Accepted
    health: Health
    watchdog: Watchdog


HANDLERS = web.AppKey("handlers", Handlers)
TASKS = web.AppKey("tasks", Tasks)


def build_app(settings: Settings, sibling: Sibling | None = None) -> web.Application:
    """The application. Its start-up opens the parts, its shutdown closes them.

    A `sibling` shares embedded parts with others of its machine.

    Raises, at start-up: StateError, StoreError, EmbeddingError; the message says what to do.
    """
    keep_header_bytes()

    async def parts(app: web.Application) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            app[HANDLERS] = await _compose(settings, app[TASKS], stack, sibling)
            yield

    app = web.Application(
        # No limit here: readers bound the bodies they parse, and the upstream decides about the
        # size of proxied ones.
        client_max_size=0,
        middlewares=[answer_errors],
    )
    app[TASKS] = Tasks()
    app.cleanup_ctx.append(parts)
    app.on_response_prepare.extend((mend_headers, note_begun))
    app.on_shutdown.append(_close_streams)
    _add_routes(app, api=settings.api.enabled)
    return app


async def _close_streams(app: web.Application) -> None:
    """WebSocket sessions and streams of changes do not end by themselves."""
    app[HANDLERS].passthrough.tunnels.close()
    app[HANDLERS].memories.close()
    app[HANDLERS].state.close()


def _add_routes(app: web.Application, *, api: bool) -> None:
    """Our own routes first; every other request goes upstream if the guard lets it."""
    route = app.router.add_route
    for dialect in DIALECTS:
        for path in spellings(dialect.path):
            route("POST", path, _guarded(_remembering(dialect.path)))
    for method in ("GET", "HEAD"):
        route(method, "/healthz", _to(lambda handlers: handlers.health.live))
        route(method, "/readyz", _to(lambda handlers: handlers.health.ready))
    if api:
        for path in MEMORY_API:
            for below in ("", "/{rest:(?s:.*)}"):
                route("*", path + below, _to(lambda handlers: handlers.api.handle))
        dashboard = Dashboard()
        for below in ("", "/{rest:(?s:.*)}"):
            route("*", DASHBOARD + below, dashboard.handle)
        for path in (MCP, MCP + "/"):
            route("*", path, _to(lambda handlers: handlers.mcp.handle))
        # mem0's asynchronous client joins a base URL with a slash at its end like this.
        route("GET", "//v1/ping/", _to(lambda handlers: handlers.api.ping))
    # A path may contain an encoded line break, which a plain dot does not match.
    route("*", "/{path:(?s:.*)}", _guarded(lambda handlers: handlers.passthrough.handle))


def _remembering(path: str) -> Callable[[Handlers], Handler]:
    return lambda handlers: handlers.remembering[path].handle


def _to(pick: Callable[[Handlers], Handler]) -> Handler:
    """A route's handler; its parts exist once the application has started."""

    async def handle(request: web.Request) -> web.StreamResponse:
        return await pick(request.app[HANDLERS])(request)

    return handle


def _guarded(pick: Callable[[Handlers], Handler]) -> Handler:
    """The handler of a route that forwards requests."""

    async def handle(request: web.Request) -> web.StreamResponse:
        handlers = request.app[HANDLERS]
        return await handlers.guard.check(request, pick(handlers))

    return handle


async def _compose(
    settings: Settings, tasks: Tasks, stack: AsyncExitStack, sibling: Sibling | None
) -> Handlers:
    """Settings -> engine -> handlers."""
    telemetry = open_telemetry(settings.telemetry)
    stack.callback(telemetry.shutdown)
    upstream = await stack.enter_async_context(Upstream(settings.upstream))
    models = ClientModels(settings.upstream)
    stack.push_async_callback(models.close)
    engine = await stack.enter_async_context(
        Engine.open(
            settings,
            models,
            serving=True,
            on_run=telemetry.learned,
            key=proposal_key(settings),
            sibling_messages=None if sibling is None else SiblingMessages(sibling),
        )
    )
    accepted = await accepted_of(settings, engine, stack)
    access = await _access(settings, accepted, stack)
    _tell(settings)
    capture = _capture(engine)
    turns, threads, recent = TurnCache(), Threads(), RecentChats()
    engine.bus.subscribe(turns, threads, capture)
    engine.forgetter.bus.emptied += (capture.emptied, recent.emptied)
    rewriters = await _rewriters(settings, models, stack)
    pipeline = _pipeline(settings, engine, telemetry, capture, turns, rewriters)
    own, tools = _own_tokens(settings), loops_of(engine, settings.tools, tasks, telemetry)
    passthrough = Passthrough(upstream, telemetry, own)
    shared, places = SharedDefault(settings.identity), places_of(settings)
    asking = RequestSide(access, threads, pipeline, shared, places)

    def used(tenant: str, credential: str | None, model: str) -> None:
        if models.note(tenant, credential, model):
            engine.background.learning.another_model(tenant)

    def remember(dialect: Dialect) -> MemoryRoute:
        return (
            MemoryRoute(
                Reader(dialect, settings.upstream.max_parsed_bytes, own.in_body),
                asking,
                ResponseSide(dialect, pipeline, threads, used, tasks, accepted),
                access=access,
                passthrough=passthrough,
                telemetry=telemetry,
            )
            .noted_by(recent)
            .equipped_by(tools.get(dialect.path))
        )

    await engine.warm()
    if not isinstance(settings.embedder, OpenAIEmbedderOptions):  # a call may cost money
        await pipeline.warm_up()
    watchdog = Watchdog()
    loops = Tasks()
    stack.push_async_callback(capture.close)
    loops.start(watchdog.run(), name="watchdog")
    loops.start(capture.settling(), name="turns that wait")
    if engine.sibling_messages is not None:
        share_turns(capture.last_turns, engine.sibling_messages, loops)
    stack.push_async_callback(loops.drain, 0)
    await stack.enter_async_context(delivering(engine.feed, settings.events.webhook))
    await stack.enter_async_context(engine.running())
    stack.push_async_callback(tasks.drain, DRAIN_SECONDS)
    engine.explainer = explainer_of(engine, places.usual)
    memories = MemoryApi(engine, many_tenants=access.many_tenants)
    mem0 = Mem0(settings.events.webhook)
    engine.bus.subscribe(mem0.additions)
    folder = _anchored(settings, engine, stack)
    state_api = StateApi(engine, recent)
    tasks_api = await stack.enter_async_context(_tasks(settings, engine))
    health = _health(engine, pipeline, capture, watchdog, folder, sibling, settings.identity)
    scrape = Scrape(
        totals=telemetry.totals,
        jobs=health.jobs,
        loop=lambda: watchdog.counted,
        breaker_open=lambda: pipeline.bounds.recall.is_open,
        graph=lambda: {} if engine.graph is None else engine.graph.counted,
        sibling_messages=engine.sibling_messages,
        slow_counts=SlowCounts(partial(doubtful_in, engine.parts.store), loops).families,
    )
    engine.tell_spending(telemetry.totals.spent)
    await stack.enter_async_context(_metrics(settings, scrape))
    api = Dispatcher(
        engine,
        access,
        settings.api,
        _audit(settings, stack, sibling),
        operations=_operations(
            settings,
            memories,
            mem0,
            tasks_api,
            state_api,
            ChatSwitches(engine.switches, settings, pipeline, capture),
            WhatIfApi(
                WhatIf(_lines(settings, engine, places), Asker(upstream), engine.meter.count),
                own_key(settings.learn.llm, settings.upstream.base_url),
                own,
                many_tenants=access.many_tenants,
            ),
        ),
        telemetry=telemetry,
    )
    return Handlers(
        remembering={dialect.path: remember(dialect) for dialect in DIALECTS},
        passthrough=passthrough,
        guard=UpstreamGuard(access, settings.api, own),
        api=api,
        mcp=await stack.enter_async_context(McpEndpoint(api, settings).serving()),
        memories=memories,
        state=state_api,
        accepted=accepted,
        health=health,
        watchdog=watchdog,
    )


async def _access(settings: Settings, accepted: Accepted, stack: AsyncExitStack) -> Access:
    """The rules on callers, with what their credentials are checked with."""
    tokens = settings.api.tokens_file or settings.data_dir / "tokens.json"
    checks = Checks(TokenFile(tokens), accepted)
    keys = None
    if settings.identity.mode == "jwt":
        keys = SigningKeys(settings.identity.jwt)
        await stack.enter_async_context(keys.running())
    return Access(settings.identity, settings.listen, checks=checks, keys=keys)


def _own_tokens(settings: Settings) -> ApiTokenGuard:
    token = settings.api.token
    return ApiTokenGuard(None if token is None else token.get_secret_value())


def _anchored(settings: Settings, engine: Engine, stack: AsyncExitStack) -> AnchoredFolder:
    """The data folder, which is watched."""
    folder = AnchoredFolder(settings.data_dir)
    stack.callback(folder.close)
    engine.watch.also(folder)
    return folder


def _lines(settings: Settings, engine: Engine, places: ModelPlaces) -> Lines:
    """The memories of chats, for answers with and without them."""
    tokens, fence = engine.parts.tokens, fence_of(settings)
    return Lines(engine.recaller, tokens, settings.recall, places, fence, engine.block_prompt)


def _operations(
    settings: Settings,
    memories: MemoryApi,
    mem0: Mem0,
    tasks: TaskApi,
    state: StateApi,
    switches: ChatSwitches,
    what_if: WhatIfApi,
) -> tuple[Operation, ...]:
    server, operating = settings.api.mem0_server, OperatingApi(settings, switches)
    tools = settings.tools
    return handled(memories, tasks, state, operating, what_if, mem0, tools, server=server)


def _audit(settings: Settings, stack: AsyncExitStack, sibling: Sibling | None) -> Audit:
    path = settings.api.audit_log or settings.data_dir / "audit.jsonl"
    audit = Audit(path if sibling is None else own_file(path, sibling.number))
    stack.callback(audit.close)
    return audit


@asynccontextmanager
async def _tasks(settings: Settings, engine: Engine) -> AsyncIterator[TaskApi]:
    """The tasks; those that run here at the end wait for the next start, or another process."""
    runners = TaskRunners(engine, seal_key(settings))
    runner = TaskRunner(runners, TaskRoom(settings.data_dir), days=TASK_DAYS)
    async with runner.running():
        yield TaskApi(runner, runners)


def _metrics(settings: Settings, scrape: Scrape) -> AbstractAsyncContextManager[None]:
    """The port of metrics; of several workers, the leading one has it and asks the others."""
    sibling_messages, port = scrape.sibling_messages, settings.telemetry.metrics.port
    if sibling_messages is not None:
        sibling_messages.on(METRICS_TOPIC, scrape.told)
    serves = sibling_messages is None or sibling_messages.sibling.leads
    return metrics_port(settings.telemetry.metrics.host, port if serves else None, scrape.text)


def _tell(settings: Settings) -> None:
    """Log which requests will have no memory."""
    for notice in without_memory(settings, [dialect.path for dialect in DIALECTS]):
        log.log(logging.WARNING if notice.serious else logging.INFO, notice.text)


def _capture(engine: Engine) -> Capture:
    state, learn = engine.parts.state, engine.options.learn
    capture = Capture(
        state.conversations, state.jobs, learn, redact=engine.redact,
        images=learn.vision is not None, on_recorded=engine.background.recorded,
    )  # fmt: skip
    capture.plays = engine.stage.plays
    return capture


async def _rewriters(
    settings: Settings, clients: ClientModels, stack: AsyncExitStack
) -> ModelSource:
    """The models for query rewrites that call one."""
    options = settings.recall.rewrite
    if not options.asks_model:
        return clients
    await load_openai()  # importing it later would use up the first rewrite's deadline
    if options.llm is None:
        return clients
    model = FixedModel(options.llm, "recall.rewrite.llm")
    stack.push_async_callback(model.close)
    return model


def _pipeline(
    settings: Settings,
    engine: Engine,
    telemetry: Telemetry,
    capture: Capture,
    turns: TurnCache,
    rewriters: ModelSource,
) -> Pipeline:
    fence = fence_of(settings)
    engine.block_prompt.fenced_by(fence)
    capture.likeness = engine.client_requests.likeness
    compress = compress_of(settings.recall.compress, engine, fence)
    pipeline = Pipeline(
        request_filters(
            settings.recall,
            engine.recaller,
            engine.parts.tokens,
            fence,
            turns,
            rewriters,
            engine.spoken,
            engine.block_prompt,
            compress,
        ),
        capture,
        telemetry,
        options=settings.recall,
        wake=engine.background.learning.wake,
        quiet=engine.idle_gate,
    )
    pipeline.compressing = None if compress is None else CompressingModels()
    pipeline.count = telemetry.counting(engine.meter.count)
    return pipeline


def _health(
    engine: Engine,
    pipeline: Pipeline,
    capture: Capture,
    watchdog: Watchdog,
    folder: AnchoredFolder,
    sibling: Sibling | None,
    identity: IdentityOptions,
) -> Health:
    registry, queue = engine.registry, engine.parts.state
    tenant = identity.tenant if identity.mode == "personal" else None
    registry.register("recall", ping=pipeline.bounds.ping)
    registry.register("capture", ping=capture.ping)
    registry.register("files", ping=folder.ping)
    registry.register("upkeep", ping=lambda: engine.background.ping_upkeep(tenant))
    call = None if sibling is None else RollCall(sibling)
    counts: dict[str, Count] = {
        "recall": lambda: pipeline.bounds.counted,
        "loop": lambda: watchdog.counted,
    }
    if call is not None:
        registry.register("workers", ping=call.ping)
        counts["workers"] = call.counts
    return Health(
        registry.pings,
        queue.jobs,
        counted=lambda: {**capture.counted, "refused": queue.refused, **engine.indexer.counted},
        counts=counts,
    )
