"""What linking costs: a rebuild of 20,000 memories, and its share of what learning a fact costs.

Real parts: Milvus Lite and SQLite files in a temporary folder, the default embedder. The texts are
drawn from names and templates, so that entities have one to some hundreds of memories. A ticker in
the same loop measures how late the loop is during the rebuild. Prints a table, writes
benchmarks/results/linking.json.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT), str(ROOT / "benchmarks")]

from load import write_json  # noqa: E402
from loop_lag import Ticker  # noqa: E402

from recollect.memory.engine.engine import Engine  # noqa: E402
from recollect.memory.engine.options import EngineOptions  # noqa: E402
from recollect.memory.model.types import (  # noqa: E402
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    StoredMemory,
)

FIRST = "Anna Bruno Chiara Dario Elena Fatima Goran Hana Igor Jana Kemal Lena Marek Nadia Omar".split()
LAST = "Novak Rossi Haddad Okafor Silva Weber Kaya Petrov Moreau Larsen Sato Iyer Costa".split()
PLACES = "Tbilisi Oslo Lisbon Kyoto Quito Dakar Turin Perth Hanoi Lima".split()
FIRMS = "Acme Globex Initech Umbrella Hooli Stark".split()
TEMPLATES = (
    "User met {name} in {place} on the {number}th day of the trip",
    "User's friend {name} works at {firm} and has desk {number}",
    "User's sister {first} moved to {place} in {number} weeks",
    "{name} recommended restaurant number {number} in {place}",
    "User paid {number} EUR for dinner with {first} and {other}",
    "User prefers tea number {number} in the morning",
    "User keeps box {number} in the cellar of the old house",
)
NOON = datetime(2026, 1, 1, tzinfo=UTC)
BATCH = 500


def texts(count: int, seed: int = 43) -> list[str]:
    """Facts as they are learned."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        first = chance.choice(FIRST)
        name = f"{first} {chance.choice(LAST)}"
        values = {
            "first": first,
            "name": name,
            "other": f"{chance.choice(FIRST)} {chance.choice(LAST)}",
            "place": chance.choice(PLACES),
            "firm": chance.choice(FIRMS),
            "number": number,
        }
        found.append(chance.choice(TEMPLATES).format(**values))
    return found


def options(folder: Path) -> EngineOptions:
    """Files in a folder."""
    return EngineOptions.model_validate(
        {
            "store": {"backend": "milvus", "uri": str(folder / "memories.db")},
            "state": {"backend": "sqlite", "url": str(folder / "state.db")},
            "history": {"backend": "sqlite", "url": str(folder / "history.db")},
            "upkeep": {"enabled": False},
        }
    )


async def put(engine: Engine, facts: list[str], scope: Scope, vectors: np.ndarray) -> None:
    """Write memories below the graph, as a version without one did."""
    for at in range(0, len(facts), BATCH):
        stored = [
            StoredMemory(
                MemoryItem(
                    id=f"m{at + number:06}",
                    text=text,
                    type=MemoryType.SEMANTIC,
                    scope=scope,
                    created_at=NOON + timedelta(minutes=at + number),
                    updated_at=NOON,
                    embedder_id=engine.parts.embedder.id,
                    provenance=Provenance(),
                ),
                vectors[number],
            )
            for number, text in enumerate(facts[at : at + BATCH])
        ]
        await engine.graph._memories.put(stored)


async def rebuild(engine: Engine, count: int) -> dict[str, Any]:
    """From nothing, then once more with nothing to change."""
    scope = Scope(tenant="local", user_id="many")
    chance = np.random.default_rng(43)
    vectors = chance.normal(size=(BATCH, engine.parts.embedder.dim)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    await put(engine, texts(count), scope, vectors)
    assert engine.graph is not None
    found: dict[str, Any] = {}
    for name in ("rebuild", "again"):
        await asyncio.sleep(0.5)
        ticker, cpu, began = Ticker(), time.process_time(), time.perf_counter()
        report = await engine.graph.rebuild()
        found[name] = {
            "memories": report.memories,
            "entities": report.entities,
            "relations": report.relations,
            "seconds": round(time.perf_counter() - began, 2),
            "cpu_seconds": round(time.process_time() - cpu, 2),
            "loop": {key: round(value, 1) for key, value in ticker.stop().items()},
        }
    counts = await engine.graph.store.counts()
    found["orphans"], found["stale"] = counts["orphans"], await engine.graph.stale("local")
    return found


async def learning(folder: Path, facts: list[str], *, graph: bool) -> float:
    """CPU milliseconds for each fact that is added and, with a graph, linked; some at a time."""
    chosen = options(folder).model_dump(exclude_unset=True) | {"graph": {"enabled": graph}}
    scope = Scope(tenant="local", user_id="alice")
    async with Engine.open(EngineOptions.model_validate(chosen)) as engine:
        await engine.warm()
        await engine.direct.write(scope, ["User has a bicycle"])
        began = time.process_time()
        for at in range(0, len(facts), 5):
            await engine.direct.write(scope, facts[at : at + 5])
            if engine.graph is not None:
                await engine.graph.caught_up()
        if engine.graph is not None:
            await engine.graph.settled()
        return (time.process_time() - began) / len(facts) * 1e3


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=20_000)
    parser.add_argument("--facts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        async with Engine.open(options(Path(folder))) as engine:
            result |= await rebuild(engine, args.memories)
    for name in ("rebuild", "again"):
        print(name, result[name])
    facts = texts(args.facts)
    shares = []
    for _ in range(args.rounds):
        found = {}
        for graph in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                found[graph] = await learning(Path(folder), facts, graph=graph)
        shares.append((found[False], found[True]))
    without, with_graph = map(min, zip(*shares, strict=True))
    result["fact"] = {"without_ms": round(without, 2), "with_ms": round(with_graph, 2)}
    result["share"] = round(with_graph / without - 1, 3)
    print(f"CPU a fact: {without:.2f} ms without, {with_graph:.2f} ms with: {result['share']:+.1%}")
    write_json("linking", result)


if __name__ == "__main__":
    asyncio.run(main())
