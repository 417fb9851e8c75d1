"""Memories and rows turn into each other."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.memories.fields import MOST_BYTES, ROW_FIELDS
from recollect.memory.model.errors import InvalidInputError, StoreError
from recollect.memory.model.types import Scope, StoredMemory
from recollect.memory.stores.shared.rows import to_item, to_memory, to_row
from tests.memory.stores.contract import DIM, NOON, memory
from tests.support.folding import rows

ALICE = Scope(tenant="t", user_id="alice")
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@given(text=TEXT, metadata=st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON))
def test_there_and_back(text, metadata):
    """Any text and any JSON metadata come back as they were."""
    kept = memory(ALICE, text, metadata=metadata)
    row = to_row(kept, DIM)
    assert to_item(row) == kept.item
    assert set(row) == {*ROW_FIELDS, "vector"}


def test_derived_facts_come_back_with_the_memory():
    """They are no part of the item; without them, or with too long ones, the row has none."""
    facts = {"terms": ["tea"], "dated": True}
    plain = memory(ALICE)
    kept = replace(plain, facts=facts)
    row = to_row(kept, DIM)
    assert to_memory(row).facts == facts
    assert to_item(row) == to_memory(row).item == kept.item
    assert to_memory(to_row(plain, DIM)).facts is None
    large = replace(kept, facts={"terms": ["tea"] * MOST_BYTES})
    assert to_row(large, DIM)["provenance"] == to_row(plain, DIM)["provenance"]


def test_times_are_milliseconds():
    """Whatever its zone, a time is kept in UTC and cut to milliseconds."""
    moment = NOON.astimezone(timezone(timedelta(hours=9))) + timedelta(microseconds=1_999)
    kept = memory(ALICE)
    row = to_row(StoredMemory(replace(kept.item, created_at=moment), kept.vector), DIM)
    assert row["created_at"] == int(NOON.timestamp()) * 1000 + 1
    assert to_item(row).created_at == NOON + timedelta(milliseconds=1)


def test_missing_ids_are_empty():
    """Columns have no null; an empty id cannot be anybody's, because the types refuse it."""
    row = to_row(memory(Scope(tenant="t", run_id="r")), DIM)
    assert (row["user_id"], row["agent_id"], row["run_id"]) == ("", "", "r")
    assert row["partition"] == "t/"
    assert row["valid_from"] == 0


@rows(
    "field, fields",
    [
        ("id", {"id": ""}),
        ("id", {"id": "é" * 257}),
        ("text", {"text": "x" * 65_536}),
        ("text", {"text": "\udc80"}),
        ("metadata", {"metadata": {"k": {1, 2}}}),
        ("metadata", {"metadata": {"long": "x" * 70_000}}),
        ("metadata", {"metadata": {"not json": float("nan")}}),
    ],
)
def test_what_does_not_fit_is_named(field, fields):
    """The error names the field and the measure, in bytes."""
    scoped = memory(ALICE, **{key: value for key, value in fields.items() if value != ""})
    kept = StoredMemory(replace(scoped.item, **fields), scoped.vector)
    with pytest.raises(InvalidInputError) as refusal:
        to_row(kept, DIM)
    assert refusal.value.field == field


@rows(
    "harm",
    [
        {"type": "rumour"},
        {"metadata": "{"},
        {"metadata": "{}{}"},
        {"metadata": "[]"},
        {"provenance": "[]"},
        {"provenance": '{"turn_ids": [], "who": 1}'},
        {"user_id": ""},
        {"status": ""},
    ],
)
def test_row_of_somebody_else_is_a_store_error(harm):
    """A row we did not write is the store's fault, not a programming error, and is named."""
    row = to_row(memory(ALICE, id="row-7"), DIM) | harm
    for read in (to_item, to_memory):
        with pytest.raises(StoreError, match=r"cannot be read, 'row-7'"):
            read(row)
