"""Three replicas under load, one of which is killed again and again: what is lost, and what twice.

Each chat is of a user of its own and tells one fact, so each acknowledged chat must become exactly
one memory, whatever dies. Clients are the real `openai` client; they choose a replica that runs.
What replicas share is a real PostgreSQL, with pgvector as index.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import openai

from tests.support.postgres_server import PostgresServer
from tests.support.product import Product
from tests.support.scripted import ScriptedModel
from tests.support.worker_process import WorkerProcess

REPLICAS = 3
TOLD = re.compile(r"My locker is number (\d+)\.")
FACT = "User's locker is number {}"
GRACE_SECONDS = 90.0
"""Without any progress of learning, what is missing counts as lost: leases of the dead must end."""


@dataclass
class Outcome:
    """What a run has seen."""

    acknowledged: set[int] = field(default_factory=set)
    """Numbers whose answers came whole."""
    broken: Counter[str] = field(default_factory=Counter)
    """Chats that failed, by whether their replica was killed meanwhile."""
    stored: Counter[int] = field(default_factory=Counter)
    """How many memories each number has, of every status."""
    kills: int = 0
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)

    @property
    def lost(self) -> set[int]:
        """Acknowledged, and remembered by nobody."""
        return {number for number in self.acknowledged if not self.stored[number]}

    @property
    def doubled(self) -> set[int]:
        return {number for number, count in self.stored.items() if count > 1}

    @property
    def chats_per_second(self) -> float:
        return len(self.acknowledged) / self.seconds if self.seconds else 0.0

    def told(self) -> dict[str, Any]:
        """For people and for a file."""
        slow = sorted(self.latencies)
        return {
            "acknowledged": len(self.acknowledged),
            "kills": self.kills,
            "lost": len(self.lost),
            "doubled": len(self.doubled),
            "failed on a killed replica": self.broken["killed"],
            "failed elsewhere": self.broken["elsewhere"],
            "chats per second": round(self.chats_per_second, 1),
            "p50 seconds": round(slow[len(slow) // 2], 3) if slow else None,
            "p99 seconds": round(slow[len(slow) * 99 // 100], 3) if slow else None,
        }


class Fleet:
    """The replicas, and which of them clients may choose."""

    def __init__(self, replicas: Sequence[Product]) -> None:
        self._replicas = replicas
        self.deaths = [0] * len(replicas)
        """How often each was killed."""
        self._running = [True] * len(replicas)
        self._turn = itertools.count()

    def choose(self) -> int:
        """One that runs, in turn."""
        running = [number for number, runs in enumerate(self._running) if runs]
        return running[next(self._turn) % len(running)]

    def url(self, number: int) -> str:
        return self._replicas[number].base_url

    async def kill(self, number: int) -> None:
        """As the kernel would, in the middle of whatever it does; then start it again."""
        self.deaths[number] += 1
        self._running[number] = False
        await asyncio.to_thread(self._replicas[number].kill)
        await asyncio.to_thread(self._replicas[number].start)
        self._running[number] = True


async def run(
    folder: Path,
    models_dir: Path | None,
    *,
    seconds: float,
    every: float,
    clients: int,
    replicas: int = REPLICAS,
    pause: float = 0.0,
) -> Outcome:
    """Chat for so many seconds, kill one replica every so many, and count. `every` 0 kills none."""
    outcome = Outcome()
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(ScriptedModel(_answer))
        settings = await _shared(stack, model.base_url, models_dir)
        fleet = await _started(stack, folder, settings, replicas)
        began = time.monotonic()
        end = began + seconds
        numbers = itertools.count(1)
        jobs = [_chat(fleet, outcome, numbers, end, pause) for _ in range(clients)]
        killing = _killing(fleet, outcome, end, every) if every else _nothing()
        await asyncio.gather(*jobs, killing)
        outcome.seconds = time.monotonic() - began
        await _learned(outcome, settings["database__url"])
    return outcome


def _answer(body: dict[str, Any]) -> str:
    """A chat's answer, or what an extractor finds in a conversation."""
    text = json.dumps(body["messages"])
    if "response_format" not in body and "facts" not in text[:4000]:
        return "Noted, I will keep that in mind."
    found = dict.fromkeys(TOLD.findall(text))
    facts = [
        {"type": "semantic", "text": FACT.format(n), "quote": f"My locker is number {n}"}
        for n in found
    ]
    return json.dumps({"facts": facts})


