"""Which files and functions one warm request visits: what a reader has to open.

    python benchmarks/visited.py [--list] [--json FILE]

State and memories are in the process, the embedder hashes words, and the background has rested.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from aiohttp import ClientSession, web

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from recollect import AsyncMemory  # noqa: E402 - the script runs without an installation
from recollect.config import load_settings  # noqa: E402 - the same
from recollect.memory.model.types import Scope  # noqa: E402 - the same
from recollect.proxy.serve import build_runner  # noqa: E402 - the same

FOLDERS = ("config", "filters", "memory", "proxy")
FACTS = ("I live in Porto and work as a nurse.", "My sister Ana is allergic to nuts.")
QUESTION = "What should I cook for my sister on Sunday?"
USER = "ada"


class Visited:
    """The functions of the product that were called, in any thread, by the file that has them."""

    def __init__(self) -> None:
        self.functions: dict[str, set[str]] = {}

    @property
    def calls(self) -> int:
        """How many different functions were called."""
        return sum(map(len, self.functions.values()))

    def hear(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        path = Path(frame.f_code.co_filename).resolve()
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in FOLDERS:
            found = self.functions.setdefault(path.relative_to(ROOT).as_posix(), set())
            found.add(frame.f_code.co_qualname)

    @contextmanager
    def hearing(self) -> Iterator[None]:
        _HEARING.append(self)
        sys.setprofile(_told)
        try:
            yield
        finally:
            sys.setprofile(None)
            _HEARING.clear()


_HEARING: list[Visited] = []


def _told(frame: FrameType, event: str, argument: Any) -> None:
    """Threads are told when they start what profiles them, so all of them always have this."""
    for one in _HEARING:
        one.hear(frame, event, argument)


async def visited(work: Awaitable[Any]) -> Visited:
    found = Visited()
    with found.hearing():
        await work
    return found


async def counted() -> dict[str, Visited]:
    """One of each, after another one like it."""
    options = {"embedder": {"backend": "fake"}, "index": {"backend": "exact"}}
    async with await AsyncMemory.open(options) as memory:
        for fact in FACTS:
            await memory.add(fact, user_id=USER, infer=False)
        await asyncio.sleep(1)  # what follows a write is not of the next one
        added = await visited(memory.add("I drive a red truck.", user_id=USER, infer=False))
        recaller = memory._engine.recaller  # noqa: SLF001 - the library shows its own view only
        scope = Scope(tenant=memory.tenant, user_id=USER)
        await recaller.recall(scope, "Which sports do I like?")
        recalled = await visited(recaller.recall(scope, QUESTION))
        first, second, *_ = (await memory.get_all(user_id=USER))["results"]
        await memory.forget(first["id"], user_id=USER)
        await asyncio.sleep(1)
        forgotten = await visited(memory.forget(second["id"], user_id=USER))
    return {"recall": recalled, "add": added, "forget one id": forgotten}


async def chatted() -> dict[str, Visited]:
    """A chat with a greeting and one that recalls, each after another one like it."""
    async with _upstream() as upstream, _proxy(upstream) as proxy, ClientSession() as client:

        async def chat(text: str) -> None:
            body = {"model": "m", "messages": [{"role": "user", "content": text}]}
            async with client.post(f"{proxy}/v1/chat/completions", json=body) as answer:
                await answer.read()

        for fact in FACTS:
            added = {"messages": fact, "user_id": "default", "infer": False}
            async with client.post(f"{proxy}/v1/memories/", json=added) as answer:
                answer.raise_for_status()
        await chat("Hello!")
        await asyncio.sleep(1)
        greeted = await visited(chat("Good morning!"))
        await chat("Which sports do I like?")
        await asyncio.sleep(1)
        return {"chat, hello": greeted, "chat, recall": await visited(chat(QUESTION))}


@asynccontextmanager
async def _upstream() -> AsyncIterator[str]:
    answer = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "Gladly."},
            }
        ],
    }
    app = web.Application()
    app.router.add_post("/v1/chat/completions", lambda _: _answered(answer))
    async with _serving(web.AppRunner(app)) as address:
        yield f"{address}/v1"


async def _answered(answer: dict[str, Any]) -> web.Response:
    return web.json_response(answer)


@asynccontextmanager
async def _proxy(upstream: str) -> AsyncIterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(
            environ={
                "RECOLLECT_UPSTREAM__BASE_URL": upstream,
                "RECOLLECT_DATA_DIR": folder,
                "RECOLLECT_EMBEDDER__BACKEND": "fake",
                "RECOLLECT_INDEX__BACKEND": "exact",
                "RECOLLECT_TELEMETRY__METRICS": "localhost:0",
            }
        )
        async with _serving(build_runner(settings)) as address:
            yield address


@asynccontextmanager
async def _serving(runner: web.AppRunner) -> AsyncIterator[str]:
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="name the files")
    parser.add_argument("--json", type=Path, help="write the figures into this file")
    wanted = parser.parse_args()
    threading.setprofile(_told)
    found = asyncio.run(counted()) | asyncio.run(chatted())
    for name, one in found.items():
        print(f"{name}: {len(one.functions)} files, {one.calls} functions")
        for path, functions in sorted(one.functions.items()) if wanted.list else ():
            print(f"  {path} {len(functions)}")
    if wanted.json is not None:
        figures = {n: {"files": len(o.functions), "functions": o.calls} for n, o in found.items()}
        wanted.json.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
