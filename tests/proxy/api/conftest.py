"""The memory API over real parts in this process."""

from contextlib import AsyncExitStack
from types import SimpleNamespace

import pytest
from aiohttp import web

from recollect.config import load_settings
from recollect.config.server import (
    ApiOptions,
    IdentityOptions,
    ListenOptions,
    WebhookOptions,
)
from recollect.config.tools import ToolOptions
from recollect.proxy.access.access import Access
from recollect.proxy.access.api_token_guard import ApiTokenGuard
from recollect.proxy.access.audit import Audit
from recollect.proxy.access.reserved_paths import MEMORY_API
from recollect.proxy.api.dispatch import Dispatcher
from recollect.proxy.api.mem0.handlers import Mem0
from recollect.proxy.api.memories import MemoryApi
from recollect.proxy.api.operations import bound
from recollect.proxy.api.state.handlers import StateApi
from recollect.proxy.api.state.operating import OperatingApi
from recollect.proxy.api.tables import handled
from recollect.proxy.api.tasks.handlers import TaskApi
from recollect.proxy.api.tasks.room import TaskRoom
from recollect.proxy.api.tasks.runner import TaskRunner
from recollect.proxy.api.tasks.task_runners import TaskRunners
from recollect.proxy.api.whatif.handlers import WhatIfApi
from recollect.proxy.chat.chat_switches import ChatSwitches
from recollect.proxy.chat.recent_chats import RecentChats
from tests.memory.forget.parts import Hears
from tests.support.wired import Wired


def configured(folder, identity):
    """Settings for what people read of them."""
    settings = load_settings(environ={}, flags={"data_dir": str(folder), "recall.limit": 7})
    return settings.model_copy(update={"identity": identity})


@pytest.fixture
async def engine():
    async with Wired() as wired:
        yield wired


@pytest.fixture
async def serve(aiohttp_client, engine, tmp_path):
    """Start the API over an engine; `model` is the base URL of a scripted one, if there is one."""
    engine.has_model = False
    started, audits, runners, tasks = [], [], [], AsyncExitStack()

    async def start(
        *,
        model=None,
        api=None,
        identity=None,
        on_loopback=True,
        parts=engine,
        hook=None,
        operations=None,
    ):
        if model is not None:
            parts = Wired(model)
            started.append(parts)
        engine = parts.engine
        engine.bus.subscribe(Hears(lambda *gone: start.forgotten.append(gone)))
        listen = ListenOptions(host="127.0.0.1" if on_loopback else "0.0.0.0")
        access = Access(identity or IdentityOptions(), listen)
        memories = MemoryApi(engine, many_tenants=access.many_tenants)
        options = ApiOptions(**(api or {}))
        audit = Audit(tmp_path / "audit.jsonl", options.audit)
        audits.append(audit)
        mem0 = Mem0(WebhookOptions(**(hook or {})))
        task_runners = TaskRunners(engine, b"a key")
        runner = TaskRunner(task_runners, TaskRoom(tmp_path), days=7)
        await tasks.enter_async_context(runner.running())
        runners.append(runner)
        settings = configured(tmp_path, identity or IdentityOptions())
        chats, capture = SimpleNamespace(), SimpleNamespace()
        switches = ChatSwitches(engine.switches, settings, chats, capture)
        table = handled(
            memories,
            TaskApi(runner, task_runners),
            StateApi(engine, start.recent),
            OperatingApi(settings, switches),
            WhatIfApi(None, None, ApiTokenGuard(), many_tenants=False),
            mem0,
            ToolOptions(),
        )
        if operations is not None:
            table = bound(operations, memories)
        handlers = Dispatcher(engine, access, options, audit, operations=table)
        start.totals = lambda: handlers.telemetry.totals
        app = web.Application(client_max_size=0)
        for path in MEMORY_API:
            app.router.add_route("*", path, handlers.handle)
            app.router.add_route("*", path + "/{rest:.*}", handlers.handle)
        return await aiohttp_client(app)

    start.forgotten = []
    start.recent = RecentChats()
    start.runners = runners
    async with tasks:
        yield start
    for wired in started:
        await wired.__aexit__()
    for audit in audits:
        audit.close()


@pytest.fixture
async def client(serve):
    return await serve()
