"""The product in a process that can be asked how many tasks its loop holds.

`python benchmarks/soak_product.py http://upstream/v1 data_dir` prints ``READY port``, then answers
every line of its input with the number of tasks and of errors that were logged (JSON), and stops
when its input ends. The first errors are shown; warnings, which clients cause, are not.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from aiohttp import web

from recollect.config import load_settings
from recollect.proxy.serve import build_runner, settle

SHOWN = 3


class Errors(logging.StreamHandler):
    """Counts what is logged as an error."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1
        if self.count <= SHOWN:
            super().emit(record)


async def main(upstream: str, data_dir: str) -> None:
    """Serve on a free loopback port, with all real parts."""
    errors = Errors()
    errors.setLevel(logging.ERROR)
    logging.getLogger().addHandler(errors)
    settings = load_settings(
        environ={},
        flags={
            "data_dir": data_dir,
            "upstream.base_url": upstream,
            "embedder.model_dir": str(Path("~/.recollect/models").expanduser()),
            # Learning is not soaked: it would call the mock for facts, and store its chatter.
            "learn.idle_seconds": 100_000,
            "learn.every_turns": 1000,
        },
    )
    runner = build_runner(settings)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
    settle()
    print("READY", runner.addresses[0][1], flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        told = {"tasks": len(asyncio.all_tasks()), "errors": errors.count}
        print(json.dumps(told), flush=True)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
