"""Injected tools in front of a real model server: it takes them, and answers as it would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import openai
import pytest

from tests.support.product import Product
from tests.support.recorder import Recorder

ASKED: Any = [{"role": "user", "content": "Say hello."}]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_real_server_answers_with_injected_tools(
    settings: dict[str, Any], upstream: Recorder, tmp_path: Path, stream: bool
) -> None:
    """The client gets a text, and no call; what the server refuses is sent as it came."""
    ours = {"tools__inject": True, "tools__names": json.dumps(["fact_search"])}
    with Product(tmp_path, **settings, **ours) as product:
        async with openai.AsyncOpenAI(base_url=product.base_url, api_key="k") as client:
            asked: dict[str, Any] = {
                "model": "smollm2", "messages": ASKED, "max_tokens": 8, "user": "ada",
            }  # fmt: skip
            if stream:
                chunks = [
                    c async for c in await client.chat.completions.create(stream=True, **asked)
                ]
                deltas = [choice.delta for chunk in chunks for choice in chunk.choices]
                assert "".join(delta.content or "" for delta in deltas).strip()
                assert not any(delta.tool_calls for delta in deltas)
            else:
                answer = await client.chat.completions.create(**asked)
                assert answer.choices[0].message.content
                assert not answer.choices[0].message.tool_calls
    assert "fact_search" in upstream.received.decode(errors="replace")
