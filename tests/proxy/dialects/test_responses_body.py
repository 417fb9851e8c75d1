"""Reading a Responses request beside its bytes, editing it inside them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import Injection, Place
from recollect.filters.exchange import last_user_index
from recollect.proxy.dialects.body import UnreadableBodyError
from recollect.proxy.dialects.responses import parse_responses_body
from tests.support.folding import rows


def body_of(given_input, **fields):
    return parse_responses_body(json.dumps({"input": given_input, **fields}).encode())


@rows(
    "raw",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'"input"',
        b'{"prompt": {"id": "pmpt_1"}}',
        b'{"messages": [{"role": "user", "content": "hi"}]}',
        b'{"input": null}',
        b'{"input": []}',
        b'{"input": [ ]}',
        b'{"input": {}}',
        b'{"input": 5}',
        b'{"input": true}',
        b'{"input": "hi",}',
        b'{"input": "hi"} x',
        b'{"input": "hi" "x": 1}',
        b'{"input" "hi"}',
        b'{"input": [{},]}',
        b'{"input": [{}]',
        b'{"input": "\n"}',
        b'{"input": "\xff"}',
        b'\xef\xbb\xbf{"input": "hi"}',
        '{"input": "hi"}'.encode("utf-16"),
        b'{"input": "hi", "n": ' + b"9" * 5000 + b"}",
        b'{"input": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"input": "hi", "input": null}',
    ],
)
def test_what_cannot_be_edited_is_unreadable(raw):
    """No input, no JSON, another encoding, too deep: left to the upstream, never a crash."""
    with pytest.raises(UnreadableBodyError):
        parse_responses_body(raw)


def test_a_string_is_one_user_message():
    """The shortest request there is, read and edited; its literal stays as it was written."""
    raw = b'{"input" :\t"caf\\u00e9 \\ud83d\\ude00 \\/", "store":false}'
    body = parse_responses_body(raw)
    assert [(m.role, m.content) for m in body.messages] == [("user", "caf\u00e9 \U0001f600 /")]
    ours = b'{"type": "message", "role": "system", "content": "note"},'
    wrapped = b'{"type": "message", "role": "user", "content": "caf\\u00e9 \\ud83d\\ude00 \\/"}'
    for place in (Place.TAIL, Place.START):
        edited = body.inject([Injection(0, "note", place)])
        assert edited == b'{"input" :\t[' + ours + wrapped + b'], "store":false}'
    inside = body.inject([Injection(0, "note", Place.USER)])
    assert inside == raw.replace(b'"caf', b'"note\\n\\ncaf')


ITEMS = [
    ({"role": "user", "content": "hi"}, ("user", "hi")),
    ({"type": "message", "role": "user", "content": "hi"}, ("user", "hi")),
    ({"type": None, "role": "developer", "content": "be"}, ("developer", "be")),
    (
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "look"},
                {"type": "input_image", "image_url": "data:"},
                {"type": "input_file", "file_id": "f"},
            ],
        },
        ("user", "look\n[image]\n[file]"),
    ),
    (
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [
                {"type": "output_text", "text": "so", "annotations": []},
                {"type": "refusal", "refusal": "no"},
            ],
        },
        ("assistant", "so\nno"),
    ),
    ({"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"}, ("", "")),
    ({"type": "function_call_output", "call_id": "1", "output": "42"}, ("tool", "42")),
    (
        {"type": "function_call_output", "output": [{"type": "input_text", "text": "4"}]},
        ("tool", "4"),
    ),
    ({"type": "custom_tool_call", "name": "f", "input": "x"}, ("", "")),
    ({"type": "custom_tool_call_output", "output": "y"}, ("tool", "y")),
    ({"type": "computer_call_output", "output": {"type": "computer_screenshot"}}, ("tool", "")),
    ({"type": "local_shell_call_output", "output": "ls"}, ("tool", "ls")),
    ({"type": "shell_call_output", "output": [{"stdout": "x"}]}, ("tool", "")),
    ({"type": "apply_patch_call_output", "status": "completed"}, ("tool", "")),
    ({"type": "mcp_approval_response", "approve": True}, ("tool", "")),
    ({"type": "mcp_call", "name": "f", "output": "42"}, ("", "")),
    ({"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}, ("", "")),
    ({"type": "reasoning", "content": [{"type": "reasoning_text", "text": "hm"}]}, ("", "")),
    ({"type": "item_reference", "id": "msg_1"}, ("", "")),
    ({"id": "msg_1"}, ("", "")),
    ({"type": "additional_tools", "role": "developer", "tools": []}, ("", "")),
    ({"type": "compaction", "encrypted_content": "x"}, ("", "")),
    ({"type": "tomorrows", "role": "user", "content": "hi"}, ("", "")),
    ({"type": [], "role": "user", "content": "hi"}, ("", "")),
    ("odd", ("", "")),
    (None, ("", "")),
    ([[]], ("", "")),
]


@rows("value, expected", ITEMS)
def test_items_as_messages(value, expected):
    """What is no message keeps its place, results are the tools', reasoning is nobody's text."""
    [message] = body_of([value]).messages
    assert (message.role, message.content) == expected


CALLS = [
    ({"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"}, ("f", "{}")),
    ({"type": "custom_tool_call", "call_id": "1", "name": "g", "input": "ls"}, ("g", "ls")),
    ({"type": "computer_call", "call_id": "1", "action": {}}, ("computer_call", "")),
    (
        {"type": "function_call", "call_id": "1", "name": 5, "arguments": None},
        ("function_call", ""),
    ),
]


@rows("value, expected", CALLS)
def test_calls_of_tools(value, expected):
    """What was asked, by the id that its result names; an item without one asks the upstream."""
    output = {"type": value["type"] + "_output", "call_id": "1", "output": "42"}
    asks, tells = body_of([value, output]).messages
    [call] = asks.calls
    assert (call.name, call.arguments, call.id) == (*expected, "1")
    assert (tells.role, tells.call_id, tells.calls) == ("tool", "1", ())
    del value["call_id"], output["call_id"]
    asks, tells = body_of([value, output]).messages
    assert (asks.calls, tells.call_id) == ((), None)


def test_instructions_are_no_message():
    """Neither judged nor learned. Servers make the first system message of it: ours is its end."""
    body = body_of("hi", instructions="be kind")
    assert [m.role for m in body.messages] == ["user"]
    started = json.loads(body.inject([Injection(0, "x", Place.START)]))
    assert (started["instructions"], started["input"]) == ("be kind\n\nx", "hi")
    assert json.loads(body.inject([Injection(0, "x", Place.TAIL)]))["instructions"] == "be kind"


@rows(
    "first, merged",
    [
        ({"role": "system", "content": "Be kind."}, "Be kind.\n\nours \u00e9"),
        ({"type": "message", "role": "developer", "content": "caf\u00e9 \\"}, None),
        ({"content": "", "role": "system"}, "ours \u00e9"),
        (
            {"role": "system", "content": [{"type": "input_text", "text": "a"}]},
            [
                {"type": "input_text", "text": "a"},
                {"type": "input_text", "text": "\n\nours \u00e9"},
            ],
        ),
    ],
)
@rows("ascii_only", [False, True])
def test_the_start_is_the_end_of_a_first_system_message(first, merged, ascii_only):
    """Our text becomes the end of the instructions; no item is added."""
    sent = {"input": [first, {"role": "user", "content": "hi"}], "n": 1.0}
    body = parse_responses_body(json.dumps(sent, ensure_ascii=ascii_only).encode())
    edited = json.loads(body.inject([Injection(0, "ours \u00e9", Place.START)]))
    expected = f"{first['content']}\n\nours \u00e9" if merged is None else merged
    assert edited == {**sent, "input": [{**first, "content": expected}, sent["input"][1]]}


ROUND = st.lists(
    st.sampled_from(
        [
            ["user", "reasoning", "assistant"],
            ["user", "reasoning", "function_call", "function_call_output"],
            ["function_call", "function_call", "function_call_output", "function_call_output"],
            ["reasoning", "custom_tool_call", "custom_tool_call_output", "assistant"],
            ["reasoning", "mcp_call", "assistant"],
            ["developer"],
            ["user"],
        ]
    ),
    min_size=1,
    max_size=5,
)


IMAGE = {"type": "input_image", "image_url": "x"}


@rows(
    "content, expected",
    [
        ("hi", "ours\n\nhi"),
        (
            [IMAGE, {"type": "input_text", "text": "hi"}],
            [IMAGE, {"type": "input_text", "text": "ours\n\nhi"}],
        ),
        ([], [{"type": "input_text", "text": "ours\n\n"}]),
    ],
)
def test_inside_a_user_message(content, expected):
    """Before its text, as in the Chat API, with this API's parts."""
    items = [{"type": "reasoning", "id": "r"}, {"role": "user", "content": content}]
    edited = json.loads(body_of(items).inject([Injection(1, "ours", Place.USER)]))
    assert edited == {"input": [items[0], {"role": "user", "content": expected}]}


