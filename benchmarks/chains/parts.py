"""What each part of expansion is worth in a recall, by kind of question.

    python benchmarks/chains/parts.py [--data FOLDER] [--rows FILE ...] [--every N]

Each variant turns one part of `recall.expand_hops` off: all of it, the gate (always), shared words
that are no names, names, the second step. Kinds of question: chains by the number of facts, by how
they are joined and by how many facts there are beside them; single facts, several facts, times and
open questions of LoCoMo (its facts), the personas; and what nothing answers: what is shown of it.
Of each kind: questions of which all that is needed is shown, and tokens. Prints a table; nothing is
written. Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Not this folder: its names would hide others.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

import locomo  # noqa: E402 - the script runs without an installation
from chains import stores  # noqa: E402 - the same
from evidence.asked import every as all_stores  # noqa: E402 - the same
from load import RESULTS  # noqa: E402 - the same
from product import Engine, Filed, disk_embedder  # noqa: E402 - the same

from recollect.memory.recall import RecallOptions, expansion  # noqa: E402 - the same

Figure = tuple[bool, int]
"""Whether all that is needed is shown, and the tokens of it."""


@dataclass(frozen=True)
class Variant:
    """A way to recall."""

    hops: Any = "auto"
    without: Mapping[str, Any] | None = None
    """Values of `recall.expansion`, in place of its own."""


VARIANTS = {
    "off": Variant(0),
    "auto": Variant(),
    "always": Variant(1),
    "names only": Variant(without={"WORD": 0.0}),
    "words only": Variant(without={"NAME": 0.0, "NOUN": 0.0}),
    "one step": Variant(without={"STEPS": 1}),
}


@dataclass(frozen=True)
class Case:
    """A question and where it is asked."""

    kind: str
    of: Filed
    text: str
    needs: frozenset[str]


@contextmanager
def changed(values: Mapping[str, Any] | None) -> Iterator[None]:
    """With these values in `recall.expansion`."""
    before = {name: getattr(expansion, name) for name in values or {}}
    for name, value in (values or {}).items():
        setattr(expansion, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(expansion, name, value)


async def of_chains(engine: Engine, name: str, rows: Sequence[stores.Row]) -> list[Case]:
    """Alone, in a crowd of their language, and in a stranger's store."""
    answered = [row for row in rows if row["needs"]]
    filed = {row["id"]: await engine.file(stores.conversation(row)) for row in rows}
    found = []
    for row in rows:
        needs = frozenset(row["needs"])
        kind = f"{len(needs)} facts" if needs else "nothing answers"
        kinds = (kind, row["lang"], *([row["join"]] if "join" in row else []))
        found += [Case(f"{name}: {each}", filed[row["id"]], row["ask"], needs) for each in kinds]
    for language in sorted({row["lang"] for row in answered}):
        same = [row for row in answered if row["lang"] == language]
        crowd = await engine.file(stores.crowd(same))
        for row in same:
            needs = frozenset(row["id"] + one for one in row["needs"])
            found.append(Case(f"{name}: in a crowd", crowd, row["ask"], needs))
    for own, other in stores.strangers(answered):
        found.append(Case(f"{name}: a stranger's", filed[own["id"]], other["ask"], frozenset()))
    return found


async def of_sets(engine: Engine, data: Path, every: int) -> list[Case]:
    found = []
    for store in all_stores(data):
        if store.set in {"chains", "LoCoMo"}:
            continue
        filed = await engine.file(store.talk)
        for question in store.talk.questions[:: every if "LoCoMo" in store.set else 1]:
            kind = locomo.CATEGORIES.get(question.category, "")
            told = store.set if "LoCoMo" not in store.set else f"{store.set}: {kind}"
            lost = not question.evidence or question.category >= locomo.ADVERSARIAL
            needs = frozenset() if lost else question.evidence
            several = "several facts" if len(needs) > 1 else "one fact"
            named = f"{told}, nothing answers" if lost else told
            found.append(Case(named, filed, question.text, needs))
            if not lost and "LoCoMo" not in store.set:
                found.append(Case(f"{told}, {several}", filed, question.text, needs))
    return found


async def measure(data: Path, files: Sequence[Path], every: int) -> None:
    embedder = await disk_embedder(RESULTS)
    engine = await Engine.open(embedder)
    await engine.prepare()
    cases: list[Case] = []
    for path in files:
        cases += await of_chains(engine, path.name.partition(".")[0], stores.read(path))
    cases += await of_sets(engine, data, every) if every else []
    found: dict[str, list[Figure]] = {}
    for name, variant in VARIANTS.items():
        recaller = engine.recaller(RecallOptions(expand_hops=variant.hops))
        with changed(variant.without):
            found[name] = [await recalled(engine, recaller, case) for case in cases]
        print(f"{name}: done", file=sys.stderr)
    await engine.close()
    await embedder.close()
    show(cases, found)


async def recalled(engine: Engine, recaller: Any, case: Case) -> Figure:
    got = await engine.recall(recaller, case.of.scope, case.text, now=case.of.now)
    there = {case.of.source_of[one] for one in got.ids if one in case.of.source_of}
    tokens = engine.tokens.count(got.message) if got.message else 0
    return bool(case.needs) and case.needs <= there, tokens


def show(cases: Sequence[Case], found: Mapping[str, Sequence[Figure]]) -> None:
    print("| kind of question | asked | " + " | ".join(found) + " |")
    print("|---|---:|" + "---:|" * len(found))
    for kind in dict.fromkeys(case.kind for case in cases):
        places = [place for place, case in enumerate(cases) if case.kind == kind]
        answered = any(cases[place].needs for place in places)
        cells = []
        for figures in found.values():
            whole = 100 * fmean(figures[at][0] for at in places)
            tokens = fmean(figures[at][1] for at in places)
            cells.append(f"{whole:.1f} %, {tokens:.0f}" if answered else f"{tokens:.0f}")
        print(f"| {kind} | {len(places)} | " + " | ".join(cells) + " |")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--rows", type=Path, nargs="*", help="chains, in place of chains.dev")
    parser.add_argument("--every", type=int, default=3, help="of LoCoMo; 0: chains only")
    wanted = parser.parse_args()
    files = wanted.rows or [wanted.data / "chains.dev.jsonl"]
    if not all(path.is_file() for path in files):
        print("evaluation data is missing (use --data)", file=sys.stderr)
        return 2
    asyncio.run(measure(wanted.data, files, wanted.every))
    return 0


if __name__ == "__main__":
    sys.exit(main())
