"""What learning at full rate does to the requests that people wait for.

Two `recollect serve` on copies of one data folder: the same memories, and the same backlog of
conversations to learn. One learns, the other leaves it (`learn.in_process: false`). They take turns
in short rounds of an open loop; the one whose turn it is not is stopped (SIGSTOP). The model
answers within 20 ms, so the learner never waits long for anything but the processor: no real one
comes near that. Beside both stands the same load straight to the upstream.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import signal
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from cost import chat, free_port
from learning.turns import Talk
from load import Script, Served, _read_answer, cpu_seconds, fire, median, percentile, post

from recollect.filters import Capture
from recollect.filters.exchange import Answer, Exchange
from recollect.memory.learn import LearnOptions
from recollect.memory.model.types import Message, Scope
from tests.support.state import opened_state

RATES = (20, 50)
"""Requests per second."""
TARGET = 1.10
"""Issue 5: p99 of foreground requests, beside the same without learning."""
MEMORIES = (100, 300, 1000)
"""Of the users, in turns."""
TURNS_PER_JOB, FACTS_PER_TURN = 5, 1
CHAT = "/v1/chat/completions"
SETTLE_SECONDS = 1.5
"""After it goes on: what was in flight when it was stopped ends."""
PROBE_SECONDS = 0.025
DIRECT, OFF, ON = "direct", "not learning", "learning"


@dataclass
class Seen:
    """What came of the rounds at one rate; a list has one entry for each."""

    latencies: list[list[float]] = field(default_factory=list)
    probes: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    jobs: list[float] = field(default_factory=list)
    facts: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Side:
    """A server that is measured, and its data."""

    name: str
    url: str
    served: Served | None = None
    folder: Path | None = None

    def signal(self, number: int) -> None:
        """To the server and all below it."""
        if self.served is not None:
            process = psutil.Process(self.served.process.pid)
            for one in [process, *process.children(recursive=True)]:
                one.send_signal(number)

    def cpu(self) -> float:
        return 0.0 if self.served is None else cpu_seconds(self.served.process.pid)

    def learned(self) -> tuple[int, int, int]:
        """Jobs done, facts decided on, jobs left."""
        if self.folder is None:
            return 0, 0, 0
        jobs = dict(
            _rows(self.folder / "recollect.db", "SELECT state, count(*) FROM jobs GROUP BY 1")
        )
        [(facts,)] = _rows(self.folder / "recollect.db", "SELECT count(*) FROM memory_history")
        return jobs.get("done", 0), facts, jobs.get("ready", 0)


def _rows(path: Path, statement: str) -> list[Any]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)) as database:
        return database.execute(statement).fetchall()


async def measure(*, quick: bool) -> dict[str, Any]:
    """Latencies by rate and side, and how much was learned meanwhile."""
    users, backlog, rounds, seconds = (6, 300, 1, 4) if quick else (12, 900, 5, 6)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-learn-")))
        model = Script("learning/model.py")
        stack.callback(model.stop)
        await _prepare(folder / OFF, model.url, users, backlog)
        shutil.copytree(folder / OFF, folder / ON)
        sides = [Side(DIRECT, model.url)]
        for name in (OFF, ON):
            served = _serve(folder / name, model.url, learns=name == ON)
            side = Side(name, served.url, served, folder / name)
            stack.callback(served.stop)
            stack.callback(side.signal, signal.SIGCONT)
            side.signal(signal.SIGSTOP)
            sides.append(side)
        print(f"{users} users, {backlog} jobs of {TURNS_PER_JOB} turns wait", flush=True)
        talk, found = Talk(11), {}
        for rate in RATES:
            seen = await _rounds(sides, talk, users, rate, rounds, seconds)
            found[str(rate)] = _figures(seen)
        left = sides[-1].learned()[2]
    return {"rates": found, "users": users, "jobs_left": left, "rounds": rounds}


def _serve(folder: Path, model: str, *, learns: bool) -> Served:
    return Served(
        folder,
        free_port(),
        upstream__base_url=f"{model}/v1",
        learn__llm__base_url=f"{model}/v1",
        learn__llm__api_key="sk-mock",
        learn__in_process=learns,
        learn__every_turns=TURNS_PER_JOB,
        learn__idle_seconds=100_000,
        recall__deadline_ms=5000,
        # Time goes on while a process is stopped.
        telemetry__log_level="error",
    )


async def _prepare(folder: Path, model: str, users: int, backlog: int) -> None:
    """A data folder with memories of every user, and conversations that nobody learned yet."""
    served, talk = _serve(folder, model, learns=False), Talk(7)
    try:
        await fire(served.url, "/v1/memories/", _memories(talk, users), connections=1)
    finally:
        served.stop()
    state = await opened_state(folder / "recollect.db")
    capture = Capture(state.conversations, state.jobs, LearnOptions(every_turns=TURNS_PER_JOB))
    try:
        for number in range(backlog * TURNS_PER_JOB):
            await capture.response(*_turn(talk, number, users))
    finally:
        await state.close()


def _memories(talk: Talk, users: int) -> list[bytes]:
    bodies = []
    for user in range(users):
        texts = {talk.memory() for _ in range(MEMORIES[user % len(MEMORIES)])}
        messages = [{"role": "user", "content": text} for text in sorted(texts)]
        bodies.append(json.dumps({"user_id": f"user{user}", "messages": messages, "infer": False}))
    return [body.encode() for body in bodies]


def _turn(talk: Talk, number: int, users: int) -> tuple[Exchange, Answer]:
    said, conversation = talk.turn(FACTS_PER_TURN), number // TURNS_PER_JOB
    exchange = Exchange(
        scope=Scope(tenant="default", user_id=f"user{conversation % users}"),
        messages=[Message(role="user", content=said.user)],
        model="mock",
        conversation_id=f"conversation {conversation}",
        turn_id=f"turn {number}",
    )
    return exchange, Answer(said.answer)


async def _rounds(
    sides: Sequence[Side], talk: Talk, users: int, rate: int, rounds: int, seconds: int
) -> dict[str, Seen]:
    seen = {side.name: Seen() for side in sides}
    for number in range(-1, rounds):  # the first round warms up
        for side in sides if number % 2 else reversed(sides):
            bodies = [chat(talk.question(), user=f"user{n % users}") for n in range(rate * seconds)]
            row = await _round(side, bodies, rate)
            if number >= 0:
                _note(seen[side.name], row)
    return seen


async def _round(side: Side, bodies: Sequence[bytes], rate: int) -> dict[str, Any]:
    side.signal(signal.SIGCONT)
    await asyncio.sleep(SETTLE_SECONDS)
    before, used, started = side.learned(), side.cpu(), time.perf_counter()
    probes: list[float] = []
    probing = asyncio.ensure_future(_probe(side, probes))
    latencies = await steady(side.url, bodies, rate)
    taken = time.perf_counter() - started
    probing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await probing
    after, cpu = side.learned(), (side.cpu() - used) / taken
    side.signal(signal.SIGSTOP)
    jobs, facts = ((after[n] - before[n]) / taken for n in (0, 1))
    return {"latencies": latencies, "probes": probes, "cpu": cpu, "jobs": jobs, "facts": facts}


def _note(seen: Seen, row: dict[str, Any]) -> None:
    seen.latencies.append(row["latencies"])
    seen.probes += row["probes"]
    seen.cpu.append(row["cpu"])
    seen.jobs.append(row["jobs"])
    seen.facts.append(row["facts"])


async def _probe(side: Side, seen: list[float]) -> None:
    """Ask for next to nothing, again and again: what it takes is what the event loop is late."""
    if side.served is None:
        return
    host, port = side.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    request = f"GET /healthz HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
    try:
        while True:
            started = time.perf_counter()
            writer.write(request)
            await _read_answer(reader)
            seen.append(time.perf_counter() - started)
            await asyncio.sleep(PROBE_SECONDS)
    finally:
        writer.close()


async def steady(url: str, bodies: Sequence[bytes], rate: int) -> list[float]:
    """Send them at a fixed rate whatever comes back; latencies (seconds) from when it was sent."""
    host, port = url.removeprefix("http://").split(":")
    free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def one(number: int, body: bytes) -> float:
        await asyncio.sleep(begun + number / rate - time.perf_counter())
        reader, writer = free.pop() if free else await asyncio.open_connection(host, int(port))
        started = time.perf_counter()
        writer.write(post(url, CHAT, body))
        await _read_answer(reader)
        taken = time.perf_counter() - started
        free.append((reader, writer))
        return taken

    begun = time.perf_counter()
    latencies = await asyncio.gather(*(one(n, body) for n, body in enumerate(bodies)))
    for _, writer in free:
        writer.close()
    return latencies


def _figures(seen: dict[str, Seen]) -> dict[str, Any]:
    rows = {name: _row(one) for name, one in seen.items()}
    base, on, direct = rows[OFF], rows[ON], rows[DIRECT]
    # Round by round, as the machine's other work comes and goes.
    pairs = zip(seen[ON].latencies, seen[OFF].latencies, strict=True)
    return {
        **rows,
        "p50_ratio": on["p50_ms"] / base["p50_ms"],
        "p99_ratio": on["p99_ms"] / base["p99_ms"],
        "p99_ratio_of_rounds": median(
            [percentile(a, 0.99) / percentile(b, 0.99) for a, b in pairs]
        ),
        "p99_added_ms": on["p99_ms"] - base["p99_ms"],
        "added_p99_off_ms": base["p99_ms"] - direct["p99_ms"],
        "added_p99_on_ms": on["p99_ms"] - direct["p99_ms"],
    }


def _row(seen: Seen) -> dict[str, float]:
    latencies = [each for one in seen.latencies for each in one]
    row = {f"p{p}_ms": percentile(latencies, p / 100) * 1e3 for p in (50, 90, 99)}
    if seen.probes:
        row |= {f"loop_p{p}_ms": percentile(seen.probes, p / 100) * 1e3 for p in (50, 99)}
    named = {"cores": seen.cpu, "jobs_per_second": seen.jobs, "facts_per_second": seen.facts}
    return row | {name: sum(values) / len(values) for name, values in named.items()}


def show(result: dict[str, Any]) -> None:
    """A line for each rate and side."""
    print(
        f"\n{'chat requests':26}{'p50 ms':>8}{'p90 ms':>8}{'p99 ms':>8}{'loop p50':>9}"
        f"{'loop p99':>9}{'cores':>7}{'jobs/s':>8}{'facts/s':>8}"
    )
    for rate, sides in result["rates"].items():
        for name in (DIRECT, OFF, ON):
            row = sides[name]
            print(
                f"  {f'{rate}/s, {name}':24}{row['p50_ms']:8.2f}{row['p90_ms']:8.2f}"
                f"{row['p99_ms']:8.2f}{row.get('loop_p50_ms', 0):9.2f}"
                f"{row.get('loop_p99_ms', 0):9.2f}{row['cores']:7.2f}"
                f"{row['jobs_per_second']:8.1f}{row['facts_per_second']:8.1f}"
            )
        print(
            f"  {f'{rate}/s, ratio':24}{sides['p50_ratio']:8.2f}{'':8}{sides['p99_ratio']:8.2f}"
            f"   (p99, median of the rounds: {sides['p99_ratio_of_rounds']:.2f})"
        )
    if not result["jobs_left"]:
        print("the backlog was learned before the end: the figures are too good")
