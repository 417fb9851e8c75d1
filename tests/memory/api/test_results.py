import json
from datetime import UTC, datetime, timedelta, timezone

from recollect.memory.api.results import memory_dict
from recollect.memory.model.times import iso
from recollect.memory.model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Scope,
)
from tests.memory.learn.doubles import NOON

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


def test_nothing_internal_is_shown():
    """Tenant and embedder stay inside; what is shown is JSON."""
    shown = json.dumps(memory_dict(ITEM, 0.5))
    assert "secret-tenant" not in shown
    assert "embedder" not in shown


def test_iso():
    """Times have milliseconds and an offset, and come back as the same moment."""
    moment = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)
    assert iso(moment) == "2026-01-02T03:04:05.678+00:00"
    elsewhere = moment.astimezone(timezone(timedelta(hours=2)))
    assert datetime.fromisoformat(iso(elsewhere)) == moment
