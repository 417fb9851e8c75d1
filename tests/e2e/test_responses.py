"""The Responses API on real parts: remembered through one API, recalled through the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openai

from tests.support.fence import parted
from tests.support.product import Product
from tests.support.recorder import Recorder
from tests.support.scripted import ScriptedModel, facts

from .test_remembers import ASKED, FACT, TOLD, client_of, flush, say


async def respond(
    client: openai.AsyncOpenAI, text: Any, *, stream: bool, **more: Any
) -> tuple[str, str]:
    """One call: the answer's text and our outcome. The model server keeps no conversations."""
    asked = {"model": "smollm2", "input": text, "max_output_tokens": 12, **more}
    if not stream:
        raw = await client.responses.with_raw_response.create(**asked)
        return raw.parse().output_text, raw.headers["x-recollect-memory"]
    raw = await client.responses.with_raw_response.create(**asked, stream=True)
    said = [e.delta async for e in raw.parse() if e.type == "response.output_text.delta"]
    return "".join(said), raw.headers["x-recollect-memory"]


async def test_told_in_one_api_known_in_the_other(
    tmp_path: Path, settings: dict[str, Any], upstream: Recorder, extractor: ScriptedModel
) -> None:
    """What is told to `/v1/responses` is learned, and recalled there and in chats, for that user."""
    extractor.replies = [facts(FACT)]
    async with Product(tmp_path / "data", **settings) as product:
        for user, stream in {"alice": False, "carol": True}.items():
            async with client_of(product) as client:
                text, outcome = await respond(client, TOLD, stream=stream, user=user)
                assert text
                assert outcome in {"empty", "skipped"}
                assert upstream.bodies[-1]["input"] == TOLD
                await flush(product, user_id=user)

                text, outcome = await respond(client, ASKED, stream=stream, user=user)
                assert text
                assert outcome == "injected"
                block, asked = parted(upstream.bodies[-1]["input"])
                assert (FACT in block, asked) == (True, ASKED)

                items = [{"role": "user", "content": [{"type": "input_text", "text": ASKED}]}]
                _, outcome = await respond(client, items, stream=stream, user=user)
                assert outcome == "injected"
                [sent] = upstream.bodies[-1]["input"]
                [part] = sent["content"]
                block, asked = parted(part["text"])
                assert (FACT in block, asked, part["type"]) == (True, ASKED, "input_text")

                _, outcome = await respond(client, ASKED, stream=stream, user="bob")
                assert outcome == "empty"
                assert upstream.bodies[-1]["input"] == ASKED
            _, headers = await say(product, ASKED, user=user, stream=stream)
            assert headers["x-recollect-memory"] == "injected"
