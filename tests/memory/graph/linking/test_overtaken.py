"""Two processes write and link memories of one owner at the same time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from unittest.mock import patch

from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.memory.graph.linking import graph, linker
from recollect.memory.graph.reading import READER
from recollect.memory.model.types import MemoryStatus, StoredMemory
from tests.memory.graph.linking.world import (
    ALICE,
    VECTOR,
    World,
    edited,
    kinds,
    memory,
    rebuilt,
    said,
)
from tests.support.budget import examples
from tests.support.waiting import HANG_SECONDS

TEXTS = (
    "User met Anna in Oslo",
    "User's sister Anna works at Google",
    "User met Anna Schmidt in Tbilisi",
    "Anna Kowalski recommended the museum of Tbilisi",
    "User likes tea",
    "Dr Petrov lives in Oslo with Anna S.",
)
NAMES = tuple("abcdef")
_PUT = st.tuples(st.just("put"), st.sampled_from(NAMES), st.sampled_from(TEXTS), st.integers(0, 9))
_ANY = st.one_of(
    _PUT,
    st.tuples(st.just("end"), st.sampled_from(NAMES)),
    st.tuples(st.just("delete"), st.sampled_from(NAMES)),
    st.tuples(st.just("link")),
    st.tuples(st.just("link all")),
)


class Here:
    """Computes where it is asked."""

    async def run(self, _key, work):
        return work()


class Interleaved:
    """The first process stops between the pages of what it links; there, the second acts."""

    def __init__(self, steps: list[tuple]) -> None:
        self.first = World(pause=self._pause, bulk=Here())
        self.second = World(self.first.inner, bulk=Here())
        for world in (self.first, self.second):
            world.store.writer.followers.clear()
        self.steps = steps
        self._acts = True

    async def _pause(self) -> None:
        if self._acts and self.steps:
            self._acts = False
            await act(self.second, self.steps.pop())
            self._acts = True


async def act(world: World, step: tuple) -> None:
    match step:
        case ("put", name, text, minute):
            [before] = await world.inner.get("t", [name]) or [None]
            new = memory(name, text, minute)
            version = 1 if before is None else before.version + 1
            await world.inner.put([StoredMemory(replace(new, version=version), VECTOR)])
        case ("end", name):
            for item in await world.inner.get("t", [name]):
                ended = edited(item, status=MemoryStatus.SUPERSEDED)
                await world.inner.put([StoredMemory(ended, VECTOR)])
        case ("delete", name):
            await world.inner.delete("t", [name])
        case ("link",):
            if items := await world.inner.unlinked(limit=2):
                await world.graph._linker.link(ALICE, items)
        case ("link all",):
            await world.graph._linker.link_all(ALICE)


FIRST = [("put", "c", TEXTS[2], 2), ("put", "f", TEXTS[0], 7), ("put", "b", TEXTS[1], 5)]
"""Who Anna is for the last one, the second says, or nobody."""


@settings(max_examples=examples(25), deadline=None)
@example(FIRST, [("delete", "b")], [])
@example(FIRST, [("link all",)], [])
@example(FIRST, [("link",), ("end", "b")], [("link all",)])
@given(st.lists(_PUT, min_size=1, max_size=6), st.lists(_ANY, max_size=6), st.lists(_ANY))
def test_whoever_comes_between_nothing_is_linked_wrongly(given_, between, after):
    """While all of an owner is linked again another process writes, links, and does the same."""

    async def run() -> None:
        both = Interleaved(between)
        await both.first.kept.keep_note("reader", READER)  # otherwise all is linked once more
        for step in given_:
            await act(both.first, step)
        await act(both.first, ("link all",))
        both.steps += after
        await both.first.graph.settled()
        await both.first.graph.settled()  # what the second did at the end
        other = await rebuilt(both.first)
        assert await said(both.first) == await said(other)
        assert await kinds(both.first) == await kinds(other)
        assert await both.first.kept.counts() == await other.kept.counts()

    # Whoever was overtaken rests for many times as long as that took: ages, on a busy machine.
    with patch.object(linker, "PAGE", 1), patch.object(graph, "SHARE", 0.0):
        asyncio.run(asyncio.wait_for(run(), HANG_SECONDS))
