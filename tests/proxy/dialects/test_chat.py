"""Requests and answers of the Chat Completions API."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.filters import Injection, Place, ToolCall
from recollect.proxy.dialects.body import NoPlaceError, UnreadableBodyError
from recollect.proxy.dialects.chat import parse_chat_body, read_chat_answer
from tests.support.budget import examples
from tests.support.folding import rows

SPACE = st.text(" \t\r\n", max_size=3)
_NUMBERS = ["0", "-0", "1.0", "1e5", "1E-7", "0.10", "-12.50e+3", "123456789012345678901234567890"]
NUMBERS = st.sampled_from(_NUMBERS)


@st.composite
def strings(draw):
    """A JSON string literal in which each character is written in one of its possible ways."""
    text = draw(st.text(max_size=8))
    written = []
    for char in text:
        escaped = json.dumps(char)[1:-1]
        raw = json.dumps(char, ensure_ascii=False)[1:-1]
        written.append(draw(st.sampled_from([raw, escaped])))
        if char == "/":
            written[-1] = draw(st.sampled_from(["/", "\\/"]))
    return '"' + "".join(written) + '"'


@st.composite
def arrays(draw, items, min_size=0):
    parts = draw(st.lists(items, min_size=min_size, max_size=4))
    inside = ",".join(draw(SPACE) + part + draw(SPACE) for part in parts)
    return f"[{inside or draw(SPACE)}]"


@st.composite
def objects(draw, values, extra=()):
    """An object; keys may repeat, `extra` members stand somewhere among the others."""
    pairs = draw(st.lists(st.tuples(strings(), values), max_size=4))
    for pair in extra:
        pairs.insert(draw(st.integers(0, len(pairs))), pair)
    inside = ",".join(
        draw(SPACE) + key + draw(SPACE) + ":" + draw(SPACE) + value + draw(SPACE)
        for key, value in pairs
    )
    return "{" + (inside or draw(SPACE)) + "}"


VALUES = st.recursive(
    st.one_of(st.sampled_from(["true", "false", "null"]), NUMBERS, strings()),
    lambda below: st.one_of(arrays(below), objects(below)),
    max_leaves=8,
)
ROLES = st.sampled_from(['"user"', '"assistant"', '"system"', '"tool"', '"us\\u0065r"', "7"])


@st.composite
def chat_bodies(draw):
    """A chat request as some client might write it; `messages` may stand there twice."""
    message = st.one_of(
        st.tuples(ROLES, VALUES).flatmap(
            lambda rc: objects(VALUES, extra=[('"role"', rc[0]), ('"content"', rc[1])])
        ),
        VALUES,
    )
    key = st.sampled_from(['"messages"', '"m\\u0065ssages"'])
    extra = [(draw(key), draw(arrays(message, min_size=1)))]
    if draw(st.booleans()):
        extra.append((draw(key), draw(arrays(message, min_size=1))))
    text = draw(SPACE) + draw(objects(VALUES, extra=extra)) + draw(SPACE)
    return text.encode("utf-8", "surrogatepass")


@settings(max_examples=examples(100))
@given(chat_bodies(), st.data())
def test_several_insertions_change_nothing_else(raw, data):
    """With earlier blocks put back, the rest is still the client's, in its order."""
    try:
        body = parse_chat_body(raw)
    except UnreadableBodyError:
        return
    indexes = data.draw(st.sets(st.integers(0, len(body.starts) - 1), max_size=4))
    edited = body.inject(
        [Injection(index, f"block {index}", Place.TAIL) for index in sorted(indexes)]
    )
    before = parse_chat_body(raw).fields["messages"]
    after = parse_chat_body(edited).fields["messages"]
    ours = [{"role": "system", "content": f"block {index}"} for index in sorted(indexes)]
    assert [m for m in after if m not in ours] == [m for m in before if m not in ours]
    assert [after[index + n] for n, index in enumerate(sorted(indexes))] == ours


@rows(
    "first, merged",
    [
        ({"role": "system", "content": "Be kind."}, "Be kind.\n\nours \u00e9"),
        ({"role": "developer", "content": "caf\u00e9 \\"}, "caf\u00e9 \\\n\nours \u00e9"),
        ({"content": "", "role": "system"}, "ours \u00e9"),
        (
            {"role": "system", "content": [{"type": "text", "text": "a"}]},
            [{"type": "text", "text": "a"}, {"type": "text", "text": "\n\nours \u00e9"}],
        ),
        ({"role": "system", "content": []}, [{"type": "text", "text": "ours \u00e9"}]),
    ],
)
@rows("ascii_only", [False, True])
def test_the_start_is_the_end_of_a_first_system_message(first, merged, ascii_only):
    """Ours becomes the end of the system message that is there, and no message more."""
    request = {"messages": [{**first, "name": "x"}, {"role": "user", "content": "hi"}], "n": 1}
    raw = json.dumps(request, indent=1, ensure_ascii=ascii_only).encode()
    edited = json.loads(parse_chat_body(raw).inject([Injection(0, "ours \u00e9", Place.START)]))
    request["messages"][0]["content"] = merged
    assert edited == request


