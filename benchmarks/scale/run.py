"""Replicas, their users and what they share, simulated from measured constants: `make scale`.

    python -m benchmarks.scale.run [--measure] [--seconds 40] [--clients 6]

With `--measure` the constants come from real replicas on this machine, with the clients, the model
server and everything else on the same two cores; without, from the last such run
(`constants.json`). First the simulation is held against what three real replicas did, then it goes
on where no machine here does: 50 replicas, a core each, ten million users. Writes the part of
docs/scaling.md between its marks.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from .measure import FILE, INDEX_KB, kept, measured, unit
from .simulation import Costs, Plan, closed, opened

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"
_MARK = re.compile(r"(<!-- scale: .*? -->\n).*?(<!-- end of scale -->)", re.DOTALL)
TEMPLATE = Path(__file__).parent / "page.template"
CORES = 2
STORE_CORES = 8
SECONDS = 60.0
USERS = (1_000, 100_000, 10_000_000)
REPLICAS = (1, 3, 10, 20, 50)
WARM = 281
"""Users of 100 memories that 128 MB hold (docs/scaling.md)."""
MOST_WAIT = 0.5
"""Seconds that a chat may wait for us, p99, before a plan counts as full."""


def validated(costs: Costs, real: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Real against simulated, on one machine with two cores."""
    rows = []
    for each in real:
        plan = Plan(replicas=each["replicas"], workers=1, shared_cores=CORES)
        seen = closed(plan, costs, clients=each["clients"], seconds=SECONDS)
        rate = len(seen.waits) / SECONDS
        rows.append({
            "replicas": each["replicas"],
            "real chats/s": each["chats_per_second"],
            "simulated chats/s": rate,
            "difference": rate / each["chats_per_second"] - 1,
            "real p50": each["p50"],
            "simulated p50": seen.percentile(0.5),
        })  # fmt: skip
    return rows


def capacity(plan: Plan, costs: Costs) -> tuple[float, str]:
    """Chats a second that a plan carries with p99 below `MOST_WAIT`, and what is busiest then."""
    low, high, busiest = 0.0, 64.0 * plan.replicas, ""
    for _ in range(7):
        rate = (low + high) / 2
        seconds = max(4.0, min(20.0, 4_000 / rate))
        seen = opened(plan, costs, rate=rate, seconds=seconds)
        busiest = max(seen.shares, key=seen.shares.__getitem__)
        full = seen.percentile(0.99) > MOST_WAIT or len(seen.waits) < rate * seconds * 0.9
        low, high = (low, rate) if full else (rate, high)
    return low, busiest


def curves(costs: Costs) -> list[dict[str, Any]]:
    """Capacity by replicas, users, and the balancer's way."""
    rows = []
    for users in USERS:
        for replicas in REPLICAS:
            plan = Plan(
                replicas=replicas,
                workers=replicas,
                users=users,
                warm_users=WARM,
                store_cores=STORE_CORES,
            )
            spread, why = capacity(plan, costs)
            sticky, why_sticky = capacity(replace(plan, sticky=True), costs)
            rows.append({
                "users": users, "replicas": replicas, "spread": spread, "bends at": why,
                "by user": sticky, "bends at by user": why_sticky,
            })  # fmt: skip
            print(
                f"{users:>11,} users, {replicas:>2} replicas: {spread:7.0f} {sticky:7.0f}",
                flush=True,
            )
    return rows


def page(found: dict[str, Any], checked: list[dict[str, Any]], rows: list[dict[str, Any]]) -> str:
    """The part of docs/scaling.md."""
    costs = found["costs"]
    kinds = ("replica", "worker", "postgres")
    return TEMPLATE.read_text("utf-8").format(
        unit=found["unit_ms"],
        each=", ".join(f"{kind} {costs[kind] * 1e3:.1f}" for kind in kinds),
        checked="\n".join(map(_checked, checked)),
        rows="\n".join(_row(row) for row in rows if row["replicas"] in {1, 10, 50}),
        replica=f"{rows[0]['spread']:.0f}",
        worker=f"{1 / costs['worker']:.0f}",
        postgres=f"{STORE_CORES / costs['postgres']:.0f}",
        warm=WARM,
        gigabyte=f"{1e6 / INDEX_KB:,.0f}",
        most=f"{max(max(row['spread'], row['by user']) for row in rows):.0f}",
    )


def _checked(row: dict[str, Any]) -> str:
    return (
        f"| {row['replicas']} | {row['real chats/s']:.1f} | {row['simulated chats/s']:.1f} | "
        f"{row['difference']:+.0%} | {row['real p50']:.2f} | {row['simulated p50']:.2f} |"
    )


def _row(row: dict[str, Any]) -> str:
    return (
        f"| {row['users']:,} | {row['replicas']} | {row['spread']:.0f} | {row['bends at']} | "
        f"{row['by user']:.0f} | {row['bends at by user']} |"
    )


async def main() -> int:
    """Measure, hold against the real ones, go on, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", action="store_true", help="Measure anew: two minutes.")
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--clients", type=int, default=6)
    chosen = parser.parse_args()
    if chosen.measure:
        found = kept(*await measured(chosen.seconds, chosen.clients))
    else:
        found = json.loads(FILE.read_text("utf-8"))
    print(f"unit {unit():.1f} ms now, {found['unit_ms']} ms when the constants were measured")
    costs = Costs(**found["costs"])
    checked = validated(costs, found["real"])
    for row in checked:
        print({name: round(value, 3) for name, value in row.items()})
    rows = curves(costs)
    text = PAGE.read_text("utf-8")
    part = page(found, checked, rows)
    if not _MARK.search(text):
        text += "\n<!-- scale: written by `make scale` -->\n<!-- end of scale -->\n"
    PAGE.write_text(_MARK.sub(lambda m: f"{m[1]}\n{part}\n{m[2]}", text), "utf-8")
    print(f"written to {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
