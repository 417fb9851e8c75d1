"""Who has a port."""

from __future__ import annotations

from aiohttp import web

from recollect.proxy.commands.port import is_recollect
from tests.support.ports import free_port


async def answering(answer):
    app = web.Application()
    app.router.add_get("/readyz", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner, runner.addresses[0][1]


async def test_a_recollect_is_known_by_its_readiness():
    """Also if the wanted address stands for every address."""

    async def ready(_request):
        return web.json_response({"status": "degraded", "parts": {}})

    runner, port = await answering(ready)
    assert await is_recollect("127.0.0.1", port)
    assert await is_recollect("0.0.0.0", port)
    await runner.cleanup()


async def test_anything_else_is_another_program():
    """A server of another kind, and one that has gone meanwhile."""

    async def other(_request):
        return web.json_response(["ready"])

    runner, port = await answering(other)
    assert not await is_recollect("127.0.0.1", port)
    await runner.cleanup()
    assert not await is_recollect("127.0.0.1", free_port())
