"""What each stage of a recall costs: its CPU, and the functions that it calls.

A stage is a function that the recall calls by a name in a module. Each is wrapped for a while; what
a stage within it takes is taken off.
"""

from __future__ import annotations

import functools
import importlib
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

_RECALL = "recollect.memory.recall"
STAGES = {
    "analyse": (f"{_RECALL}.finding", "analysed"),
    "meaning of the message": (f"{_RECALL}.finding", "_meant"),
    "host statements": (f"{_RECALL}.index.user_index", "UserIndex.host"),
    "cosines": (f"{_RECALL}.signals", "_cosine"),
    "words": (f"{_RECALL}.signals", "_words"),
    "other signals": (f"{_RECALL}.ranking", "signals_of"),
    "fuse": (f"{_RECALL}.ranking", "_scores"),
    "evidence": (f"{_RECALL}.ranking", "weigh"),
    "other ranking": (f"{_RECALL}.finding", "rank"),
    "pinned": (f"{_RECALL}.finding", "pinned_for"),
    "beside": (f"{_RECALL}.finding", "lines_beside"),
    "private and unfit": (f"{_RECALL}.finding", "_with_lines_beside"),
    "select": (f"{_RECALL}.recaller", "choose"),
    "block": ("product", "render"),
}
"""By name: the module that calls it, and its name there."""
REST = "all else"


class Stages:
    """Collects the costs of the stages of some recalls."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self._names = [REST]
        self._heard = 0
        self._since = 0.0

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Charge CPU to the stages, of this thread."""
        with self._wrapped():
            self._since = time.thread_time()
            yield
            self._charge()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Charge calls of functions to the stages, of this thread; times mean nothing here."""
        before = sys.getprofile()
        with self._wrapped():
            sys.setprofile(self._hear)
            yield
            sys.setprofile(before)

    def _hear(self, _frame: Any, event: str, _argument: Any) -> None:
        if event in ("call", "c_call"):
            self.calls[self._names[-1]] += 1

    def _charge(self) -> None:
        now = time.thread_time()
        self.seconds[self._names[-1]] += now - self._since
        self._since = now

    @contextmanager
    def _wrapped(self) -> Iterator[None]:
        patches = []
        for name, (module, path) in STAGES.items():
            owner: Any = importlib.import_module(module)
            *parents, last = path.split(".")
            owner = functools.reduce(getattr, parents, owner)
            patches.append(patch.object(owner, last, self._stage(name, getattr(owner, last))))
        for each in patches:
            each.start()
        try:
            yield
        finally:
            for each in patches:
                each.stop()

    def _stage(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def stage(*arguments: Any, **named: Any) -> Any:
            self._charge()
            self._names.append(name)
            try:
                return function(*arguments, **named)
            finally:
                self._charge()
                self._names.pop()

        return stage


async def costs(
    recall: Callable[[str], Awaitable[Any]], questions: list[str]
) -> dict[str, dict[str, float]]:
    """By stage: ``cpu_ms`` and ``calls`` of one recall; each question is asked, half of them each.

    The recalls must run in the calling thread.
    """
    half, stages = len(questions) // 2, Stages()
    with stages.timed():
        for question in questions[:half]:
            await recall(question)
    with stages.counted():
        for question in questions[half:]:
            await recall(question)
    return {
        name: {
            "cpu_ms": stages.seconds[name] / half * 1e3,
            "calls": stages.calls[name] / (len(questions) - half),
        }
        for name in [*STAGES, REST]
    } | {
        "all": {
            "cpu_ms": stages.seconds.total() / half * 1e3,
            "calls": stages.calls.total() / (len(questions) - half),
        }
    }