PICTURE = {"type": "image_url", "image_url": {"url": "data:,x"}}


@rows(
    "content, expected",
    [
        ("hi \u00e9", "ours \u00e9\n\nhi \u00e9"),
        ("", "ours \u00e9\n\n"),
        ([], [{"type": "text", "text": "ours \u00e9\n\n"}]),
        (["hi"], ["ours \u00e9\n\nhi"]),
        (
            [PICTURE, {"text": "hi", "type": "text", "cache_control": {"type": "ephemeral"}}],
            [
                PICTURE,
                {
                    "text": "ours \u00e9\n\nhi",
                    "type": "text",
                    "cache_control": {"type": "ephemeral"},
                },
            ],
        ),
        ([PICTURE, 7], [{"type": "text", "text": "ours \u00e9\n\n"}, PICTURE, 7]),
        (
            [{"type": "text", "text": 5}],
            [{"type": "text", "text": "ours \u00e9\n\n"}, {"type": "text", "text": 5}],
        ),
    ],
)
@rows("ascii_only", [False, True])
def test_inside_a_user_message(content, expected, ascii_only):
    """Before its text, its first text part, or as a part of its own; nothing else changes."""
    messages = [
        {"role": "system", "content": "s"},
        {"name": "x", "content": content, "role": "user"},
        {"role": "assistant", "content": "a"},
    ]
    request = {"messages": messages, "n": 1.0}
    raw = json.dumps(request, indent=1, ensure_ascii=ascii_only).encode()
    edited = json.loads(parse_chat_body(raw).inject([Injection(1, "ours \u00e9", Place.USER)]))
    messages[1]["content"] = expected
    assert edited == request


OURS = b'{"role": "system", "content": "x"},'


@rows(
    "raw, place, content, edited",
    [
        # Of two lists the one that JSON parsers read.
        (b'{"messages":[{}], "messages":[{"role":"user"}]}', Place.TAIL, "x",
         b'{"messages":[{}], "messages":[%s{"role":"user"}]}' % OURS),
        # No JSON, but some clients write it: nothing of it is written anew.
        (b'{"top_p":-Infinity,"n":NaN,"messages":[{}]}', Place.TAIL, "x",
         b'{"top_p":-Infinity,"n":NaN,"messages":[%s{}]}' % OURS),
        # At the start without a system message.
        (b'{"messages":[{"role":"user","content":"hi"}]}', Place.START, "x",
         b'{"messages":[%s{"role":"user","content":"hi"}]}' % OURS),
        # Even a lone surrogate makes valid JSON and valid UTF-8.
        (b'{"messages":[{}]}', Place.TAIL, '\ud800\u00e9\x00"',
         b'{"messages":[%s{}]}' % OURS.replace(b"x", rb'\ud800\u00e9\u0000\"')),
    ],
)  # fmt: skip
def test_a_message_of_our_own_byte_for_byte(raw, place, content, edited):
    """Where it is read, in ASCII, and every other byte is the client's."""
    assert parse_chat_body(raw).inject([Injection(0, content, place)]) == edited


@rows("place", [Place.USER, Place.START])
@rows("content", [None, 5, {}, True, "missing"])
def test_a_message_that_can_take_nothing(place, content):
    """Without a content of a known shape the request is left alone, by an error of its own."""
    role = "user" if place is Place.USER else "system"
    message = {"role": role, "content": content}
    if content == "missing":
        del message["content"]
    body = parse_chat_body(json.dumps({"messages": [message]}).encode())
    with pytest.raises(NoPlaceError):
        body.inject([Injection(0, "ours", place)])


@settings(max_examples=examples(150))
@given(chat_bodies(), st.sampled_from(Place), st.text(max_size=20), st.data())
def test_a_block_in_any_place_is_one_insertion(raw, place, block, data):
    """Every byte of the client's is there, in its order, around what was inserted once."""
    try:
        body = parse_chat_body(raw)
        index = data.draw(st.integers(0, len(body.starts) - 1))
        edited = body.inject([Injection(index, block, place)])
    except (UnreadableBodyError, NoPlaceError):
        return
    more = len(edited) - len(raw)
    assert more > 0
    assert any(edited[:at] + edited[at + more :] == raw for at in range(len(raw) + 1))
    assert json.dumps(block)[1:-1].encode() in edited
    json.loads(edited)


