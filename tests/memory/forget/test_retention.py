"""Which memories have had their time, and which make room."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.forget import RetentionOptions
from recollect.memory.forget.options import TtlOptions
from recollect.memory.forget.retention import (
    RESTORABLE,
    archive_record,
    archived,
    expired,
    restored,
    surplus,
)
from recollect.memory.model.salience import salience
from recollect.memory.model.types import EventKind, MemoryStatus, MemoryType, Provenance
from recollect.memory.model.usage import Usage
from tests.memory.forget.parts import NOON, memory
from tests.support.folding import rows


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

    @rows(
        "status, name",
        [
            (MemoryStatus.ARCHIVED, "archived"),
            (MemoryStatus.QUARANTINED, "quarantined"),
            (MemoryStatus.SUPERSEDED, "superseded"),
        ],
    )
    def test_each_status_by_its_own_time(self, status, name):
        """The shorter of both times counts; None is for ever."""
        item = aged(6, status=status)
        assert expired([item], RetentionOptions(erase_days={name: 5}), NOON)
        assert not expired([item], RetentionOptions(erase_days={name: 7}), NOON)
        assert not expired([item], RetentionOptions(erase_days={name: None}), NOON)
        both = RetentionOptions(erase_days={name: 7}, ttl_days=TtlOptions(semantic=5))
        assert expired([item], both, NOON)

    def test_what_was_said_long_ago_is_old_although_it_was_written_yesterday(self):
        """With `timestamp`; what a status allows counts from when it was written so."""
        options = RetentionOptions(ttl_days=TtlOptions(semantic=30), erase_days={"quarantined": 30})
        yesterday = Provenance(recorded_at=NOON - timedelta(days=1))
        assert expired([replace(aged(900), provenance=yesterday)], options, NOON)
        assert not expired([replace(aged(20), provenance=yesterday)], options, NOON)
        doubted = replace(aged(900), provenance=yesterday, status=MemoryStatus.QUARANTINED)
        assert not expired([doubted], RetentionOptions(erase_days={"quarantined": 30}), NOON)

    def test_of_the_future_nothing_has_passed(self):
        """A clock that went back erases nothing."""
        options = RetentionOptions(ttl_days=TtlOptions(semantic=1))
        assert not expired([aged(-400)], options, NOON)


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

    def test_what_ten_people_speak_against_goes_before_its_twin(self):
        """Whether it is in use or not; as many for it and it is like any other again."""
        against = Usage(negative=10)
        for recalls in (0, 30):
            use = Usage(recalled=recalls, last_recalled=NOON if recalls else None)
            spoken = replace(use, negative=10)
            for name in ("a", "b"):
                used = {"a": use, "b": use, name: spoken}
                assert [one.id for one in surplus([aged(5, "a"), aged(5, "b")], 1, NOON, used)] == [
                    name
                ]
        younger = [aged(5, "a"), aged(45, "b")]
        assert [one.id for one in surplus(younger, 1, NOON, {"a": against})] == ["a"]
        assert [one.id for one in surplus(younger, 1, NOON)] == ["b"]
        even = replace(against, positive=10)
        assert [one.id for one in surplus(younger, 1, NOON, {"a": even})] == ["b"]

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

    @rows("status", sorted(RESTORABLE))
    def test_a_restored_memory_goes_last(self, status):
        """Somebody asked for it; an earlier version made from it is like any other."""
        wanted = Provenance(restored_at=NOON)
        back = replace(aged(900, "back", status=status, importance=0.01), provenance=wanted)
        items = [aged(1, "fresh"), back]
        assert [item.id for item in surplus(items, 1, NOON)] == ["fresh"]
        version = replace(back, status=MemoryStatus.SUPERSEDED)
        assert [item.id for item in surplus([aged(1), version], 1, NOON)] == ["back"]


def test_an_archived_memory_is_as_old_as_its_archiving():
    """`erase_days` counts from then, the time limit of a type from when it was written."""
    aside = archived(aged(50), NOON - timedelta(days=5))
    assert expired([aside], RetentionOptions(erase_days={"archived": 4}), NOON)
    assert not expired([aside], RetentionOptions(erase_days={"archived": 6}), NOON)
    assert expired([aside], RetentionOptions(ttl_days=TtlOptions(semantic=49)), NOON)


class TestRestored:
    @rows("status", sorted(RESTORABLE))
    def test_it_is_as_it_was(self, status):
        """The status and all times are those of before; only that it was restored is new."""
        item = aged(9, status=status)
        wanted = replace(item, provenance=replace(item.provenance, restored_at=NOON), version=3)
        assert restored(archived(item, NOON), NOON) == wanted

    def test_what_no_longer_held_stays_in_the_archive(self):
        """An earlier version, something that ended, and what is not archived."""
        assert restored(archived(aged(9, status=MemoryStatus.SUPERSEDED), NOON), NOON) is None
        assert restored(aged(9), NOON) is None


def test_the_record_of_an_archiving_is_one_whoever_writes_it():
    """Named by the version that is put aside; it holds no text."""
    item = aged(9)
    one, two = archive_record(item, NOON), archive_record(item, NOON + timedelta(seconds=3))
    assert one.id == two.id
    assert archive_record(replace(item, updated_at=NOON), NOON).id != one.id
    assert (one.event, one.old_value, one.new_value) == (EventKind.ARCHIVE, None, None)


def test_it_says_by_what_salience():
    """That of the start of the day, with what people said."""
    told = archive_record(aged(9), NOON, Usage(negative=10))
    day = NOON.replace(hour=0)
    assert told.scores == {
        "salience": salience(aged(9), day, Usage(negative=10)),
        "rating": pytest.approx(-10 / 12),
    }
