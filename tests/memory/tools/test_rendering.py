"""The table as the `tools` of OpenAI's two APIs."""

from __future__ import annotations

from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter

from recollect.memory.tools import TOOLS, openai_tools, responses_tools


def test_the_client_s_types_take_every_tool() -> None:
    """Both of its APIs, with nothing that they do not know."""
    chat = openai_tools(TOOLS)
    TypeAdapter(list[ChatCompletionFunctionToolParam]).validate_python(chat, extra="forbid")
    responses = responses_tools(TOOLS)
    TypeAdapter(list[FunctionToolParam]).validate_python(responses, extra="forbid")
    assert [each["function"]["name"] for each in chat] == [each["name"] for each in responses]
    assert chat[0]["function"]["parameters"]["additionalProperties"] is False
