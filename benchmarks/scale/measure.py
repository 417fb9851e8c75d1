"""What a chat costs each process, measured on real ones: the constants of the simulation."""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.replicas.stage import Outcome, run

from .simulation import Costs

FILE = Path(__file__).parent / "constants.json"
MODELS = Path.home() / ".recollect" / "models"
INDEX_KB = 466
"""Memory of a user's index with 100 memories (docs/scaling.md)."""
COLD_SECONDS = (0.0093 - 0.0018, 0.004)
"""More for a user whose index is not in memory: of the replica (docs/scaling.md), of the store."""


@dataclass(frozen=True, slots=True)
class Real:
    """What real replicas did."""

    replicas: int
    clients: int
    chats_per_second: float
    p50: float


async def measured(seconds: float, clients: int) -> tuple[Costs, Real, Real]:
    """The costs of one replica, and what one and three did on this machine."""
    one = await _ran(1, seconds, clients)
    three = await _ran(3, seconds, clients)
    return costs_of(one), _real(one, 1, clients), _real(three, 3, clients)


async def _ran(replicas: int, seconds: float, clients: int) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        return await run(
            Path(folder), MODELS, seconds=seconds, every=0, clients=clients, replicas=replicas
        )


def costs_of(outcome: Outcome) -> Costs:
    """Seconds for each chat. The clients' share holds the model server, in the same process."""
    chats = len(outcome.acknowledged)
    each = {kind: spent / chats for kind, spent in outcome.cpu.items()}
    replica, store = COLD_SECONDS
    return Costs(cold=replica, cold_read=store, **each)


def _real(outcome: Outcome, replicas: int, clients: int) -> Real:
    told = outcome.told()
    return Real(replicas, clients, outcome.chats_per_second, told["p50 seconds"])


def unit() -> float:
    """Milliseconds of a fixed computation, to compare machines."""
    began = time.perf_counter()
    sum(i * i % 7 for i in range(400_000))
    return (time.perf_counter() - began) * 1e3


def kept(costs: Costs, one: Real, three: Real) -> dict[str, Any]:
    """Write them down, for runs without the real ones."""
    found = {
        "unit_ms": round(unit(), 1),
        "costs": asdict(costs),
        "real": [asdict(one), asdict(three)],
    }
    FILE.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    return found
