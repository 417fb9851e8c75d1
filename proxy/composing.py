"""Composes what the application serves: settings -> engine -> handlers.

All parts are closed in reverse order, by the stack of the `Base`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from functools import partial

from recollect.config import Settings, known_models
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
from .access.shared_default import SharedDefault
from .access.token_file import TokenFile
from .access.upstream_guard import UpstreamGuard
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
from .chat.injected_lines import InjectedLines
from .chat.memory_route import MemoryRoute
from .chat.pipeline import Pipeline
from .chat.placing.places import ModelPlaces, places_of
from .chat.reader import Reader, large_bodies
from .chat.recent_chats import RecentChats
from .chat.request_side import RequestSide
from .chat.response_side import ResponseSide
from .chat.shared_turns import share_turns
from .chat.threads import Threads
from .chat.tooling.loop import loops_of
from .chat.tooling.running import ToolRunner
from .chat.whatif.asking import Asker, own_key
from .chat.whatif.lines import Lines
from .chat.whatif.trying import WhatIf
from .dialects.dialect import Dialect
from .mcp.endpoint import McpEndpoint
from .telemetry.merged_exposition import TOPIC as METRICS_TOPIC
from .telemetry.port import metrics_port
from .telemetry.scrape import Scrape
from .telemetry.slow_counts import SlowCounts
from .telemetry.tracing import Telemetry, open_telemetry
from .transport.passthrough import Passthrough
from .transport.upstream import Upstream
from .watchdog import Watchdog
from .webhook import delivering
from .workers.worker_numbers import own_file
from .workers.worker_roll import RollCall

log = logging.getLogger(__name__)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """What chats and the memory API share."""

    settings: Settings
    tasks: Tasks
    stack: AsyncExitStack
    sibling: Sibling | None
    telemetry: Telemetry
    upstream: Upstream
    models: ClientModels
    engine: Engine
    accepted: Accepted
    access: Access
    own: ApiTokenGuard
    """This server's tokens, which stay here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chats:
    """What routes with memory stand on."""

    remembering: dict[str, MemoryRoute]
    passthrough: Passthrough
    pipeline: Pipeline
    capture: Capture
    recent: RecentChats
    places: ModelPlaces


async def compose(
    settings: Settings,
    dialects: Sequence[Dialect],
    tasks: Tasks,
    stack: AsyncExitStack,
    sibling: Sibling | None,
) -> Handlers:
    """Open every part, and wire them."""
    base = await _opened(settings, tasks, stack, sibling)
    for notice in without_memory(settings, [dialect.path for dialect in dialects]):
        log.log(logging.WARNING if notice.serious else logging.INFO, notice.text)
    chats = await _chats(base, dialects)
    watchdog, loops = Watchdog(), Tasks()
    await _run(base, chats, watchdog, loops)
    health = _health(base, chats, watchdog)
    await stack.enter_async_context(_metrics(base, chats, watchdog, loops, health))
    memories = MemoryApi(base.engine, many_tenants=base.access.many_tenants)
    state = StateApi(base.engine, chats.recent)
    audit, operations = _audit(base), await _operations(base, chats, memories, state)
    api = Dispatcher(
        base.engine, base.access, settings.api, audit,
        operations=operations, telemetry=base.telemetry,
    )  # fmt: skip
    return Handlers(
        remembering=chats.remembering,
        passthrough=chats.passthrough,
        guard=UpstreamGuard(base.access, settings.api, base.own),
        api=api,
        mcp=await stack.enter_async_context(McpEndpoint(api, settings).serving()),
        memories=memories,
        state=state,
        accepted=base.accepted,
        health=health,
        watchdog=watchdog,
    )


