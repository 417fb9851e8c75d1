"""What listens at our address."""

import asyncio

from aiohttp import web

from recollect.config import load_settings
from recollect.proxy.commands.api_client import Running, ask_running
from tests.support.folding import rows


def at(port, host="127.0.0.1"):
    environ = {"RECOLLECT_LISTEN__PORT": str(port), "RECOLLECT_LISTEN__HOST": host}
    return load_settings(environ=environ | {"RECOLLECT_API__TOKEN": "t"})


@rows("host", ["127.0.0.1", "0.0.0.0"])
async def test_a_recollect(aiohttp_server, host):
    """Its parts and its advice; one that listens on every address is reached on loopback."""
    said = {
        "status": "degraded",
        "parts": {"database": "no answer"},
        "advice": {"database": "wait"},
    }

    async def ready(_request):
        return web.json_response(said)

    app = web.Application()
    app.router.add_get("/readyz", ready)
    port = (await aiohttp_server(app)).port
    assert await asyncio.to_thread(ask_running, at(port, host)) == Running(
        f"127.0.0.1:{port}", ours=True, parts={"database": "no answer"}, advice={"database": "wait"}
    )


@rows(
    "said",
    [
        b"",
        b"ok",
        b"[]",
        b"null",
        b'{"status": "ok"}',
        b'{"status": "ok", "parts": []}',
        b'{"status": "ok", "parts": {}}',
        b'{"status": "up", "parts": {"database": "ok"}}',
    ],
)
async def test_somebody_else(aiohttp_server, said):
    """Whatever it answers, it is not taken for ours."""

    async def ready(_request):
        return web.Response(body=said)

    app = web.Application()
    app.router.add_get("/readyz", ready)
    chosen = at((await aiohttp_server(app)).port)
    found = await asyncio.to_thread(ask_running, chosen)
    assert found is not None
    assert not found.ours
