"""Calls to count; every file of this folder but this one is left out."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor


def call(times: int) -> None:
    """So often a function of C, one of Python, and a generator that goes on."""
    steps = _steps(times)
    for _ in steps:
        len(_nothing())


def call_in_a_thread(times: int) -> None:
    thread = threading.Thread(target=call, args=(times,))
    thread.start()
    thread.join()


def parse(text: str, times: int) -> None:
    """Encode a text of JSON once, then decode and read it so often, and write it once."""
    raw = text.encode()
    for _ in range(times):
        value = json.loads(raw.decode())
    json.dumps(value)


async def start_tasks(times: int) -> None:
    """So many tasks."""
    await asyncio.gather(*(asyncio.sleep(0) for _ in range(times)))


async def go_to_a_thread(times: int) -> None:
    """So often there and back, with one thread: each that ends tells the next one."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    for _ in range(times):
        await asyncio.to_thread(_nothing)


def _steps(times: int) -> Iterator[int]:
    number = 0
    while number < times:
        number += 1
        yield number


def _nothing() -> str:
    return ""
