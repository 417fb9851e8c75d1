"""Forgetting by saying so: the product as a process, the real client, a scripted model server."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import openai
import pytest

from tests.e2e.test_remembers import client_of
from tests.support.product import Product
from tests.support.scripted import ScriptedModel
from tests.support.waiting import HANG_SECONDS, until

TOLD = "I work at Alstom in Belfort as an accountant."
REQUEST = "Please forget that I work at Alstom."
ASKED = 'I found: you work at Alstom. Shall I forget it? Answer "yes, forget it".'
QUESTION = "Where do I work?"


@pytest.fixture
def alone(settings: dict[str, Any], extractor: ScriptedModel) -> dict[str, Any]:
    """Without a model that learns; the chats' model is scripted."""
    extractor.replies = ["I see."]
    kept = {name: value for name, value in settings.items() if not name.startswith("learn__llm")}
    return kept | {"upstream__base_url": extractor.base_url}


async def chat(product: Product, *texts: str, user: str = "alice", **headers: str) -> Any:
    """The headers of the answer to a conversation: user and assistant speak in turns."""
    roles = ("user", "assistant")
    messages: Any = [{"role": roles[i % 2], "content": text} for i, text in enumerate(texts)]
    client: openai.AsyncOpenAI
    async with client_of(product) as client:
        raw = await client.chat.completions.with_raw_response.create(
            model="m", messages=messages, user=user, extra_headers=headers
        )
    return raw.headers


async def heard(product: Product, user: str) -> list[str]:
    """What a user said, as soon as it is listed."""

    def listed() -> list[str]:
        path = f"{product.url}/v1/memories/said?user_id={user}"
        with urllib.request.urlopen(path, timeout=HANG_SECONDS) as answer:
            return [one["said"] for one in json.load(answer)["results"]]

    return await until(listed, f"what {user} said")


def asked(model: ScriptedModel) -> str:
    """The user's last message as it reached the model."""
    return str(model.requests[-1]["messages"][-1]["content"])


async def test_told_proposed_agreed_gone(
    tmp_path: Path, alone: dict[str, Any], extractor: ScriptedModel
) -> None:
    """Across a restart between the request and the answer; later nothing is known of it."""
    data = tmp_path / "data"
    async with Product(data, **alone) as product:
        await chat(product, TOLD)
        await heard(product, "alice")
        headers = await chat(product, REQUEST)
        assert headers["x-recollect-reason"] == "forget_proposed"
        assert "Alstom in Belfort" in asked(extractor)
        assert "Nothing is erased yet" in asked(extractor)
        assert await heard(product, "alice") == [TOLD]
    async with Product(data, **alone) as product:
        headers = await chat(product, REQUEST, ASKED, "yes, forget it")
        assert headers["x-recollect-reason"] in {"forgotten", "forget_begun", "forget_expired"}
        if headers["x-recollect-reason"] == "forget_expired":
            pytest.fail("a proposal must outlive a restart")
        headers = await chat(product, QUESTION)
        assert headers["x-recollect-memory"] == "empty"
        assert "Alstom" not in asked(extractor)
        with urllib.request.urlopen(f"{product.url}/v1/memories/said?user_id=alice") as answer:
            assert "Alstom" not in answer.read().decode()


async def test_what_does_not_ask_or_may_not(
    tmp_path: Path, alone: dict[str, Any], extractor: ScriptedModel
) -> None:
    """Read only, pasted text, another answer, another conversation: nothing is erased."""
    async with Product(tmp_path / "data", **alone) as product:
        await chat(product, TOLD)
        await heard(product, "alice")
        headers = await chat(product, REQUEST, **{"x-recollect-memory": "read"})
        assert not headers["x-recollect-reason"].startswith("forget")
        headers = await chat(product, f"Translate this:\n\n> {REQUEST}")
        assert not headers["x-recollect-reason"].startswith("forget")
        await chat(product, REQUEST)
        for answer in ("no", "What's 2+2?"):
            await chat(product, REQUEST, ASKED, answer)
        await chat(product, REQUEST, "Shall I write to them?", "yes")
        await chat(product, "Hi", "Hello", "yes, forget it")
        await chat(product, QUESTION)
        assert "Alstom" in asked(extractor)