async def _opened(
    settings: Settings, tasks: Tasks, stack: AsyncExitStack, sibling: Sibling | None
) -> Base:
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
    engine.on_decided = telemetry.decided
    engine.injected.linked.append(telemetry.linked)
    accepted = await accepted_of(settings, engine, stack)
    token = settings.api.token
    return Base(
        settings=settings,
        tasks=tasks,
        stack=stack,
        sibling=sibling,
        telemetry=telemetry,
        upstream=upstream,
        models=models,
        engine=engine,
        accepted=accepted,
        access=await _access(settings, accepted, stack),
        own=ApiTokenGuard(None if token is None else token.get_secret_value()),
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


async def _chats(base: Base, dialects: Sequence[Dialect]) -> Chats:
    settings, engine, access = base.settings, base.engine, base.access
    capture, turns, threads, recent = _capture(engine), TurnCache(), Threads(), RecentChats()
    engine.bus.subscribe(turns, threads, capture)
    engine.forgetter.bus.emptied += (capture.emptied, recent.emptied)
    pipeline = _pipeline(base, capture, turns, await _rewriters(base))
    went = InjectedLines(engine.injected.note, settings.upstream.base_url)
    runner = ToolRunner(base.tasks, base.telemetry)
    runner.returned = went.returned
    tools = loops_of(engine, settings.tools, runner)
    passthrough, places = Passthrough(base.upstream, base.telemetry, base.own), places_of(settings)
    shared = SharedDefault(settings.identity)
    large = large_bodies()
    engine.withholding.known = known_models(settings)
    base.telemetry.totals.withheld_calls = engine.withholding.counted.total
    asking = RequestSide(access, threads, pipeline, shared, places, engine.withholding)

    def used(tenant: str, credential: str | None, model: str) -> None:
        if base.models.note(tenant, credential, model):
            engine.background.learning.another_model(tenant)

    def remember(dialect: Dialect) -> MemoryRoute:
        route = MemoryRoute(
            Reader(dialect, settings.upstream.max_parsed_bytes, base.own.in_body, large),
            asking,
            ResponseSide(dialect, pipeline, threads, used, base.tasks, base.accepted),
            access=access,
            passthrough=passthrough,
            telemetry=base.telemetry,
        )
        route = route.noted_by(recent).recorded_by(went.sent)
        return route.equipped_by(tools.get(dialect.path))

    return Chats(
        remembering={dialect.path: remember(dialect) for dialect in dialects},
        passthrough=passthrough,
        pipeline=pipeline,
        capture=capture,
        recent=recent,
        places=places,
    )


def _capture(engine: Engine) -> Capture:
    state, learn = engine.parts.state, engine.options.learn
    capture = Capture(
        state.conversations, state.jobs, learn, redact=engine.redact,
        images=learn.vision is not None, on_recorded=engine.background.recorded,
    )  # fmt: skip
    capture.plays = engine.stage.plays
    capture.likeness = engine.client_requests.likeness
    return capture


async def _rewriters(base: Base) -> ModelSource:
    """The models for query rewrites that call one."""
    options = base.settings.recall.rewrite
    if not options.asks_model:
        return base.models
    await load_openai()  # importing it later would use up the first rewrite's deadline
    if options.llm is None:
        return base.engine.checked(base.models)
    model = FixedModel(options.llm, "recall.rewrite.llm")
    base.stack.push_async_callback(model.close)
    return base.engine.checked(model)


def _pipeline(base: Base, capture: Capture, turns: TurnCache, rewriters: ModelSource) -> Pipeline:
    engine, recall, fence = base.engine, base.settings.recall, fence_of(base.settings)
    engine.block_prompt.fenced_by(fence)
    compress = compress_of(recall.compress, engine, fence)
    filters = request_filters(
        recall, engine.recaller, engine.parts.tokens, fence, turns, rewriters,
        engine.spoken, engine.block_prompt, compress,
    )  # fmt: skip
    pipeline = Pipeline(
        filters,
        capture,
        base.telemetry,
        options=recall,
        wake=engine.background.learning.wake,
        quiet=engine.idle_gate,
    )
    pipeline.compressing = None if compress is None else CompressingModels()
    pipeline.count = base.telemetry.counting(engine.meter.count)
    return pipeline


async def _run(base: Base, chats: Chats, watchdog: Watchdog, loops: Tasks) -> None:
    """Warm up, and start what runs beside requests."""
    engine, stack, capture = base.engine, base.stack, chats.capture
    await engine.warm()
    if not isinstance(base.settings.embedder, OpenAIEmbedderOptions):  # a call may cost money
        await chats.pipeline.warm_up()
    stack.push_async_callback(capture.close)
    loops.start(watchdog.run(), name="watchdog")
    loops.start(capture.settling(), name="turns that wait")
    if engine.sibling_messages is not None:
        share_turns(capture.last_turns, engine.sibling_messages, loops)
    stack.push_async_callback(loops.drain, 0)
    await stack.enter_async_context(delivering(engine.feed, base.settings.events.webhook))
    await stack.enter_async_context(engine.running())
    stack.push_async_callback(base.tasks.drain, DRAIN_SECONDS)
    engine.explainer = explainer_of(engine, chats.places.usual)
    engine.tell_spending(base.telemetry.totals.spent)


def _health(base: Base, chats: Chats, watchdog: Watchdog) -> Health:
    engine, identity = base.engine, base.settings.identity
    registry, queue, bounds = engine.registry, engine.parts.state, chats.pipeline.bounds
    folder = AnchoredFolder(base.settings.data_dir)
    base.stack.callback(folder.close)
    engine.watch.also(folder)
    tenant = identity.tenant if identity.mode == "personal" else None
    registry.register("recall", ping=bounds.ping)
    registry.register("capture", ping=chats.capture.ping)
    registry.register("files", ping=folder.ping)
    registry.register("upkeep", ping=lambda: engine.background.ping_upkeep(tenant))
    counts: dict[str, Count] = {
        "recall": lambda: bounds.counted,
        "loop": lambda: watchdog.counted,
    }
    if base.sibling is not None:
        call = RollCall(base.sibling)
        registry.register("workers", ping=call.ping)
        counts["workers"] = call.counts

    def counted() -> dict[str, int]:
        return {**chats.capture.counted, "refused": queue.refused, **engine.indexer.counted}

    return Health(registry.pings, queue.jobs, counted=counted, counts=counts)


def _metrics(
    base: Base, chats: Chats, watchdog: Watchdog, loops: Tasks, health: Health
) -> AbstractAsyncContextManager[None]:
    """The port of metrics; of several workers, the leading one has it and asks the others."""
    engine, (host, port) = base.engine, base.settings.telemetry.metrics_at
    messages = engine.sibling_messages
    scrape = Scrape(
        totals=base.telemetry.totals,
        jobs=health.jobs,
        loop=lambda: watchdog.counted,
        breaker_open=lambda: chats.pipeline.bounds.recall.is_open,
        graph=lambda: {} if engine.graph is None else engine.graph.counted,
        sibling_messages=messages,
        slow_counts=SlowCounts(partial(doubtful_in, engine.parts.store), loops).families,
    )
    if messages is not None:
        messages.on(METRICS_TOPIC, scrape.told)
    serves = messages is None or messages.sibling.leads
    return metrics_port(host, port if serves else None, scrape.text)


def _audit(base: Base) -> Audit:
    path = base.settings.api.audit_log or base.settings.data_dir / "audit.jsonl"
    own = path if base.sibling is None else own_file(path, base.sibling.number)
    audit = Audit(own, base.settings.api.audit)
    base.stack.callback(audit.close)
    return audit


async def _operations(
    base: Base, chats: Chats, memories: MemoryApi, state: StateApi
) -> tuple[Operation, ...]:
    """Those of the memory API, with their handlers."""
    settings, engine = base.settings, base.engine
    mem0 = Mem0(settings.events.webhook)
    engine.bus.subscribe(mem0.additions)
    switches = ChatSwitches(engine.switches, settings, chats.pipeline, chats.capture)
    lines = Lines(
        engine.recaller, engine.parts.tokens, settings.recall, chats.places,
        fence_of(settings), engine.block_prompt,
    )  # fmt: skip
    what_if = WhatIfApi(
        WhatIf(lines, Asker(base.upstream), engine.meter.count),
        own_key(settings.learn.llm, settings.upstream.base_url),
        base.own,
        many_tenants=base.access.many_tenants,
    )
    runners = TaskRunners(engine, seal_key(settings))
    runner = TaskRunner(runners, TaskRoom(settings.data_dir), days=TASK_DAYS)
    await base.stack.enter_async_context(runner.running())
    tasks = TaskApi(runner, runners)
    operating = OperatingApi(settings, switches)
    return handled(memories, tasks, state, operating, what_if, mem0, settings.tools)
