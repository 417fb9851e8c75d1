"""What was said in a Responses answer, whole or in events."""

import itertools
import json

from hypothesis import example, given
from hypothesis import strategies as st

from recollect.filters import Answer, ToolCall
from recollect.proxy.dialects.responses import read_responses_answer
from recollect.proxy.dialects.sse import ResponseEndDetector
from recollect.proxy.dialects.transcript import Transcript
from tests.support.folding import rows


def message(*texts, **more):
    content = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {"type": "message", "role": "assistant", "content": content, **more}


def call(name, arguments, **more):
    return {"type": "function_call", "call_id": "c", "name": name, "arguments": arguments, **more}


REASONING = {
    "type": "reasoning",
    "summary": [{"type": "summary_text", "text": "a secret thought"}],
    "content": [{"type": "reasoning_text", "text": "another one"}],
}


def response(*output, **more):
    return {"id": "resp_1", "object": "response", "status": "completed", "output": output, **more}


def event(kind, **more):
    return {"type": f"response.{kind}", "sequence_number": 0, **more}


def text_delta(text, item=0, part=0, kind="output_text"):
    return event(f"{kind}.delta", delta=text, output_index=item, content_index=part)


def call_delta(text, item=0):
    return event("function_call_arguments.delta", delta=text, output_index=item)


def added(item, index=0):
    return event("output_item.added", item=item, output_index=index)


def done(item, index=0):
    return event("output_item.done", item=item, output_index=index)


def last(kind="completed", *output, **more):
    return event(kind, response=response(*output, **more))


CREATED = event("created", response=response(status="in_progress"))


def read(*values):
    return read_responses_answer(json.dumps(value).encode() for value in values)


def stream_of(*events, end=b"\n"):
    lines = (
        (b"event: %s" % e["type"].encode(), b"data: " + json.dumps(e).encode(), b"") for e in events
    )
    return b"".join(line + end for each in lines for line in each)


@rows(
    "output, text, calls",
    [
        ([message("hi")], "hi", ()),
        ([REASONING, message("a", "b"), message("c")], "a\nb\nc", ()),
        ([message(), message(""), message("c")], "c", ()),
        ([message("so"), call("f", '{"x":1}')], "so", (ToolCall("f", '{"x":1}', "c"),)),
        (
            [call("f", "{}"), call("g", "[]")],
            "",
            (ToolCall("f", "{}", "c"), ToolCall("g", "[]", "c")),
        ),
        ([message(content=[{"type": "refusal", "refusal": "I cannot"}])], "I cannot", ()),
        ([message(content=[{"type": "output_audio", "transcript": "spoken"}])], "spoken", ()),
        ([message(content="plain")], "plain", ()),
        ([message(content=5), message(content=[5, None, "a"])], "a", ()),
        (
            [{"type": "custom_tool_call", "call_id": "c2", "name": "run", "input": "ls"}],
            "",
            (ToolCall("run", "ls", "c2"),),
        ),
        (
            [
                {"type": "computer_call", "call_id": "c3", "action": {}},
                {"type": "local_shell_call"},
            ],
            "",
            (ToolCall("computer_call", "", "c3"), ToolCall("local_shell_call", "")),
        ),
        ([{"type": "web_search_call"}, {"type": "mcp_call", "name": "f", "output": "x"}], "", ()),
        ([call(5, None), {"type": []}, {}], "", (ToolCall("", "", "c"),)),
        ([], "", ()),
    ],
)
def test_outputs(output, text, calls):
    """Messages joined by line feeds, calls the client runs; reasoning and the rest are nobody's."""
    expected = Answer(text, tool_calls=calls, response_id="resp_1")
    assert read(response(*output)) == expected
    for kind in ("completed", "incomplete", "failed"):
        assert read(CREATED, last(kind, *output)) == expected
    whole = [done(item, index) for index, item in enumerate(output)]
    assert read(CREATED, *whole) == expected


