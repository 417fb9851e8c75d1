"""Redis is the only copy of nothing: replicas whose Redis was emptied know what they knew."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

import openai
import pytest

from tests.e2e.asking import memories, remember, say
from tests.support.postgres_server import PostgresAt, empty_database
from tests.support.product import Product
from tests.support.redis_server import RedisServer
from tests.support.scripted import ScriptedModel
from tests.support.waiting import until

pytestmark = pytest.mark.server

NOTED = "My allotment has the number 4711."


class Gateway(Product):
    """One credential, of the client and of its memories."""

    headers: ClassVar[dict[str, str]] = {"Authorization": f"Bearer {Product.key}"}


async def test_a_flushed_redis_loses_nothing_that_a_user_notices(
    tmp_path: Path, own_redis: RedisServer, postgres: PostgresAt
) -> None:
    """Rights and memories are there, also for a replica that starts anew, and a refusal is heard."""
    async with ScriptedModel("Noted.") as upstream, empty_database(postgres) as url:
        settings = {
            "upstream__base_url": upstream.base_url,
            "identity__mode": "gateway",
            "identity__hash_key": "k",
            "database__url": url,
            "redis__url": own_redis.url,
            "index__backend": "exact",
            "embedder__backend": "fake",
            "api__limits__requests_per_minute": 100,
            "learn__enabled": False,
        }
        one, two = (Gateway(tmp_path / name, **settings) for name in ("one", "two"))
        await asyncio.gather(*(asyncio.to_thread(each.start) for each in (one, two)))
        try:
            await say(one, "Hello!", user="ann")
            await remember(one, NOTED, "ann")
            own_redis.command("FLUSHALL")
            await asyncio.to_thread(two.stop)
            await asyncio.to_thread(two.start)
            assert await memories(two, "ann") == await memories(one, "ann") == [NOTED]

            upstream.replies = [401]
            with pytest.raises(openai.AuthenticationError):
                await say(two, "Hello!", user="ann")

            async def refused() -> bool:
                try:
                    await memories(one, "ann")
                except AssertionError as error:
                    return "valid API token" in str(error)
                return False

            await until(refused, "the other replica refuses the credential")
        finally:
            await asyncio.gather(*(asyncio.to_thread(each.stop) for each in (one, two)))
