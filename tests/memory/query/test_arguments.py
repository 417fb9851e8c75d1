"""What queries take."""

from datetime import timedelta

import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import MemoryStatus, MemoryType, Scope
from recollect.memory.query import EVERYTHING, parse, predicate
from recollect.memory.query.arguments import NAMES, read_arguments
from tests.memory.stores.memories import NOON, memory
from tests.support.folding import rows

ALICE = Scope(tenant="t", user_id="alice")


def test_nothing_given_means_the_active_memories_of_now():
    """Also if everything is given as None."""
    for given in ({}, dict.fromkeys(NAMES)):
        found = read_arguments(given)
        assert found.statuses == {MemoryStatus.ACTIVE}
        assert found.where == EVERYTHING
        assert not found.in_the_past
        assert not found.narrows(ALICE)


def test_what_every_memory_of_a_scope_has_narrows_nothing():
    """All types, a filter without a condition, the scope's own user."""
    for given in (
        {"types": list(MemoryType)},
        {"filters": {"OR": [{}]}},
        {"filters": {"user_id": "alice"}},
        {"statuses": ["archived"]},
    ):
        assert not read_arguments(given).narrows(ALICE)
    for given in ({"types": ["semantic"]}, {"filters": {"user_id": "bob"}}, {"kinds": ["said"]}):
        assert read_arguments(given).narrows(ALICE)


@rows("name", ["as_of", "known_at", "created_from", "valid_to"])
@rows("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_the_ends_of_the_calendar_have_no_offset(name, moment):
    """They have no equal in UTC."""
    with pytest.raises(InvalidInputError) as refused:
        read_arguments({name: moment})
    assert refused.value.field == name


def test_filters_and_the_other_arguments_must_all_hold():
    """Types, session, ranges."""
    found = read_arguments(
        {"types": ["semantic"], "filters": {"tag": "a"}, "created_from": "2026-03-02T12:00:00Z",
         "created_to": NOON + timedelta(hours=1)}
    )  # fmt: skip
    passes = predicate(found.where)
    assert passes(memory(ALICE, metadata={"tag": "a"}).item)
    assert not passes(memory(ALICE, metadata={"tag": "b"}).item)
    assert not passes(memory(ALICE, metadata={"tag": "a"}, minutes=-1).item)
    assert not passes(memory(ALICE, metadata={"tag": "a"}, minutes=60).item)
    assert not predicate(read_arguments({"types": [MemoryType.EPISODIC]}).where)(memory(ALICE).item)
    assert not predicate(read_arguments({"session": "c1"}).where)(memory(ALICE).item)


def test_validity_ranges_meet_open_ends():
    """A memory without a beginning or an end is true at any time."""
    passes = predicate(
        read_arguments({"valid_from": NOON, "valid_to": NOON + timedelta(hours=1)}).where
    )
    assert passes(memory(ALICE).item)
    assert passes(memory(ALICE, valid_to=NOON + timedelta(minutes=1)).item)
    assert not passes(memory(ALICE, valid_to=NOON).item)
    assert not passes(memory(ALICE, valid_from=NOON + timedelta(hours=1)).item)


def test_a_digest_tells_queries_apart():
    """Whatever the order of their arguments."""
    one = read_arguments({"types": ["semantic"], "filters": {"a": 1, "b": 2}})
    same = read_arguments({"filters": {"b": 2, "a": 1}, "types": ["semantic"], "session": None})
    assert one.given == same.given
    assert one.given != read_arguments({"filters": {"a": 1}}).given
    assert one.where == parse({"type": ["semantic"], "a": 1, "b": 2}) or one.where is not None


@rows(
    "given, field",
    [
        ({"typ": ["semantic"]}, "typ"),
        ({"types": "semantic"}, "types"),
        ({"types": []}, "types"),
        ({"types": ["semantics"]}, "types"),
        ({"status": "deleted"}, "status"),
        ({"statuses": ["active", "gone"]}, "statuses"),
        ({"status": "active", "statuses": ["active"]}, "status"),
        ({"session": 7}, "session"),
        ({"created_from": "soon"}, "created_from"),
        ({"as_of": 12}, "as_of"),
        ({"filters": "tag"}, "filters"),
    ],
)
def test_bad_arguments_are_named(given, field):
    """Before anything is asked."""
    with pytest.raises(InvalidInputError) as refused:
        read_arguments(given)
    assert refused.value.field == field
