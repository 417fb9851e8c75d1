"""Before which message a block stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.filters.exchange import Injection, Place
from recollect.filters.inject.places import injection, places
from recollect.memory.model.types import Message

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
    assert places(messages(roles), Place.TAIL) == [
        i for i, role in enumerate(roles) if role == "user"
    ]


@given(ANY_ROLES)
def test_calls_and_results_are_never_parted(roles):
    """Between a result and the assistant that asked for it there is no block, for any roles."""
    for place in places(messages(roles), Place.TAIL):
        for at, role in enumerate(roles):
            if role in {"tool", "function"}:
                caller = max((i for i in range(at) if roles[i] in {"assistant", ""}), default=None)
                assert caller is None or not caller < place <= at


@given(ANY_ROLES, st.sampled_from(Place))
def test_every_user_message_has_one_place_at_or_before_it(roles, where):
    """In the same order, so that several blocks can be put in at one go."""
    users = [i for i, role in enumerate(roles) if role == "user"]
    found = places(messages(roles), where)
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
    assert places(messages(roles), Place.TAIL) == expected


@pytest.mark.parametrize(
    ("roles", "tail", "user"),
    [
        (["user"], 0, 0),
        (["system", "user"], 1, 1),
        (["system", "user", "assistant", "user"], 3, 3),
        (["system", "user", "calls", "tool"], 1, 1),
        (["user", "calls", "user", "tool"], 1, 2),
    ],
)
def test_the_places_of_a_block(roles, tail, user):
    """`tail` parts no call from its result, `user` is the message itself, `start` the first one."""
    said = messages(roles)
    assert injection(said, "x", Place.TAIL) == Injection(tail, "x", Place.TAIL)
    assert injection(said, "x", Place.USER) == Injection(user, "x", Place.USER)
    assert injection(said, "x", Place.START) == Injection(0, "x", Place.START)


@pytest.mark.parametrize("place", Place)
@pytest.mark.parametrize("roles", [[], ["system"], ["assistant", "tool"]])
def test_without_a_user_message_there_is_no_block(roles, place):
    """Nobody asked anything that memories could help with."""
    assert injection(messages(roles), "x", place) is None
