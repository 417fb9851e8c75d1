"""How many turns a second can be kept, and what redaction costs of that.

In this process: the real capture with the real redactor before SQLite and before PostgreSQL;
beside it, round by round, the same without redaction and the bare `record`. Then the whole proxy
over HTTP, beside the same proxy that learns nothing.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from cost import free_port
from learning.turns import Said, Talk
from load import Script, Served, cpu_seconds, fire, median, percentile, quiet

from recollect.filters import Capture
from recollect.filters.exchange import Answer, Exchange
from recollect.memory.database import DatabaseOptions, open_database
from recollect.memory.learn import LearnOptions
from recollect.memory.model.types import Message, Scope, Turn, utc_now
from recollect.memory.state import State, state_of
from recollect.memory.trust.redact import Redactor
from tests.support.postgres_server import PostgresServer

TARGET = 500
"""Issue 5: turns per second on two cores."""
CONCURRENCY = (16, 64)
TURNS_EACH = 10
"""Of a conversation: each tenth one also enqueues a job."""
USERS = 200
REDACTED, PLAIN, RECORD = "capture", "without redaction", "bare record"
Keep = Callable[[Exchange, Answer], Awaitable[object]]


async def measure(*, quick: bool) -> dict[str, Any]:
    """Turns per second by state, concurrency and way; then over HTTP."""
    rounds, turns = (1, 150) if quick else (5, 600)
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="recollect-capture-") as name:
        file = str(Path(name) / "recollect.db")
        result["sqlite"] = await _by_concurrency(file, rounds, turns)
        with PostgresServer() as server:
            result["postgres"] = await _by_concurrency(server.url(), rounds, turns)
    result["http"] = await over_http(rounds, turns)
    return result


async def _by_concurrency(url: str, rounds: int, turns: int) -> dict[str, Any]:
    state = state_of(await open_database(DatabaseOptions.model_validate({"url": url})))
    try:
        return {str(many): await _in_rounds(state, many, rounds, turns) for many in CONCURRENCY}
    finally:
        await state.close()


async def _in_rounds(state: State, many: int, rounds: int, turns: int) -> dict[str, Any]:
    """All ways, one after the other in every round; the first round warms up."""
    ways = _ways(state)
    seen: dict[str, list[dict[str, float]]] = {name: [] for name in ways}
    exchanges = _exchanges(Talk(3))
    for number in range(-1, rounds):
        for name, keep in ways.items():
            row = await _timed(keep, list(itertools.islice(exchanges, turns)), many)
            if number >= 0:
                seen[name].append(row)
    return {name: {k: median([r[k] for r in rows]) for k in rows[0]} for name, rows in seen.items()}


def _ways(state: State) -> dict[str, Keep]:
    redactor, options = Redactor(LearnOptions().redact), LearnOptions()
    parts = (state.conversations, state.jobs, options)

    async def record(exchange: Exchange, answer: Answer) -> object:
        turn = Turn(
            id=exchange.turn_id,
            conversation_id=exchange.conversation_id,
            scope=exchange.scope,
            user_text=exchange.messages[-1].content,
            assistant_text=answer.text,
            model=exchange.model,
            created_at=utc_now(),
        )
        return await state.conversations.record(turn)

    return {
        REDACTED: Capture(*parts, redact=lambda text: redactor.redact(text).text).response,
        PLAIN: Capture(*parts).response,
        RECORD: record,
    }


_SERIAL = itertools.count()
"""Every turn of the run is another one."""


def _exchanges(talk: Talk) -> Iterator[tuple[Exchange, Answer]]:
    while True:
        number = next(_SERIAL)
        said, conversation = talk.turn(), number // TURNS_EACH
        yield (
            Exchange(
                scope=Scope(tenant="default", user_id=f"user{conversation % USERS}"),
                messages=[Message(role="user", content=said.user)],
                model="mock",
                conversation_id=f"conversation {conversation}",
                turn_id=f"turn {number}",
            ),
            Answer(said.answer),
        )


async def _timed(keep: Keep, turns: list[tuple[Exchange, Answer]], many: int) -> dict[str, float]:
    """Keep all of them, so many at a time; per second, and ms of each."""
    waiting, latencies = iter(turns), []

    async def client() -> None:
        for exchange, answer in waiting:
            begun = time.perf_counter()
            await keep(exchange, answer)
            latencies.append(time.perf_counter() - begun)

    started, used = time.perf_counter(), time.process_time()
    await asyncio.gather(*(client() for _ in range(many)))
    seconds = time.perf_counter() - started
    return {
        "per_second": len(turns) / seconds,
        "cpu_ms": (time.process_time() - used) / len(turns) * 1e3,
        "p50_ms": percentile(latencies, 0.5) * 1e3,
        "p99_ms": percentile(latencies, 0.99) * 1e3,
    }


async def over_http(rounds: int, turns: int) -> dict[str, Any]:
    """Requests per second of the whole process, as fast as it answers."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-capture-")))
        mock = Script("learning/model.py")
        stack.callback(mock.stop)
        served = {
            REDACTED: _served(stack, folder / "on", mock.url),
            "learns nothing": _served(stack, folder / "off", mock.url, learn__enabled=False),
        }
        return {str(many): await _http_rounds(served, many, rounds, turns) for many in CONCURRENCY}


