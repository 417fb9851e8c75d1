"""How well the rules of the reconciler decide, on the conflict set.

    python benchmarks/learning/conflict.py [--data FOLDER] [--file NAME]

The set is built to defeat similarity: paraphrases have few words in common, different facts many.
Each row's memories are the neighbours, with their cosines by the local embedder. Told are: the
share of rows that are decided (nothing is left to a model), how many of those are right (event, and
for UPDATE and DELETE the memory), wrong UPDATEs and DELETEs as a share of all rows, and the same
when an oracle answers what was left, through the real question and the real reading of its
answer. The baseline in the same run are the thresholds the seed names (0.6 related, 0.7 update,
0.9 same).

Prints tables, writes benchmarks/results/conflict.json. Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from load import write_json  # noqa: E402

from recollect.memory.calibration import Calibration, calibration_for  # noqa: E402
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402
from recollect.memory.learn.reconcile import (  # noqa: E402
    Neighbour,
    Undecided,
    asked_about,
    calls,
    question,
    read_answer,
    reconcile,
)
from recollect.memory.learn.reconcile.rules import NEW  # noqa: E402
from recollect.memory.model.types import Candidate, Decision, EventKind, MemoryType, Message  # noqa: E402

FILE = "conflict.dev.jsonl"
NAMED = {"UPDATE", "DELETE"}
"""Events that are right only about the right memory."""
SEED = (0.6, 0.7, 0.9)
"""Thresholds that the design seed names: related, update, same."""


@dataclass(frozen=True)
class Row:
    """One row of the set, ready to be decided."""

    id: str
    zone: str
    lang: str
    label: str
    target: str | None
    candidate: Candidate
    neighbours: Sequence[Neighbour]
    at: datetime

    def is_right(self, decision: Decision) -> bool:
        """Whether the event is the label's, and about the right memory where that matters."""
        if decision.event.value != self.label:
            return False
        return self.label not in NAMED or decision.memory_id == self.target


async def measure(path: Path, embedder: Any) -> dict[str, Any]:
    """All figures for one file of rows; JSON-able."""
    rows = await read_rows(path, embedder)
    calibration = calibration_for(embedder.id, dim=embedder.dim)
    decided = [_decide(row, calibration) for row in rows]
    answered, rejected = ask_oracle(rows, decided, calibration)
    oracle = summary(rows, answered)
    return {
        "embedder": embedder.id,
        "rows": len(rows),
        "stages": summary(rows, decided),
        "with_oracle": {**oracle, "rejected": rejected},
        "by_zone": _by(rows, decided, lambda row, _: f"{row.zone} {row.label}"),
        "by_lang": _by(rows, decided, lambda row, _: row.lang),
        "by_stage": _by(rows, decided, lambda _, d: "left" if _is_left(d) else d.stage),
        "seed": summary(rows, [_seed(row) for row in rows]),
    }


async def read_rows(path: Path, embedder: Any) -> list[Row]:
    """The rows with the cosine of the new fact to each of its memories."""
    return [await _row(json.loads(line), embedder) for line in path.read_text("utf-8").splitlines()]


async def _row(raw: Mapping[str, Any], embedder: Any) -> Row:
    new = raw["new"]
    vectors = await embedder.embed([new["memory"], *(m["memory"] for m in raw["existing"])])
    neighbours = [
        Neighbour(
            memory["id"],
            memory["memory"],
            MemoryType(memory["type"]),
            float(vectors[0] @ vector),
            datetime.fromisoformat(memory["created_at"]),
        )
        for memory, vector in zip(raw["existing"], vectors[1:], strict=True)
    ]
    candidate = Candidate(text=new["memory"], type=MemoryType(new["type"]))
    at = datetime.fromisoformat(new["observed_at"])
    label, target = raw["decision"], raw["target"]
    return Row(raw["id"], raw["zone"], raw["lang"], label, target, candidate, neighbours, at)


def summary(rows: Sequence[Row], decisions: Sequence[Decision]) -> dict[str, Any]:
    """Shares: decided of all rows, right of those, wrong UPDATE or DELETE of all rows."""
    pairs = [(row, d) for row, d in zip(rows, decisions, strict=True) if not _is_left(d)]
    wrong = [(row, d) for row, d in pairs if not row.is_right(d)]
    costly = [row.id for row, d in wrong if d.event.value in NAMED]
    return {
        "decided": len(pairs) / max(len(rows), 1),
        "right": 1 - len(wrong) / max(len(pairs), 1),
        "wrong_update_or_delete": len(costly) / max(len(rows), 1),
        "wrong_ids": [f"{row.id} {row.label} said {d.event}: {d.reason}" for row, d in wrong],
    }


