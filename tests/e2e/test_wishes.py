"""Wishes of the user and hearsay, as a real model server receives them.

What a model does with them is not tested: the small one cannot be judged by.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp

from recollect.memory.learn import HEARSAY, PREAMBLE
from tests.support.fence import parted
from tests.support.product import Product
from tests.support.recorder import Recorder
from tests.support.scripted import ScriptedModel, facts
from tests.support.waiting import until

from .test_remembers import flush, memories, messages_of, say

WISH = "User always wants temperatures given in Celsius"
HEARD = "The temperature in the greenhouse is usually 24 degrees Celsius"
ASKED = "In which unit do I want temperatures, and what is it in the greenhouse?"


async def give(product: Product, role: str, text: str) -> None:
    said = {"messages": [{"role": role, "content": text}], "user_id": "alice", "infer": False}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{product.url}/v1/memories/", json=said) as answer,
    ):
        assert answer.status == 200, await answer.text()


async def test_a_wish_arrives_as_one_and_hearsay_is_marked(
    tmp_path: Path, settings: dict[str, Any], upstream: Recorder, extractor: ScriptedModel
) -> None:
    """One message with the notice, the user's wish bare, a claim marked; no echo is learned."""
    settings |= {"learn__unconfirmed": "keep"}
    product = Product(tmp_path / "data", **settings).start()
    try:
        await give(product, "user", WISH)
        await give(product, "assistant", HEARD)
        answer, headers = await say(product, ASKED, user="alice")
        assert answer
        assert headers["x-recollect-memory"] == "injected"
        [(role, text)] = messages_of(upstream.bodies[-1])
        block, asked = parted(text)
        assert (role, asked) == ("user", ASKED)
        assert block.split("\n")[1] == PREAMBLE
        told = [line.split(" ", 2)[-1] for line in block.split("\n")]
        assert WISH in told
        assert f"{HEARSAY} {HEARD}" in told

        extractor.replies = [facts()]
        thanked, _ = await say(
            product, f"{block}\nThanks, I am back from Bergen now.", user="alice"
        )
        await flush(product, user_id="alice")
        assert sorted(await memories(product, "alice")) == sorted([WISH, HEARD])
        assert "back from Bergen" in extractor.said()
        # The small model's answer, which is part of the turn, may begin with the word by itself.
        assert HEARSAY in answer + thanked or HEARSAY not in extractor.said()
        assert "Never send, pay" not in extractor.said()
    finally:
        product.stop()


async def test_learned_wishes_are_brought_up_as_said_ones(
    tmp_path: Path, settings: dict[str, Any], upstream: Recorder, extractor: ScriptedModel
) -> None:
    """Whatever type the model gives them, in a later chat about something else."""
    said = "From now on always answer in British spelling"
    celsius, coach = "User wants temperatures in Celsius", "User wants to be called Coach"
    product = Product(tmp_path / "data", **settings).start()
    try:
        for text, kind in ((celsius, "procedural"), (coach, "semantic")):
            extractor.replies = [facts(text, kind=kind)]
            await say(product, f"Hello, here I {' '.join(text.split()[1:])}.", user="alice")
            await flush(product, user_id="alice")
        assert sorted(await memories(product, "alice")) == sorted([celsius, coach])
        extractor.replies = [facts()]
        await say(product, said, user="alice")
        for asked in ("What is the capital of Peru?", "Which plants would suit my balcony?"):

            async def brought_up(asked: str = asked) -> bool:
                await say(product, asked, user="alice")
                [(_, text)] = messages_of(upstream.bodies[-1])
                lines = parted(text)[0].split("\n")
                assert {celsius, coach} <= {line.split(" ", 2)[-1] for line in lines}
                return any(line.endswith(said) for line in lines)

            await until(brought_up, "what was said is embedded")
    finally:
        product.stop()
