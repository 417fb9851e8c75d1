"""A bare mem0 call: its library in a process of its own, searched in rounds. No proxy, no HTTP."""

from __future__ import annotations

import json
import random
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import peers
from bodies import MEMORIES_PER_USER, user
from contestants import stop_family
from cost import THINGS, TRAITS, memory_text
from load import median, percentile

SCRIPT = Path(__file__).with_name("bare_mem0.py")
QUESTIONS = 1000
CALLS = 100
"""Of a round; the first round warms up."""


def mem0_search(stack: ExitStack, folder: Path, *, users: int, rounds: int) -> dict[str, float]:
    """CPU of one search (ms), and percentiles of its time (ms), with the memories of `bodies.fill`.

    Raises:
        UnavailableError: mem0 cannot be had here, or does not start.
    """
    python = peers.mem0()
    texts = folder / "texts.json"
    texts.write_text(json.dumps(_texts(users)))
    print(f"mem0: adding {users * MEMORIES_PER_USER} memories", flush=True)
    process = subprocess.Popen(
        [str(python), str(SCRIPT), str(folder), str(texts)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,  # Ctrl-C is for us, and we stop it
    )
    stack.callback(stop_family, process)
    assert process.stdout is not None
    if process.stdout.readline().strip() != "READY":
        raise peers.UnavailableError("it does not start")
    seen = [_round(process) for _ in range(rounds + 1)][1:]
    latencies = [each for one in seen for each in one["latencies"]]
    found = {f"p{share}_ms": percentile(latencies, share / 100) * 1e3 for share in (50, 95)}
    return found | {"cpu_ms": median([one["cpu"] for one in seen]) / CALLS * 1e3}


def _round(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{CALLS}\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise peers.UnavailableError("it ended")
    found: dict[str, Any] = json.loads(line)
    return found


def _texts(users: int) -> dict[str, Any]:
    chooser = random.Random(7)
    memories = {
        user(number): [memory_text(chooser, n) for n in range(MEMORIES_PER_USER)]
        for number in range(users)
    }
    asked = [
        f"How much did I pay for my {chooser.choice(TRAITS)} {chooser.choice(THINGS)}, "
        f"and where, question {number}?"
        for number in range(QUESTIONS)
    ]
    return {
        "memories": memories,
        "questions": [(user(chooser.randrange(users)), question) for question in asked],
    }
