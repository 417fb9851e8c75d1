"""How an answer is wanted, read from the bodies of all APIs."""

import json

from recollect.filters.exchange import SYSTEM_CHARS, Manner
from recollect.proxy.chat.answer_manner import manner_of
from recollect.proxy.dialects.chat import parse_chat_body
from recollect.proxy.dialects.responses import parse_responses_body
from tests.support.folding import rows

USER = {"role": "user", "content": "hi"}


def chat(*messages, **fields):
    body = parse_chat_body(json.dumps({"messages": [*messages, USER], **fields}).encode())
    return manner_of(body, body.messages)


def response(**fields):
    body = parse_responses_body(json.dumps({"input": "hi", **fields}).encode())
    return manner_of(body, body.messages)


@rows(
    "fields, manner",
    [
        ({}, Manner()),
        ({"stream": True, "max_tokens": 5}, Manner(stream=True, limit=5)),
        ({"max_completion_tokens": 7, "max_tokens": None}, Manner(limit=7)),
        ({"stream": "yes", "max_tokens": True}, Manner()),
        ({"max_tokens": -1, "tool_choice": "auto", "tools": []}, Manner()),
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, Manner(tools=True)),
        ({"tool_choice": "required"}, Manner(forced=True)),
        ({"tool_choice": {"type": "function", "function": {"name": "f"}}}, Manner(forced=True)),
        ({"response_format": {"type": "json_object"}}, Manner(forced=True)),
        ({"response_format": {"type": "text"}}, Manner()),
        ({"response_format": "json"}, Manner()),
        ({"tool_choice": {"type": "any"}}, Manner(forced=True)),
        ({"tool_choice": {"type": "auto"}}, Manner()),
        ({"output_config": {"format": {"type": "json_schema"}}}, Manner(forced=True)),
        ({"prediction": {"type": "content"}}, Manner(forced=True)),
        ({"format": "json", "options": {"num_predict": 9}}, Manner(forced=True, limit=9)),
        ({"format": {"type": "object"}, "options": [9]}, Manner(forced=True)),
    ],
)
def test_a_chat_request(fields, manner):
    """Fields of a wrong type say nothing."""
    assert chat(**fields) == manner


def test_instructions_are_the_first():
    """As many characters as tell one set from another."""
    first = {"role": "developer", "content": "d" * 1000}
    manner = chat(first, {"role": "system", "content": "s"})
    assert manner == Manner(system="d" * SYSTEM_CHARS)


@rows(
    "fields, manner",
    [
        ({"instructions": "Be kind.", "max_output_tokens": 9}, Manner(system="Be kind.", limit=9)),
        ({"text": {"format": {"type": "json_schema"}}}, Manner(forced=True)),
        ({"text": {"format": {"type": "text"}}}, Manner()),
        ({"previous_response_id": "r1"}, Manner(continues=True)),
        ({"conversation": {"id": "c1"}}, Manner(continues=True)),
    ],
)
def test_a_responses_request(fields, manner):
    """The same in the other API's words."""
    assert response(**fields) == manner
