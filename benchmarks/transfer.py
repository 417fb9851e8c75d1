"""How fast memories are exported and imported, in memories per unit, and in how much memory.

    python -m benchmarks.transfer [--sizes 5000 20000] [--out FILE]

A unit is the time of `sum(i * i % 7 for i in range(400_000))` on this machine, measured in the same
run. The parts are real: Milvus Lite and SQLite on disk; vectors come with the file, so that no
model takes part. Goals: 150 exported and 45 imported memories per unit, in flat memory.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.memory.api.library import library_options
from recollect.memory.engine.engine import Engine
from recollect.memory.model.types import (
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryType,
    Scope,
    StoredMemory,
    utc_now,
)
from recollect.memory.transfer import (
    EmbedWhen,
    ImportOptions,
    ImportState,
    Seals,
    end_line,
    header_line,
)

TENANT = "local"
EXPORT_GOAL, IMPORT_GOAL = 150, 45
UNITS = 15
BATCH = 480
WORDS = ("red", "small", "new", "wooden", "quiet", "old", "tall")
OPTIONS: dict[str, Any] = {"embedder": {"backend": "fake"}}
SEALS = Seals(TENANT, b"a key for the benchmark")
OTHER_SEALS = Seals(TENANT, b"a key of another installation")


@dataclass(slots=True)
class Measured:
    """One run over a number of memories."""

    what: str
    memories: int
    seconds: float
    unit: float
    growth: float
    """Most megabytes beyond those before it."""

    @property
    def per_unit(self) -> float:
        return self.memories / self.seconds * self.unit

    def as_dict(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "memories": self.memories,
            "seconds": round(self.seconds, 3),
            "unit_ms": round(self.unit * 1000, 2),
            "memories_per_unit": round(self.per_unit, 1),
            "growth_mb": round(self.growth, 1),
        }


class Meter:
    """The time of a block without what it spends here, and the most memory it takes."""

    def __init__(self) -> None:
        gc.collect()
        self._before = self._most = _resident()
        self._units = [_unit()]
        self._begun = time.perf_counter()
        self._out = 0.0

    def note(self) -> None:
        """Look at the memory; a few times measure the unit, whose time does not count."""
        began = time.perf_counter()
        self._most = max(self._most, _resident())
        if len(self._units) < UNITS:
            self._units.append(_unit())
        self._out += time.perf_counter() - began

    def end(self, what: str, memories: int) -> Measured:
        seconds = time.perf_counter() - self._begun - self._out
        unit = sorted(self._units)[len(self._units) // 2]
        return Measured(what, memories, seconds, unit, (self._most - self._before) / 2**20)


def _unit() -> float:
    began = time.perf_counter()
    sum(i * i % 7 for i in range(400_000))
    return time.perf_counter() - began


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096


async def fill(engine: Engine, count: int) -> None:
    """Memories of twenty users, each with two records of history."""
    embedder = engine.parts.embedder
    for start in range(0, count, BATCH):
        items = [_item(number, embedder.id) for number in range(start, min(start + BATCH, count))]
        vectors = await embedder.embed([item.text for item in items])
        await engine.parts.history.append([one for item in items for one in _history(item)])
        await engine.parts.store.put(
            [StoredMemory(item, vector) for item, vector in zip(items, vectors, strict=True)]
        )


def _item(number: int, embedder: str) -> MemoryItem:
    now = utc_now()
    return MemoryItem(
        id=f"{number * 7919 % 1_000_003:08x}-{number}",
        text=f"The user keeps a {WORDS[number % 7]} bicycle beside the {WORDS[number // 7 % 7]} "
        f"house of the family, and likes green tea of the year {number}",
        type=MemoryType.SEMANTIC,
        scope=Scope(tenant=TENANT, user_id=f"user {number % 20}"),
        created_at=now,
        updated_at=now,
        valid_from=now,
        embedder_id=embedder,
        metadata={"number": number},
    )


def _history(item: MemoryItem) -> list[HistoryRecord]:
    return [
        HistoryRecord(
            id=f"{item.id}-{event}",
            memory_id=item.id,
            event=event,
            old_value=None,
            new_value=item.text,
            timestamp=item.created_at,
            is_deleted=False,
            scope=item.scope,
            stage="given",
        )
        for event in (EventKind.ADD, EventKind.NONE)
    ]


async def exported(engine: Engine, path: Path, count: int) -> Measured:
    exporter = engine.transfer.exporter
    header, written = exporter.header(), 0
    meter = Meter()
    with path.open("wb") as file:
        file.write(header_line(header))
        async for page in exporter.pages(TENANT, header, SEALS):
            file.write(page.data)
            written += page.memories
            meter.note()
        file.write(end_line(written))
    assert written == count, written
    return meter.end("export", count)


async def imported(folder: Path, path: Path, count: int, seals: Seals, what: str) -> Measured:
    async with Engine.open(library_options(OPTIONS, folder)) as engine:
        await fill(engine, BATCH // 2)  # what is loaded at first is no cost of an import
        await engine.parts.store.reset(TENANT)
        how = ImportOptions(embed=EmbedWhen.NEVER, keep_ids=True)
        run = engine.transfer.importer.run
        state, meter = ImportState(), Meter()
        with path.open("rb") as file:
            async for at in run(file, TENANT, seals, how, state):
                state = at
                meter.note()
        measured = meter.end(what, count)
        counts = state.counts
        assert counts.added + counts.forgotten == count, counts
        return measured


async def measured(size: int) -> list[Measured]:
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        async with Engine.open(library_options(OPTIONS, at / "from")) as engine:
            await fill(engine, size)
            await exported(engine, at / "first.jsonl", size)
            found = [await exported(engine, at / "lines.jsonl", size)]
        for seals, what in ((SEALS, "import"), (OTHER_SEALS, "import, judged")):
            found.append(await imported(at / what, at / "lines.jsonl", size, seals, what))
        return found


def table(rows: list[Measured]) -> str:
    lines = ["what              memories   seconds   unit ms   memories per unit   growth MB"]
    lines += [
        f"{row.what:<16} {row.memories:>9,} {row.seconds:>9.2f} {row.unit * 1000:>9.1f} "
        f"{row.per_unit:>19.1f} {row.growth:>11.1f}"
        for row in rows
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5000, 20_000])
    parser.add_argument("--out", type=Path, help="Write JSON here.")
    chosen = parser.parse_args()
    rows = [row for size in chosen.sizes for row in asyncio.run(measured(size))]
    print(table(rows))
    goals = {"export": EXPORT_GOAL, "import": IMPORT_GOAL}
    missed = [row for row in rows if row.per_unit < goals.get(row.what, 0)]
    print(f"goals: {goals}, {'missed' if missed else 'reached'}")
    if chosen.out:
        chosen.out.write_text(json.dumps([row.as_dict() for row in rows], indent=2) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
