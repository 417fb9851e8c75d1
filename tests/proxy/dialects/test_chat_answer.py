"""The assistant's message in the values of a chat completion."""

import json

import pytest

from recollect.filters import ToolCall
from recollect.proxy.dialects.chat_answer import read_chat_answer


def whole(message):
    """A completion."""
    return [json.dumps({"id": "c1", "choices": [{"index": 0, "message": message}]}).encode()]


def pieces(*deltas):
    """The events of a stream, with its first and last ones."""
    values = [{"index": 0, "delta": delta} for delta in ({"role": "assistant"}, *deltas, {})]
    events = [json.dumps({"id": "c1", "choices": [value]}).encode() for value in values]
    return [*events, b'{"choices": [], "usage": {}}', b"[DONE]"]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": None, "refusal": "I cannot"}, "I cannot"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "a\nb"),
        ({"content": None, "audio": {"id": "a", "data": "AAAA", "transcript": "spoken"}}, "spoken"),
        ({"content": None, "audio": {"data": 5}}, ""),
        ({"content": "", "tool_calls": "odd"}, ""),
        ({"content": 5, "reasoning_content": "thinking", "reasoning": "more"}, ""),
    ],
)
def test_shapes_of_messages(message, text):
    """Refusals and spoken words are answers, parts are joined, reasoning is nobody's text."""
    assert read_chat_answer(whole(message)).text == text
    assert read_chat_answer(pieces(message)).text == text


def test_the_first_choice_wherever_it_stands():
    """With n > 1 the answer is choice 0, not the one that comes first."""
    body = {"choices": [{"index": 1, "message": {"content": "b"}}, {"message": {"content": "a"}}]}
    assert read_chat_answer([json.dumps(body).encode()]).text == "a"


def test_whole_tool_calls():
    """Functions and custom tools, in their order, with the text of their arguments."""
    calls = [
        {"id": "1", "type": "function", "function": {"name": "find", "arguments": '{"q": 1}'}},
        {"id": "2", "type": "custom", "custom": {"name": "run", "input": "ls"}},
        {"id": "3"},
    ]
    answer = read_chat_answer(whole({"content": None, "tool_calls": calls}))
    assert answer.tool_calls == (
        ToolCall("find", '{"q": 1}', "1"),
        ToolCall("run", "ls", "2"),
        ToolCall("", "", "3"),
    )
    assert answer.response_id == "c1"


def test_parallel_tool_calls_in_pieces():
    """Deltas of several calls that take turns are put together by their index."""

    def delta(index, call_id=None, **function):
        return {"tool_calls": [{"index": index, "id": call_id, "function": function}]}

    answer = read_chat_answer(
        pieces(
            {"content": "Let me see."},
            delta(1, "c1", name="b", arguments=""),
            delta(0, "c0", name="a", arguments=""),
            delta(0, "c0", arguments='{"x"'),
            delta(1, arguments='{"y": 2}'),
            delta(0, arguments=": 1}"),
        )
    )
    assert answer.tool_calls == (
        ToolCall("a", '{"x": 1}', "c0"),
        ToolCall("b", '{"y": 2}', "c1"),
    )
    assert answer.text == "Let me see."


def test_the_call_of_before_there_were_tools():
    """`function_call`, whole and in pieces."""
    call = {"name": "find", "arguments": "{}"}
    assert read_chat_answer(whole({"function_call": call})).tool_calls == (ToolCall("find", "{}"),)
    answer = read_chat_answer(
        pieces({"function_call": call}, {"function_call": {"arguments": "!"}})
    )
    assert answer.tool_calls == (ToolCall("find", "{}!"),)


@pytest.mark.parametrize("calls", [[5, None], {}, [{"function": 5}], [{"index": "x"}]])
def test_odd_calls_never_raise(calls):
    """Whatever stands where calls should be."""
    read_chat_answer(whole({"tool_calls": calls}))
