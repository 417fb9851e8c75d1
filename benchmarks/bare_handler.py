"""The least that an aiohttp server can do for a call of an API: small JSON in, small JSON out.

`python benchmarks/bare_handler.py` prints ``READY port`` and serves until its input ends.
"""

from __future__ import annotations

import asyncio
import sys

from aiohttp import web


async def answer(request: web.Request) -> web.Response:
    """Read the body, say nothing."""
    await request.json()
    return web.json_response({"results": []})


async def main() -> None:
    """Serve on a free loopback port."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print("READY", runner.addresses[0][1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