def ask_oracle(
    rows: Sequence[Row], decisions: Sequence[Decision], calibration: Calibration
) -> tuple[list[Decision], int]:
    """The decisions once a model that knows the labels has answered, and how many it failed."""
    final = list(decisions)
    rejected = 0
    open_rows = [n for n, decision in enumerate(decisions) if _is_left(decision)]
    asked = [
        Undecided(
            rows[n].candidate,
            asked_about(rows[n].candidate, rows[n].neighbours, calibration),
            decisions[n],
            rows[n].at,
        )
        for n in open_rows
    ]
    done = 0
    for call in calls(asked):
        numbers = open_rows[done : done + len(call)]
        done += len(call)
        answer = _oracle(question(call), call, [rows[n] for n in numbers])
        result = read_answer(answer, call)
        rejected += result.rejected
        for n, group in zip(numbers, result.decisions, strict=True):
            final[n] = group[0]
    return final, rejected


def _is_left(decision: Decision) -> bool:
    """Whether the rules leave it to a model."""
    return decision.stage == NEW


def _oracle(messages: Sequence[Message], call: Sequence[Undecided], rows: Sequence[Row]) -> str:
    """The labels, in numbers that are read from the question as a model would have to."""
    shown = messages[-1].content
    answers = []
    for fact, (one, row) in enumerate(zip(call, rows, strict=True), 1):
        block = shown.partition(f"New fact {fact}: ")[2].partition("New fact ")[0]
        known = None
        target = next((n for n in one.shown if n.id == row.target), None)
        if target is not None:
            text = " ".join(target.text.split())
            line = next(line for line in block.splitlines() if line.endswith(f": {text}"))
            known = int(line.split()[1].rstrip(":"))
        answers.append({"fact": fact, "event": row.label, "known": known, "text": None})
    return "Here is what I think.\n```json\n" + json.dumps({"decisions": answers}) + "\n```"


def _decide(row: Row, calibration: Calibration) -> Decision:
    return reconcile(
        row.candidate, row.neighbours, new_id="new", calibration=calibration, at=row.at
    )


def _seed(row: Row) -> Decision:
    """The nearest memory: the same from 0.9, an update from 0.7, else (below 0.6 too) new."""
    _related, update, same = SEED
    nearest = max(row.neighbours, key=lambda neighbour: neighbour.score)
    event, memory_id = EventKind.ADD, "new"
    if nearest.score >= same:
        event, memory_id = EventKind.NONE, nearest.id
    elif nearest.score >= update:
        event, memory_id = EventKind.UPDATE, nearest.id
    return Decision(
        event=event, memory_id=memory_id, text=row.candidate.text, type=row.candidate.type
    )


def _by(
    rows: Sequence[Row], decisions: Sequence[Decision], key: Callable[[Row, Decision], str]
) -> dict[str, dict[str, int]]:
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for row, decision in zip(rows, decisions, strict=True):
        outcome = "left" if _is_left(decision) else "right" if row.is_right(decision) else "wrong"
        table[key(row, decision)][outcome] += 1
    return {name: dict(table[name]) for name in sorted(table)}


def show(result: Mapping[str, Any]) -> None:
    """The tables on standard output."""
    print(f"{result['rows']} rows, {result['embedder']}\n")
    print(f"{'':14}{'decided':>8}{'right':>8}{'wrong UPDATE/DELETE':>21}")
    for name in ("seed", "stages", "with_oracle"):
        one = result[name]
        print(
            f"{name:14}{one['decided']:8.1%}{one['right']:8.1%}"
            f"{one['wrong_update_or_delete']:21.1%}"
        )
    for part in ("by_zone", "by_lang", "by_stage"):
        print(f"\n{part[3:]:34}{'right':>6}{'wrong':>6}{'left':>9}")
        for name, seen in result[part].items():
            columns = (seen.get(c, 0) for c in ("right", "wrong", "left"))
            print(f"{name:34}{next(columns):6}{next(columns):6}{next(columns):9}")
    for name in ("stages", "with_oracle"):
        print(f"\nwrong, {name}: {', '.join(result[name]['wrong_ids']) or 'none'}")
    print(f"answers of the oracle that were rejected: {result['with_oracle']['rejected']}")


async def main(data: Path, file: str) -> int:
    """Measure, print and write."""
    path = data / file
    if not path.exists():
        print(f"the evaluation data is not in {data} ({file}): name it with --data")
        return 2
    embedder = await open_embedder(
        LocalEmbedderOptions(model_dir=Path("~/.recollect/models").expanduser())
    )
    try:
        result = await measure(path, embedder)
    finally:
        await embedder.close()
    show(result)
    print(f"written to {write_json('conflict', result)}")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--file", default=FILE)
    arguments = parser.parse_args()
    sys.exit(asyncio.run(main(arguments.data, arguments.file)))
