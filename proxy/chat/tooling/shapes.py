"""The two APIs as far as injected tools need them: tools, rounds, results, answers. Pure."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence
from typing import Any

from recollect.memory.model.types import ToolCall
from recollect.memory.tools import Tool, openai_tools, responses_tools

from ...dialects.chat import CHAT
from ...dialects.responses import RESPONSES
from .chat_stream import MergedChat, chat_round
from .responses_stream import MergedResponses, responses_round, with_own_tools, without_calls
from .rounds import Earlier, Round, joined
from .splicing import appended, with_field


class ChatShape:
    """Chat Completions."""

    def rendered(self, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        """Our tools as a request has them."""
        return openai_tools(tools)

    def continued(self, raw: bytes, one: Round, results: Sequence[tuple[ToolCall, str]]) -> bytes:
        """The next request: what the model said, and what its calls answered. Raises ValueError."""
        answered = [
            {"role": "tool", "tool_call_id": call.id, "content": result} for call, result in results
        ]
        return appended(raw, "messages", [*one.said, *answered])

    def read(self, document: Mapping[str, Any]) -> Round:
        """The round of an answer in one piece."""
        message = _message(document)
        if message is None:
            return Round(usage=document.get("usage"))
        return chat_round([message], document.get("usage"))

    def merged(
        self, document: dict[str, Any], earlier: Earlier, without: Container[str]
    ) -> dict[str, Any]:
        """The answer in one piece, with the texts and tokens of earlier rounds.

        Calls of the tools `without` are left out.
        """
        message = _message(document)
        if message is None:
            return document
        usage = earlier.after(self.read(document)).usage
        if usage is not None:
            document["usage"] = usage
        if earlier.text:
            message["content"] = joined(earlier.text, message.get("content") or "")
        _drop_calls(document["choices"][0], message, without)
        return document

    def with_own_tools(self, document: dict[str, Any], own: Any) -> bool:
        """Let an answer that repeats the tools of its request repeat the client's `own` only.

        Whether it repeats any, and so was changed; no answer of this API does.
        """
        del document, own
        return False

    def stream(self, names: Container[str], own: Any) -> MergedChat:
        """For an answer in events; `names` are those of our tools."""
        del own
        return MergedChat(names)


class ResponsesShape:
    """Responses; each method as of `ChatShape`."""

    def rendered(self, tools: Sequence[Tool]) -> list[dict[str, Any]]:
        return responses_tools(tools)

    def continued(self, raw: bytes, one: Round, results: Sequence[tuple[ToolCall, str]]) -> bytes:
        asked = json.loads(raw)
        if isinstance(asked.get("input"), str):
            raw = with_field(raw, "input", [{"role": "user", "content": asked["input"]}])
        said = [item for item in one.said if _may_be_repeated(item, asked.get("store"))]
        answered = [
            {"type": "function_call_output", "call_id": call.id, "output": result}
            for call, result in results
        ]
        return appended(raw, "input", [*said, *answered])

    def read(self, document: Mapping[str, Any]) -> Round:
        return responses_round(document)

    def merged(
        self, document: dict[str, Any], earlier: Earlier, without: Container[str]
    ) -> dict[str, Any]:
        usage = earlier.after(self.read(document)).usage
        if usage is not None:
            document["usage"] = usage
        if isinstance(output := document.get("output"), list):
            document["output"] = without_calls(output, without)
        return document

    def with_own_tools(self, document: dict[str, Any], own: Any) -> bool:
        return with_own_tools(document, own)

    def stream(self, names: Container[str], own: Any) -> MergedResponses:
        return MergedResponses(names, own)


ToolShape = ChatShape | ResponsesShape
SHAPES: Mapping[str, ToolShape] = {CHAT.path: ChatShape(), RESPONSES.path: ResponsesShape()}
"""By the path of the API."""


def without_tools(raw: bytes, own: Any) -> bytes:
    """The body of the last request: with the client's `own` tools only, or none that may be called.

    Raises ValueError.
    """
    if own:
        return with_field(raw, "tools", own)
    # The calls that it repeats need their tools: some servers refuse them otherwise.
    return with_field(raw, "tool_choice", "none")


def _message(document: Mapping[str, Any]) -> dict[str, Any] | None:
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    return message if isinstance(message, dict) else None


def _drop_calls(choice: dict[str, Any], message: dict[str, Any], without: Container[str]) -> None:
    calls, legacy = message.get("tool_calls"), message.get("function_call")
    before = bool(calls or legacy)
    if isinstance(calls, list):
        message["tool_calls"] = [each for each in calls if _name(each) not in without]
        if calls and not message["tool_calls"]:
            del message["tool_calls"]
    if isinstance(legacy, dict) and legacy.get("name") in without:
        del message["function_call"]
    after = bool(message.get("tool_calls") or message.get("function_call"))
    if before and not after and choice.get("finish_reason") in ("tool_calls", "function_call"):
        choice["finish_reason"] = "stop"


def _name(call: Any) -> Any:
    function = call.get("function") if isinstance(call, dict) else None
    return function.get("name") if isinstance(function, dict) else None


def _may_be_repeated(item: Mapping[str, Any], store: Any) -> bool:
    """What a server does not keep it can only read whole: an item of reasoning by its content."""
    return item.get("type") != "reasoning" or store is not False or "encrypted_content" in item
