"""Decisions about what was changed meanwhile, and what a batch confirmed."""

from dataclasses import replace
from datetime import UTC, datetime

from recollect.memory.learn.apply import CHANGED, count_uses, holding, uses_of
from recollect.memory.learn.records import Batch, memory_id, rows_of
from recollect.memory.model.types import (
    Decision,
    EventKind,
    MemoryEvent,
    MemoryStatus,
    MemoryType,
    Scope,
    Source,
)
from recollect.memory.model.usage import Usage, UseKind
from tests.support.folding import rows

from ...support.parts import parts_of
from .doubles import ALICE, NOON, a_decision, a_memory

BATCH = Batch(id="b", scope=ALICE, at=NOON)
TEA = a_memory("m", "User likes tea", ALICE, NOON)
UPDATE = a_decision(EventKind.UPDATE, "m", "User likes milk", old_text=TEA.text, reason="change")
DELETE = replace(UPDATE, event=EventKind.DELETE, text=TEA.text)
ADDED = memory_id("b", UPDATE.text)


def held(*decisions, known=(TEA,)):
    return holding(decisions, {item.id: item for item in known}, BATCH)


def test_what_still_holds_is_left_as_it_is():
    """The memory says what it said, or was there never, or the decision does not say what."""
    assert held(UPDATE) == [UPDATE]
    assert held(DELETE) == [DELETE]
    assert held(UPDATE, known=()) == [UPDATE]
    assert held(replace(UPDATE, old_text=None)) == [replace(UPDATE, old_text=None)]


@rows(
    "now",
    [
        replace(TEA, text="User likes coffee", version=2),
        replace(TEA, status=MemoryStatus.ARCHIVED, version=2),
        replace(TEA, status=MemoryStatus.SUPERSEDED, version=2),
    ],
)
def test_what_does_not_hold_any_more(now):
    """The later state stays: a fact is added beside it, and nothing is ended; both say why."""
    [instead] = held(UPDATE, known=[now])
    assert (instead.event, instead.memory_id, instead.text) == (EventKind.ADD, ADDED, UPDATE.text)
    assert (instead.pending, instead.old_text) == (("m",), None)
    [kept] = held(DELETE, known=[now])
    assert (kept.event, kept.memory_id, kept.text) == (EventKind.NONE, "m", now.text)
    assert {instead.reason, kept.reason} == {f"change: {CHANGED}"}


def test_a_batch_may_change_what_it_changed():
    """Its second decision is about what the first one makes the memory say; one version is made."""
    second = replace(UPDATE, text="User likes water", old_text=UPDATE.text)
    assert held(UPDATE, second) == [UPDATE, second]
    rows = rows_of([UPDATE, second], {"m": TEA}, BATCH, now=NOON, embedder_id="e")
    assert rows.live["m"].version == 2
    assert [row.version for row in rows.versions.values()] == [1]


@rows("event", [EventKind.ADD, EventKind.QUARANTINE])
def test_what_was_added_and_then_changed_is_not_added_again(event):
    """Its id is there: somebody has reworded or validated it since."""
    since = replace(TEA, text="User likes coffee", version=2)
    add = replace(UPDATE, event=event, old_text=None)
    assert rows_of([add], {"m": since}, BATCH, now=NOON, embedder_id="e").live == {}


NOON_NOTED = datetime(2026, 3, 2, 12, tzinfo=UTC)
BATCH_NOTED = Batch(id="j1", scope=Scope(tenant="local", user_id="alice"), at=NOON_NOTED)


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


async def test_once_for_each_batch():
    """A batch counts once, another one counts too."""
    usage = parts_of().state.usage
    for batch in ("j1", "j1", "j2"):
        await count_uses(
            usage,
            Batch(id=batch, scope=BATCH_NOTED.scope, at=NOON_NOTED),
            DECISIONS,
            made(*DECISIONS),
        )
    assert await usage.of("local", ["again", "moved", "ended", "new"]) == {
        "again": Usage(confirmed=2),
        "moved": Usage(corrected=2),
        "ended": Usage(corrected=2),
    }
