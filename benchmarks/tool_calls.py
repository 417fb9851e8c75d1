"""What a call of a tool costs: over REST and MCP, against the REST call that does the same.

    python benchmarks/tool_calls.py [--rounds 7] [--requests 150]

A tool does what an operation of the memory API does, for a model: shorter answers, and arguments
that it checks itself. Rounds of the three ways alternate, at one running product. Every question of
the search was asked before, so its vector is cached; every fact that is remembered is new. CPU is
user and system time of the server's process; each figure is the median of its rounds. Prints a
table, writes benchmarks/results/tool_calls.json, and exits with 1 if a call of a tool takes more
than twice the time or the CPU of the REST call.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cost import free_port, memory_text
from load import Served, cpu_seconds, fire, median, quiet, write_json

MOST = 2.0
"""Times a REST call."""
MEMORIES = 100
USER = "tools"
QUESTION = "How much did I pay for my red car, and where was that?"
WARM = 50
MCP = f"/mcp?user_id={USER}"
MCP_HEADERS = "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n"
Bodies = Callable[[str], dict[str, Any]]


@dataclass(frozen=True)
class Way:
    """How something is asked for."""

    path: str
    body: Bodies
    """Of a text: the question, or the fact."""
    headers: str = ""


def _rest(tool: str, argument: str) -> Way:
    path = f"/v1/memories/tools/{tool}"
    return Way(path, lambda text: {"user_id": USER, "arguments": {argument: text}})


def _mcp(tool: str, argument: str) -> Way:
    def body(text: str) -> dict[str, Any]:
        params = {"name": tool, "arguments": {argument: text}}
        return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

    return Way(MCP, body, MCP_HEADERS)


def _searched(text: str) -> dict[str, Any]:
    return {"query": text, "user_id": USER, "limit": 10, "kinds": ["memory"]}


def _added(text: str) -> dict[str, Any]:
    messages = [{"role": "tool", "content": text}]
    return {"messages": messages, "user_id": USER, "infer": False}


THINGS: Mapping[str, Mapping[str, Way]] = {
    "search": {
        "rest": Way("/v1/memories/search", _searched),
        "tool": _rest("fact_search", "query"),
        "mcp": _mcp("fact_search", "query"),
    },
    "remember": {
        "rest": Way("/v1/memories/", _added),
        "tool": _rest("fact_remember", "text"),
        "mcp": _mcp("fact_remember", "text"),
    },
}


def compared(url: str, pid: int, rounds: int, requests: int) -> dict[str, Any]:
    """Milliseconds and CPU of each thing in each way, and what a tool takes of the REST call."""
    found: dict[str, Any] = {}
    for thing, ways in THINGS.items():
        texts = itertools.repeat(QUESTION) if thing == "search" else _facts()
        seen: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
        for way in ways.values():
            _check(url, way, next(texts))
            _round(url, pid, way, list(itertools.islice(texts, WARM)))
        for _ in range(rounds):
            for name, way in ways.items():
                seen[name].append(_round(url, pid, way, list(itertools.islice(texts, requests))))
        rows = {
            name: {"ms": median([ms for ms, _ in each]), "cpu_ms": median([cpu for _, cpu in each])}
            for name, each in seen.items()
        }
        for row in rows.values():
            row["times"] = row["ms"] / rows["rest"]["ms"]
            row["cpu_times"] = row["cpu_ms"] / rows["rest"]["cpu_ms"]
        found[thing] = rows
    return found


def _facts() -> Iterator[str]:
    chooser = random.Random(11)
    return (f"{memory_text(chooser, n)} (note {n})" for n in itertools.count(MEMORIES))


def _round(url: str, pid: int, way: Way, texts: list[str]) -> tuple[float, float]:
    """Median milliseconds, and CPU milliseconds of one request."""
    bodies = [json.dumps(way.body(text)).encode() for text in texts]
    started = cpu_seconds(pid, children=False)
    took = asyncio.run(fire(url, way.path, bodies, connections=1, headers=way.headers))
    cpu = (cpu_seconds(pid, children=False) - started) / len(bodies)
    return 1e3 * median(took), 1e3 * cpu


def _check(url: str, way: Way, text: str) -> None:
    """Raise SystemExit unless the answer is one: an error would be fast."""
    told = json.loads(_post(url, way, way.body(text)))
    result = told.get("result", told)
    value = result.get("structuredContent", result)
    if result.get("isError") or not (value.get("facts") or value.get("results") or "id" in value):
        raise SystemExit(f"{way.path} answers {json.dumps(told)[:500]}")


def _post(url: str, way: Way, body: Any) -> bytes:
    headers = dict(line.split(": ", 1) for line in way.headers.splitlines())
    headers["Content-Type"] = "application/json"
    request = urllib.request.Request(f"{url}{way.path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=120) as answer:
        found: bytes = answer.read()
    return found


def _fill(url: str) -> None:
    chooser = random.Random(7)
    texts = [memory_text(chooser, n) for n in range(MEMORIES)]
    messages = [{"role": "user", "content": text} for text in texts]
    way = THINGS["remember"]["rest"]
    _post(url, way, {"user_id": USER, "messages": messages, "infer": False})


def main() -> int:
    """Print a table; whether a tool costs too much."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--requests", type=int, default=150, help="Of a round.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        served = Served(Path(folder), free_port())
        try:
            _fill(served.url)
            asyncio.run(quiet(served.process.pid))
            found = compared(served.url, served.process.pid, chosen.rounds, chosen.requests)
        finally:
            served.stop()
    print(f"{'':10} {'way':6} {'ms':>8} {'times':>6} {'CPU ms':>8} {'times':>6}")
    for thing, rows in found.items():
        for name, row in rows.items():
            print(
                f"{thing:10} {name:6} {row['ms']:8.2f} {row['times']:6.2f} "
                f"{row['cpu_ms']:8.2f} {row['cpu_times']:6.2f}"
            )
    write_json("tool_calls", found)
    worst = max(
        max(row["times"], row["cpu_times"]) for rows in found.values() for row in rows.values()
    )
    print(f"a call of a tool takes at most {worst:.2f} times what the REST call takes")
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