@rows("output", [[], {}, None, "x", [5, None]])
def test_a_response_that_waits_says_nothing_yet(output):
    """A queued background response is an answer without words: what the user said is kept."""
    queued = {"id": "resp_1", "object": "response", "status": "queued", "background": True}
    expected = Answer("", response_id="resp_1")
    assert read({**queued, "output": output}) == read(queued) == expected
    assert read(event("queued", response={**queued, "output": output})) == expected


TALK = [
    CREATED,
    added({"type": "reasoning", "summary": []}, 0),
    event("reasoning_summary_text.delta", delta="a secret thought", output_index=0),
    event("reasoning_text.delta", delta="another one", output_index=0, content_index=0),
    added(message(), 1),
    text_delta("caf", 1),
    added(call("f", ""), 3),
    call_delta('{"x"', 3),
    text_delta("no ", 1, 1, "refusal"),
    added(message(), 2),
    text_delta("se", 2),
    text_delta("\u00e9 \u2028", 1),
    call_delta(":1}", 3),
    text_delta("cond", 2),
    text_delta("way", 1, 1, "refusal"),
    added({"type": "custom_tool_call", "name": "run", "input": ""}, 4),
    event("custom_tool_call_input.delta", delta="ls", output_index=4),
    event("mcp_call_arguments.delta", delta="{}", output_index=5),
]
SAID = Answer(
    "caf\u00e9 \u2028\nno way\nsecond",
    tool_calls=(ToolCall("f", '{"x":1}', "c"), ToolCall("run", "ls")),
    response_id="resp_1",
)


def test_an_item_that_is_done_replaces_its_pieces():
    """What was finished before the cut counts as it was finished."""
    assert read(*TALK, done(message("whole"), 1)).text == "whole\nsecond"
    assert read(*TALK, done(call("g", "{}"), 3)).tool_calls[0] == ToolCall("g", "{}", "c")


@rows("kind", ["completed", "incomplete", "failed"])
def test_an_empty_last_event_leaves_the_pieces(kind):
    """A server that repeats nothing at the end, or fails in the middle, has still said it."""
    assert read(*TALK, last(kind)) == SAID
    assert read(*TALK, event(kind, response={"id": "resp_1"})) == SAID
    assert read(*TALK, event(kind)) == SAID


def test_spoken_answers_are_their_words():
    """Transcripts come without a place: they belong to the item under way."""
    for kind in ("output_audio_transcript", "audio.transcript"):
        spoken = [event(f"{kind}.delta", delta=word) for word in ("good ", "morning")]
        assert read(CREATED, added(message(), 1), *spoken).text == "good morning"
        assert read(*spoken).text == "good morning"
        after = read(done(message("so"), 0), added(message(), 1), *spoken)
        assert after.text == "so\ngood morning"


def test_the_id_comes_from_any_event_that_has_it():
    """A stream that was cut after its first event can still be gone on from."""
    assert read(CREATED).response_id == "resp_1"
    assert read(event("created", response=response(id="a")), last(id="b")).response_id == "b"
    assert read(text_delta("x"), event("in_progress", response={"id": "a"})).response_id == "a"
    assert read(response(), response()).response_id == "resp_1"
    assert read(text_delta("x"), event("created", response={"id": 5})).response_id == ""


