"""kill -9 at awkward moments: no turn is lost, no memory is stored twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_remembers import ASKED, FACT, TOLD, flush, memories, say
from tests.support.product import Product
from tests.support.recorder import Recorder
from tests.support.scripted import ScriptedModel, facts

OTHER = "User's boat is called Seagull and lies in the north harbour"
TOLD_BOTH = f"{TOLD} And my boat is called Seagull and lies in the north harbour."


async def test_killed_while_the_extractor_thinks(
    tmp_path: Path, settings: dict[str, Any], extractor: ScriptedModel
) -> None:
    """A job whose worker dies is done by the next process, at once, and once."""
    asked = asyncio.Event()

    async def never(_body: dict[str, Any]) -> str:
        asked.set()
        await asyncio.sleep(60)
        return facts()

    extractor.replies = [never, facts(FACT, OTHER)]
    product = Product(tmp_path / "data", **settings).start()
    try:
        await say(product, TOLD_BOTH, user="alice")
        flushing = asyncio.ensure_future(flush(product, user_id="alice"))
        await asyncio.wait_for(asked.wait(), 20)
        product.kill()
        await asyncio.gather(flushing, return_exceptions=True)

        product.start()
        for _ in range(100):
            if len(await memories(product, "alice")) == 2:
                break
            await asyncio.sleep(0.1)
        assert sorted(await memories(product, "alice")) == sorted([FACT, OTHER])
        await flush(product, user_id="alice")
        assert sorted(await memories(product, "alice")) == sorted([FACT, OTHER])
        assert len(extractor.requests) == 2
    finally:
        product.stop()


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2])
async def test_killed_around_the_writing(
    tmp_path: Path, settings: dict[str, Any], extractor: ScriptedModel, delay: float
) -> None:
    """Whenever the process dies after the extractor answered, the end is the same: each fact once."""
    extractor.replies = [facts(FACT, OTHER)]
    product = Product(tmp_path / "data", **settings).start()
    try:
        await say(product, TOLD_BOTH, user="alice")
        flushing = asyncio.ensure_future(flush(product, user_id="alice"))
        while not extractor.requests:
            await asyncio.sleep(0.005)
        await asyncio.sleep(delay)
        product.kill()
        await asyncio.gather(flushing, return_exceptions=True)
        product.start()
        await flush(product, user_id="alice")
        assert sorted(await memories(product, "alice")) == sorted([FACT, OTHER])
    finally:
        product.stop()


async def test_killed_in_the_middle_of_a_stream(
    tmp_path: Path, settings: dict[str, Any], upstream: Recorder, extractor: ScriptedModel
) -> None:
    """A stream that dies with the process harms nothing: the next process serves and learns."""
    extractor.replies = [facts(FACT)]
    product = Product(tmp_path / "data", **settings).start()
    try:
        telling = asyncio.ensure_future(say(product, TOLD, user="alice", stream=True))
        while not upstream.bodies:
            await asyncio.sleep(0.005)
        product.kill()
        await asyncio.gather(telling, return_exceptions=True)
        product.start()
        await say(product, TOLD, user="alice", stream=True)
        await flush(product, user_id="alice")
        _, headers = await say(product, ASKED, user="alice")
        assert headers["x-recollect-memory"] == "injected"
    finally:
        product.stop()
