"""Ollama's chat API as a dialect: its requests and answers."""

import json

import ollama

from recollect.filters import Injection, Place, ToolCall
from recollect.proxy.dialects.ollama import OLLAMA
from recollect.proxy.dialects.transcript import Transcript
from tests.support.folding import rows

CALL = {"function": {"name": "look", "arguments": {"q": "x"}}}


def parsed(*messages, **fields):
    return OLLAMA.parse(json.dumps({"model": "m", "messages": messages, **fields}).encode())


def lines(*messages, done=True):
    told = [{"model": "m", "message": one, "done": False} for one in messages]
    if done:
        told.append({"model": "m", "message": {"role": "assistant", "content": ""}, "done": True})
    return b"".join(json.dumps(one).encode() + b"\n" for one in told)


def said(text, **more):
    return {"role": "assistant", "content": text, **more}


def test_messages_are_read_as_those_of_the_other_apis():
    """Pictures stand beside the text, arguments are objects, results name their tool."""
    body = parsed(
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "What is this?", "images": ["aGk=", 7]},
        said("", tool_calls=[CALL, "odd"]),
        {"role": "tool", "tool_name": "look", "content": "42"},
        tools=[{"type": "function", "function": {"name": "look"}}],
    )
    assert [(m.role, m.content) for m in body.messages] == [
        ("system", "Be kind."),
        ("user", "What is this?"),
        ("assistant", ""),
        ("tool", "42"),
    ]
    assert body.messages[1].images == ("data:image;base64,aGk=",)
    assert body.messages[2].calls == (ToolCall("look", '{"q": "x"}', ""),)
    assert body.tools == ["look"]


@rows("fields, streams", [({}, True), ({"stream": True}, True), ({"stream": False}, False)])
def test_answers_come_in_pieces_unless_one_says_no(fields, streams):
    """That is the other way round than in the other APIs."""
    assert parsed({"role": "user", "content": "Hi"}, **fields).streams is streams


def test_a_block_is_part_of_the_users_message():
    """Every other byte is the client's."""
    raw = b'{"keep_alive" : "5m", "messages":[{"role":"user","content":"Hi"}], "x":1E2}'
    made = OLLAMA.parse(raw).inject([Injection(0, "remember", Place.USER)])
    assert made == raw.replace(b'"Hi"', b'"remember\\n\\nHi"')


@rows("size", [1, 5, 10_000])
def test_a_stream_of_lines_is_read_whatever_the_chunks(size):
    """Text and calls of all lines; thinking is left out; the end is the line that is done."""
    evil = said('"done": true, {"done":true}')
    stream = lines(said("hel", thinking="hm"), said("lo"), evil, said("", tool_calls=[CALL]))
    for line in stream.splitlines():
        ollama.ChatResponse.model_validate_json(line)
    transcript = Transcript(
        OLLAMA.read, stream=False, lines=OLLAMA.lines, end_detector=OLLAMA.end_detector()
    )
    ended = [transcript.feed(stream[at : at + size]) for at in range(0, len(stream), size)]
    assert any(ended)
    if size == 1:
        assert not any(ended[: stream.index(b'"done": true}\n')])
    answer = transcript.answer()
    assert answer.text == "hello" + evil["content"]
    assert answer.tool_calls == (ToolCall("look", '{"q": "x"}', ""),)


def test_what_is_no_answer_is_none():
    """An error, and a page; a stream that was cut in the middle of a line is what came before."""
    assert OLLAMA.read([b'{"error": "no such model"}']) is None
    assert OLLAMA.read([b"<html>"]) is None
    assert OLLAMA.read([*lines(said("a"), done=False).splitlines(), b'{"mess']).text == "a"
