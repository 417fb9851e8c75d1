"""The memory API over real parts in this process."""

from contextlib import AsyncExitStack

import pytest
from aiohttp import web

from recollect.config.server import ApiOptions, IdentityOptions, ListenOptions
from recollect.filters import RequestRecallOptions
from recollect.proxy.access.access import Access
from recollect.proxy.api.dispatch import Dispatcher, bound
from recollect.proxy.api.memories import MemoryApi
from recollect.proxy.api.operations import PREFIX
from recollect.proxy.api.routes import OPERATIONS, RESET
from recollect.proxy.api.tasks.handlers import TaskApi
from recollect.proxy.api.tasks.routes import TASK_OPERATIONS
from recollect.proxy.api.tasks.runner import TaskRunner
from recollect.proxy.api.tasks.shelf import TaskShelf
from recollect.proxy.api.tasks.works import Works
from recollect.proxy.explaining import Explainer
from tests.memory.forget.parts import Hears
from tests.support.wired import Wired


@pytest.fixture
async def engine():
    async with Wired() as wired:
        yield wired


@pytest.fixture
async def serve(aiohttp_client, engine, tmp_path):
    """Start the API over an engine; `model` is the base URL of a scripted one, if there is one."""
    engine.has_model = False
    started, runners, tasks = [], [], AsyncExitStack()

    async def start(*, model=None, api=None, identity=None, on_loopback=True, parts=engine):
        if model is not None:
            parts = Wired(model)
            started.append(parts)
        engine = parts.engine
        engine.gone.subscribe(Hears(lambda *gone: start.forgotten.append(gone)))
        listen = ListenOptions(host="127.0.0.1" if on_loopback else "0.0.0.0")
        access = Access(identity or IdentityOptions(), listen)
        explainer = Explainer(engine.recaller, engine.parts.tokens, RequestRecallOptions())
        memories = MemoryApi(engine, explainer, many_tenants=access.many_tenants)
        options = ApiOptions(**(api or {}))
        shelf = TaskShelf(tmp_path / f"tasks-{len(runners)}")
        works = Works(engine, shelf, b"a key")
        runner = TaskRunner(shelf, works, days=options.task_days)
        engine.forgetter.listeners.append(runner.forgotten)
        await tasks.enter_async_context(runner.running())
        runners.append(runner)
        tables = (
            *bound(OPERATIONS, memories),
            *bound(TASK_OPERATIONS, TaskApi(runner, works, options)),
        )
        handlers = Dispatcher(engine, access, options, operations=tables)
        app = web.Application(client_max_size=0)
        for path in (PREFIX, PREFIX + "/{rest:.*}", RESET, RESET + "/"):
            app.router.add_route("*", path, handlers.handle)
        return await aiohttp_client(app)

    start.forgotten = []
    start.runners = runners
    async with tasks:
        yield start
    for wired in started:
        await wired.__aexit__()


@pytest.fixture
async def client(serve):
    return await serve()
