"""What linking costs: a rebuild of 20,000 memories, and its share of what learning a fact costs.

Real parts: Milvus Lite and SQLite files in a temporary folder, the default embedder. The texts are
drawn from names and templates, so that entities have one to some hundreds of memories. A ticker in
the same loop measures how late the loop is during the rebuild. Prints a table, writes
benchmarks/results/linking.json.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import json
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

from recollect.memory import AsyncMemory  # noqa: E402
from recollect.memory.engine.engine import Engine  # noqa: E402
from recollect.memory.engine.options import EngineOptions  # noqa: E402
from recollect.memory.model.types import (  # noqa: E402
    ChatReply,
    ChatRequest,
    MemoryItem,
    MemoryType,
    Scope,
    StoredMemory,
)

PEOPLE = 300
"""Every tenth first name is that of two people."""
SYLLABLES = ("ba", "ko", "li", "mar", "na", "ren", "so", "ta", "vi", "zen")
PLACES = ("Tbilisi", "Oslo", "Lisbon", "Kyoto", "Quito", "Dakar", "Turin", "Perth", "Hanoi", "Lima")
FIRMS = ("Acme", "Globex", "Initech", "Umbrella", "Hooli", "Stark")
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
AT_ONCE = 5
"""Facts of one call of a model."""


def people(chance: random.Random) -> list[tuple[str, str]]:
    """First names and last names."""
    names = ["".join(parts).title() for parts in itertools.product(SYLLABLES, repeat=3)]
    chance.shuffle(names)
    firsts, lasts = names[:PEOPLE], names[PEOPLE : 2 * PEOPLE]
    firsts[::10] = firsts[1::10]
    return list(zip(firsts, lasts, strict=True))


def texts(count: int, seed: int = 43) -> list[str]:
    """Facts as they are learned."""
    chance = random.Random(seed)
    known = people(chance)
    found = []
    for number in range(count):
        first, last = chance.choice(known)
        values = {
            "first": first,
            "name": f"{first} {last}",
            "other": " ".join(chance.choice(known)),
            "place": chance.choice(PLACES),
            "firm": chance.choice(FIRMS),
            "number": number,
        }
        found.append(chance.choice(TEMPLATES).format(**values))
    return found


def options(folder: Path, *, graph: bool = True) -> EngineOptions:
    """Files in a folder."""
    return EngineOptions.model_validate(
        {
            "database": {"url": str(folder / "recollect.db")},
            "upkeep": {"enabled": False},
            "graph": {"enabled": graph},
        }
    )


async def put(folder: Path, facts: list[str]) -> None:
    """Write memories as a version without a graph did."""
    async with Engine.open(options(folder, graph=False)) as engine:
        chance = np.random.default_rng(43)
        vectors = chance.normal(size=(BATCH, engine.parts.embedder.dim)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        for at in range(0, len(facts), BATCH):
            page = facts[at : at + BATCH]
            items = [_item(engine, at + number, text) for number, text in enumerate(page)]
            pairs = zip(items, vectors, strict=False)
            await engine.parts.store.put([StoredMemory(*pair) for pair in pairs])


def _item(engine: Engine, number: int, text: str) -> MemoryItem:
    at = NOON + timedelta(minutes=number)
    return MemoryItem(
        id=f"m{number:06}",
        text=text,
        type=MemoryType.SEMANTIC,
        scope=Scope(tenant="local", user_id="many"),
        created_at=at,
        updated_at=at,
        embedder_id=engine.parts.embedder.id,
    )


async def rebuild(engine: Engine) -> dict[str, Any]:
    """From nothing, then once more with nothing to change."""
    assert engine.graph is not None
    gc.collect()
    gc.freeze()  # as the product does after its start
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


def spoken(fact: str) -> str:
    """A fact in the user's own words."""
    return fact.replace("User's", "My").replace("User ", "I ")


class Extractor:
    """Answers with the next facts, and says that nothing is another one's news."""

    def __init__(self, facts: list[str]) -> None:
        self._facts = facts
        self._next = 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        if "decisions" in dict((request.schema or {}).get("properties", {})):
            return ChatReply(text='{"decisions": []}', model="m")
        found = self._facts[self._next : self._next + AT_ONCE]
        self._next += AT_ONCE
        told = [{"type": "semantic", "text": text, "quote": spoken(text)} for text in found]
        return ChatReply(text=json.dumps({"facts": told}), model="m")

    async def close(self) -> None:
        """Nothing to release."""


async def learning(folder: Path, facts: list[str], *, graph: bool) -> float:
    """CPU milliseconds for each fact that a model finds and that is, with a graph, linked."""
    extractor = Extractor(facts)

    async def models(_tenant: str, _model: str) -> Extractor:
        return extractor

    async with Engine.open(options(folder, graph=graph), models) as engine:
        await engine.warm()
        memory = AsyncMemory(engine, tenant="local")
        await memory.add("User has a bicycle", infer=False, user_id="alice")
        began = time.process_time()
        for at in range(0, len(facts), AT_ONCE):
            said = [{"role": "user", "content": spoken(text)} for text in facts[at : at + AT_ONCE]]
            await memory.add(said, user_id="alice")
            if engine.graph is not None:
                await engine.graph.caught_up()
        if engine.graph is not None:
            await engine.graph.settled()
        spent = time.process_time() - began
        found = await memory.get_all(user_id="alice", limit=1000)
        return spent / max(1, len(found["results"]) - 1) * 1e3


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=20_000)
    parser.add_argument("--facts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        await put(Path(folder), texts(args.memories))
        async with Engine.open(options(Path(folder))) as engine:
            result |= await rebuild(engine)
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
