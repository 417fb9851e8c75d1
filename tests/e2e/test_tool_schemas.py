"""A real llama.cpp server turns the schemas of all tools into one grammar, and its model follows it."""

from __future__ import annotations

import json

import openai
import pytest

from recollect.memory.tools import TOOLS
from recollect.memory.tools.toolset import checked
from tests.support.llama import LlamaServer


@pytest.mark.process
def test_a_real_server_takes_all_tools_at_once(llama: LlamaServer) -> None:
    """One request in the shape of a call of any tool; what it answers can be called."""
    calls = [
        {
            "type": "object",
            "properties": {"name": {"const": tool.name}, "arguments": tool.input_schema},
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }
        for tool in TOOLS
    ]
    wanted = {"name": "call", "schema": {"anyOf": calls}, "strict": True}
    with openai.OpenAI(base_url=llama.base_url, api_key="none", max_retries=0) as client:
        reply = client.chat.completions.create(
            model="smollm2",
            messages=[{"role": "user", "content": "Call fact_search to look for tea."}],
            response_format={"type": "json_schema", "json_schema": wanted},  # type: ignore[misc, arg-type]  # a JSON Schema is any object
            max_tokens=300,
            temperature=0,
        )
    [choice] = reply.choices
    assert (choice.message.content or "").lstrip().startswith("{")
    if choice.finish_reason == "stop":
        made = json.loads(choice.message.content or "")
        [tool] = [each for each in TOOLS if each.name == made["name"]]
        checked(tool, made["arguments"])
