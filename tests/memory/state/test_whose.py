"""Scopes and tenants as the backends name them."""

from dataclasses import astuple

import pytest

from recollect.memory.model.owner import covers
from recollect.memory.model.types import Scope
from recollect.memory.state.whose import named, scope_from
from tests.memory.state.contract import ALICE, ALICE_WORK, BOB, OTHER_ALICE


@pytest.mark.parametrize(
    ("whose", "taken"),
    [
        ("local", [ALICE, ALICE_WORK, BOB]),
        (ALICE, [ALICE, ALICE_WORK]),
        (ALICE_WORK, [ALICE_WORK]),
        ("nobody", []),
    ],
)
def test_what_is_meant(whose: Scope | str, taken: list[Scope]) -> None:
    """A tenant is everything of it, a scope what it admits, and never another tenant's."""
    assert [
        scope for scope in (ALICE, ALICE_WORK, BOB, OTHER_ALICE) if covers(whose, scope)
    ] == taken


def test_names() -> None:
    """Only what is set has a name."""
    assert named("local") == {"tenant": "local"}
    assert named(ALICE_WORK) == {"tenant": "local", "user_id": "alice", "agent_id": "work"}


def test_a_scope_comes_back() -> None:
    """The order of the fields is the one in which rows keep them."""
    for scope in (ALICE, ALICE_WORK, Scope(tenant="t", run_id="r")):
        assert scope_from(*astuple(scope)) == scope
