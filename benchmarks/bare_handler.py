"""The baseline of the memory API: a handler of aiohttp that answers fixed bytes.

`python benchmarks/bare_handler.py FILE` prints ``READY port`` and serves until its input ends.
Every POST is read, and answered with the bytes of FILE as JSON.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from aiohttp import web


async def main(file: str) -> None:
    """Serve on a free loopback port."""
    body = Path(file).read_bytes()

    async def answer(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(body=body, content_type="application/json")

    app = web.Application()
    app.router.add_post("/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print("READY", runner.addresses[0][1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
