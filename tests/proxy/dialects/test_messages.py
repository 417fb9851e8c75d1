"""The Messages API as a dialect: its requests and answers, and where a block goes."""

import importlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from recollect.filters import Injection, Place, ReportedUsage, ToolCall
from recollect.proxy.dialects.body import UnreadableBodyError
from recollect.proxy.dialects.messages import MESSAGES
from recollect.proxy.dialects.sse import event_data
from tests.support.budget import examples
from tests.support.folding import rows

USAGE = {
    "input_tokens": 10,
    "cache_creation_input_tokens": 3,
    "cache_read_input_tokens": 2,
    "output_tokens": 5,
}
ANSWER = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "Let me look.", "citations": None},
        {"type": "tool_use", "id": "t1", "name": "look", "input": {"q": "x"}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": USAGE,
}
MARK = {"cache_control": {"type": "ephemeral"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "42"}]}


def vendors(name):
    """A type of the vendor's 3,000 modules, which few processes need."""
    return getattr(importlib.import_module("anthropic.types"), name)


def parsed(*messages, **fields):
    return MESSAGES.parse(json.dumps({"messages": messages, **fields}).encode())


def user(content):
    return {"role": "user", "content": content}


def text(words, **more):
    return {"type": "text", "text": words, **more}


def injected(body, place=Place.USER, index=None):
    at = len(body.messages) - 1 if index is None else index
    return json.loads(body.inject([Injection(at, "remember", place)]))


def test_answers_as_the_vendors_types_have_them():
    """A valid answer is read as its text, calls and the whole prompt; thinking is left out."""
    whole = vendors("Message").model_validate(ANSWER)
    answer = MESSAGES.read([whole.model_dump_json().encode()])
    assert (answer.text, answer.response_id) == ("Let me look.", "msg_1")
    assert answer.tool_calls == (ToolCall("look", '{"q": "x"}', "t1"),)
    assert answer.usage == ReportedUsage(15, 2)


def events():
    start = {**ANSWER, "content": []}
    delta = "content_block_delta"
    told = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": text("", citations=None)},
        {"type": delta, "index": 0, "delta": {"type": "text_delta", "text": "Let me "}},
        {"type": delta, "index": 0, "delta": {"type": "text_delta", "text": "look."}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "content_block_start",
            "index": 1,
            "content_block": {"type": "tool_use", "id": "t1", "name": "look", "input": {}},
        },
        {"type": delta, "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"q":'}},
        {"type": delta, "index": 1, "delta": {"type": "input_json_delta", "partial_json": ' "x"}'}},
        {"type": "message_stop"},
    ]
    TypeAdapter(list[vendors("RawMessageStreamEvent")]).validate_python(told)
    return told


def test_events_as_the_vendors_types_have_them():
    """A stream tells the same as the whole answer."""
    sent = [json.dumps(event).encode() for event in events()]
    answer = MESSAGES.read(sent)
    assert answer == MESSAGES.read([json.dumps(ANSWER).encode()])
    assert MESSAGES.read([json.dumps({"type": "ping"}).encode()]) is None


