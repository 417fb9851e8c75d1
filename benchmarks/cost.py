"""What the proxy costs: against a bare aiohttp relay, same run, same mock upstream.

Prints a table, writes benchmarks/results/cost.json and docs/performance.md (`--no-page` leaves the
page alone). Rounds are interleaved, so that noise of the machine hits every contestant; CPU is the
user and system time of all processes of a server until it is idle again, so what is done after the
answer counts too.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from load import (
    ROOT,
    Script,
    Served,
    cpu_seconds,
    fire,
    free_port,
    median,
    outcome,
    percentile,
    quiet,
    rss_mb,
    stop_on_signals,
    unit,
    write_json,
)
from overhead.streams import paced
from performance import figures, write_page

CHAT = "/v1/chat/completions"
USERS = 100
MEMORIES_PER_USER = 100
SETTLED = 6.0
"""After so many seconds a server sees every write (`INVISIBLE_SECONDS` of `hot_indexes.py`)."""
THINGS = (
    *("car", "bike", "house", "garden", "cat", "dog", "boat"),
    *("guitar", "piano", "camera", "laptop", "phone", "watch", "coat"),
)
TRAITS = (
    *("red", "blue", "old", "new", "broken", "expensive"),
    *("borrowed", "favourite", "spare", "rusty", "tiny", "huge"),
)
PLACES = (
    *("Lisbon", "Oslo", "Kyoto", "Lima", "Cairo", "Perth"),
    *("Quito", "Hanoi", "Dakar", "Riga", "Turin", "Bergen"),
)


def chat(text: str, about: str = "", **extra: Any) -> bytes:
    """A chat request of about 1 KB, most of it history; each subject is its own conversation."""
    history = [
        {"role": "user", "content": f"About {about or text} " + "thank you for explaining. " * 9},
        {"role": "assistant", "content": "You are welcome, ask me anything else. " * 8},
    ]
    body = {"model": "mock", "messages": [*history, {"role": "user", "content": text}], **extra}
    return json.dumps(body, separators=(",", ":")).encode()


def memory_text(chooser: random.Random, number: int) -> str:
    """A fact of the kind people store."""
    return (
        f"User's {chooser.choice(TRAITS)} {chooser.choice(THINGS)} number {number} was bought in "
        f"{chooser.choice(PLACES)} for {chooser.randrange(10, 9000)} EUR"
    )


def fill(url: str) -> None:
    """10,000 memories of 100 users, through the memory API."""
    chooser = random.Random(7)
    for user in range(USERS):
        messages = [
            {"role": "user", "content": memory_text(chooser, n)} for n in range(MEMORIES_PER_USER)
        ]
        body = {"user_id": f"user{user}", "messages": messages, "infer": False}
        request = urllib.request.Request(
            f"{url}/v1/memories/",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        urllib.request.urlopen(request, timeout=120).close()
        if sys.stdout.isatty():
            print(f"\rfilling: {user + 1}/{USERS} users", end="", flush=True)
    print(f"\rfilled: {USERS} users with {MEMORIES_PER_USER} memories each", flush=True)


@dataclass(frozen=True, slots=True)
class Server:
    """Who is measured: its processes are this one and all below it."""

    name: str
    url: str
    pid: int


@dataclass(frozen=True, slots=True)
class Case:
    """One kind of request."""

    name: str
    path: str
    make: Callable[[int], bytes]
    """The body with this number; no two numbers are one request."""
    requests: int
    """Of a round."""
    connections: int = 1


BARE, OURS = "bare", "ours"
SKIPPED = (
    *("Hello!", "What is {} times 17?", "Good morning!", "Translate 'chair {}' into French."),
    *("Thanks!", "What is the square root of {}?", "Hi there", "Sort these numbers: {}, 4, 17."),
)
"""Messages that need no memory."""
ASKED = "How much did I pay for my {} {}, and where was that"
KNOWN = 8
"""Questions whose vectors are cached after the first round."""
NOBODIES = 20
PROBES = 8
"""Requests of a case that tell what becomes of them."""
SEARCH = "/v1/memories/search"


def skipped(number: int) -> bytes:
    return chat(SKIPPED[number % len(SKIPPED)].format(number + 1000), f"subject {number}")


def unknown(number: int) -> bytes:
    """The gate cannot know that it is none of the user's samples: it is searched for."""
    text = f"Which kiln was used for sample {number} of enamel?"
    return chat(text, user=f"nobody{number % NOBODIES}")


def question(users: int) -> Callable[[int], bytes]:
    """About something of one of so many users, in turn: the first round makes all of them warm."""
    chooser = random.Random(11)

    def make(number: int) -> bytes:
        thing = ASKED.format(chooser.choice(TRAITS), chooser.choice(THINGS))
        user = f"user{number % users}"
        return chat(f"{thing}, question {users} {number}?", user=user)

    return make


