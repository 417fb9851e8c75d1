"""Recall on every set with other options or without one part: the ablation and the frontier.

    python benchmarks/unseen/recalls.py [--data FOLDER] [--frontier | --ablation]

- ablation: each change of recall taken away alone: evidence found in five and as configured, false
  empties, tokens, and what questions without an answer bring in;
- frontier: evidence found against tokens at budgets from 128 to 1,024, beside the plain methods on
  the same vectors, and false empties against wrong injections at thresholds from none to strict.
  Drawn to benchmarks/results/frontier.svg.

Sets: LoCoMo's turns, the two stores of other people's data, our own stores. Prints tables, writes
benchmarks/results/recalls.json. Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from statistics import fmean
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
# Not this folder, nor that of learning, whose secrets.py would be found in the place of Python's.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

import locomo  # noqa: E402 - the script runs without an installation
from load import RESULTS, write_json  # noqa: E402 - the same
from measures import BUDGETS, Answer, recall  # noqa: E402 - the same
from product import at_k, changed, disk_embedder, within  # noqa: E402 - the same
from quality import Quality  # noqa: E402 - the same
from unseen import drawing, sets, stores  # noqa: E402 - the same

from recollect.memory.calibration import calibration_for  # noqa: E402 - the same
from recollect.memory.model.ports import Embedder  # noqa: E402 - the same
from recollect.memory.recall import RecallOptions  # noqa: E402 - the same

NAME = "recalls"
ROOM = "recollect.memory.recall"
PAIR = "all-MiniLM-L6-v2+use-multilingual-v3"
STEPS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)
"""Values of `recall.threshold`, from nothing withheld to what is more likely than not."""
Patch = tuple[str, str, Any]
"""Module below `ROOM`, name, and value without the change."""


def _none(*_: Any) -> None:
    return None


_ONE_SCALE = replace(calibration_for(PAIR), languages={}, elsewhere=1.0)
WITHOUT: Mapping[str, Sequence[Patch]] = {
    "as it is": (),
    "telling words": (("signals", "TELLING", 10_000),),
    "length of coverage": (("signals", "MUCH", 10**9),),
    "told dates": (("signals", "TOLD_WORDS", 10**9),),
    "speaks of the user": (("signals", "speaks_of_user", lambda _: True),),
    "best sentences": (("selection", "LONG_CHARS", 10**9),),
    "other spellings": (
        ("index.user_index", "UserIndex.person_like", _none),
        ("index.user_index", "UserIndex.word_like", _none),
    ),
    "worth in languages": (("recaller", "calibration_for", lambda *_, **__: _ONE_SCALE),),
}
OPTIONS: Mapping[str, Mapping[str, float]] = {
    "withholding": {"threshold": 0.0},
    "hearsay": {"hearsay": 0.0},
}


@dataclass
class Bench:
    """A set: whole, and cut to users with a hundred memories for impersonal requests."""

    rows: Sequence[Mapping[str, Any]]
    whole: Quality
    few: Quality | None
    requests: Sequence[Mapping[str, Any]]

    async def figures(self, options: RecallOptions | None = None) -> dict[str, float]:
        """What the ablation shows of these options."""
        five = answered(await self.whole.ask(at_k(5, options)))
        configured = await self.whole.ask(options)
        own = answered(configured)
        lost = [one for one in configured if one.question.category == stores.UNANSWERABLE]
        lost = lost or await self.whole.ask(options, self.whole.foreign())
        return {
            "R@5": recall(five),
            "found": recall(own),
            "empty": fmean(not one.matched for one in own),
            "tokens": fmean([one.tokens for one in own if one.share > 0] or [0]),
            "in vain": fmean(one.tokens for one in lost) if lost else 0.0,
            "wrong": await self.wrong(options),
        }

    async def wrong(self, options: RecallOptions | None) -> float:
        """Share of the impersonal requests that get memories."""
        if self.few is None:
            return 0.0
        asking = stores.impersonal(self.rows, self.few, self.requests)
        return stores.share_injected(await self.few.ask(options, asking))

    async def empty(self, options: RecallOptions | None) -> float:
        """Share of the answerable questions that get nothing."""
        return fmean(not one.matched for one in answered(await self.whole.ask(options)))


def answered(answers: Sequence[Answer]) -> list[Answer]:
    """Those of questions whose answer is stored."""
    return [one for one in answers if one.question.evidence and one.question.answerable]


async def benches(data: Path, embedder: Embedder) -> dict[str, Bench]:
    """All sets, filed."""
    requests = [row for row in sets.rows(data, "gate-external") if not row["search"]]
    talks = [locomo.turns(name, one) for name, one in locomo.samples(locomo.files(data))]
    found = {"locomo": Bench((), await Quality.open(talks, embedder), None, requests)}
    own = {path.stem: sets.read(path) for path in sets.own("recall").values()}
    for name, rows in ({n: sets.rows(data, n) for n in sets.STORES} | own).items():
        whole = await Quality.open([stores.conversation(row) for row in rows], embedder)
        cut = [stores.conversation(row, most=stores.FEW) for row in rows]
        found[name] = Bench(rows, whole, await Quality.open(cut, embedder), requests)
    return found


@contextmanager
def without(patches: Sequence[Patch]) -> Iterator[None]:
    """The product with these names replaced."""
    with ExitStack() as stack:
        for module, name, value in patches:
            holder: Any = import_module(f"{ROOM}.{module}")
            *path, last = name.split(".")
            for part in path:
                holder = getattr(holder, part)
            stack.enter_context(patch.object(holder, last, value))
        yield


async def ablation(found: Mapping[str, Bench]) -> dict[str, Any]:
    """The figures of each set without each change."""
    result: dict[str, Any] = {}
    for name, bench in found.items():
        print(f"\n{name:24}" + "".join(f"{key:>9}" for key in _COLUMNS))
        result[name] = {}
        for change, patches in WITHOUT.items():
            with without(patches):
                result[name][change] = _show(change, await bench.figures())
        for change, options in OPTIONS.items():
            result[name][change] = _show(change, await bench.figures(changed(options)))
    return result


_COLUMNS = ("R@5", "found", "empty", "tokens", "in vain", "wrong")


def _show(name: str, figures: dict[str, float]) -> dict[str, float]:
    cells = (
        f"{value:9.0f}" if key in ("tokens", "in vain") else f"{value:9.3f}"
        for key, value in figures.items()
    )
    print(f"{name:24}" + "".join(cells), flush=True)
    return figures


async def frontier(found: Mapping[str, Bench]) -> dict[str, Any]:
    """Two lines for each set: found against tokens, and empty against wrong."""
    bought: dict[str, list[tuple[float, float]]] = {}
    withheld: dict[str, list[tuple[float, float]]] = {}
    for name, bench in found.items():
        bought[name] = [await _bought(bench, budget) for budget in BUDGETS]
        plain = await bench.whole.baselines([stores.RRF])
        bought[f"{name}, RRF"] = [
            (fmean(one.tokens for one in of), recall(of))
            for budget in BUDGETS
            for of in [answered(plain[stores.RRF][f"within {budget}"])]
        ]
        if bench.few is not None:
            withheld[name] = [await _withheld(bench, least) for least in STEPS]
        print(f"frontier: {name}", flush=True)
    picture = RESULTS / "frontier.svg"
    picture.write_text(
        drawing.beside(
            drawing.Chart("Evidence found for tokens", "tokens", "share of evidence", bought),
            drawing.Chart(
                "What is withheld",
                "wrong injections, share of impersonal requests",
                "false empties, share of questions",
                withheld,
            ),
        ),
        "utf-8",
    )
    print(f"\ndrawn to {picture}")
    return {"found for tokens": bought, "withheld": withheld}


async def _bought(bench: Bench, budget: int) -> tuple[float, float]:
    of = answered(await bench.whole.ask(within(budget)))
    return fmean(one.tokens for one in of), recall(of)


async def _withheld(bench: Bench, least: float) -> tuple[float, float]:
    options = changed({"threshold": least})
    return await bench.wrong(options), await bench.empty(options)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--frontier", action="store_true", help="the frontier alone")
    parser.add_argument("--ablation", action="store_true", help="the ablation alone")
    wanted = parser.parse_args()
    if absent := sets.absent(wanted.data):
        print(f"evaluation data is missing: {', '.join(absent)} (use --data)", file=sys.stderr)
        return 2
    print(f"\nwritten to {write_json(NAME, asyncio.run(measure(wanted)))}")
    return 0


async def measure(wanted: argparse.Namespace) -> dict[str, Any]:
    """The parts that are wanted, both if none is named."""
    embedder = await disk_embedder(RESULTS)
    result: dict[str, Any] = {}
    try:
        found = await benches(wanted.data, embedder)
        if not wanted.ablation:
            result["frontier"] = await frontier(found)
        if not wanted.frontier:
            result["ablation"] = await ablation(found)
    finally:
        await embedder.close()
    return result


if __name__ == "__main__":
    sys.exit(main())
