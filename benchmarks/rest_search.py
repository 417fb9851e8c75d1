"""What a search by REST costs: against a bare aiohttp handler that answers the same bytes.

    python benchmarks/rest_search.py [--rounds 5] [--requests 200] [--json FILE]

Every question was asked before, so its vector is cached; the memories are those of one user, in the
embedded store. Rounds of ours and of the bare handler alternate. CPU is user and system time of the
server's process; a row is the median of its rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cost import free_port, memory_text
from load import Script, Served, cpu_seconds, fire, median, quiet

MEMORIES = 100
USER = "rest"
QUESTION = "How much did I pay for my red car, and where was that?"
SEARCHES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "ours": ("/v1/memories/search", {"query": QUESTION, "user_id": USER, "limit": 10}),
    "mem0's": (
        "/v3/memories/search/",
        {"query": QUESTION, "filters": {"user_id": USER}, "top_k": 10},
    ),
}
"""Path and body of a search with a limit of 10, by whose API it is."""
WARM = 50


def rest_search(
    url: str, pid: int, *, rounds: int = 5, requests: int = 200
) -> dict[str, dict[str, float]]:
    """CPU of searches at a running product, in ms and as a ratio to the bare handler, by API.

    Adds 100 memories of a user of its own to what the product has.
    """
    _post(url, "/v1/memories/", _memories())
    asyncio.run(quiet(pid))
    return {name: _compared(url, pid, name, rounds, requests) for name in SEARCHES}


def _compared(url: str, pid: int, name: str, rounds: int, requests: int) -> dict[str, float]:
    path, asked = SEARCHES[name]
    body = json.dumps(asked).encode()
    with tempfile.NamedTemporaryFile() as file:
        file.write(_post(url, path, body))
        file.flush()
        bare = Script("bare_handler.py", file.name)
        try:
            servers = {"ours": (url, pid), "bare": (bare.url, bare.process.pid)}
            for at, process in servers.values():
                _cpu(at, process, path, [body] * WARM)
            found: dict[str, list[float]] = {who: [] for who in servers}
            for _ in range(rounds):
                for who, (at, process) in servers.items():
                    found[who].append(_cpu(at, process, path, [body] * requests))
        finally:
            bare.stop()
    ours, least = median(found["ours"]), median(found["bare"])
    return {"cpu_ms": 1e3 * ours, "bare_ms": 1e3 * least, "ratio": ours / least}


def _cpu(url: str, pid: int, path: str, bodies: list[bytes]) -> float:
    """Seconds of CPU of one request."""
    started = cpu_seconds(pid, children=False)
    asyncio.run(fire(url, path, bodies, connections=1))
    return (cpu_seconds(pid, children=False) - started) / len(bodies)


def _memories() -> bytes:
    chooser = random.Random(7)
    messages = [{"role": "user", "content": memory_text(chooser, n)} for n in range(MEMORIES)]
    return json.dumps({"user_id": USER, "messages": messages, "infer": False}).encode()


def _post(url: str, path: str, body: bytes) -> bytes:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}{path}", body, headers)
    with urllib.request.urlopen(request, timeout=120) as answer:
        found: bytes = answer.read()
    return found


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=200, help="Of a round.")
    parser.add_argument("--root", type=Path, help="Another checkout to measure.")
    parser.add_argument("--json", type=Path, help="Write JSON here.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        served = Served(Path(folder), free_port(), root=chosen.root)
        try:
            found = rest_search(
                served.url, served.process.pid, rounds=chosen.rounds, requests=chosen.requests
            )
        finally:
            served.stop()
    for name, row in found.items():
        print(
            f"search by {name} API: {row['cpu_ms']:.2f} ms CPU, bare handler {row['bare_ms']:.3f} "
            f"ms: {row['ratio']:.1f}x"
        )
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