@rows(
    "value",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"<html>",
        b"\xff\xfe",
        b"[DONE]",
        b'{"error": {"message": "no", "type": "response"}}',
        b'{"type": "error", "message": "no"}',
        b'{"object": "chat.completion", "choices": [{"message": {"content": "x"}}]}',
        b'{"object": "list", "data": [{"object": "response"}]}',
        b'{"object": "response.deleted", "id": "resp_1", "deleted": true}',
        b'{"type": "message", "content": "x"}',
        b'{"response": {"object": "response", "output": []}}',
        b"[" * 100_000,
        b'{"type": "response.completed", "n": ' + b"9" * 5000 + b"}",
    ],
)
def test_no_answer_in_the_values(value):
    """Errors, other APIs' answers and garbage are no answer, and never raise."""
    assert read_responses_answer([value]) is None
    assert read_responses_answer([value, value]) is None
    assert read_responses_answer([]) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.just(10**30) | st.text(max_size=4),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=4), below),
    max_leaves=4,
)
KINDS = st.sampled_from(
    [
        "response.created",
        "response.completed",
        "response.failed",
        "response.output_item.added",
        "response.output_item.done",
        "response.output_text.delta",
        "response.refusal.delta",
        "response.audio.transcript.delta",
        "response.function_call_arguments.delta",
        "response",
        "error",
    ]
)
ODD_ITEM = JSON | st.fixed_dictionaries(
    {"type": st.sampled_from(["message", "function_call", "custom_tool_call", "reasoning"])},
    optional=dict.fromkeys(("content", "name", "arguments", "input"), JSON),
)
ODD_EVENT = st.fixed_dictionaries(
    {"type": KINDS | JSON},
    optional={
        "object": st.just("response") | JSON,
        "output": st.lists(ODD_ITEM, max_size=3) | JSON,
        "response": st.fixed_dictionaries({"output": st.lists(ODD_ITEM, max_size=3)}) | JSON,
        "item": ODD_ITEM,
        "id": JSON,
        "delta": JSON,
        "output_index": JSON,
        "content_index": JSON,
    },
)


@given(st.lists(ODD_EVENT, max_size=5))
def test_odd_events_never_raise(events):
    """Whatever stands where a string or a number is expected, the outcome is an answer or none."""
    answer = read(*events)
    if answer is not None:
        assert isinstance(answer.text, str)
        assert isinstance(answer.response_id, str)
        assert all(isinstance(c.name + c.arguments, str) for c in answer.tool_calls)


def transcribe(stream, places, *, complete):
    transcript = Transcript(read_responses_answer, stream=True, end_detector=ResponseEndDetector())
    bounds = sorted({0, len(stream), *(place % (len(stream) + 1) for place in places)})
    early = []
    for start, end in itertools.pairwise(bounds):
        if transcript.feed(stream[start:end]):
            early.append(transcript.answer())
    return transcript.answer(complete=complete), early


@example(places=[], end=b"\n", whole=True)
@given(
    places=st.lists(st.integers(0, 10_000), max_size=30),
    end=st.sampled_from([b"\n", b"\r\n", b"\r"]),
    whole=st.booleans(),
)
def test_the_same_answer_however_the_stream_is_cut(places, end, whole):
    """Chunk borders change nothing, and at the end mark everything is there already."""
    events = [*TALK, last("completed", message("all of it"))] if whole else TALK
    answer, early = transcribe(stream_of(*events, end=end), places, complete=whole)
    if whole:
        assert answer == Answer("all of it", response_id="resp_1")
        assert set(early) == {answer}
    else:
        assert (answer.text, answer.tool_calls) == (SAID.text, SAID.tool_calls)
        assert (answer.complete, early) == (False, [])


@given(st.integers(0, 3000))
def test_a_stream_cut_anywhere_says_what_had_come(at):
    """The text so far is the beginning of what was to be said."""
    events = [CREATED, added(message()), *(text_delta(word) for word in ("one ", "two ", "three"))]
    stream = stream_of(*events, last("completed", message("one two three")))
    answer, _ = transcribe(stream[: at % (len(stream) + 1)], [], complete=False)
    assert answer is None or "one two three".startswith(answer.text)


def test_pieces_without_the_rest_are_read_as_far_as_they_speak():
    """Before an error, and of items that nobody announced, in the order of their places."""
    error = {"type": "error", "code": "overloaded", "message": "no", "sequence_number": 9}
    assert read(*TALK, error) == SAID
    assert read(text_delta("hi")).text == "hi"
    assert read(text_delta("b", 1), text_delta("a", 0)).text == "a\nb"
    assert read(text_delta("b", 0, 1), text_delta("a", 0, 0)).text == "a\nb"
    assert read(call_delta("{}")) == Answer("")
    assert read(event("output_text.delta"), event("output_item.added")) == Answer("")
