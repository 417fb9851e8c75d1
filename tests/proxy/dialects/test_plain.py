"""Which messages are understood in full, and how they are cut out."""

import json

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import Injection, Place
from recollect.proxy.dialects.chat import parse_chat_body
from recollect.proxy.dialects.plain import is_plain_item, is_plain_message
from tests.support.folding import rows

CITED = {"type": "output_text", "text": "hi", "annotations": [{"type": "url_citation"}]}
CALL = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@rows(
    "message",
    [
        {"role": "user", "content": "hi"},
        {"role": "user", "content": "hi", "name": "kim"},
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {"role": "assistant", "content": "hi", "refusal": None, "annotations": []},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "assistant", "content": "hi", "tool_calls": None},
        {"role": "tool", "content": "sunny", "tool_call_id": "a"},
    ],
)
def test_text_calls_and_results_are_understood(message):
    """As SDKs send them back, with fields that have no value."""
    assert is_plain_message(message)


@rows(
    "message",
    [
        {"role": "system", "content": "hi"},
        {"role": ["user"], "content": "hi"},
        {"role": "user", "content": None},
        {"role": "user", "content": "hi", "cache_control": {"type": "ephemeral"}},
        {"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": {}}]},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]},
        {"role": "user", "content": ["hi"]},
        {"role": "assistant", "content": "hi", "refusal": "no"},
        {"role": "assistant", "content": "hi", "reasoning_content": "hm"},
        {"role": "assistant", "content": None, "tool_calls": [{**CALL, "id": ""}]},
        {"role": "assistant", "content": None, "tool_calls": ["f"]},
        {"role": "assistant", "content": None, "function_call": {"name": "f"}},
        "hi",
        None,
    ],
)
def test_whatever_may_mean_more_is_not(message):
    """Instructions, pictures, cache marks, reasoning, unknown fields."""
    assert not is_plain_message(message)


@rows(
    "item",
    [
        {"role": "user", "content": "hi"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        {
            "type": "message",
            "id": "msg_1",
            "status": "completed",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "hi", "annotations": [], "logprobs": []}],
        },
        {"type": "function_call", "id": "fc", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "sunny"},
    ],
)
def test_items_of_text_calls_and_results_are_understood(item):
    """As an answer of the Responses API is sent back."""
    assert is_plain_item(item)


@rows(
    "item",
    [
        {"type": "reasoning", "id": "rs", "summary": []},
        {"type": "item_reference", "id": "msg_1"},
        {"role": "system", "content": "hi"},
        {"type": "message", "role": "assistant", "content": "hi", "status": "incomplete"},
        {"type": "message", "role": "user", "content": [{"type": "input_image", "image_url": "x"}]},
        {"type": "message", "role": "assistant", "content": [CITED]},
        {"type": "function_call_output", "call_id": "a", "output": [{"type": "input_image"}]},
        {"type": "function_call_output", "output": "sunny"},
        {"type": "computer_call", "call_id": "a", "action": {}},
        {"type": ["message"], "call_id": "a"},
        "hi",
    ],
)
def test_items_that_may_mean_more_are_not(item):
    """Reasoning, references, citations, pictures, and calls of tools that we do not know."""
    assert not is_plain_item(item)


MESSAGE = st.sampled_from(
    [
        '{"role":"user","content":"é"}',
        ' { "content" : "\\u00e9\U0001f600",\n"role":"assistant" }',
        "7",
    ]
)


@given(st.lists(MESSAGE, min_size=2, max_size=9), st.data())
def test_what_stays_keeps_its_bytes(texts, data):
    """Whatever white space and escapes there are, with a block inserted beside."""
    last = len(texts) - 1
    begin = data.draw(st.integers(0, last - 1))
    cut = range(begin, data.draw(st.integers(begin + 1, last)))
    texts[last] = '{"role":"user","content":"ask"}'
    raw = ('{ "n":1e5, "messages":[' + " ,".join(texts) + '],\t"x":[1.0] }').encode()
    body = parse_chat_body(raw)
    stay = [text for index, text in enumerate(texts) if index not in cut]
    edited = body.inject([], [cut])
    assert json.loads(edited)["messages"] == [json.loads(text) for text in stay]
    for text in stay:
        assert text.strip().encode() in edited
    assert edited.startswith(b'{ "n":1e5, "messages":[')
    assert edited.endswith(b'],\t"x":[1.0] }')
    block = [Injection(last, "ours", Place.USER)]
    both = json.loads(body.inject(block, [cut]))["messages"]
    assert both[-1]["content"] == "ours\n\nask"
    assert both[:-1] == json.loads(edited)["messages"][:-1]
