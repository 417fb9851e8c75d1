"""A batch notes which memories it confirmed or corrected."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from recollect.memory.learn.noted import note_uses, uses_of
from recollect.memory.learn.records import Batch
from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Decision, EventKind, MemoryEvent, MemoryType, Scope, Source
from recollect.memory.model.usage import Usage, UseKind
from tests.support.parts import parts_of

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
BATCH = Batch(id="j1", scope=Scope(tenant="local", user_id="alice"), at=NOON)


def decided(event: EventKind, memory_id: str, **fields) -> Decision:
    return Decision(
        event=event, memory_id=memory_id, text="text", type=MemoryType.SEMANTIC, **fields
    )


def made(*decisions: Decision) -> list[MemoryEvent]:
    return [MemoryEvent(event=each.event, id=each.memory_id) for each in decisions]


DECISIONS = [
    decided(EventKind.NONE, "again"),
    decided(EventKind.NONE, "again"),
    decided(EventKind.NONE, "repeated", source=Source.ASSISTANT),
    decided(EventKind.NONE, "planted", flags=("instruction",)),
    decided(EventKind.ADD, "new"),
    decided(EventKind.NONE, "new"),
    decided(EventKind.UPDATE, "moved"),
    decided(EventKind.DELETE, "ended"),
]


def test_what_the_user_said_confirms_or_corrects():
    """Neither the assistant's words, nor planted ones, nor what is new in the batch."""
    assert uses_of(DECISIONS, made(*DECISIONS)) == {
        UseKind.CONFIRMED: {"again"},
        UseKind.CORRECTED: {"moved", "ended"},
    }


def test_what_was_left_out_is_not_noted():
    """A decision of which no event came, such as one about a forgotten memory, counts nothing."""
    assert uses_of(DECISIONS, made(*DECISIONS[2:6])) == {
        UseKind.CONFIRMED: frozenset(),
        UseKind.CORRECTED: frozenset(),
    }


async def test_once_for_each_batch():
    """A batch that is applied again after a crash counts once, another one counts too."""
    usage = parts_of().state.usage
    for batch in ("j1", "j1", "j2"):
        await note_uses(
            usage, Batch(id=batch, scope=BATCH.scope, at=NOON), DECISIONS, made(*DECISIONS)
        )
    assert await usage.of("local", ["again", "moved", "ended", "new"]) == {
        "again": Usage(confirmed=2),
        "moved": Usage(corrected=2),
        "ended": Usage(corrected=2),
    }


async def test_learning_goes_on_without_counters(caplog: pytest.LogCaptureFixture):
    """What was learned stays learned; the log says what is not counted."""

    class Broken:
        async def count(self, *_args, **_fields):
            raise StateError("no room")

    await note_uses(Broken(), BATCH, DECISIONS, made(*DECISIONS))
    assert "1 memories are not counted as confirmed: no room" in caplog.text
