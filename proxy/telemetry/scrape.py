"""One scrape: the totals of the process, and what other parts count for `/readyz` anyway."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.memory.model.errors import RecollectError
from recollect.memory.model.types import JobState
from recollect.memory.util.sibling_messages import SiblingMessages

from . import names
from .exposition import MetricFamily, exposition
from .merged_exposition import TOPIC, merged, packed, unpacked
from .slow_counts import nothing
from .totals import Totals

SIBLING_SECONDS = 2.0
"""A worker that takes longer to answer is left out of a scrape."""
STATES = tuple(state.value for state in JobState)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrape:
    """Collects the metrics; a part that does not answer is left out of this scrape."""

    totals: Totals
    jobs: Callable[[], Awaitable[Mapping[str, int]]]
    """The queue as `/readyz` shows it: bounded in time, without states if it does not answer."""
    loop: Callable[[], Mapping[str, int]] = dict
    """As in `/readyz`; empty if nobody watches the loop."""
    breaker_open: Callable[[], bool] = bool
    graph: Callable[[], Mapping[str, int]] = dict
    """What linking counts; empty without a graph."""
    sibling_messages: SiblingMessages | None = None
    slow_counts: Callable[[], Awaitable[list[MetricFamily]]] = nothing
    """What one process counts for all."""

    async def text(self) -> str:
        """The exposition for this process and, if it has siblings, for all of them."""
        sibling_messages = self.sibling_messages
        others = (
            []
            if sibling_messages is None
            else [_of(sibling_messages, number) for number in sibling_messages.sibling.others]
        )
        asked = await asyncio.gather(self._own(), self.slow_counts(), *others)
        return exposition(merged(family for families in asked for family in families))

    async def told(self, _values: Mapping[str, Any]) -> list[list[Any]]:
        """The answer to a sibling that asks."""
        return packed(await self._own())

    async def _own(self) -> list[MetricFamily]:
        jobs = await self.jobs()
        return [*self.totals.families(), *self._process(), *_queue(jobs)]

    def _process(self) -> Iterator[MetricFamily]:
        loop = self.loop()
        yield MetricFamily(names.BREAKER, {(): int(self.breaker_open())})
        yield MetricFamily(names.STALLS, {(): loop.get("stalls", 0)})
        yield MetricFamily(names.LONGEST_STALL, {(): loop.get("longest_ms", 0) / 1000})
        graph = self.graph()
        yield MetricFamily(names.GRAPH_LINKED, {(): graph.get("linked", 0)})
        yield MetricFamily(names.GRAPH_WAITING, {(): graph.get("waiting", 0)})


async def _of(sibling_messages: SiblingMessages, number: int) -> list[MetricFamily]:
    """What a sibling counts; nothing while it does not run, or has not opened its parts."""
    try:
        async with asyncio.timeout(SIBLING_SECONDS):
            return unpacked(await sibling_messages.ask(number, TOPIC) or [])
    except (TimeoutError, RecollectError):
        return []


def _queue(jobs: Mapping[str, int]) -> Iterator[MetricFamily]:
    """Without figures if the queue does not answer; an empty queue is 0 s old, not unknown."""
    states: Mapping[tuple[str, ...], float] = {
        (state,): jobs[state] for state in STATES if state in jobs
    }
    age: Mapping[tuple[str, ...], float] = {(): jobs.get("oldest_seconds", 0)} if states else {}
    yield MetricFamily(names.QUEUE_JOBS, states)
    yield MetricFamily(names.QUEUE_OLDEST, age)
    yield MetricFamily(names.LOST_TURNS, {(): jobs.get("lost", 0)})
    yield MetricFamily(names.OVERFLOWS, {(): jobs.get("overflow", 0)})