@settings(max_examples=examples(100))
@given(chat_bodies(), st.data())
def test_damaged_bodies_are_unreadable_or_read(raw, data):
    """A cut or flipped byte in a body never does more than make it unreadable, whatever is read."""
    at = data.draw(st.integers(0, len(raw)))
    damage = data.draw(st.sampled_from([b"", b"\x00", b"{", b'"', b",", b"\xff", b"]"]))
    keep = data.draw(st.sampled_from([0, 1]))
    try:
        body = parse_chat_body(raw[:at] + damage + raw[at + 1 :] * keep)
    except UnreadableBodyError:
        return
    assert len(body.messages) == len(body.starts)
    assert isinstance(body.model, str)
    assert all(isinstance(name, str) for name in body.tools)
    body.metadata("user_id")
    body.text_field("user")


@rows(
    "raw",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'"messages"',
        b'{"messages": []}',
        b'{"messages": {}}',
        b'{"messages": null}',
        b'{"messages": "hello"}',
        b'{"messages": [{}],}',
        b'{"messages": [{},]}',
        b'{"messages": [,{}]}',
        b'{"messages": [{}]',
        b'{"messages": [{}]} {}',
        b'{"messages": [{}]} x',
        b'{"messages" [{}]}',
        b"{messages: [{}]}",
        b'{1: 2, "messages": [{}]}',
        b'{"messages": [{"a": "\n"}]}',
        b'{"messages": [{"a": "\xff"}]}',
        b'\xef\xbb\xbf{"messages": [{}]}',
        '{"messages": [{}]}'.encode("utf-16"),
        '{"messages": [{}]}'.encode("utf-32"),
        b'{"messages": [{}], "n": ' + b"9" * 5000 + b"}",
        b'{"messages": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"messages": [{}], "x": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}",
        b'{"messages": [{}], "messages": 5}',
    ],
)
def test_what_cannot_be_edited_is_unreadable(raw):
    """No messages, no JSON, another encoding, too deep: left to the upstream, never a crash."""
    with pytest.raises(UnreadableBodyError):
        parse_chat_body(raw)


def test_what_is_read_from_a_body():
    """Model, tools, metadata and text fields, with every other shape read as not there."""
    body = parse_chat_body(
        json.dumps(
            {
                "model": "m",
                "user": "alice",
                "safety_identifier": 7,
                "metadata": {"user_id": "bob", "session_id": ["x"], "empty": ""},
                "tools": [
                    {"type": "function", "function": {"name": "search"}},
                    {"type": "function", "function": {"name": 5}},
                    {"function": None},
                    "tool",
                ],
                "messages": [
                    {"role": "system", "content": [{"type": "text", "text": "be"}]},
                    {"role": "user", "content": [{"type": "image_url", "image_url": {}}]},
                    {"role": 5, "content": 5},
                    "odd",
                ],
            }
        ).encode()
    )
    assert (body.model, body.tools) == ("m", ["search"])
    assert (body.text_field("user"), body.text_field("safety_identifier")) == ("alice", None)
    assert body.metadata("user_id") == "bob"
    assert body.metadata("session_id") is body.metadata("empty") is body.metadata("none") is None
    assert [(m.role, m.content) for m in body.messages] == [
        ("system", "be"),
        ("user", "[image]"),
        ("", ""),
        ("", ""),
    ]


def test_calls_their_results_and_pictures():
    """Beside role and text: what was asked of which tool, what answers it, and what was shown."""
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    picture = {"type": "image_url", "image_url": {"url": "https://a/b.png"}}
    user, asks, tells = parse_chat_body(
        json.dumps(
            {
                "messages": [
                    {"role": "user", "content": [picture]},
                    {"role": "assistant", "content": None, "tool_calls": [call]},
                    {"role": "tool", "tool_call_id": "1", "content": "42"},
                ]
            }
        ).encode()
    ).messages
    assert (user.content, user.images) == ("[image]", ("https://a/b.png",))
    assert [(c.name, c.arguments, c.id) for c in asks.calls] == [("f", "{}", "1")]
    assert (tells.content, tells.call_id) == ("42", "1")


def whole(message):
    """A completion."""
    return [json.dumps({"id": "c1", "choices": [{"index": 0, "message": message}]}).encode()]


def pieces(*deltas):
    """The events of a stream, with its first and last ones."""
    values = [{"index": 0, "delta": delta} for delta in ({"role": "assistant"}, *deltas, {})]
    events = [json.dumps({"id": "c1", "choices": [value]}).encode() for value in values]
    return [*events, b'{"choices": [], "usage": {}}', b"[DONE]"]


@rows(
    "message, text",
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


@rows("calls", [[5, None], {}, [{"function": 5}], [{"index": "x"}]])
def test_odd_calls_never_raise(calls):
    """Whatever stands where calls should be."""
    read_chat_answer(whole({"tool_calls": calls}))