def _served(stack: ExitStack, folder: Path, upstream: str, **settings: Any) -> Served:
    served = Served(
        folder,
        free_port(),
        upstream__base_url=f"{upstream}/v1",
        # What is learned from it, and what recall costs, is measured elsewhere.
        learn__in_process=False,
        recall__enabled=False,
        **settings,
    )
    stack.callback(served.stop)
    return served


async def _http_rounds(
    served: dict[str, Served], many: int, rounds: int, turns: int
) -> dict[str, Any]:
    seen: dict[str, list[dict[str, float]]] = {name: [] for name in served}
    talk = Talk(5)
    for number in range(-1, rounds):
        for name, one in served.items():
            bodies = [_body(talk.turn()) for _ in range(turns)]
            started, used = time.perf_counter(), cpu_seconds(one.process.pid)
            latencies = await fire(one.url, "/v1/chat/completions", bodies, connections=many)
            seconds = time.perf_counter() - started
            row = {
                "per_second": turns / seconds,
                "cpu_ms": (cpu_seconds(one.process.pid) - used) / turns * 1e3,
                "p50_ms": percentile(latencies, 0.5) * 1e3,
                "p99_ms": percentile(latencies, 0.99) * 1e3,
            }
            await quiet(one.process.pid)
            if number >= 0:
                seen[name].append(row)
    return {name: {k: median([r[k] for r in rows]) for k in rows[0]} for name, rows in seen.items()}


def _body(said: Said) -> bytes:
    number = next(_SERIAL)
    messages = [{"role": "user", "content": f"{said.user} ({number})"}]
    return json.dumps(
        {"model": "mock", "user": f"user{number % USERS}", "messages": messages}
    ).encode()


def show(result: dict[str, Any]) -> None:
    """One line for each way, state and concurrency, and whether the target is met."""
    print(
        f"\n{'turns kept':44}{'per second':>11}{'per CPU s':>10}{'CPU ms':>8}"
        f"{'p50 ms':>8}{'p99 ms':>8}"
    )
    for state, by_many in result.items():
        for many, ways in by_many.items():
            for name, row in ways.items():
                print(
                    f"  {f'{state}, {many} at a time: {name}':42}{row['per_second']:11.0f}"
                    f"{1e3 / row['cpu_ms']:10.0f}{row['cpu_ms']:8.2f}"
                    f"{row['p50_ms']:8.1f}{row['p99_ms']:8.1f}"
                )
