import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

from recollect.memory.api.results import event_dict, history_dicts, memory_dict
from recollect.memory.model.times import iso
from recollect.memory.model.types import (
    EventKind,
    HistoryRecord,
    MemoryEvent,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Scope,
    text_hash,
)
from tests.memory.learn.doubles import ALICE, NOON

ITEM = MemoryItem(
    id="m1",
    text="User likes tea",
    type=MemoryType.PROCEDURAL,
    scope=Scope(tenant="secret-tenant", user_id="alice", run_id="r"),
    created_at=NOON,
    updated_at=NOON + timedelta(milliseconds=5),
    embedder_id="e",
    status=MemoryStatus.QUARANTINED,
    metadata={"tag": [1, {"a": None}]},
)


def test_a_memory():
    """A memory shows what it says, its md5, its times and only the ids it has."""
    assert memory_dict(ITEM) == {
        "id": "m1",
        "kind": "memory",
        "memory": "User likes tea",
        "hash": text_hash("User likes tea"),
        "type": "procedural",
        "status": "quarantined",
        "version": 1,
        "metadata": {"tag": [1, {"a": None}]},
        "importance": 0.5,
        "provenance": {"source": "user"},
        "created_at": "2026-03-02T12:00:00.000+00:00",
        "updated_at": "2026-03-02T12:00:00.005+00:00",
        "user_id": "alice",
        "run_id": "r",
    }


def test_nothing_internal_is_shown():
    """Tenant and embedder stay inside; what is shown is JSON."""
    shown = json.dumps(memory_dict(ITEM, 0.5))
    assert "secret-tenant" not in shown
    assert "embedder" not in shown


def test_events():
    """An event shows the texts it has; metadata comes with what was written."""
    event = MemoryEvent(event=EventKind.ADD, id="m", new_memory="new", metadata={"a": 1})
    assert event_dict(event) == {
        "event": "ADD",
        "id": "m",
        "type": "semantic",
        "new_memory": "new",
        "metadata": {"a": 1},
    }
    updated = replace(event, event=EventKind.UPDATE, old_memory="old", metadata={})
    assert event_dict(updated) == {
        "event": "UPDATE",
        "id": "m",
        "type": "semantic",
        "new_memory": "new",
        "old_memory": "old",
    }
    known = replace(event, event=EventKind.NONE, new_memory=None)
    assert event_dict(known) == {"event": "NONE", "id": "m", "type": "semantic"}


def test_history():
    """Rows keep their order and always have both values, empty ones as null."""
    row = HistoryRecord(
        id="h",
        memory_id="m",
        event=EventKind.DELETE,
        old_value="old",
        new_value=None,
        timestamp=NOON,
        is_deleted=True,
        scope=ALICE,
    )
    other = replace(row, id="i")
    assert [shown["id"] for shown in history_dicts([other, row])] == ["i", "h"]
    assert history_dicts([row]) == [
        {
            "id": "h",
            "memory_id": "m",
            "event": "DELETE",
            "old_value": "old",
            "new_value": None,
            "timestamp": "2026-03-02T12:00:00.000+00:00",
            "is_deleted": True,
        }
    ]


def test_iso():
    """Times have milliseconds and an offset, and come back as the same moment."""
    moment = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)
    assert iso(moment) == "2026-01-02T03:04:05.678+00:00"
    elsewhere = moment.astimezone(timezone(timedelta(hours=2)))
    assert datetime.fromisoformat(iso(elsewhere)) == moment
