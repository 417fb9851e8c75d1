"""Calls to count; every file of this folder but this one is left out."""

from __future__ import annotations

import threading
from collections.abc import Iterator


def call(times: int) -> None:
    """So often a function of C, one of Python, and a generator that goes on."""
    steps = _steps(times)
    for _ in steps:
        len(_nothing())


def call_in_a_thread(times: int) -> None:
    thread = threading.Thread(target=call, args=(times,))
    thread.start()
    thread.join()


def _steps(times: int) -> Iterator[int]:
    number = 0
    while number < times:
        number += 1
        yield number


def _nothing() -> str:
    return ""