@given(ROUND)
def test_before_the_last_user_message_no_pair_is_split(rounds):
    """Reasoning keeps what follows it, and calls keep their results, wherever the turn stands."""
    messages = {"user", "assistant", "developer"}
    sent = [
        {"role": kind, "content": "x"} if kind in messages else {"type": kind}
        for round_ in rounds
        for kind in round_
    ]
    body = body_of(sent)
    index = last_user_index(body.messages)
    if index is None:
        return
    after = json.loads(body.inject([Injection(index, "ours", Place.TAIL)]))["input"]
    behind = after[index - 1].get("type", "") if index else ""
    assert behind != "reasoning"
    assert not behind.endswith("_call") or behind == "mcp_call"
    assert after[index + 1] == {"role": "user", "content": "x"}


def test_what_is_read_from_a_body():
    """Model, tools and what it goes on from, with every other shape read as not there."""
    body = body_of(
        "hi",
        model="m",
        previous_response_id="resp_1",
        tools=[
            {"type": "function", "name": "search", "parameters": {}},
            {"type": "custom", "name": "run"},
            {"type": "web_search"},
            {"type": "mcp", "server_label": "wiki"},
            {"type": "function"},
            {"type": "function", "name": 5},
            {"name": None},
            {"type": 7},
            "tool",
        ],
    )
    assert (body.model, body.previous_response) == ("m", "resp_1")
    assert body.tools == ["search", "run", "web_search", "mcp"]


@rows(
    "fields, session",
    [
        ({"conversation": "conv_1"}, "conv_1"),
        ({"conversation": {"id": "conv_1"}, "prompt_cache_key": "k"}, "conv_1"),
        ({"conversation": "conv_1", "metadata": {"session_id": "s"}}, "s"),
        ({"metadata": {"conversation_id": "c", "session_id": "s"}}, "c"),
        ({"prompt_cache_key": "k", "conversation": None}, "k"),
        ({"conversation": {"id": 5}, "metadata": []}, None),
        ({"conversation": ""}, None),
        ({"conversation": ["conv_1"]}, None),
        ({"tools": {}, "model": 5, "previous_response_id": None}, None),
    ],
)
def test_the_conversation_a_body_names(fields, session):
    """What the client's own metadata says comes first, then the upstream's conversation."""
    body = body_of("hi", **fields)
    assert body.session == session
    assert (body.previous_response, body.tools, body.model) == (None, [], "")
