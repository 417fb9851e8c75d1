"""What each ingredient of recall buys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from measures import KS, cost, recall
from product import at_k, within
from quality import Quality

from recollect.memory.recall import RecallOptions

WITH_FOREIGN = ("as it is", "without thresholds", "without cut and gap")
"""The variants that are also asked foreign questions: the others decide nothing about those."""


async def ablate(
    bench: Quality,
    variants: Mapping[str, RecallOptions],
    say: Callable[[str], None] = print,
) -> dict[str, dict[str, float]]:
    """What each variant finds, and what it spends on questions without an answer."""
    rows = {}
    for name, options in variants.items():
        say(f"ablation: {name}")
        rows[name] = await _row(bench, options)
        foreign = bench.foreign() if name in WITH_FOREIGN else []
        if foreign:
            rows[name]["foreign empty"] = cost(await bench.ask(options, foreign))["nothing"]
    return rows


async def _row(bench: Quality, options: RecallOptions) -> dict[str, float]:
    answerable = [each for each in bench.own() if each.question.answerable]
    others = [each for each in bench.own() if not each.question.answerable]
    most = await bench.ask(at_k(max(KS), options), answerable)
    # Selection goes down the ranking, so the best five of twenty are the best five.
    found = {f"R@{k}": recall([replace(a, found=a.found[:k]) for a in most]) for k in KS}
    found["within 512"] = recall(await bench.ask(within(512, options), answerable))
    found["category 5 tokens"] = cost(await bench.ask(options, others)).get("tokens", 0.0)
    return found
