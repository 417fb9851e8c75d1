"""The schemas of the tools: what others' programs make of them, and whether answers fit them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter

from recollect.memory.api.client import AsyncMemory
from recollect.memory.model.types import ChatReply, ChatRequest
from recollect.memory.tools import TOOLS, Tool, ToolSet, openai_tools, responses_tools
from tests.memory.tools.opened import OPTIONS
from tests.support.budget import examples, paired
from tests.support.folding import rows
from tests.support.nasty import TEXTS
from tests.support.tool_calls import arguments_of

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
MOST_DESCRIPTION = 1024
"""What OpenAI takes as the name and the description of a function."""
LONG = 2000
"""Repetitions from which llama.cpp refuses a grammar."""


def test_openai_takes_them() -> None:
    """Both shapes are those of the official client's types, with names that the API allows."""
    chat = TypeAdapter(list[ChatCompletionFunctionToolParam])
    assert chat.validate_python(openai_tools(TOOLS), strict=True) == openai_tools(TOOLS)
    responses = TypeAdapter(list[FunctionToolParam])
    assert responses.validate_python(responses_tools(TOOLS), strict=True) == responses_tools(TOOLS)
    for tool in TOOLS:
        assert NAME.fullmatch(tool.name)
        assert len(tool.description) < MOST_DESCRIPTION


@rows("tool", TOOLS)
def test_they_are_schemas_that_model_servers_take(tool: Tool) -> None:
    """Valid, an object that is closed, each argument described, and nothing that is too long."""
    for schema in (tool.input_schema, tool.output_schema):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert "$ref" not in str(schema)
    assert tool.input_schema["additionalProperties"] is False
    assert all(each["description"] for each in tool.input_schema["properties"].values())
    lengths = re.findall(r'"max(?:Length|Items)": (\d+)', json.dumps(tool.input_schema))
    assert all(int(length) < LONG for length in lengths)
    assert not {"user_id", "agent_id", "run_id", "tenant"} & tool.input_schema["properties"].keys()


class Says:
    """A model that says one thing, whatever it is asked."""

    def __init__(self, text: str) -> None:
        self._reply = json.dumps(
            {"grounds": [1], "answer": text, "enough": False, "missing": text, "queries": [text]}
        )

    async def complete(self, request: ChatRequest) -> ChatReply:
        del request
        return ChatReply(text=self._reply, model="m")

    async def close(self) -> None:
        """Nothing to close."""


async def fits(tools: ToolSet, name: str, arguments: dict[str, Any]) -> None:
    """Call a tool: it refuses with a reason, or its answer is as described, and JSON."""
    answer = await tools.call(name, arguments)
    sent = json.loads(answer.text)
    assert answer.text.encode()
    if answer.is_error:
        assert sent == {"error": answer.error}
        return
    tool = tools.get(name)
    assert tool is not None
    Draft202012Validator(tool.output_schema).validate(sent)
    assert sent == answer.value


POINTS = [
    (tool.name, argument)
    for tool in TOOLS
    if tool.name != "fact_forget"
    for argument in tool.input_schema["properties"]
]


async def exercise(text: str, points: Sequence[tuple[str, str]]) -> None:
    """Tools with this text in one of their arguments, on a memory that holds it everywhere."""
    async with await AsyncMemory.open(OPTIONS) as opened:
        memory = opened.for_tenant(opened.tenant, Says(text))  # type: ignore[arg-type]
        tools = memory.tools(user_id="ada", validates=True)
        await memory.blocks.define("plan", value="bicycle", user_id="ada")
        kept = await tools.call("fact_remember", {"text": text})
        await tools.call("block_append", {"label": "plan", "text": text})
        memory_id = kept.value.get("id", "no-such-id")
        for name, argument in points:
            tool = tools.get(name)
            assert tool is not None
            usual = arguments_of(tool, memory_id)
            await fits(tools, name, usual)
            await fits(tools, name, {**usual, argument: text})
        await fits(tools, "fact_forget", {"id": memory_id})


async def test_answers_about_hostile_texts_fit_their_schemas() -> None:
    """A refusal has a reason; everything else is what the table promises, and valid JSON."""
    points = defaultdict(list)
    for name, point in paired([*TEXTS], POINTS, 4):
        points[name].append(point)
    for name, some in points.items():
        await exercise(TEXTS[name], some)


@settings(max_examples=examples(10), deadline=None)
@given(st.text(), st.lists(st.sampled_from(POINTS), max_size=5))
async def test_answers_about_any_text_fit_their_schemas(
    text: str, points: list[tuple[str, str]]
) -> None:
    """The same for whatever a model may write."""
    await exercise(text, points)
