"""What consolidation merges: planted duplicates, and pairs that are two.

    python benchmarks/upkeep/duplicates.py [--data FOLDER] [--every 4] [--show]

Three tables, without a model:

- stores: the facts of LoCoMo's sessions and the messages of two persons, in direct mode, with one
  of four told again (`planting`): the share of duplicates that is merged, by kind; memories that
  ended and are no duplicates; evidence among ten hits and tokens of what is injected, without the
  duplicates, with them, and after consolidation, where a duplicate counts as what it repeats;
- pairs: those of the data and of our own rows that are two things (`pairs`, `conflict`, `distinct`
  and others): how many are merged; and those that are one thing (`conflict`, `repeated`): how many
  are merged, and how many more a model is asked about;
- stores of strangers: merges of texts that are not letter for letter the same, all shown.

Prints them and writes benchmarks/results/duplicates.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [
    str(ROOT),
    str(ROOT / "benchmarks"),
    str(ROOT / "benchmarks" / "recall"),
    str(ROOT / "benchmarks" / "upkeep"),
]

from condensing import Talk, filed, persons, talks  # noqa: E402 - the paths above
from load import RESULTS, write_json  # noqa: E402 - the same
from planting import planted  # noqa: E402 - the same
from product import TENANT, Engine, at_k, disk_embedder  # noqa: E402 - the same

from recollect.memory.jobs.upkeep import upkeep_job  # noqa: E402 - the same
from recollect.memory.learn.records import Batch  # noqa: E402 - the same
from recollect.memory.model.jobs import JobKind  # noqa: E402 - the same
from recollect.memory.model.ports import Embedder  # noqa: E402 - the same
from recollect.memory.model.types import (  # noqa: E402 - the same
    ChatReply,
    ChatRequest,
    Decision,
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    utc_now,
)
from recollect.memory.upkeep import UpkeepPlan, Work  # noqa: E402 - the same
from recollect.memory.upkeep.consolidate.options import ConsolidateOptions  # noqa: E402
from recollect.memory.upkeep.consolidate.step import ConsolidateStep  # noqa: E402 - the same
from recollect.memory.upkeep.consolidate.summaries import SummaryOptions  # noqa: E402

NAME = "duplicates"
ROWS = Path(__file__).resolve().parent / "rows"
LATER = timedelta(hours=3)
K = 10
STRANGERS = ("ood-realtalk", "ood-realmem")


@dataclass
class Planted:
    """A store with duplicates."""

    talk: Talk
    kinds: dict[str, str] = field(default_factory=dict)
    """memory id of a duplicate -> its kind."""
    of: dict[str, str] = field(default_factory=dict)
    """memory id of a duplicate -> the entry that it repeats."""

    def entry(self, memory_id: str) -> str:
        """The entry that a memory says."""
        return next(iter(self.talk.sources[memory_id]))


async def plant(engine: Engine, talk: Talk, every: int) -> Planted:
    """Tell some entries again, soon after: "last week" is of the same week."""
    result = Planted(talk)
    entries = [(entry, one.at) for one in talk.conversation.sessions for entry in one.entries]
    for number, kind, told in planted([entry.text for entry, _ in entries], every):
        entry, at = entries[number]
        added = await engine.memory.add(
            told, user_id=talk.conversation.name, infer=False, dedupe=False, timestamp=at + LATER
        )
        for event in added["results"]:
            talk.sources[event["id"]] = frozenset({entry.id})
            result.kinds[event["id"]] = kind
            result.of[event["id"]] = entry.id
    return result


_FACT, _KNOWN = re.compile(r"New fact (\d+): (.*)"), re.compile(r"  known (\d+)(?: \(.*?\))?: (.*)")


class RightAnswers:
    """A model that knows which texts are one thing: the most that any model can do."""

    def __init__(self, entry_of: Mapping[str, str]) -> None:
        self._entry_of = entry_of
        self.calls = 0

    async def complete(self, request: ChatRequest) -> ChatReply:
        """NONE for what a known text says, ADD for all else."""
        self.calls += 1
        rows: list[dict[str, Any]] = []
        for line in request.messages[-1].content.split("\n"):
            if found := _FACT.match(line):
                rows.append({"fact": int(found[1]), "event": "ADD", "known": None, "text": None})
                fact = self._entry(found[2])
            elif (known := _KNOWN.match(line)) and self._entry(known[2]) == fact:
                rows[-1] |= {"event": "NONE", "known": int(known[1])}
        return ChatReply(text=json.dumps({"decisions": rows}), model="right")

    def _entry(self, text: str) -> str:
        return self._entry_of.get(text, text)

    async def close(self) -> None:
        """Nothing is open."""


async def consolidate(
    engine: Engine, scope: Scope, model: RightAnswers | None = None
) -> list[Decision]:
    """Run the step, and carry it out; with a model until all was asked."""
    product = engine.product
    options = ConsolidateOptions(summaries=SummaryOptions(enabled=False))
    ConsolidateOptions.asked_per_run = 10_000
    step = ConsolidateStep(product.parts, options)
    name = f"bench-{scope.user_id}-{model is not None}"
    job = upkeep_job(JobKind.CONSOLIDATE, scope, name, reason="call")
    guard = await product.forgetter.guard(scope, job.id)
    plan: UpkeepPlan = await step.plan(Work(job, scope, model, guard))
    batch = Batch(id=job.id, scope=scope, at=utc_now())
    await product.learner.carry_out(plan.decisions, batch, guard)
    return list(plan.decisions)


async def asked(engine: Engine, talk: Talk) -> dict[str, float]:
    """Evidence among ten hits, and the tokens that are injected by default."""
    ten, usual = engine.recaller(at_k(K)), engine.recaller()
    now = talk.conversation.asked_at + timedelta(days=1)
    found, tokens = [], []
    for question in talk.conversation.questions:
        if not question.answerable:
            continue
        ids = (await engine.recall(ten, talk.scope, question.text, now=now)).ids
        said = {entry for one in ids for entry in talk.sources.get(one, ())}
        found.append(len(question.evidence & said) / len(question.evidence))
        shown = await engine.recall(usual, talk.scope, question.text, now=now)
        tokens.append(engine.tokens.count(shown.message))
    return {"questions": len(found), f"evidence@{K}": fmean(found), "tokens": fmean(tokens)}


async def stores(data: Path, embedder: Embedder, every: int, *, show: bool) -> dict[str, Any]:
    """The table of the stores."""
    result: dict[str, Any] = {}
    kinds: Counter[str] = Counter()
    merged: Counter[str] = Counter()
    for conversation in [*talks(data), *persons(data)]:
        engine = await Engine.open(embedder)
        talk = await filed(engine, conversation)
        row: dict[str, Any] = {"memories": len(talk.sources), "alone": await asked(engine, talk)}
        store = await plant(engine, talk, every)
        row["planted"] = await asked(engine, talk)
        ends = await consolidate(engine, talk.scope)
        pairs = [(store.entry(one.memory_id), store.entry(str(one.stays))) for one in ends]
        wrong = [one for one, (a, b) in zip(ends, pairs, strict=True) if a != b]
        row |= {"after": await asked(engine, talk), "distinct_merged": len(wrong)}
        left = _left(store, ends)
        kinds.update(store.kinds.values())
        merged.update(kind for name, kind in store.kinds.items() if name not in left)
        row |= {"duplicates": len(store.kinds), "merged": len(store.kinds) - len(left)}
        model = RightAnswers(await _entries(engine, store))
        more = await consolidate(engine, talk.scope, model)
        right = _left(store, [*ends, *more])
        row |= {"merged_with_a_model": len(store.kinds) - len(right), "calls": model.calls}
        result[conversation.name] = row
        for name in left if show else ():
            item = (await engine.store.get(TENANT, [name]))[0]
            print(f"  {store.kinds[name]}: {item.text}")
        for one in wrong:
            print(f"  WRONG {one.old_text!r} ended for {one.text!r}")
        await engine.close()
    result["by_kind"] = {kind: [merged[kind], total] for kind, total in kinds.items()}
    return result


async def _entries(engine: Engine, store: Planted) -> dict[str, str]:
    items = await engine.store.list(store.talk.scope, limit=None)
    return {" ".join(item.text.split())[:500]: store.entry(item.id) for item in items}


def _left(store: Planted, ends: Sequence[Decision]) -> set[str]:
    """The duplicates that are still beside what they repeat, or beside another one of it."""
    pairs = {(one.memory_id, str(one.stays)) for one in ends}
    gone = {name for pair in pairs for name in pair}
    return {name for name in store.kinds if name not in gone}


def _rows(path: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


Pair = tuple[str, str, str]
"""A language, and two texts."""


def distinct_pairs(data: Path) -> Iterator[tuple[str, Pair]]:
    """Pairs that are two things, or of which one replaces the other, with their set."""
    unseen = ROOT / "benchmarks" / "unseen" / "rows"
    for path in (data / "pairs.dev.jsonl", unseen / "pairs-2.jsonl"):
        yield from ((path.stem, (r["lang"], r["first"], r["second"])) for r in _rows(path))
    for path in _conflicts(data):
        for row in _rows(path):
            said = [(one["id"], one["memory"]) for one in row["existing"]]
            same = row["decision"] == "NONE" and row["target"]
            others = [text for name, text in said if row["decision"] != "NONE" or name != same]
            if row["decision"] != "NONE" or row["target"]:
                yield from ((path.stem, (row["lang"], row["new"]["memory"], o)) for o in others)
            yield from (
                (path.stem, (row["lang"], a, b)) for (_, a), (_, b) in combinations(said, 2)
            )
    for path in (data / "changes.dev.jsonl",):
        yield from ((path.stem, (r["lang"], r["first"], r["then"])) for r in _rows(path))
    for path in sorted(ROWS.glob("distinct*.jsonl")):
        yield from ((path.stem, (r["lang"], r["first"], r["second"])) for r in _rows(path))


def repeated_pairs(data: Path) -> Iterator[tuple[str, Pair]]:
    """Pairs that are one thing."""
    for path in _conflicts(data):
        for row in _rows(path):
            target = next((o for o in row["existing"] if o["id"] == row["target"]), None)
            if row["decision"] == "NONE" and target:
                yield path.stem, (row["lang"], target["memory"], row["new"]["memory"])
    for path in sorted(ROWS.glob("repeated*.jsonl")):
        yield from (
            (f"{path.stem} {r['kind']}", (r["lang"], r["first"], r["second"])) for r in _rows(path)
        )


def _conflicts(data: Path) -> list[Path]:
    unseen = ROOT / "benchmarks" / "unseen" / "rows"
    return [data / "conflict.dev.jsonl", unseen / "conflict.jsonl", unseen / "conflict-2.jsonl"]


class Judge:
    """Runs the step on stores of its own."""

    def __init__(self, engine: Engine, embedder: Embedder) -> None:
        self._engine = engine
        self._embedder = embedder
        self._number = 0
        self._step = ConsolidateStep(engine.product.parts, ConsolidateOptions())

    async def plan(self, texts: Sequence[str], *, own: Sequence[bool] = ()) -> UpkeepPlan:
        """What consolidation would do with these, each a day after the one before."""
        self._number += 1
        scope = Scope(tenant=TENANT, user_id=f"pair-{self._number}")
        vectors = await self._embedder.embed(texts)
        start = utc_now() - timedelta(days=len(texts) + 1)
        items = [
            StoredMemory(_item(f"{self._number}-{n}", text, scope, start + timedelta(days=n)), v)
            for n, (text, v) in enumerate(zip(texts, vectors, strict=True))
        ]
        spoken = [replace(one.item.provenance, source=Source.USER) for one in items]
        items = [
            StoredMemory(replace(one.item, provenance=p), one.vector) if user else one
            for one, p, user in zip(items, spoken, own or [False] * len(items), strict=True)
        ]
        await self._engine.store.put(items)
        job = upkeep_job(JobKind.CONSOLIDATE, scope, str(self._number), reason="call")
        guard = await self._engine.product.forgetter.guard(scope, job.id)
        return await self._step.plan(Work(job, scope, None, guard, dry=True))


def _item(name: str, text: str, scope: Scope, at: Any) -> MemoryItem:
    return MemoryItem(
        id=name,
        text=text,
        type=MemoryType.SEMANTIC,
        scope=scope,
        created_at=at,
        updated_at=at,
        valid_from=at,
        embedder_id="bench",
        provenance=Provenance(source=Source.EXTRACTION),
    )


async def pairs(data: Path, judge: Judge, *, show: bool) -> dict[str, Any]:
    """The table of the pairs."""
    result: dict[str, Any] = {"distinct": {}, "one thing": {}}
    groups: dict[tuple[str, str], list[tuple[Pair, bool, bool]]] = defaultdict(list)
    for what, rows in (("distinct", distinct_pairs(data)), ("one thing", repeated_pairs(data))):
        for name, pair in rows:
            if what == "distinct" and pair[1] == pair[2]:
                continue
            own = [" I" in f" {text}" or "my " in text.lower() for text in pair[1:]]
            plan = await judge.plan(pair[1:], own=own)
            merged = bool(plan.figures["merged"])
            asked = bool(plan.figures["in_doubt"])
            groups[what, name].append((pair, merged, asked))
    for (what, name), found in groups.items():
        merged = [pair for pair, one, _ in found if one]
        asked = sum(doubt and not one for _, one, doubt in found)
        result[what][name] = {"pairs": len(found), "merged": len(merged), "asked": asked}
        wanted = merged if what == "distinct" else [pair for pair, one, _ in found if not one]
        for pair in wanted if show or what == "distinct" else ():
            print(f"  {what} {name}: {pair}")
    return result


async def strangers(data: Path, judge: Judge) -> dict[str, Any]:
    """Merges of what is not letter for letter the same, in stores that nobody wrote for us."""
    result: dict[str, Any] = {}
    for name in STRANGERS:
        merged, other, memories = 0, [], 0
        for row in _rows(data / f"{name}.dev.jsonl"):
            texts = [f"{m['speaker']}: {m['text']}" if m.get("speaker") else m["text"]
                     for m in row["memories"]]  # fmt: skip
            plan = await judge.plan(texts)
            merged += len(plan.decisions)
            memories += len(texts)
            other += [(d.old_text, d.text) for d in plan.decisions if d.old_text != d.text]
        result[name] = {"memories": memories, "merged": merged, "in other words": other}
    return result


def show_stores(result: Mapping[str, Any]) -> None:
    """The table of the stores."""
    print(f"\n{'store':14}{'dup':>5}{'merged':>8}{'wrong':>7}   evidence@{K} alone, with, after"
          "      tokens alone, with, after")  # fmt: skip
    for name, row in result.items():
        if name == "by_kind":
            continue
        told = [row[part] for part in ("alone", "planted", "after")]
        evidence = "".join(f"{one[f'evidence@{K}']:8.3f}" for one in told)
        tokens = "".join(f"{one['tokens']:8.1f}" for one in told)
        print(f"{name:14}{row['duplicates']:5}{row['merged']:8}{row['distinct_merged']:7}"
              f"   {evidence}   {tokens}")  # fmt: skip
    rows = [row for name, row in result.items() if name != "by_kind"]
    total = sum(row["duplicates"] for row in rows)
    print(f"all: {sum(row['merged'] for row in rows) / total:.1%} of {total}")
    asked = sum(row["merged_with_a_model"] for row in rows)
    print(f"with a model that answers rightly: {asked / total:.1%}; "
          f"{sum(row['calls'] for row in rows)} calls")  # fmt: skip
    mean = {
        part: sum(row[part][f"evidence@{K}"] * row[part]["questions"] for row in rows)
        / sum(row[part]["questions"] for row in rows)
        for part in ("alone", "planted", "after")
    }
    print("evidence of all questions: " + ", ".join(f"{n} {v:.4f}" for n, v in mean.items()))
    for kind, (merged, count) in result["by_kind"].items():
        print(f"  {kind:12}{merged:5} of {count}")


def show_pairs(result: Mapping[str, Any]) -> None:
    """The table of the pairs."""
    for what, sets in result.items():
        print(f"\n{what}: pairs | merged | a model is asked about")
        for name, one in sets.items():
            print(f"  {name:28}{one['pairs']:6}{one['merged']:7}{one['asked']:7}")


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--every", type=int, default=4, help="One of so many facts is told again.")
    parser.add_argument("--only", choices=("stores", "pairs", "strangers"))
    parser.add_argument("--show", action="store_true", help="Show what stays two.")
    wanted = parser.parse_args()
    embedder = await disk_embedder(RESULTS)
    result: dict[str, Any] = {}
    try:
        if wanted.only in (None, "stores"):
            result["stores"] = await stores(wanted.data, embedder, wanted.every, show=wanted.show)
            show_stores(result["stores"])
        engine = await Engine.open(embedder)
        judge = Judge(engine, embedder)
        if wanted.only in (None, "pairs"):
            result["pairs"] = await pairs(wanted.data, judge, show=wanted.show)
            show_pairs(result["pairs"])
        if wanted.only in (None, "strangers"):
            result["strangers"] = await strangers(wanted.data, judge)
            for name, row in result["strangers"].items():
                print(f"\n{name}: {row['merged']} of {row['memories']} end")
                for old, new in row["in other words"]:
                    print(f"  {str(old)[:90]!r} for {str(new)[:90]!r}")
        await engine.close()
    finally:
        await embedder.close()
    write_json(NAME, result)
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
