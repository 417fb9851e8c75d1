"""Everything that SQLite keeps for us, as a script of calls whose outcome can be looked up."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from recollect.memory.database.history import SqlHistory
from recollect.memory.model.errors import StateUnwritableError
from recollect.memory.model.types import EventKind, Job, Spent
from recollect.memory.model.usage import UseKind
from recollect.memory.state import State
from tests.memory.state.samples import BOB, NOON, job, record, turn
from tests.support.state import opened_state

LONG = "x" * 6000
"""More than a page."""
ROW = replace(record("m1", EventKind.ADD), id="r1", new_value=LONG)
GONE = replace(record("m2", EventKind.ADD), id="r2")


@dataclass
class Run:
    """One process at work; `done` are the calls that returned, `refused` those that could not."""

    state: State
    history: SqlHistory
    done: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    held: Job | None = None

    async def claim(self) -> None:
        self.held = await self.state.jobs.claim(now=NOON, lease_seconds=3600)
        assert self.held is not None

    async def with_held(self, call: Callable[[Job], Awaitable[bool]]) -> None:
        assert self.held is not None
        assert await call(self.held)


Call = Callable[[Run], Awaitable[Any]]
Query = tuple[str, object]
"""A question about the file, and the answer once the call was done."""

STEPS: dict[str, tuple[Call, Query]] = {
    "turn": (
        lambda run: run.state.conversations.record(turn("a", tokens=3)),
        ("SELECT user_text || assistant_text FROM turns WHERE id = 'c1/a'",
         "user aassistant a"),
    ),
    "long turn": (
        lambda run: run.state.conversations.record(
            replace(turn("long"), user_text=LONG, assistant_text=LONG)
        ),
        ("SELECT length(user_text || assistant_text) FROM turns WHERE id = 'c1/long'",
         2 * len(LONG)),
    ),
    "bob's turn": (
        lambda run: run.state.conversations.record(turn("b", "c2", scope=BOB)),
        ("SELECT count(*) FROM turns WHERE id = 'c2/b'", 1),
    ),
    "put": (
        lambda run: run.state.jobs.put(job("j1")),
        ("SELECT count(*) FROM jobs WHERE id = 'j1'", 1),
    ),
    "claim": (
        lambda run: run.claim(),
        ("SELECT attempts FROM jobs WHERE id = 'j1'", 1),
    ),
    "checkpoint": (
        lambda run: run.with_held(lambda j: run.state.jobs.save_checkpoint(j, LONG)),
        ("SELECT state = 'done' OR length(checkpoint) = 6000 FROM jobs WHERE id = 'j1'", 1),
    ),
    "history": (
        lambda run: run.history.append([ROW, GONE]),
        ("SELECT length(new_value) FROM memory_history WHERE id = 'r1'", len(LONG)),
    ),
    "ack": (
        lambda run: run.with_held(run.state.jobs.ack),
        ("SELECT state FROM jobs WHERE id = 'j1'", "done"),
    ),
    "tombstone": (
        lambda run: run.state.tombstones.add("local", ["m2"]),
        ("SELECT count(*) FROM tombstones WHERE memory_id = 'm2'", 1),
    ),
    "erase history": (
        lambda run: run.history.erase("local", ["m2"]),
        ("SELECT count(*) FROM memory_history WHERE memory_id = 'm2'", 0),
    ),
    "erase turns": (
        lambda run: run.state.conversations.erase(BOB),
        ("SELECT coalesce(max(user_text), '') FROM turns WHERE user_id = 'bob'", ""),
    ),
    "spend": (
        lambda run: run.state.ledger.spend("local", NOON.date(), Spent(1, 10, 5)),
        ("SELECT calls || ' ' || prompt_tokens FROM ledger", "1 10"),
    ),
    "count": (
        lambda run: run.state.usage.count("local", UseKind.CONFIRMED, ["m1"], occasion="j1", at=NOON),
        ("SELECT confirmed FROM usage WHERE memory_id = 'm1'", 1),
    ),
}  # fmt: skip


NEEDS = {
    "claim": ("put",),
    "checkpoint": ("claim",),
    "ack": ("checkpoint",),
    "erase history": ("history",),
    "erase turns": ("bob's turn",),
}
"""What a call is not made before."""


async def opened(folder: Path, synchronous: str) -> Run:
    """A process that begins."""
    state = await opened_state(folder / "recollect.db", synchronous)  # type: ignore[arg-type]
    return Run(state, SqlHistory(state.scripts))


async def play(run: Run) -> None:
    """Every call that is not done yet, in order; those that are refused are noted, and no more."""
    run.refused = []
    for name, (call, _) in STEPS.items():
        if name in run.done:
            continue
        try:
            if not set(NEEDS.get(name, ())) <= set(run.done):
                raise StateUnwritableError("what it needs was refused")
            await call(run)
        except StateUnwritableError:
            run.refused.append(name)
        else:
            run.done.append(name)


async def close(run: Run) -> None:
    await run.state.close()


def missing(folder: Path, done: list[str]) -> list[str]:
    """Which of the calls that returned cannot be found in the file, after SQLite's own check."""
    with contextlib.closing(
        sqlite3.connect(folder / "recollect.db", isolation_level=None)
    ) as connection:
        [(verdict,)] = connection.execute("PRAGMA integrity_check").fetchall()
        assert verdict == "ok"
        lost = []
        for name in done:
            question, answer = STEPS[name][1]
            if connection.execute(question).fetchone() != (answer,):
                lost.append(name)
        return lost
