"""Where the recalled memories go."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filters import Exchange, Outcome
from filters.inject import Inject, Position
from filters.inject.filter import injection_index
from memory.recall import Drop, Selection
from memory.types import MemoryItem, MemoryType, Message, Scope, ScoredMemory

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ALICE = Scope(tenant="local", user_id="alice")
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


def messages(roles):
    return [Message(role=role.replace("calls", "assistant"), content=role) for role in roles]


def hit(text):
    return ScoredMemory(
        MemoryItem(
            id=text,
            text=text,
            type=MemoryType.SEMANTIC,
            scope=ALICE,
            created_at=NOON,
            updated_at=NOON,
            embedder_id="fake",
        ),
        0.9,
    )


def exchange(selection, roles=("system", "user")):
    return Exchange(
        scope=ALICE,
        messages=messages(roles),
        model="m",
        conversation_id="c",
        turn_id="t",
        selection=selection,
        notes={"gate": "personal"},
    )


@given(TALKS, st.sampled_from(Position))
def test_calls_and_results_are_never_parted(roles, position):
    """Between an assistant's tool calls and the last of their results nothing is inserted."""
    index = injection_index(messages(roles), position)
    assert 0 <= index <= max(len(roles) - 1, 0)
    after = roles[index] if roles else ""
    assert index == 0 or after == "user"
    assert index == 0 or after not in {"tool", "function"}


@pytest.mark.parametrize(
    ("roles", "tail"),
    [
        (["user"], 0),
        (["system", "user"], 1),
        (["system", "user", "assistant", "user"], 3),
        (["system", "user", "calls", "tool"], 1),
        (["user", "calls", "tool", "assistant", "user"], 4),
        (["user", "user"], 1),
        (["system"], 0),
        ([], 0),
    ],
)
def test_the_positions(roles, tail):
    """`tail` is just before the last user message, `start` before everything."""
    assert injection_index(messages(roles), Position.TAIL) == tail
    assert injection_index(messages(roles), Position.START) == 0


@given(TALKS, st.sampled_from(Position))
def test_the_prefix_stays_with_tail(roles, position):
    """With `tail` every message before the last user message keeps its place."""
    if position is Position.TAIL and "user" in roles:
        last = len(roles) - 1 - roles[::-1].index("user")
        assert injection_index(messages(roles), position) == last


async def test_what_was_chosen_is_injected():
    """Best first, with the outcome and the gate's reason."""
    asked = exchange(Selection((hit("first"), hit("second")), ()))
    await Inject(Position.TAIL).request(asked)
    assert asked.injection.index == 1
    assert asked.injection.text.index("first") < asked.injection.text.index("second")
    assert (asked.verdict.outcome, asked.verdict.reason) == (Outcome.INJECTED, "personal")


@pytest.mark.parametrize("selection", [None, Selection((), ((hit("x"), Drop.BUDGET),))])
async def test_nothing_chosen_is_nothing_injected(selection):
    """The exchange stays as it was."""
    asked = exchange(selection)
    await Inject(Position.TAIL).request(asked)
    assert asked.injection is asked.verdict is None
