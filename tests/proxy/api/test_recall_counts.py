"""Chats count the memories that they were shown, once for each turn."""

import asyncio
import json

from recollect.memory.engine import background
from tests.proxy.api.calling import Calling
from tests.proxy.wire import request
from tests.support.waiting import HANG_SECONDS

FIRST = [{"role": "user", "content": "What tea do I like?"}]


async def chat(api, messages):
    body = json.dumps({"model": "m", "messages": messages}).encode()
    headers = ("x-recollect-user: alice",)
    seen = await api.ask(request("POST", "/v1/chat/completions", body, *headers))
    assert seen.status == 200, seen.body


async def counted(api, memory_id, most):
    """The count, once it is as large or a while has passed."""
    async with asyncio.timeout(HANG_SECONDS):
        while (found := (await api.get(memory_id)).get("access_count", 0)) < most:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    return max(found, (await api.get(memory_id)).get("access_count", 0))


async def test_a_turn_that_is_sent_again_counts_once(monkeypatch):
    """A client's retry is the same turn; the next message is another one."""
    monkeypatch.setattr(background, "USAGE_SECONDS", 0.005)
    async with Calling() as api:
        [tea] = await api.remember("I like green tea from Uji")
        await chat(api, FIRST)
        assert await counted(api, tea, 1) == 1
        await chat(api, FIRST)
        assert await counted(api, tea, 1) == 1
        more = [*FIRST, {"role": "assistant", "content": "I see."}]
        await chat(api, [*more, {"role": "user", "content": "What green tea from Uji do I like?"}])
        assert await counted(api, tea, 2) == 2
