"""kill -9 at awkward moments: no turn is lost, no memory is stored twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tests.e2e.test_remembers import ASKED, FACT, TOLD, flush, memories, say
from tests.support.product import Product
from tests.support.recorder import Recorder
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import FOREVER_SECONDS, HANG_SECONDS, until

OTHER = "User's boat is called Seagull and lies in the north harbour"
TOLD_BOTH = f"{TOLD} And my boat is called Seagull and lies in the north harbour."


async def test_killed_while_the_extractor_thinks(
    tmp_path: Path, settings: dict[str, Any], extractor: ScriptedModel
) -> None:
    """A job whose worker dies is done by the next process, at once, and once."""
    asked = asyncio.Event()

    async def never(_body: dict[str, Any]) -> str:
        asked.set()
        await asyncio.sleep(FOREVER_SECONDS)
        return facts()

    extractor.replies = [never, facts(FACT, OTHER)]
    product = Product(tmp_path / "data", **settings).start()
    try:
        await say(product, TOLD_BOTH, user="alice")
        flushing = asyncio.ensure_future(flush(product, user_id="alice"))
        await asyncio.wait_for(asked.wait(), HANG_SECONDS)
        product.kill()
        await asyncio.gather(flushing, return_exceptions=True)

        product.start()

        async def both() -> bool:
            return len(await memories(product, "alice")) == 2

        await until(both, "learning what the dead process left")
        assert sorted(await memories(product, "alice")) == sorted([FACT, OTHER])
        await flush(product, user_id="alice")
        assert sorted(await memories(product, "alice")) == sorted([FACT, OTHER])
        # What died, what extracts, and what verifies.
        assert len(extractor.requests) == 3
    finally:
        await asyncio.to_thread(product.stop)


async def test_killed_around_the_writing(
    tmp_path: Path, settings: dict[str, Any], extractor: ScriptedModel
) -> None:
    """Whenever the process dies after the extractor answered, the end is the same: each fact once.

    One process after the other on one folder; each dies a little later after the answer.
    """
    product = Product(tmp_path / "data", **settings).start()
    try:
        for delay in (0.0, 0.02, 0.05, 0.1, 0.2):
            user = f"after {delay}"
            extractor.replies = [facts(FACT, OTHER)]
            extractor.requests.clear()
            await say(product, TOLD_BOTH, user=user)
            flushing = asyncio.ensure_future(flush(product, user_id=user))
            while not extractor.requests:
                await asyncio.sleep(0.005)
            await asyncio.sleep(delay)
            product.kill()
            await asyncio.gather(flushing, return_exceptions=True)
            product.start()
            await flush(product, user_id=user)
            assert sorted(await memories(product, user)) == sorted([FACT, OTHER]), user
    finally:
        await asyncio.to_thread(product.stop)


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
        await asyncio.to_thread(product.stop)