async def _shared(stack: AsyncExitStack, model_url: str, models_dir: Path | None) -> dict[str, Any]:
    postgres = PostgresServer()
    await asyncio.to_thread(postgres.start)
    stack.callback(postgres.remove)
    more = {} if models_dir is None else {"embedder__model_dir": models_dir}
    return {
        "upstream__base_url": model_url,
        "learn__llm__base_url": model_url,
        "learn__llm__model": "scripted",
        "learn__every_turns": 1,
        "learn__calls_per_hour": 1_000_000,
        "learn__lease_seconds": 5,
        "learn__in_process": False,
        "upkeep__kinds__episodes": False,
        "database__url": postgres.url(),
        "index__backend": "pgvector",
        "index__uri": postgres.url(),
        "recall__deadline_ms": 5000,
        **more,
    }


async def _started(
    stack: AsyncExitStack, folder: Path, settings: dict[str, Any], replicas: int
) -> Fleet:
    proxies = [Product(folder / f"replica-{n}", **settings) for n in range(replicas)]
    for process in (*proxies, WorkerProcess(folder / "worker", **settings)):
        stack.callback(process.stop)
        await asyncio.to_thread(process.start)
    return Fleet(proxies)


async def _chat(
    fleet: Fleet, outcome: Outcome, numbers: itertools.count[int], end: float, pause: float
) -> None:
    """One client: a chat of a new user after the other, at any replica that runs."""
    clients: dict[int, openai.AsyncOpenAI] = {}
    while time.monotonic() < end:
        at, number = fleet.choose(), next(numbers)
        client = clients.setdefault(
            at, openai.AsyncOpenAI(base_url=fleet.url(at), api_key="k", max_retries=0)
        )
        deaths, began = fleet.deaths[at], time.monotonic()
        try:
            await _say(client, number)
        except openai.OpenAIError:
            killed = fleet.deaths[at] != deaths
            outcome.broken["killed" if killed else "elsewhere"] += 1
        else:
            outcome.acknowledged.add(number)
            outcome.latencies.append(time.monotonic() - began)
        await asyncio.sleep(pause)
    for client in clients.values():
        await client.close()


async def _say(client: openai.AsyncOpenAI, number: int) -> None:
    """Read a stream to its end. Raises OpenAIError if it breaks."""
    stream = await client.chat.completions.create(
        model="scripted",
        stream=True,
        user=f"user-{number}",
        messages=[{"role": "user", "content": f"My locker is number {number}."}],
    )
    ended = False
    async for chunk in stream:
        ended = ended or bool(chunk.choices and chunk.choices[0].finish_reason)
    if not ended:
        raise openai.OpenAIError("the stream ended without its last chunk")


async def _killing(fleet: Fleet, outcome: Outcome, end: float, every: float) -> None:
    chooser = random.Random(7)
    while time.monotonic() + every < end:
        await asyncio.sleep(every)
        await fleet.kill(chooser.randrange(len(fleet.deaths)))
        outcome.kills += 1


async def _nothing() -> None:
    """No replica is killed."""


async def _learned(outcome: Outcome, url: str) -> None:
    """Wait until everything is learned, or the grace is over; then count what is stored."""
    connection = await asyncpg.connect(url)
    try:
        until, known = time.monotonic() + GRACE_SECONDS, 0
        while True:
            rows = await connection.fetch("SELECT text FROM memories")
            found = (re.search(r"\d+", row["text"]) for row in rows)
            outcome.stored = Counter(int(match[0]) for match in found if match)
            if not outcome.lost or time.monotonic() > until:
                return
            if len(outcome.stored) > known:
                known, until = len(outcome.stored), time.monotonic() + GRACE_SECONDS
            await asyncio.sleep(1)
    finally:
        await connection.close()
