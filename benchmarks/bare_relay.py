"""The baseline: the least an aiohttp proxy can do, with the transport settings it needs.

`python benchmarks/bare_relay.py http://host:port` prints ``READY port`` and serves until its input
ends. It reads a request, sends it on, and streams the answer back; it looks at nothing.
"""

from __future__ import annotations

import asyncio
import sys

import aiohttp
from aiohttp import web
from multidict import CIMultiDict

_HOP = {"connection", "keep-alive", "transfer-encoding", "host", "te", "trailer", "upgrade"}


def _headers(headers: object) -> CIMultiDict[str]:
    return CIMultiDict((k, v) for k, v in headers.items() if k.lower() not in _HOP)


async def main(upstream: str) -> None:
    """Serve on a free loopback port."""
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=None),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        skip_auto_headers=("Accept", "Accept-Encoding", "User-Agent", "Content-Type"),
    )

    async def relay(request: web.Request) -> web.StreamResponse:
        body = await request.read()
        async with session.request(
            request.method,
            upstream + request.raw_path,
            headers=_headers(request.headers),
            data=body or None,
            allow_redirects=False,
        ) as answer:
            if answer.content_length is not None:
                return web.Response(
                    status=answer.status, headers=_headers(answer.headers), body=await answer.read()
                )
            response = web.StreamResponse(status=answer.status, headers=_headers(answer.headers))
            await response.prepare(request)
            async for chunk in answer.content.iter_any():
                await response.write(chunk)
            await response.write_eof()
            return response

    app = web.Application(client_max_size=2**30)
    app.router.add_route("*", "/{path:.*}", relay)
    runner = web.AppRunner(app, handler_cancellation=True, auto_decompress=False, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print("READY", runner.addresses[0][1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await session.close()
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
