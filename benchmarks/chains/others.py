"""What expansion does where it is not needed: the sets of other benchmarks, with it and without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import locomo
from evidence.asked import every
from load import RESULTS
from locomo import CATEGORIES, Conversation
from measures import Answer, recall
from product import at_k, disk_embedder, within
from quality import Quality
from unseen import stores

from recollect.memory.model.ports import Embedder
from recollect.memory.recall import RecallOptions

Figures = dict[str, float]
_LOCOMO = ("LoCoMo", "LoCoMo facts")


async def measure(data: Path, ways: Mapping[str, RecallOptions]) -> dict[str, Any]:
    """Of each set and each way, the figures."""
    embedder = await disk_embedder(RESULTS)
    result: dict[str, Any] = {}
    try:
        for name, talks in _sets(data).items():
            result[name] = await _of_set(name, talks, embedder, ways)
    finally:
        await embedder.close()
    return result


def _sets(data: Path) -> dict[str, list[Conversation]]:
    found: dict[str, list[Conversation]] = {}
    for store in every(data):
        if store.set != "chains":
            found.setdefault(store.set, []).append(store.talk)
    return found


async def _of_set(
    name: str,
    talks: Sequence[Conversation],
    embedder: Embedder,
    ways: Mapping[str, RecallOptions],
) -> dict[str, dict[str, Figures]]:
    bench = await Quality.open(talks, embedder)
    found: dict[str, dict[str, Figures]] = {}
    print(f"\n{name:30} asked    R@5   R@10    512  whole  tokens  vain tokens")
    try:
        for way, options in ways.items():
            for kind, row in (await _figures(name, bench, options)).items():
                found.setdefault(kind, {})[way] = row
                _show(kind, way, row)
    finally:
        await bench.close()
    return found


async def _figures(name: str, bench: Quality, options: RecallOptions) -> dict[str, Figures]:
    five = await bench.ask(at_k(5, options))
    ten = await bench.ask(at_k(10, options))
    budget = await bench.ask(within(512, options))
    configured = await bench.ask(options)
    lost = [one for one in configured if not _is_own(one)] or await bench.ask(
        options, bench.foreign()
    )
    vain = fmean([one.tokens for one in lost] or [0.0])
    kinds: dict[str, list[int]] = {"all": [n for n, one in enumerate(configured) if _is_own(one)]}
    if name in _LOCOMO:
        for number, kind in CATEGORIES.items():
            of_kind = [n for n in kinds["all"] if configured[n].question.category == number]
            kinds |= {kind: of_kind} if of_kind else {}
    several = [n for n in kinds["all"] if len(configured[n].question.evidence) > 1]
    kinds |= {"several facts needed": several} if several else {}
    return {
        kind: {
            "questions": len(at),
            "R@5": recall([five[n] for n in at]),
            "R@10": recall([ten[n] for n in at]),
            "within 512": recall([budget[n] for n in at]),
            "whole": fmean([configured[n].share == 1 for n in at] or [0]),
            "tokens": fmean([configured[n].tokens for n in at] or [0]),
            "tokens in vain": vain,
        }
        for kind, at in kinds.items()
    }


def _is_own(answer: Answer) -> bool:
    asked = answer.question
    return bool(asked.evidence) and asked.category not in (
        stores.UNANSWERABLE, stores.IMPERSONAL, locomo.ADVERSARIAL,
    )  # fmt: skip


def _show(kind: str, way: str, row: Figures) -> None:
    cells = "".join(f"{100 * row[key]:7.2f}" for key in ("R@5", "R@10", "within 512", "whole"))
    print(
        f"  {kind:20} {way:8}{row['questions']:5.0f}{cells}"
        f"{row['tokens']:8.1f}{row['tokens in vain']:8.1f}",
        flush=True,
    )
