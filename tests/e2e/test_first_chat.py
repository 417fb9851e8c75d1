"""The first chat after a start has memory: no part of a recall is loaded while a chat waits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.e2e.test_remembers import ASKED, FACT, say
from tests.support.product import Product

USERS = ("ada", "bob")


@pytest.fixture
def as_shipped(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings without the long deadline of the other tests."""
    return {name: value for name, value in settings.items() if name != "recall__deadline_ms"}


STARTS = 3
"""A part that is loaded by the first chat makes it late at every start, a busy machine at some."""


async def test_the_first_chat_after_a_start_is_given_its_memory(
    as_shipped: dict[str, Any], tmp_path: Path
) -> None:
    """Each user's first chat after a restart gets its memory within the default deadline."""
    with Product(tmp_path, **as_shipped) as product:
        for user in USERS:
            await remember(product, FACT, user)
    wanted = ["injected"] * len(USERS)
    seen = [await first_outcomes(as_shipped, tmp_path)]
    while seen[-1] != wanted and len(seen) < STARTS:
        seen.append(await first_outcomes(as_shipped, tmp_path))
    assert seen[-1] == wanted, seen


async def first_outcomes(settings: dict[str, Any], data_dir: Path) -> list[str]:
    """What each user's first chat says of memory after a start."""
    with Product(data_dir, **settings) as product:
        answers = [await say(product, ASKED, user=user) for user in USERS]
    return [headers["x-recollect-memory"] for _, headers in answers]


async def remember(product: Product, text: str, user: str) -> None:
    """Store a text as it is."""
    async with (
        aiohttp.ClientSession() as session,
        session.post(
            f"{product.url}/v1/memories/",
            json={"messages": text, "user_id": user, "infer": False},
        ) as answer,
    ):
        assert answer.status == 200, await answer.text()
