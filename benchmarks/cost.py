"""What the proxy costs: against a bare aiohttp relay, same run, same mock upstream.

Prints a table and writes benchmarks/results/cost.json. Rounds are interleaved, so that noise of
the machine hits every contestant; CPU is the server's own user and system time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import socket
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from load import (
    Script,
    Served,
    cpu_seconds,
    fire,
    median,
    percentile,
    rss_mb,
    write_json,
)

CHAT = "/v1/chat/completions"
USERS = 100
MEMORIES_PER_USER = 100
THINGS = [
    "car",
    "bike",
    "house",
    "garden",
    "cat",
    "dog",
    "boat",
    "guitar",
    "piano",
    "camera",
    "laptop",
    "phone",
    "watch",
    "coat",
]
TRAITS = [
    "red",
    "blue",
    "old",
    "new",
    "broken",
    "expensive",
    "borrowed",
    "favourite",
    "spare",
    "rusty",
    "tiny",
    "huge",
]
PLACES = [
    "Lisbon",
    "Oslo",
    "Kyoto",
    "Lima",
    "Cairo",
    "Perth",
    "Quito",
    "Hanoi",
    "Dakar",
    "Riga",
    "Turin",
    "Bergen",
]


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
        print(
            f"\rfilling: {user + 1}/{USERS} users", end="" if user + 1 < USERS else "\n", flush=True
        )
    print()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def compare(
    contestants: dict[str, tuple[str, int]],
    path: str,
    make: Any,
    *,
    rounds: int,
    requests: int,
    connections: int,
) -> dict[str, dict[str, float]]:
    """Interleaved rounds; medians of the rounds' CPU per request, percentiles of all latencies."""
    cpu: dict[str, list[float]] = {name: [] for name in contestants}
    latencies: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(-1, rounds):
        for name, (url, pid) in contestants.items():
            before = cpu_seconds(pid)
            seen = await fire(
                url, path, [make(number, n) for n in range(requests)], connections=connections
            )
            if number >= 0:  # the first round warms up
                cpu[name].append((cpu_seconds(pid) - before) / requests)
                latencies[name] += seen
    return {
        name: {
            "cpu_ms": median(cpu[name]) * 1e3,
            "p50_ms": percentile(latencies[name], 0.5) * 1e3,
            "p95_ms": percentile(latencies[name], 0.95) * 1e3,
            "p99_ms": percentile(latencies[name], 0.99) * 1e3,
        }
        for name in contestants
    }


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    mock = Script("mock_upstream.py")
    bare = Script("bare_relay.py", mock.url)
    folder = tempfile.TemporaryDirectory(prefix="recollect-bench-")
    store = {"store__uri": arguments.store} if arguments.store else {}
    ours = Served(
        Path(folder.name),
        free_port(),
        upstream__base_url=f"{mock.url}/v1",
        learn__idle_seconds=100_000,
        learn__every_turns=1000,
        **store,
    )
    result: dict[str, Any] = {
        "ready_seconds": ours.ready_seconds,
        "store": arguments.store or "lite",
    }
    print(f"ready in {ours.ready_seconds:.2f} s")
    contestants = {
        "bare relay": (bare.url, bare.process.pid),
        "recollect": (ours.url, ours.process.pid),
    }
    try:
        cases = {
            "pass-through": ("/v1/embeddings", lambda r, n: chat(f"text {r} {n}")),
            "pass-through, stream": (
                "/v1/embeddings",
                lambda r, n: chat(f"text {r} {n}", stream=True),
            ),
            "greeting": (CHAT, lambda r, n: chat("Hello!", f"subject {r} {n}")),
            "sum": (CHAT, lambda r, n: chat(f"What is {r + 17} times {n + 1000}?")),
            # The gate cannot know that it is none of the user's samples: it is searched for.
            "question without memories": (
                CHAT,
                lambda r, n: chat(f"Which kiln was used for sample {r * 1000 + n} of enamel?"),
            ),
        }
        for name, (path, make) in cases.items():
            extra = {"rounds": arguments.rounds, "requests": arguments.requests, "connections": 4}
            result[name] = await compare(contestants, path, make, **extra)
            show(name, result[name])
        fill(ours.url)
        await asyncio.sleep(3)
        recall = {
            "rounds": arguments.rounds,
            "requests": max(arguments.requests // 4, 50),
            "connections": 1,
        }
        chooser = random.Random(11)
        for users in (1, USERS):
            name = f"recall, {users} user{'s' if users > 1 else ''}"
            result[name] = await compare(
                contestants,
                CHAT,
                lambda r, n, users=users: chat(
                    f"How much did I pay for my {chooser.choice(TRAITS)} "
                    f"{chooser.choice(THINGS)}, and where was that, question {users} {r} {n}?",
                    user=f"user{chooser.randrange(users)}",
                ),
                **recall,
            )
            show(name, result[name])
        result["rss_mb"] = rss_mb(ours.process.pid)
        total = sum(result["rss_mb"].values())
        print(f"resident memory: {total:.0f} MB = {result['rss_mb']}")
    finally:
        ours.stop()
        bare.stop()
        mock.stop()
        folder.cleanup()
    return result


def show(case: str, rows: dict[str, dict[str, float]]) -> None:
    base = rows["bare relay"]
    print(f"\n{case}")
    print(
        f"  {'':12} {'CPU ms/req':>11} {'ratio':>6} {'p50 ms':>8} {'p95 ms':>8} "
        f"{'added p50':>10} {'added p95':>10}"
    )
    for name, row in rows.items():
        print(
            f"  {name:12} {row['cpu_ms']:11.3f} {row['cpu_ms'] / base['cpu_ms']:6.2f} "
            f"{row['p50_ms']:8.2f} {row['p95_ms']:8.2f} {row['p50_ms'] - base['p50_ms']:10.2f} "
            f"{row['p95_ms'] - base['p95_ms']:10.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=600)
    parser.add_argument("--store", help="a Milvus server instead of the embedded one")
    arguments = parser.parse_args()
    result = asyncio.run(run(arguments))
    name = "cost-remote" if arguments.store else "cost"
    print(f"\nwritten to {write_json(name, result)}")


if __name__ == "__main__":
    main()
