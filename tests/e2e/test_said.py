"""A model too weak to extract: what users say is recalled all the same, at once.

The product as a process, the real `openai` client, a real llama.cpp server with a model of 135
million parameters, and no `learn.llm`.
"""

from __future__ import annotations

import asyncio
import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_remembers import ASKED, TOLD, flush, memories, messages_of, say
from tests.support.fence import parted
from tests.support.product import Product
from tests.support.recorder import Recorder
from tests.support.scripted import ScriptedModel
from tests.support.waiting import HANG_SECONDS, until


@pytest.fixture
def keyless(settings: dict[str, Any]) -> dict[str, Any]:
    """Without a model of its own for learning."""
    return {name: value for name, value in settings.items() if not name.startswith("learn__llm")}


def asked(product: Product, path: str) -> Any:
    with urllib.request.urlopen(f"{product.url}{path}", timeout=HANG_SECONDS) as answer:
        return json.load(answer)


def shown(upstream: Recorder) -> str:
    """The block inside the user's message in the last request that reached the model."""
    return parted(messages_of(upstream.bodies[-1])[-1][1])[0]


async def heard(product: Product, user: str) -> list[dict[str, Any]]:
    """What a user said, as soon as it is listed."""
    path = f"/v1/memories/said?user_id={user}"
    return await until(lambda: asked(product, path)["results"], f"what {user} said")


async def test_told_and_known_in_the_next_conversation(
    tmp_path: Path, keyless: dict[str, Any], upstream: Recorder
) -> None:
    """No flush, no waiting, no extraction; nobody else is told."""
    async with Product(tmp_path / "data", **keyless) as product:
        await say(product, TOLD, user="alice")
        _, headers = await say(product, ASKED, user="alice")
        assert headers["x-recollect-memory"] == "injected"
        assert "User said: " in shown(upstream)
        assert "4711" in shown(upstream)
        _, headers = await say(product, ASKED, user="bob")
        assert headers["x-recollect-memory"] == "empty"


async def test_it_survives_a_kill_in_between(
    tmp_path: Path, keyless: dict[str, Any], upstream: Recorder
) -> None:
    """The turn was on disk before its last byte."""
    product = Product(tmp_path / "data", **keyless).start()
    try:
        await say(product, TOLD, user="alice")
        product.kill()
        product.start()
        _, headers = await say(product, ASKED, user="alice")
        assert headers["x-recollect-memory"] == "injected"
        assert "4711" in shown(upstream)
    finally:
        await asyncio.to_thread(product.stop)


async def test_the_person_is_known(
    tmp_path: Path, keyless: dict[str, Any], upstream: Recorder
) -> None:
    """An allergy comes up for a recipe, and all of it for who asks; not for knowledge."""
    async with Product(tmp_path / "data", **keyless) as product:
        await say(product, "I'm allergic to peanuts.", user="alice")
        await heard(product, "alice")
        await say(product, "Give me a dinner recipe", user="alice")
        assert "peanuts" in shown(upstream)
        await say(product, "What do you know about me?", user="alice")
        assert "peanuts" in shown(upstream)
        await say(product, "Why is the sky blue?", user="alice")
        assert shown(upstream) == ""
        [line] = asked(product, "/v1/memories/profile?user_id=alice")["results"]
        assert "allergy" in line["traits"]


async def test_a_model_that_cannot_extract_is_no_degradation(
    tmp_path: Path, keyless: dict[str, Any], extractor: ScriptedModel
) -> None:
    """A state of its own; what was said stays, and can be deleted by its id."""
    # The small real model sometimes does extract something.
    extractor.replies = ["I am happy to help with that."]
    keyless["upstream__base_url"] = extractor.base_url
    data = {"learn__max_attempts": 1, "learn__retry_seconds": 0.1}
    async with Product(tmp_path / "data", **keyless, **data) as product:
        await say(product, TOLD, user="alice")
        await flush(product, user_id="alice")
        assert await memories(product, "alice") == []
        ready = asked(product, "/readyz")
        assert ready["status"] == "ok"
        assert ready["parts"]["learning"] in {"ok", "said_only"}
        [one] = await heard(product, "alice")
        path = f"{product.url}/v1/memories/{one['id']}?user_id=alice"
        removal = urllib.request.Request(path, method="DELETE")
        urllib.request.urlopen(removal, timeout=HANG_SECONDS).close()
        await say(product, ASKED, user="alice")
        assert "4711" not in str(extractor.requests[-1])
