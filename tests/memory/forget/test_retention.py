"""Which memories have had their time, and which make room."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.forget import RetentionOptions, TtlOptions
from recollect.memory.forget.retention import (
    STRENGTH_DAYS,
    archive_record,
    archived,
    expired,
    owner_of,
    salience,
    surplus,
)
from recollect.memory.types import EventKind, MemoryStatus, MemoryType, Provenance, Scope
from tests.memory.forget.parts import ALICE, NOON, memory


def aged(days, name="m", **fields):
    at = NOON - timedelta(days=days)
    return replace(memory(name, name, **fields), created_at=at, updated_at=at)


class TestExpired:
    def test_each_type_by_its_own_time(self):
        """A type without a time lives for ever."""
        options = RetentionOptions(ttl_days=TtlOptions(episodic=10))
        old = [aged(11, kind.value, type=kind) for kind in MemoryType]
        assert [item.id for item in expired(old, options, NOON)] == ["episodic"]
        assert not expired([aged(10, type=MemoryType.EPISODIC)], options, NOON)

    @pytest.mark.parametrize(
        ("status", "name"),
        [
            (MemoryStatus.ARCHIVED, "archive_days"),
            (MemoryStatus.QUARANTINED, "quarantine_days"),
            (MemoryStatus.SUPERSEDED, "superseded_days"),
        ],
    )
    def test_each_status_by_its_own_time(self, status, name):
        """The shorter of both times counts; None is for ever."""
        item = aged(6, status=status)
        assert expired([item], RetentionOptions(**{name: 5}), NOON)
        assert not expired([item], RetentionOptions(**{name: 7}), NOON)
        assert not expired([item], RetentionOptions(**{name: None}), NOON)
        both = RetentionOptions(**{name: 7}, ttl_days=TtlOptions(semantic=5))
        assert expired([item], both, NOON)

    def test_what_was_imported_yesterday_is_a_day_old(self):
        """Whatever time it speaks of."""
        options = RetentionOptions(ttl_days=TtlOptions(semantic=30))
        yesterday = Provenance(recorded_at=NOON - timedelta(days=1))
        assert expired([aged(900)], options, NOON)
        assert not expired([replace(aged(900), provenance=yesterday)], options, NOON)

    def test_of_the_future_nothing_has_passed(self):
        """A clock that went back erases nothing."""
        options = RetentionOptions(ttl_days=TtlOptions(semantic=1))
        assert not expired([aged(-400)], options, NOON)


class TestSalience:
    def test_it_fades(self):
        """By the factor e in the strength's time."""
        assert salience(aged(0), NOON) == pytest.approx(0.5)
        assert salience(aged(STRENGTH_DAYS), NOON) == pytest.approx(0.5 / 2.718281828)

    def test_every_recall_makes_it_stronger_and_new(self):
        """It counts from the last time, and fades more slowly."""
        used = replace(aged(100), access_count=3, last_accessed_at=NOON - timedelta(days=40))
        often = replace(aged(40), access_count=3)
        assert salience(used, NOON) == salience(often, NOON)
        assert salience(often, NOON) > salience(aged(40), NOON)

    def test_importance_counts(self):
        """Of two as old, the more important stays."""
        low, high = aged(9, importance=0.2), aged(9, importance=0.9)
        assert salience(low, NOON) < salience(high, NOON)

    @given(
        st.floats(-1e5, 3e4),
        st.integers(-1, 10**6),
        st.floats(-5, 5),
        st.none() | st.floats(-1e4, 1e4),
    )
    def test_any_memory_has_one(self, days, count, importance, accessed):
        """Between 0 and 1 for whatever the fields hold, never an error."""
        last = None if accessed is None else NOON - timedelta(days=accessed)
        item = replace(aged(days), access_count=count, importance=importance, last_accessed_at=last)
        assert 0 < salience(item, NOON) <= 1

    def test_very_old_ones_still_differ(self):
        """Thirty years are not thirty-one."""
        assert salience(aged(365 * 31), NOON) < salience(aged(365 * 30), NOON)


class TestSurplus:
    def test_quarantine_first_then_versions_then_the_least_salient(self):
        """In this order, and only as many as are too many."""
        items = [
            aged(1, "fresh"),
            aged(50, "old"),
            aged(90, "oldest"),
            aged(0, "version", status=MemoryStatus.SUPERSEDED),
            aged(0, "quarantined", status=MemoryStatus.QUARANTINED, importance=1.0),
            aged(500, "archived", status=MemoryStatus.ARCHIVED),
        ]
        gone = [item.id for item in surplus(items, 1, NOON)]
        assert gone == ["quarantined", "version", "oldest", "old"]
        assert [item.id for item in surplus(items, 4, NOON)] == ["quarantined"]
        assert surplus(items, 5, NOON) == []
        assert surplus(items, None, NOON) == []

    @given(st.integers(0, 2**32), st.integers(1, 11), st.integers(0, 86_399 - 12 * 3600))
    def test_whoever_asks_on_one_day_gets_the_same(self, seed, most, seconds):
        """In whatever order they are read, at whatever time, and after some are archived."""
        chance = random.Random(seed)
        items = [
            replace(aged(chance.randint(0, 3), f"m{n}"), importance=chance.choice([0.1, 0.5]))
            for n in range(12)
        ]
        first = surplus(items, most, NOON)
        chance.shuffle(items)
        done = {item.id for item in first[: chance.randint(0, len(first))]}
        left = [archived(item, NOON) if item.id in done else item for item in items]
        second = surplus(left, most, NOON + timedelta(seconds=seconds))
        assert {item.id for item in first} == done | {item.id for item in second}


def test_archiving_changes_the_status_and_says_since_when():
    """Its text and its vector stay as they were."""
    item = archived(aged(9), NOON)
    assert item == replace(aged(9), status=MemoryStatus.ARCHIVED, updated_at=NOON)


def test_the_record_of_an_archiving_is_one_whoever_writes_it():
    """Named by the version that is put aside; it holds no text."""
    item = aged(9)
    one, two = archive_record(item, NOON), archive_record(item, NOON + timedelta(seconds=3))
    assert one.id == two.id
    assert archive_record(replace(item, updated_at=NOON), NOON).id != one.id
    assert (one.event, one.old_value, one.new_value) == (EventKind.ARCHIVE, None, None)


def test_a_users_agents_share_the_users_capacity():
    """Without a user, the agent or run has its own."""
    agent = Scope(tenant="local", agent_id="a", run_id="r")
    assert owner_of(replace(ALICE, agent_id="a")) == ALICE
    assert owner_of(agent) == agent
