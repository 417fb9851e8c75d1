"""Before which message a block stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.exchange import Injection
from recollect.filters.inject import Position
from recollect.filters.inject.places import injection, places
from recollect.memory.types import Message

ROUND = st.sampled_from(
    [
        ["user", "assistant"],
        ["user", "calls", "tool", "assistant"],
        ["user", "calls", "tool", "tool", "calls", "tool", "assistant"],
        ["user", "calls", "function"],
        ["user"],
        ["assistant"],
        ["developer"],
    ]
)
TALKS = st.tuples(st.booleans(), st.lists(ROUND, max_size=5)).map(
    lambda parts: ["system"] * parts[0] + [role for each in parts[1] for role in each]
)
ANY_ROLES = st.lists(
    st.sampled_from(["system", "developer", "user", "assistant", "tool", "function", "", "odd"]),
    max_size=12,
)


def messages(roles):
    return [Message(role=role.replace("calls", "assistant"), content=role) for role in roles]


def last(roles, role):
    return max((i for i, each in enumerate(roles) if each == role), default=None)


@given(TALKS)
def test_well_formed_talks_get_blocks_right_before_user_messages(roles):
    """Where no client put anything between a call and its result."""
    assert places(messages(roles)) == [i for i, role in enumerate(roles) if role == "user"]


@given(ANY_ROLES)
def test_calls_and_results_are_never_parted(roles):
    """Between a result and the assistant that asked for it there is no block, for any roles."""
    for place in places(messages(roles)):
        for at, role in enumerate(roles):
            if role in {"tool", "function"}:
                caller = max((i for i in range(at) if roles[i] in {"assistant", ""}), default=None)
                assert caller is None or not caller < place <= at


@given(ANY_ROLES)
def test_every_user_message_has_one_place_at_or_before_it(roles):
    """In the same order, so that several blocks can be put in at one go."""
    users = [i for i, role in enumerate(roles) if role == "user"]
    found = places(messages(roles))
    assert len(found) == len(users)
    assert found == sorted(found)
    assert all(0 <= place <= user for place, user in zip(found, users, strict=True))


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (["user"], [0]),
        (["system", "user", "assistant", "user"], [1, 3]),
        (["system", "user", "calls", "tool"], [1]),
        (["user", "user"], [0, 1]),
        (["user", "calls", "user", "tool"], [0, 1]),
        (["user", "calls", "tool", "user", "tool"], [0, 1]),
        (["calls", "user", "user", "developer", "tool", "user"], [0, 0, 5]),
        (["calls", "user", "tool", "assistant", "user"], [0, 4]),
        (["user", "tool"], [0]),
        (["user", "", "", "tool", "user", "tool"], [0, 1]),
        (["user", "assistant", "", "user", "tool"], [0, 1]),
        (["system"], []),
        ([], []),
    ],
)
def test_the_places(roles, expected):
    """Calls of the Responses API are items without a role, several in a row are made at once."""
    assert places(messages(roles)) == expected


@pytest.mark.parametrize(
    ("roles", "tail"),
    [
        (["user"], 0),
        (["system", "user"], 1),
        (["system", "user", "assistant", "user"], 3),
        (["system", "user", "calls", "tool"], 1),
        (["user", "calls", "user", "tool"], 1),
    ],
)
def test_the_positions(roles, tail):
    """`tail` is just before the last user message, `start` before everything."""
    said = messages(roles)
    assert injection(said, "x", Position.TAIL) == Injection(tail, "x")
    assert injection(said, "x", Position.START) == Injection(0, "x")


@pytest.mark.parametrize("position", Position)
@pytest.mark.parametrize("roles", [[], ["system"], ["assistant", "tool"]])
def test_without_a_user_message_there_is_no_block(roles, position):
    """Nobody asked anything that memories could help with."""
    assert injection(messages(roles), "x", position, merge_system=True) is None


@pytest.mark.parametrize(
    ("roles", "merge"),
    [
        (["system", "user"], True),
        (["developer", "system", "user"], True),
        (["user", "system", "user"], False),
        (["user"], False),
    ],
)
def test_start_is_merged_only_into_a_first_system_message(roles, merge):
    """And only if asked; at the tail there is nothing to merge with."""
    said = messages(roles)
    assert injection(said, "x", Position.START, merge_system=True).merge is merge
    assert not injection(said, "x", Position.START).merge
    assert not injection(said, "x", Position.TAIL, merge_system=True).merge
