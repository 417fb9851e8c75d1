"""Which files of the product one warm recall and one `add` visit: what a reader has to open.

    python benchmarks/visited.py [--list]

State and memories are in the process, the embedder hashes words, nothing runs in the background.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import threading
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from recollect import AsyncMemory  # noqa: E402 - the script runs without an installation
from recollect.memory.model.types import Scope  # noqa: E402 - the same

FOLDERS = ("config", "filters", "memory", "proxy")
FACTS = ("I live in Porto and work as a nurse.", "My sister Ana is allergic to nuts.")
QUESTION = "What should I cook for my sister on Sunday?"
USER = "ada"


class Visited:
    """The functions of the product that were called, in any thread, by the file that has them."""

    def __init__(self) -> None:
        self.functions: dict[str, set[str]] = {}

    def hear(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        path = Path(frame.f_code.co_filename).resolve()
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in FOLDERS:
            found = self.functions.setdefault(path.relative_to(ROOT).as_posix(), set())
            found.add(frame.f_code.co_qualname)

    @contextmanager
    def hearing(self) -> Iterator[None]:
        threading.setprofile(self.hear)
        sys.setprofile(self.hear)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


async def visited(work: Awaitable[Any]) -> Visited:
    found = Visited()
    with found.hearing():
        await work
    return found


async def counted() -> dict[str, Visited]:
    """One of each, after another one like it."""
    options = {"embedder": {"backend": "fake"}, "store": {"backend": "inmemory"}}
    async with await AsyncMemory.open(options) as memory:
        for fact in FACTS:
            await memory.add(fact, user_id=USER, infer=False)
        added = await visited(memory.add("I drive a red truck.", user_id=USER, infer=False))
        recaller = memory._engine.recaller  # noqa: SLF001 - the library shows its own view only
        scope = Scope(tenant=memory.tenant, user_id=USER)
        await recaller.recall(scope, "Which sports do I like?")
        return {"recall": await visited(recaller.recall(scope, QUESTION)), "add": added}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="name the files")
    wanted = parser.parse_args()
    for name, found in asyncio.run(counted()).items():
        calls = sum(map(len, found.functions.values()))
        print(f"{name}: {len(found.functions)} files, {calls} functions")
        for path, functions in sorted(found.functions.items()) if wanted.list else ():
            print(f"  {path} {len(functions)}")


if __name__ == "__main__":
    main()
