"""Which turns are old, and which of them may go."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.compress.cutting import (
    cut_of,
    groups_of,
    may_go,
    ranges_of,
    tokens_in,
    turns_in,
)
from recollect.memory.model.types import Message, ToolCall
from tests.support.folding import rows

USER, ANSWER = Message(role="user", content="hi"), Message(role="assistant", content="hello")


def call(*names):
    return Message(
        role="assistant", content="", calls=tuple(ToolCall("f", "{}", name) for name in names)
    )


def result(name):
    return Message(role="tool", content="sunny", call_id=name)


def goes(*messages, understood=None):
    return may_go(messages, range(len(messages)), understood or [True] * len(messages))


def test_turns_begin_with_the_users_messages():
    """What precedes the first one is in no turn, and a question without an answer is one."""
    messages = [Message(role="system", content=""), USER, ANSWER, USER]
    assert turns_in(messages) == [range(1, 3), range(3, 4)]
    assert turns_in([ANSWER]) == []


@given(st.integers(0, 60), st.integers(1, 8), st.integers(1, 8))
def test_the_cut_stands_still_between_steps(count, keep, step):
    """It is a multiple of the step, never goes back, and leaves the last turns and one more."""
    before = 0
    for turns in range(1, count + 1):
        messages = [*[USER, ANSWER] * (turns - 1), USER]
        cut = cut_of(messages, turns_in(messages), keep=keep, step=step, after=0)
        assert cut % step == 0
        assert cut >= before
        assert not cut or turns - cut >= keep + 1
        assert cut - before in (0, step)
        before = cut


@given(st.lists(st.integers(0, 400), min_size=1, max_size=40), st.integers(0, 3000))
def test_nothing_is_old_before_the_conversation_is_long(lengths, after):
    """The same turns are told the same whatever follows them, so the decision never goes back."""
    before = 0
    messages = []
    for length in lengths:
        messages = [*messages, Message(role="user", content="x" * length)]
        cut = cut_of(messages, turns_in(messages), keep=2, step=3, after=after)
        told = sum(map(tokens_in, messages[: turns_in(messages)[cut].start])) if cut else 0
        assert not cut or told >= after
        assert cut >= before
        before = cut
        messages = [*messages, ANSWER]


@rows(
    "messages",
    [
        [USER, ANSWER],
        [USER, call("a"), result("a"), ANSWER],
        [USER, call("a", "b"), result("b"), result("a"), ANSWER],
        [USER, call("a"), result("a"), call("b"), result("b"), ANSWER],
    ],
)
def test_finished_turns_may_go(messages):
    """Also with tools, if every call is answered."""
    assert goes(*messages)


@rows(
    "messages",
    [
        [USER],
        [Message(role="user", content=" "), ANSWER],
        [Message(role="user", content="[image]", images=("data:",)), ANSWER],
        [USER, call("a")],
        [USER, call("a"), ANSWER],
        [USER, call("a"), result("b"), ANSWER],
        [USER, result("a"), ANSWER],
        [USER, call("a"), result("a")],
        [USER, call("a"), result("a"), result("a"), ANSWER],
        [USER, call("a", "a"), result("a"), ANSWER],
        [USER, call(""), result(""), ANSWER],
        [USER, ANSWER, Message(role="system", content="new rules")],
        [USER, Message(role="developer", content="new rules"), ANSWER],
        [USER, Message(role="function", content="x"), ANSWER],
        [USER, Message(role="assistant", content="")],
    ],
)
def test_others_stay(messages):
    """Pictures, instructions, unanswered calls, results of nothing, and what has no end."""
    assert not goes(*messages)


def test_what_is_not_understood_stays():
    """One message of the turn is enough."""
    assert not goes(USER, ANSWER, understood=[True, False])


def test_ranges_are_as_few_as_possible():
    """Turns beside each other are cut out together."""
    assert ranges_of([range(1, 3), range(3, 5), range(7, 9)]) == (range(1, 5), range(7, 9))
    assert ranges_of([]) == ()


@given(st.integers(0, 200), st.integers(2, 9))
def test_parts_of_an_extract_cover_all_steps_and_seldom_change(steps, most):
    """In order, without a gap, at most so many; a new step changes earlier parts only if full."""
    groups = groups_of(steps, most)
    assert [step for group in groups for step in group] == list(range(steps))
    assert len(groups) <= most
    following = groups_of(steps + 1, most)
    assert following[:-1] == groups or len(groups) == most
