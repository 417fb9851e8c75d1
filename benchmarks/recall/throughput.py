"""Requests per second with recall through the whole proxy, no question asked twice.

An open loop (k6) at growing rates; Recollect and the bare relay take turns in the same run, before
the same mock upstream. The load generator and the mock share the machine's cores with them.
"""

from __future__ import annotations

import itertools
import random
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import peers
from bodies import fill, user
from contestants import BARE, RECALL, Field
from cost import PLACES, THINGS, TRAITS, chat
from load import rss_mb
from open_loop import at_rate

RATES = (50, 100, 150, 200)
TARGET = 150
"""Issue 4: requests per second on two cores, with recall and distinct queries."""
SERVED = 0.99
"""Share of requests that must get their recall for a rate to count as served. What recall finds
nothing for is served; what it was too busy or too late for is not."""
_FORMS = (
    "How much did I pay for my {trait} {thing} in {place}?",
    "Where did I buy my {trait} {thing}, was it {place}?",
    "Did I get my {thing} in {place}, the {trait} one?",
    "Which of my {trait} things came from {place}, also the {thing}?",
    "What did my {trait} {thing} cost me when I was in {place}?",
    "I want to sell my {trait} {thing} from {place}, what was the price?",
    "Remind me what I own from {place}: my {thing} is {trait}, right?",
    "Is my {trait} {thing} the one I bought in {place}, and for how much?",
    "My {thing} is {trait}, did I tell you what I gave for it in {place}?",
    "Compare my {trait} {thing} with what else I bought in {place}.",
)


class Questions:
    """Chat requests of about 1 KB about what the users own."""

    def __init__(self, users: int) -> None:
        chooser = random.Random(17)
        asked = list(itertools.product(_FORMS, TRAITS, THINGS, PLACES))
        chooser.shuffle(asked)
        self._asked = itertools.cycle(asked)
        self._users = users
        self._chooser = chooser

    def make(self) -> bytes:
        """The next one."""
        form, trait, thing, place = next(self._asked)
        text = form.format(trait=trait, thing=thing, place=place)
        return chat(text, user=user(self._chooser.randrange(self._users)))

    def many(self, count: int) -> list[bytes]:
        """The next ones."""
        return [self.make() for _ in range(count)]


async def measure(*, quick: bool) -> dict[str, Any]:
    """The ladder; empty if there is no k6."""
    if not peers.available("k6 (the open loop)", peers.k6):
        return {}
    users, seconds, rounds = (5, 3, 1) if quick else (100, 8, 2)
    print(f"\nthroughput: {users} users with 100 memories each, {seconds} s at each rate")
    found: dict[str, Any] = {}
    with ExitStack() as stack:
        field = Field(stack, users=users, with_peers=False)
        await fill(field.ours.url, users)
        rows = {row.name: row for row in field.rows}
        # One source for both, so that a question is new to the cache of embeddings as well.
        questions = Questions(users)
        pair = [replace(rows[name], bodies=questions) for name in (BARE, RECALL)]
        for rate in RATES:
            seen = await at_rate(peers.k6(), pair, rate=rate, seconds=seconds, rounds=rounds)
            found[str(rate)] = _compared(seen[BARE], seen[RECALL])
        rss = rss_mb(field.ours.process.pid)
    _show(found)
    return {"rates": found, "rss_mb": rss, "users": users, "seconds_each": seconds}


def _compared(bare: dict[str, float], ours: dict[str, float]) -> dict[str, Any]:
    added = {f"added_{p}": ours[p] - bare[p] for p in ("p50", "p95", "p99")}
    calls = max(ours["calls"], 1)
    missed = sum(ours[reason] for reason in ("busy", "circuit_open", "deadline"))
    shares = {"injected_share": ours["injected"] / calls, "served_share": 1 - missed / calls}
    return {"bare": bare, "ours": ours, **shares, **added}


def _show(found: dict[str, Any]) -> None:
    print(
        f"\n{'rate/s':>7} {'served':>7} {'injected':>9} {'busy':>6} {'open':>6} {'late':>6} "
        f"{'failed':>7} {'dropped':>8} {'p50 ms':>8} {'p95 ms':>8} "
        f"{'p99 ms':>8} {'added p50':>10} {'added p95':>10} {'added p99':>10}"
    )
    for rate, row in found.items():
        ours = row["ours"]
        print(
            f"{rate:>7} {row['served_share']:7.1%} {row['injected_share']:9.1%} "
            f"{ours['busy']:6.0f} {ours['circuit_open']:6.0f} "
            f"{ours['deadline']:6.0f} {ours['failed']:7.0f} {ours['dropped']:8.0f} "
            f"{ours['p50']:8.2f} {ours['p95']:8.2f} {ours['p99']:8.2f} "
            f"{row['added_p50']:10.2f} {row['added_p95']:10.2f} {row['added_p99']:10.2f}"
        )
    served = [int(rate) for rate, row in found.items() if row["served_share"] >= SERVED]
    most = max(served, default=0)
    verdict = "reached" if most >= TARGET else "missed"
    print(
        f"highest rate with a recall for {SERVED:.0%} of the requests: {most}/s, "
        f"wanted {TARGET}: {verdict}"
    )
