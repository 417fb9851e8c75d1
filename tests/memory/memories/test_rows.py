"""Memories and rows turn into each other."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.memories.rows import ITEM, facts_of, item_of, values_of
from recollect.memory.model.errors import InvalidInputError, StoreError
from recollect.memory.model.types import Scope, StoredMemory
from tests.support.folding import rows

from .memories import DIM, NOON, memory, words

ALICE = Scope(tenant="t", user_id="alice")
UNICODE = st.characters(exclude_categories=["Cs"])
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(UNICODE, max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(UNICODE, max_size=3), inner)
    ),
    max_leaves=6,
)


def row_of(kept, **harm):
    values = values_of(kept, DIM, words) | harm
    return [values[name] for name in ITEM.split(", ")]


@given(text=st.text(UNICODE, max_size=20), metadata=st.dictionaries(st.text(UNICODE), JSON))
def test_there_and_back(text, metadata):
    """Any text and any JSON metadata come back as they were."""
    kept = memory(ALICE, text, metadata=metadata)
    assert item_of(row_of(kept)) == kept.item


def test_derived_facts_come_back_with_the_memory():
    """They are no part of the item."""
    facts = {"terms": ["tea"], "dated": True}
    assert facts_of(values_of(replace(memory(ALICE), facts=facts), DIM, None)["facts"]) == facts
    assert facts_of(values_of(memory(ALICE), DIM, None)["facts"]) is None


def test_times_are_milliseconds():
    """Whatever its zone, a time is kept in UTC and cut to milliseconds; of none there is none."""
    moment = NOON.astimezone(timezone(timedelta(hours=9))) + timedelta(microseconds=1_999)
    kept = memory(ALICE)
    row = row_of(StoredMemory(replace(kept.item, created_at=moment), kept.vector))
    assert item_of(row).created_at == NOON + timedelta(milliseconds=1)
    assert item_of(row).valid_from is None


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
        values_of(kept, DIM, None)
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
        {"source": "hell"},
    ],
)
def test_a_row_of_somebody_else_is_an_error_of_the_store(harm):
    """A row we did not write is no programming error, and is named."""
    with pytest.raises(StoreError, match=r"cannot be read, 'row-7'"):
        item_of(row_of(memory(ALICE, id="row-7"), **harm))
