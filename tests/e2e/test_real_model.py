"""In front of a real model server that nobody here wrote: it takes what we send, and answers as it would."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import openai
import pytest

from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions
from recollect.memory.model.types import ChatRequest, Message
from recollect.memory.tools import TOOLS
from recollect.memory.tools.toolset import checked
from tests.e2e.asking import ASKED, FACT, TOLD, client_of, flush, remember, say
from tests.support.budget import examples
from tests.support.command import clean_environ
from tests.support.fence import parted
from tests.support.gateway import Tenant
from tests.support.here import ProductHere
from tests.support.llama import LlamaAt
from tests.support.recorder import Recorder
from tests.support.scripted import ScriptedModel, facts

pytestmark = pytest.mark.process


@pytest.fixture
async def upstream(llama: LlamaAt) -> AsyncIterator[Recorder]:
    """The model server behind a relay that keeps every byte it is sent."""
    async with Recorder(llama.base_url) as recorder:
        yield recorder


async def respond(client: openai.AsyncOpenAI, text: Any, *, stream: bool, **more: Any) -> str:
    """Our outcome of one call that is answered. The model server keeps no conversations."""
    asked = {"model": "smollm2", "input": text, "max_output_tokens": 4, **more}
    if not stream:
        raw = await client.responses.with_raw_response.create(**asked)
        assert raw.parse().output_text
        return raw.headers["x-recollect-memory"]
    raw = await client.responses.with_raw_response.create(**asked, stream=True)
    said = [e.delta async for e in raw.parse() if e.type == "response.output_text.delta"]
    assert "".join(said)
    return raw.headers["x-recollect-memory"]


async def test_told_in_one_api_known_in_the_other(
    tenant: Tenant, upstream: Recorder, extractor: ScriptedModel
) -> None:
    """What is told to `/v1/responses` is learned, and recalled there and in chats, for that user."""
    extractor.replies = [facts(FACT)]
    tenant.served_by(upstream, extractor)
    async with client_of(tenant) as client:
        assert await respond(client, TOLD, stream=False, user="alice") in {"empty", "skipped"}
        assert upstream.bodies[-1]["input"] == TOLD
        await flush(tenant, user_id="alice")

        assert await respond(client, ASKED, stream=True, user="alice") == "injected"
        block, asked = parted(upstream.bodies[-1]["input"])
        assert (FACT in block, asked) == (True, ASKED)

        items = [{"role": "user", "content": [{"type": "input_text", "text": ASKED}]}]
        assert await respond(client, items, stream=False, user="alice") == "injected"
        [sent] = upstream.bodies[-1]["input"]
        [part] = sent["content"]
        block, asked = parted(part["text"])
        assert (FACT in block, asked, part["type"]) == (True, ASKED, "input_text")

        assert await respond(client, ASKED, stream=False, user="bob") == "empty"
        assert upstream.bodies[-1]["input"] == ASKED
    text, headers = await say(tenant, ASKED, user="alice", stream=True)
    assert text
    assert headers["x-recollect-memory"] == "injected"


WHATIF = ["whatif", "--user", "ada", "--model", "smollm2", "--max-calls", "4", "--max-tokens", "8"]


async def test_injected_tools_and_what_if(
    upstream: Recorder, models_dir: Path, tmp_path: Path
) -> None:
    """A client gets a text and no call, streamed or not; and which memory changed an answer is told.

    Three real answers are asked for: two to the same bytes, one to the chat without its line.
    """
    settings = {
        "upstream__base_url": upstream.base_url,
        "embedder__model_dir": models_dir,
        "tools__inject": True,
        "tools__names": json.dumps(["fact_search"]),
    }
    async with ProductHere(tmp_path / "data", **settings) as product:
        for stream in (False, True):
            text, _ = await say(product, "Say hello.", user="eve", stream=stream)
            assert text.strip()
        assert "fact_search" in upstream.received.decode(errors="replace")
        await remember(product, FACT, "ada")
        before = len(upstream.bodies)
        status, out, err = await command(product, *WHATIF, "--json", ASKED)
        assert status == 0, err
        told = json.loads(out)
        [without] = told["without"]
        assert (without["memory"], told["calls"], told["not_tried"]) == (FACT, 3, [])
        assert told["base"]
        assert told["tokens"] > 0
        first, *others = [json.dumps(body["messages"]) for body in upstream.bodies[before:]]
        assert others.count(first) == 1
        [bare] = [body for body in others if body != first]
        assert FACT in first
        assert "4711" not in bare


async def command(product: ProductHere, *arguments: str) -> tuple[int, str, str]:
    """The status, the output and the messages of a command beside the product."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "recollect", *arguments),
        env=clean_environ() | {"RECOLLECT_LISTEN__PORT": str(product.port)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await running.communicate()
    return running.returncode or 0, out.decode(), err.decode()


async def test_it_takes_the_schemas_of_all_tools_at_once(llama: LlamaAt) -> None:
    """One request of ours in the shape of a call of any tool, in the form that the table of providers says."""
    calls = [
        {
            "type": "object",
            "properties": {"name": {"const": tool.name}, "arguments": tool.input_schema},
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }
        for tool in TOOLS
    ]
    options = OpenAIChatOptions(
        provider="llamacpp", base_url=llama.base_url, model="smollm2", timeout_seconds=300
    )
    model = OpenAIChatModel(options, setting="learn.llm")
    asked = ChatRequest(
        messages=[Message(role="user", content="Call fact_search to look for tea.")],
        schema={"anyOf": calls},
        max_tokens=examples(10),
        temperature=0,
    )
    reply = await model.complete(asked)
    await model.close()
    assert reply.text.lstrip().startswith("{")
    assert reply.prompt_tokens > 0
    assert reply.completion_tokens > 0
    assert model._format == 0
    with contextlib.suppress(ValueError):  # it may be cut
        made = json.loads(reply.text)
        [tool] = [each for each in TOOLS if each.name == made["name"]]
        checked(tool, made["arguments"])
