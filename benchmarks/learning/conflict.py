"""How well the rules of the reconciler decide, on the conflict set.

The set is built to defeat similarity: paraphrases have few words in common, different facts many.
Each row's memories are the neighbours, with their cosines by the local embedder. Told are: the
share of rows that are decided (nothing is left to a model), how many of those are right (event, and
for UPDATE and DELETE the memory), wrong UPDATEs and DELETEs as a share of all rows, and the same
when an oracle answers what was left, through the real question and the real reading of its answer.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from recollect.memory.calibration import Calibration, calibration_for
from recollect.memory.learn.reconcile import (
    Neighbour,
    Undecided,
    asked_about,
    calls,
    question,
    read_answer,
    reconcile,
)
from recollect.memory.learn.reconcile.rules import NEW
from recollect.memory.model.types import Candidate, Decision, MemoryType, Message

FILE = "conflict.dev.jsonl"
OWN = Path(__file__).parents[1] / "unseen" / "rows"
NAMED = {"UPDATE", "DELETE"}
"""Events that are right only about the right memory."""


@dataclass(frozen=True)
class Row:
    """One row of the set, ready to be decided."""

    id: str
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
        "by_lang": _by(rows, decided, lambda row, _: row.lang),
        "by_stage": _by(rows, decided, lambda _, d: "left" if _is_left(d) else d.stage),
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
    return Row(raw["id"], raw["lang"], label, target, candidate, neighbours, at)


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


def _by(
    rows: Sequence[Row], decisions: Sequence[Decision], key: Callable[[Row, Decision], str]
) -> dict[str, dict[str, int]]:
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for row, decision in zip(rows, decisions, strict=True):
        outcome = "left" if _is_left(decision) else "right" if row.is_right(decision) else "wrong"
        table[key(row, decision)][outcome] += 1
    return {name: dict(table[name]) for name in sorted(table)}


async def told(data: Path, embedder: Any) -> dict[str, Any]:
    """The figures of each file, printed."""
    found = {}
    for path in (data / FILE, *sorted(OWN.glob("conflict*.jsonl"))):
        found[path.stem] = result = await measure(path, embedder)
        print(f"{path.stem}: {result['rows']} rows, {result['by_stage']}")
        for name in ("stages", "with_oracle"):
            one = result[name]
            print(
                f"  {name:12} decided {one['decided']:.1%}, of those right {one['right']:.1%}, "
                f"wrong UPDATE or DELETE {one['wrong_update_or_delete']:.1%}: {one['wrong_ids']}"
            )
    return found
