"""Monday to Friday: the product as a process, the real `openai` client, a real model server.

Assertions are on the bytes the upstream received, not on anything the product says of itself.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import openai

from tests.support.fence import parted
from tests.support.product import Product
from tests.support.recorder import Recorder
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import until

FACT = "User's allotment number is 4711, by the canal"
TOLD = "Please note: my allotment has the number 4711, it is the one by the canal."
ASKED = "Which number does my allotment have?"


def client_of(product: Product) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=product.base_url, api_key="sk-test", max_retries=0)


async def say(
    product: Product, text: str, *, user: str, stream: bool = False, before: list[Any] | None = None
) -> tuple[str, dict[str, str]]:
    """One chat call with the real client: the answer's text and the headers."""
    messages = [*(before or []), {"role": "user", "content": text}]
    async with client_of(product) as client:
        if not stream:
            raw = await client.chat.completions.with_raw_response.create(
                model="smollm2", messages=messages, user=user, max_tokens=12
            )
            return raw.parse().choices[0].message.content or "", dict(raw.headers)
        streamed = await client.chat.completions.with_raw_response.create(
            model="smollm2", messages=messages, user=user, max_tokens=12, stream=True
        )
        pieces = [c.choices[0].delta.content or "" async for c in streamed.parse() if c.choices]
        return "".join(pieces), dict(streamed.headers)


async def flush(product: Product, **scope: str) -> dict[str, Any]:
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{product.url}/v1/memories/flush", json=scope) as answer,
    ):
        assert answer.status == 200, await answer.text()
        return await answer.json()


async def memories(product: Product, user: str) -> list[str]:
    async with (
        aiohttp.ClientSession() as session,
        session.get(
            f"{product.url}/v1/memories/", params={"user_id": user, "kinds": "memory"}
        ) as answer,
    ):
        return [m["memory"] for m in (await answer.json())["results"]]


async def eventually(product: Product, user: str) -> list[str]:
    """The user's memories as soon as there are any."""
    return await until(lambda: memories(product, user), f"a memory of {user}")


def messages_of(body: dict[str, Any]) -> list[tuple[str, str]]:
    return [(m["role"], m["content"]) for m in body["messages"]]


async def test_told_on_monday_known_on_friday(
    tmp_path: Path, settings: dict[str, Any], upstream: Recorder, extractor: ScriptedModel
) -> None:
    """What they tell is in their next conversation's request, across kill -9, and not in bob's."""
    extractor.replies = [facts(FACT)]
    tellers = {"alice": False, "carol": True}
    """Whether the answers are streamed."""
    product = Product(tmp_path / "data", **settings).start()
    try:
        for user, stream in tellers.items():
            text, headers = await say(product, TOLD, user=user, stream=stream)
            assert text
            assert headers["x-recollect-memory"] in {"empty", "skipped"}
            assert messages_of(upstream.bodies[-1]) == [("user", TOLD)]

        product.kill()  # the turn was captured before its last byte; nothing else is needed
        product.start()
        for user in tellers:
            await flush(product, user_id=user)
            assert await memories(product, user) == [FACT]
        product.kill()
        product.start()

        for user, stream in tellers.items():
            _, headers = await say(product, ASKED, user=user, stream=stream)
            assert headers["x-recollect-memory"] == "injected"
            assert headers["x-recollect-count"] == "1"
            [(role, text)] = messages_of(upstream.bodies[-1])
            block, question = parted(text)
            assert (role, question) == ("user", ASKED)
            assert FACT in block

            _, headers = await say(product, ASKED, user="bob", stream=stream)
            assert headers["x-recollect-memory"] == "empty"
            assert messages_of(upstream.bodies[-1]) == [("user", ASKED)]
        assert await memories(product, "bob") == []
    finally:
        await asyncio.to_thread(product.stop)


async def test_every_n_turns_without_being_asked(
    tmp_path: Path, settings: dict[str, Any], extractor: ScriptedModel
) -> None:
    """The second turn of a conversation starts the learning; retries do not count."""
    extractor.replies = [facts(FACT)]
    settings |= {"learn__every_turns": 2, "upkeep__episodes__enabled": False}
    async with Product(tmp_path / "data", **settings) as product:
        for _ in range(3):
            answer, _ = await say(product, TOLD, user="alice")
        assert extractor.requests == []
        history = [{"role": "user", "content": TOLD}, {"role": "assistant", "content": answer}]
        await say(product, "It also has a shed.", user="alice", before=history)
        assert await eventually(product, "alice") == [FACT]
    # What extracts, and what verifies.
    assert len(extractor.requests) == 2


async def test_silence_ends_a_conversation(
    tmp_path: Path, settings: dict[str, Any], extractor: ScriptedModel
) -> None:
    """What is left of a conversation is learned when it was silent for long enough."""
    extractor.replies = [facts(FACT)]
    async with Product(tmp_path / "data", **settings, learn__idle_seconds=1) as product:
        await say(product, TOLD, user="alice")
        assert await eventually(product, "alice") == [FACT]


async def test_nothing_of_ours_is_learned_again(
    tmp_path: Path, settings: dict[str, Any], extractor: ScriptedModel
) -> None:
    """Neither a system message nor an injected memory is ever shown to the extractor."""
    extractor.replies = [facts(FACT), facts()]
    settings |= {"upkeep__episodes__enabled": False}
    async with Product(tmp_path / "data", **settings) as product:
        await say(product, TOLD, user="alice")
        await flush(product, user_id="alice")
        system = [{"role": "system", "content": "SYSTEM-SECRET be brief"}]
        _, headers = await say(product, ASKED, user="alice", before=system)
        assert headers["x-recollect-memory"] == "injected"
        await flush(product, user_id="alice")
    # The first turn is extracted and verified; the second one has no facts to verify.
    assert len(extractor.requests) == 3
    assert "SYSTEM-SECRET" not in extractor.said()
    assert FACT not in str(extractor.requests[2]["messages"][1:])
