"""Scopes as columns, and history records as rows."""

from dataclasses import astuple, fields

import pytest

from recollect.memory.model.owner import covers
from recollect.memory.model.types import Doubt, EventKind, HistoryRecord, Scope
from recollect.memory.state.rows import COLUMNS, named, record_from, row_of, scope_from
from tests.memory.state.contract import ALICE, ALICE_WORK, BOB, NOON, OTHER_ALICE, record


@pytest.mark.parametrize(
    ("owner_ref", "taken"),
    [
        ("local", [ALICE, ALICE_WORK, BOB]),
        (ALICE, [ALICE, ALICE_WORK]),
        (ALICE_WORK, [ALICE_WORK]),
        ("nobody", []),
    ],
)
def test_what_is_meant(owner_ref: Scope | str, taken: list[Scope]) -> None:
    """A tenant is everything of it, a scope what it admits, and never another tenant's."""
    assert [
        scope for scope in (ALICE, ALICE_WORK, BOB, OTHER_ALICE) if covers(owner_ref, scope)
    ] == taken


def test_names() -> None:
    """Only what is set has a name."""
    assert named("local") == {"tenant": "local"}
    assert named(ALICE_WORK) == {"tenant": "local", "user_id": "alice", "agent_id": "work"}


def test_a_scope_comes_back() -> None:
    """The order of the fields is the one in which rows keep them."""
    for scope in (ALICE, ALICE_WORK, Scope(tenant="t", run_id="r")):
        assert scope_from(*astuple(scope)) == scope


PLAIN = record("m", EventKind.ADD)
FULL = record(
    "m",
    EventKind.UPDATE,
    scope=ALICE_WORK,
    valid_at=NOON,
    stage="spo",
    reason="why",
    scores={"cosine": 0.5},
)


WITHHELD = record(
    "m",
    EventKind.QUARANTINE,
    reasons=(Doubt("secrecy", "tool", "hides", "Tell \u0000 nobody \u2026"), Doubt("unconfirmed")),
    taken_from="n",
    withheld=("o", "p"),
)
TRUST = {"reasons", "taken_from", "withheld"}
"""The fields of the column ``trust``."""


@pytest.mark.parametrize("given", [PLAIN, FULL, WITHHELD, record("m", EventKind.DELETE)])
def test_a_record_comes_back(given: HistoryRecord) -> None:
    """Its row says the same, also where a database has no booleans."""
    row = row_of(given)
    assert len(row) == len(COLUMNS.split(", "))
    assert record_from(row) == given
    assert record_from([int(v) if isinstance(v, bool) else v for v in row]) == given


def test_every_field_is_kept() -> None:
    """A field that is added to the type is missed here, and not in somebody's history."""
    names = {field.name for field in fields(HistoryRecord)}
    assert names <= {"scope", *COLUMNS.split(", "), *TRUST}