@rows("size", [1, 7, 10_000])
@rows("last", ["message_stop", "error"])
def test_the_end_of_a_stream_is_found(size, last):
    """At its last event whatever the chunks, and not before; a text cannot imitate it."""
    lines = [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events()[:-1]]
    evil = {"type": "content_block_delta", "index": 0, "delta": {"text": "event: message_stop\n\n"}}
    lines.append(f"event: content_block_delta\ndata: {json.dumps(evil)}\n\n")
    before = "".join(lines).encode()
    whole = before + f'event: {last}\ndata: {{"type": "{last}"}}\n\n'.encode()
    detector = MESSAGES.end_detector()
    found = [
        detector.feed(whole[at : at + size]) for at in range(0, len(whole) - size + 1, size)
    ] or [detector.feed(whole)]
    if len(whole) % size and len(whole) > size:
        found.append(detector.feed(whole[len(whole) // size * size :]))
    assert any(found)
    if size == 1:
        assert not any(found[: len(before)])
    assert len(list(event_data(whole))) == len(lines) + 1


def test_messages_are_read_as_those_of_the_other_apis():
    """Instructions come first; results are a tool's; pictures and calls are known."""
    call = {"type": "tool_use", "id": "t1", "name": "look", "input": {"q": 1}}
    picture = {"type": "image", "source": {"type": "base64", "media_type": "a/b", "data": "x"}}
    body = parsed(
        user([picture, text("What is this?")]),
        {"role": "assistant", "content": [text("Let me see."), call]},
        user([RESULT]),
        user([RESULT, text("and now?")]),
        system=[text("Be kind."), text("Be brief.")],
        model="claude",
        tools=[{"name": "look", "input_schema": {}}, {"type": "bash", "name": "bash"}],
    )
    said = [(m.role, m.content) for m in body.messages]
    assert said == [
        ("system", "Be kind.\nBe brief."),
        ("user", "[image]\nWhat is this?"),
        ("assistant", "Let me see."),
        ("tool", "42"),
        ("user", "and now?"),
    ]
    assert body.messages[1].images == ("data:a/b;base64,x",)
    assert body.messages[2].calls == (ToolCall("look", '{"q": 1}', "t1"),)
    assert body.messages[3].call_id == "t1"
    assert (body.model, body.tools) == ("claude", ["look", "bash"])


OURS = {"type": "text", "text": "remember\n\n"}
LAST = {"type": "text", "text": "remember"}


@rows(
    "content, expected",
    [
        ("Hi", "remember\n\nHi"),
        ([text("Hi")], [OURS, text("Hi")]),
        ([RESULT, text("Hi")], [RESULT, OURS, text("Hi")]),
        ([RESULT], [RESULT, LAST]),
        ([text("doc", **MARK), text("Hi")], [text("doc", **MARK), OURS, text("Hi")]),
        ([text("doc"), text("Hi", **MARK)], [text("doc"), text("Hi", **MARK), LAST]),
        ([], [LAST]),
    ],
)
def test_a_block_goes_before_the_text_and_behind_what_must_stay(content, expected):
    """Results come first, and what a cache mark ends is not changed."""
    body = parsed(user("before"), user(content), system="Be kind.")
    made = injected(body)
    assert made["messages"] == [user("before"), user(expected)]
    assert made["system"] == "Be kind."


@rows(
    "fields, expected",
    [
        ({}, "remember"),
        ({"system": ""}, "remember"),
        ({"system": "Be kind."}, "Be kind.\n\nremember"),
        ({"system": [text("Be kind.", **MARK)]}, [text("Be kind.", **MARK), text("\n\nremember")]),
    ],
)
def test_a_block_at_the_start_is_part_of_the_instructions(fields, expected):
    """There are no messages of the system here."""
    made = injected(parsed(user("Hi"), **fields), Place.START, 0)
    assert (made["system"], made["messages"]) == (expected, [user("Hi")])


@rows("raw", [b"", b"[]", b"{", b'{"messages": []}', b'{"messages": "x"}', b"\xff"])
def test_what_cannot_be_read_is_said_so(raw):
    """It goes to the server unchanged."""
    with pytest.raises(UnreadableBodyError):
        MESSAGES.parse(raw)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
CONTENT = st.text(max_size=9) | st.lists(
    st.fixed_dictionaries({"type": st.sampled_from(["text", "tool_result", "image", "x"])}, optional={
        "text": st.text(max_size=5), "cache_control": JSON, "content": JSON, "source": JSON,
    }), max_size=4,
)  # fmt: skip


@settings(max_examples=examples(60))
@given(
    st.lists(CONTENT, min_size=1, max_size=4),
    st.dictionaries(st.text(max_size=6), JSON, max_size=4),
)
def test_nothing_but_the_block_is_added(contents, others):
    """Whatever else a request holds, taking the block out again gives the client's bytes."""
    fields = {name: value for name, value in others.items() if name not in {"messages", "system"}}
    raw = json.dumps({**fields, "messages": [user(one) for one in contents]}, ensure_ascii=False)
    raw = raw.encode("utf-8", "replace")
    body = MESSAGES.parse(raw)
    assert len(body.messages) == len(contents)
    assert body.inject([]) == raw
    made = body.inject([Injection(len(contents) - 1, "remember", Place.USER)])
    json.loads(made)
    assert b"remember" in made
    more = len(made) - len(raw)
    assert any(raw == made[:at] + made[at + more :] for at in range(len(raw) + 1))
