"""The tools that were run within a turn."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.capture.steps import (
    FIRST_STEPS,
    MAX_STEPS,
    MAX_STEPS_CHARS,
    bounded,
    limits_for,
    steps_of,
)
from recollect.memory.model.types import Message, ToolCall, ToolStep


def user(text="hi"):
    return Message(role="user", content=text)


def asks(*calls):
    return Message(role="assistant", content="", calls=calls)


def tells(text, call_id=None, role="tool"):
    return Message(role=role, content=text, call_id=call_id)


A, B = ToolCall("a", '{"x":1}', "1"), ToolCall("b", "{}", "2")


def test_calls_and_results_are_paired_by_id():
    """In the order they were asked, whatever order the answers come in."""
    steps = steps_of([user(), asks(A, B), tells("two", "2"), tells("one", "1"), asks()])
    assert steps == [ToolStep("a", '{"x":1}', "one"), ToolStep("b", "{}", "two")]


def test_only_those_of_this_turn():
    """What was run before the last user message belongs to an earlier turn."""
    earlier = [user(), asks(A), tells("one", "1"), asks()]
    assert steps_of([*earlier, user("next")]) == []
    assert steps_of([*earlier, user("next"), asks(B), tells("two", "2")]) == [
        ToolStep("b", "{}", "two")
    ]


def test_what_nobody_answered_is_no_step():
    """A call that was refused or is still running."""
    assert steps_of([user(), asks(A, B), tells("two", "2")]) == [ToolStep("b", "{}", "two")]


def test_calls_without_ids_or_with_one_for_all():
    """Old functions have none, some clients number badly: then the order tells."""
    old = [asks(ToolCall("a", "1")), tells("one", role="function")]
    assert steps_of([user(), *old]) == [ToolStep("a", "1", "one")]
    same = [
        asks(ToolCall("a", "1", "x"), ToolCall("b", "2", "x")),
        tells("1", "x"),
        tells("2", "x"),
    ]
    assert steps_of([user(), *same]) == [ToolStep("a", "1", "1"), ToolStep("b", "2", "2")]


def test_where_the_upstream_keeps_the_conversation():
    """A request with results alone: the calls are those of the answer it goes on from, if known."""
    assert steps_of([tells("one", "1")], [A]) == [ToolStep("a", '{"x":1}', "one")]
    assert steps_of([tells("one", "1")]) == [ToolStep("", "", "one")]
    assert steps_of([tells("")]) == []
    assert steps_of([]) == []


MESSAGES = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(["user", "assistant", "tool", "function", "system", ""]),
        content=st.text(max_size=5),
        calls=st.lists(
            st.builds(ToolCall, st.text(max_size=3), st.text(max_size=3), st.sampled_from("12 ")),
            max_size=3,
        ).map(tuple),
        call_id=st.none() | st.sampled_from("123"),
    ),
    max_size=12,
)


@given(MESSAGES)
def test_every_result_is_one_step(messages):
    """Whatever the messages: no error, and as many steps as tools said something in the turn."""
    last = max((i for i, m in enumerate(messages) if m.role == "user"), default=-1)
    results = [m.content for m in messages[last + 1 :] if m.role in {"tool", "function"}]
    found = [step.result for step in steps_of(messages)]
    assert sorted(filter(None, found)) == sorted(filter(None, results))
    assert len(found) <= len(results)


def test_ten_thousand_steps():
    """The first and the last of them are kept, and the less of each the more there are."""
    calls = [ToolCall("f", str(n), str(n)) for n in range(10_000)]
    results = [tells(f"r{n}", str(n)) for n in range(10_000)]
    steps = bounded(steps_of([user(), asks(*calls), *results]))
    assert len(steps) == MAX_STEPS
    assert [s.result for s in steps[: FIRST_STEPS + 1]] == [*(f"r{n}" for n in range(10)), "r9970"]
    assert steps[-1].result == "r9999"
    assert bounded(steps) == steps


@given(st.integers(0, 200))
def test_all_steps_together_are_bounded(steps):
    """However many there are."""
    limits = limits_for(steps)
    assert steps * (limits.arguments + limits.result) <= MAX_STEPS_CHARS
    assert (limits_for(1).arguments, limits_for(1).result) == (2000, 4000)
