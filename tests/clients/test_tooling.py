"""The talks with injected tools prove what they say, and would notice a call that gets out."""

import json

from tests.clients.checks import Story
from tests.clients.tooling import (
    FAILURE,
    MOMENT,
    NOT_OFFERED,
    OURS,
    RUNS,
    SEARCH,
    STOPPED,
    TALKS,
    WAYS,
    WEATHER,
    WEATHER_CALL,
    Run,
    next_reply,
    problem,
)
from tests.clients.upstream import Received, answer_with, fact_of
from tests.support.folding import rows

STORY = Story("somebody", 4711)
NAMES = {"fact_search", "fact_remember", "profile_read"}
OFFERED = [{"type": "function", "function": {"name": name}} for name in [*NAMES, "get_weather"]]
FOUND = json.dumps({"facts": [{"fact": fact_of(4711)}]})


def chat(run, results=(), **more):
    """A request of a run, with what tools have answered so far."""
    messages = [{"role": "user", "content": run.text}]
    messages += [{"role": "tool", "tool_call_id": i, "content": told} for i, told in results]
    body = {"messages": messages, "tools": OFFERED, **more}
    return Received("/v1/chat/completions", {}, body)


def test_every_client_has_every_talk_in_every_way():
    """Ten talks, each whole and streamed, by both APIs."""
    assert len(TALKS) == 10
    assert len(RUNS) == len(TALKS) * len(WAYS)
    assert len({run.text for run in RUNS}) == len(RUNS)


@rows("talk", [name for name in TALKS if name != "broken"])
def test_a_talk_comes_to_its_answer(talk):
    """If every result arrives, and not before."""
    run, results = Run(talk, "chat"), {}
    for _ in range(9):
        said = next_reply(talk, chat(run, results.items(), **({} if len(results) < 3 else LAST)))
        if not said.calls:
            break
        for call in said.calls:
            bad = "user_id" in call.arguments
            results[call.id] = WEATHER if call.name == WEATHER_CALL.name else FOUND
            results[call.id] = '{"error": "user_id: is no argument"}' if bad else results[call.id]
    assert said.text == TALKS[talk].answer(4711)


LAST = {"tool_choice": "none"}


def test_a_model_asks_again_for_what_it_was_not_told():
    """A tool of the client's that was not run beside one of memory is called alone."""
    refused, mixed = (
        [(SEARCH.id, FOUND), ("call_own_1", '{"error":"not run"}')],
        Run("mixed", "chat"),
    )
    assert [call.id for call in next_reply("mixed", chat(mixed, refused)).calls] == ["call_own_2"]
    back = [("call_own_2", WEATHER)]
    assert [call.id for call in next_reply("mixed", chat(mixed, back)).calls] == [SEARCH.id]
    both = next_reply("mixed", chat(mixed, [*back, (SEARCH.id, FOUND)]))
    assert both.text == TALKS["mixed"].answer(4711)


@rows(
    "talk, results, more, text",
    [
        ("once", [], {"tools": []}, NOT_OFFERED),
        ("loop", [], {"tools": []}, STOPPED),
        ("together", [(f"{OURS}1", FOUND)], {}, f"Results are lost: ['{OURS}3']"),
        ("once", [(SEARCH.id, '{"error": "no"}')], {}, 'An error: {"error": "no"}'),
        ("once", [(SEARCH.id, '{"facts": []}')], {}, "I do not know."),
        ("wrong", [("call_ours_4", FOUND)], {}, f"No error: {FOUND}"),
    ],
)
def test_a_missing_result_is_told(talk, results, more, text):
    """The model says what it was not sent."""
    assert next_reply(talk, chat(Run(talk, "chat"), results, **more)).text == text


def chunk(**delta):
    """A chunk of a stream; `finish_reason` may be among the keys."""
    ended = delta.pop("finish_reason", None)
    return {"id": "c", "choices": [{"delta": delta, "finish_reason": ended}]}


STREAM = [chunk(role="assistant"), chunk(content="x"), chunk(finish_reason="stop")]
EVENTS = [
    {"type": "response.created", "sequence_number": 0},
    {"type": "response.completed", "sequence_number": 1},
]
GOOD = answer_with(4711)


def told(run, answer):
    """What the check says about an answer to one request."""
    return problem(run, answer, STORY, [chat(run)], NAMES)


@rows("streams", [[], [STREAM], [EVENTS], [STREAM, STREAM]])
def test_an_ordinary_answer_passes(streams):
    """In one stream or several, of either API."""
    assert told(Run("once", "chat"), {"answer": {"text": GOOD, "streams": streams}}) == ""
    assert told(Run("spoken", "chat"), {"answer": {"text": MOMENT + GOOD}}) == ""
    assert told(Run("broken", "chat"), {"error": f"APIError: {FAILURE}"}) == ""


@rows(
    "answer",
    [
        {"text": "I do not know."},
        {"text": GOOD, "answers": [{"tools": [{"name": "fact_search"}]}]},
        {"text": GOOD, "answers": [{"tool_calls": [{"id": f"{OURS}1"}]}]},
        {"text": GOOD, "streams": [STREAM[1:]]},
        {"text": GOOD, "streams": [STREAM + STREAM]},
        {"text": GOOD, "streams": [[*STREAM[:2], {**STREAM[2], "id": "another"}]]},
        {"text": GOOD, "streams": [EVENTS[::-1]]},
        {"text": GOOD, "streams": [EVENTS[:1]]},
        {"text": GOOD, "streams": [[]]},
        {"text": GOOD, "raw": True, "answers": [{"usage": {"total_tokens": 17}}]},
    ],
)
def test_whatever_is_wrong_is_noticed(answer):
    """A leak, half a stream, two streams in one, tokens that are not counted."""
    assert told(Run("once", "chat"), {"answer": answer}) != ""


def test_a_run_without_tools_is_noticed():
    """An answer tells nothing if no tools were offered, or if a failure did not arrive."""
    run = Run("plain", "chat")
    seen = {"answer": {"text": "That is all."}}
    assert problem(run, seen, STORY, [chat(run, tools=[])], NAMES) != ""
    assert problem(run, seen, STORY, [], NAMES) != ""
    assert told(Run("broken", "chat"), {"answer": {"text": "x"}}) != ""
