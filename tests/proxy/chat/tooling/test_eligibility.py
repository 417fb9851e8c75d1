"""Which requests take injected tools."""

from __future__ import annotations

import json
from typing import Any

from recollect.proxy.chat.tooling.eligibility import why_not
from recollect.proxy.dialects.chat import parse_chat_body
from recollect.proxy.dialects.responses import parse_responses_body
from tests.support.folding import rows

OURS = ("fact_search",)


def chat(**fields: Any) -> str | None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], **fields}
    return why_not(parse_chat_body(json.dumps(body).encode()), OURS)


def responses(**fields: Any) -> str | None:
    return why_not(parse_responses_body(json.dumps({"input": "Hi", **fields}).encode()), OURS)


@rows(
    "fields",
    [
        {},
        {"tools": [], "tool_choice": "auto", "n": 1},
        {"tools": None, "tool_choice": None},
        {"tools": [{"type": "function", "function": {"name": "weather"}}], "stream": True},
        {"response_format": {"type": "text"}},
    ],
)
def test_ordinary_chats_take_them(fields: dict[str, Any]) -> None:
    """With tools of the client's own or without."""
    assert chat(**fields) is None


@rows(
    "fields, why",
    [
        ({"tools": [{"type": "function", "function": {"name": "fact_search"}}]}, "same_name"),
        ({"tools": [{"type": "function", "function": {"name": "Fact_Search"}}]}, "same_name"),
        ({"tools": "all"}, "tools_unreadable"),
        ({"tool_choice": "none"}, "tool_choice"),
        ({"tool_choice": {"type": "function", "function": {"name": "x"}}}, "tool_choice"),
        ({"function_call": "auto"}, "tool_choice"),
        ({"functions": [{"name": "weather"}]}, "functions"),
        ({"n": 3}, "several_answers"),
        ({"response_format": {"type": "json_schema", "json_schema": {}}}, "form"),
        ({"grammar": "root ::= [0-9]"}, "form"),
    ],
)
def test_what_says_how_it_is_answered_takes_none(fields: dict[str, Any], why: str) -> None:
    """The reason is a word for the traces."""
    assert chat(**fields) == why


@rows(
    "fields, why",
    [
        ({"background": True}, "kept_by_server"),
        ({"conversation": "conv_1"}, "kept_by_server"),
        ({"text": {"format": {"type": "json_object"}}}, "form"),
        ({"tools": [{"type": "function", "name": "fact_search"}]}, "same_name"),
    ],
)
def test_responses_that_the_server_goes_on_with_take_none(fields: dict[str, Any], why: str) -> None:
    """Nobody could answer their calls in between."""
    assert responses(**fields) == why
    assert responses(previous_response_id="resp_1", text={"format": {"type": "text"}}) is None