def known(number: int) -> bytes:
    """One of few questions, in a conversation of its own."""
    thing = ASKED.format(TRAITS[number % KNOWN], THINGS[number % KNOWN])
    return chat(f"{thing}?", f"subject {number}", user="user0")


def searched(number: int) -> bytes:
    query = ASKED.format(TRAITS[number % KNOWN], THINGS[number % KNOWN])
    return json.dumps({"query": f"{query}?", "user_id": "user0", "limit": 10}).encode()


def without_memories(requests: int) -> list[Case]:
    """What is asked while nobody remembers anything.

    The cheapest comes more often, to tell it from the little that a server does when idle.
    """
    return [
        Case("pass-through", "/v1/embeddings", lambda n: chat(f"text {n}"), requests * 4, 4),
        Case("skipped chat", CHAT, skipped, requests // 2, 4),
        Case("chat of a user without memories", CHAT, unknown, requests // 4, 4),
    ]


def with_memories(requests: int) -> list[Case]:
    """What is asked by 100 users of 100 memories."""
    return [
        Case("recall, 1 user, vector cached", CHAT, known, requests // 4),
        Case("recall, 1 user", CHAT, question(1), requests // 4),
        Case("recall, 100 users", CHAT, question(USERS), requests // 4),
    ]


def by_rest(requests: int) -> Case:
    """What a program searches for again and again."""
    return Case("search by REST, vector cached", SEARCH, searched, requests // 4, 4)


async def compare(case: Case, servers: list[Server], rounds: int) -> dict[str, Any]:
    """Rounds in turn: medians of CPU per request, percentiles of all latencies, milliseconds."""
    cpu: dict[str, list[float]] = {server.name: [] for server in servers}
    seen: dict[str, list[float]] = {server.name: [] for server in servers}
    numbers, chooser = itertools.count(), random.Random(5)
    for number in range(-1, rounds):  # the first round warms up
        bodies = [case.make(next(numbers)) for _ in range(case.requests)]
        for server in chooser.sample(servers, len(servers)):
            spent, latencies = await _round(case, server, bodies)
            if number >= 0:
                cpu[server.name].append(spent)
                seen[server.name] += latencies
    bodies = [case.make(next(numbers)) for _ in range(PROBES)]
    told = [await outcome(servers[1].url, case.path, body) for body in bodies]
    return _row(cpu, seen) | {"outcomes": dict(Counter(told))}


async def _round(case: Case, server: Server, bodies: list[bytes]) -> tuple[float, list[float]]:
    await quiet(server.pid)
    before = cpu_seconds(server.pid)
    latencies = await fire(server.url, case.path, bodies, connections=case.connections)
    await quiet(server.pid)
    return (cpu_seconds(server.pid) - before) / len(bodies), latencies


def _row(cpu: dict[str, list[float]], seen: dict[str, list[float]]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "ratio": median([a / b for a, b in zip(cpu[OURS], cpu[BARE], strict=True)])
    }
    for name in (BARE, OURS):
        row[f"{name}_cpu_ms"] = median(cpu[name]) * 1e3
    for share in (50, 95, 99):
        ours, bare = (percentile(seen[name], share / 100) * 1e3 for name in (OURS, BARE))
        row[f"p{share}_ms"], row[f"added_p{share}_ms"] = ours, ours - bare
    return row


async def per_event(servers: list[Server], path: str, rounds: int) -> dict[str, float]:
    """CPU of one event of a stream (microseconds), and the median of the rounds' ratios."""
    rows = [Streaming(server.name, server.url, server.pid, path) for server in servers]
    spent, _ = await paced(rows, rounds=rounds)
    ratios = [a / b for a, b in zip(spent[OURS], spent[BARE], strict=True)]
    return {
        "ratio": median(ratios),
        "ours_us": median(spent[OURS]),
        "bare_us": median(spent[BARE]),
    }


@dataclass(frozen=True, slots=True)
class Streaming:
    """A server as `overhead.streams` asks it."""

    name: str
    url: str
    pid: int
    path: str
    headers: str = ""

    @property
    def bodies(self) -> Streaming:
        return self

    def many(self, count: int, *, wish: str, stream: bool) -> list[bytes]:
        """Requests for such streams, from users who have no memories."""
        more: dict[str, Any] = {"metadata": {"mock": wish}, "stream": stream}
        return [chat("Hello!", f"stream {number}", **more) for number in range(count)]


async def idle_percent(pid: int, seconds: float) -> float:
    """CPU of a server that nobody asks, as a share of a core."""
    await quiet(pid)
    before = cpu_seconds(pid)
    await asyncio.sleep(seconds)
    return (cpu_seconds(pid) - before) / seconds * 100


def served(folder: Path, upstream: str, store: str | None) -> Served:
    """`recollect serve` without learning, which comes long after the answer, and without upkeep.

    What was filled is consolidated for a quarter of an hour, some owners in every minute: whether
    that falls into the seconds of a figure is chance.
    """
    more = {"index__uri": store} if store else {}
    return Served(
        folder,
        free_port(),
        upstream__base_url=f"{upstream}/v1",
        learn__idle_seconds=100_000,
        learn__every_turns=1000,
        upkeep__enabled=False,
        **more,
    )


def started(upstream: str, store: str | None, times: int) -> float:
    """Seconds until it is ready: the median of so many starts, each in the same folder."""
    seconds = []
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        for _ in range(times):
            server = served(Path(folder), upstream, store)
            server.stop()
            seconds.append(server.ready_seconds)
    return median(seconds)


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Everything, one kind of request after the other."""
    with ExitStack() as stack:
        mock = _script(stack, "mock_upstream.py")
        result: dict[str, Any] = {"machine": machine(), "store": arguments.index or "embedded"}
        result["ready_seconds"] = started(mock.url, arguments.index, 3)
        print(f"ready in {result['ready_seconds']:.2f} s", flush=True)
        relay = _server(BARE, _script(stack, "bare_relay.py", mock.url))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-bench-"))
        server = served(Path(folder), mock.url, arguments.index)
        stack.callback(server.stop)
        ours = _server(OURS, server)
        await _measure(stack, [relay, ours], result, arguments)
        result["rss_mb"] = rss_mb(ours.pid)
        result["idle_percent"] = await idle_percent(ours.pid, arguments.idle)
    return result


def _handler(stack: ExitStack, case: Case, url: str) -> Server:
    """A bare handler that gives the answer of ours."""
    head = {"Content-Type": "application/json"}
    asked = urllib.request.Request(f"{url}{case.path}", case.make(0), head)
    file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "answer.json"
    with urllib.request.urlopen(asked, timeout=60) as answer:
        file.write_bytes(answer.read())
    return _server(BARE, _script(stack, "bare_handler.py", str(file)))


def _script(stack: ExitStack, *command: str) -> Script:
    script = Script(*command)
    stack.callback(script.stop)
    return script


def _server(name: str, of: Script | Served) -> Server:
    return Server(name, of.url, of.process.pid)


async def _measure(
    stack: ExitStack, chats: list[Server], result: dict[str, Any], chosen: argparse.Namespace
) -> None:
    """The relay and ours; a search is compared with a handler of the same answer."""
    rounds = chosen.rounds
    rows = result["cases"] = {}
    for case in without_memories(chosen.requests):
        rows[case.name] = await compare(case, chats, rounds)
        show(case.name, rows[case.name])
    fewer = (rounds + 1) // 2
    result["events"] = {
        "pass-through": await per_event(chats, "/v1/embeddings", fewer),
        "chat": await per_event(chats, CHAT, fewer),
    }
    began = time.monotonic()
    fill(chats[1].url)
    result["fill_seconds"] = time.monotonic() - began
    await asyncio.sleep(SETTLED)
    for case in with_memories(chosen.requests):
        rows[case.name] = await compare(case, chats, rounds)
        show(case.name, rows[case.name])
    case = by_rest(chosen.requests)
    calls = [_handler(stack, case, chats[1].url), chats[1]]
    rows[case.name] = await compare(case, calls, rounds)
    show(case.name, rows[case.name])


def show(case: str, row: dict[str, Any]) -> None:
    """One line of the table."""
    print(
        f"{case:32} {row['bare_cpu_ms']:7.3f} {row['ours_cpu_ms']:8.3f} ms CPU, "
        f"{row['ratio']:6.2f} times; added p50 {row['added_p50_ms']:6.2f}, "
        f"p95 {row['added_p95_ms']:6.2f}, p99 {row['added_p99_ms']:6.2f} ms; {row['outcomes']}",
        flush=True,
    )


def machine() -> dict[str, Any]:
    """Where and of what the numbers are."""
    said = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    commit = subprocess.run(said, cwd=ROOT, check=False, capture_output=True, text=True).stdout
    return {
        "unit_ms": round(unit() * 1e3, 1),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit.strip() or "unknown",
        "load_average": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    stop_on_signals()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--requests", type=int, default=320)
    parser.add_argument("--idle", type=float, default=20, help="seconds without requests")
    parser.add_argument("--index", help="a Milvus server instead of the embedded one")
    parser.add_argument("--no-page", action="store_true", help="leave docs/performance.md alone")
    arguments = parser.parse_args()
    began = time.monotonic()
    result = asyncio.run(run(arguments))
    print()
    for figure in figures(result):
        print(figure)
    print(f"\nunit {result['machine']['unit_ms']} ms, {time.monotonic() - began:.0f} s")
    print(f"written to {write_json('cost-remote' if arguments.index else 'cost', result)}")
    if not (arguments.no_page or arguments.index):
        print(f"written to {write_page(result)}")


if __name__ == "__main__":
    main()
