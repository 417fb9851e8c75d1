"""Turns, jobs and records for the contracts, and the moments they happen at."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, settings

from recollect.memory.model.types import EventKind, HistoryRecord, Job, Scope, Turn
from tests.support.budget import examples

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ALICE = Scope(tenant="local", user_id="alice")
ALICE_WORK = Scope(tenant="local", user_id="alice", agent_id="work")
BOB = Scope(tenant="local", user_id="bob")
OTHER_ALICE = Scope(tenant="other", user_id="alice")

ANY_BACKEND = settings(
    deadline=None,
    database=None,
    max_examples=examples(40),
    # A contract's test is inherited by each backend, and its examples share one store: each works
    # in a tenant of its own, or cleans up before it begins.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
)


def turn(
    name: str, conversation: str = "c1", *, scope: Scope = ALICE, minutes: int = 0, **fields: Any
) -> Turn:
    """A turn of a conversation; `fields` are any others of `Turn`."""
    return Turn(
        id=f"{conversation}/{name}",
        conversation_id=conversation,
        scope=scope,
        user_text=f"user {name}",
        assistant_text=f"assistant {name}",
        model="m",
        created_at=NOON + timedelta(minutes=minutes),
        **fields,
    )


def job(name: str, *, scope: Scope = ALICE, conversation: str = "c1") -> Job:
    return Job(id=name, scope=scope, conversation_id=conversation, upto_seq=1, reason="test")


def record(
    memory_id: str, event: EventKind, *, scope: Scope = ALICE, seconds: int = 0, **fields: Any
) -> HistoryRecord:
    return HistoryRecord(
        id=uuid.uuid4().hex,
        memory_id=memory_id,
        event=event,
        old_value="old" if event is not EventKind.ADD else None,
        new_value="new" if event is not EventKind.DELETE else None,
        timestamp=NOON + timedelta(seconds=seconds),
        is_deleted=event is EventKind.DELETE,
        scope=scope,
        **fields,
    )
