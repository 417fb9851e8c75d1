"""kill -9 at awkward moments: no turn is lost, no memory is stored twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tests.e2e.test_remembers import ASKED, FACT, TOLD, flush, say
from tests.support.product import Product
from tests.support.recorder import Recorder
from tests.support.scripted import ScriptedModel, facts


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
