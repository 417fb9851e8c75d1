"""Which facts of an extractor become active memories: true ones should, false ones should not.

    python benchmarks/faithful/evidence.py [--data DIR] [--rows]

Each row is a turn, a fact and a quote as an extractor returned them, and whether the turn states
the fact. It is learned by `Learner.decide` from a scripted model, once by rules alone and once
with a model that answers `who`, `asserted` and the question of `learn.verify` rightly. Reads
`evidence.dev.jsonl` (evaluation data, not part of the product) and our own rows in
`benchmarks/unseen/rows/evidence*.jsonl`; exits with 2 without either.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from recollect.memory.embedders import FakeEmbedder  # noqa: E402 - runs without an installation
from recollect.memory.learn import LearnOptions  # noqa: E402
from recollect.memory.model.types import ChatReply, ChatRequest, EventKind, Scope, Turn  # noqa: E402
from tests.support.learning import forgetter_of, learner_of  # noqa: E402
from tests.support.memories import InMemoryMemories  # noqa: E402
from tests.support.state import InMemoryHistory  # noqa: E402

Row = dict[str, Any]
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
"""When a turn was said whose row does not tell."""
ACTIVE = frozenset({EventKind.ADD, EventKind.UPDATE, EventKind.NONE})
FALSE_OF_OTHERS = "other_person"
"""The kind of rows whose fact is true of somebody else."""
MODES = ("rules", "model")


class Extractor:
    """Returns the fact of one row; with `knows` also the label, in every way that is asked for."""

    def __init__(self, row: Row, *, knows: bool) -> None:
        self._row, self._knows = row, knows
        self.calls = 0

    async def complete(self, _request: ChatRequest) -> ChatReply:
        """The fact for the first question, the verdict for the second one."""
        self.calls += 1
        verdict = {"not_stated": [] if self._row["true"] else [1]}
        answer = {"facts": [self._fact()]} if self.calls == 1 else verdict
        return ChatReply(text=json.dumps(answer, ensure_ascii=False), model="scripted")

    async def close(self) -> None:
        """Nothing to release."""

    def _fact(self) -> dict[str, Any]:
        fact = {"type": "semantic", "turn": 1, "quote": self._row["quote"]}
        fact["text"] = self._row["fact"]
        if self._knows:
            others = not self._row["true"] and self._row.get("kind") == FALSE_OF_OTHERS
            fact["who"] = "somebody else" if others else "user"
            fact["asserted"] = self._row["true"] or others
        return fact


def measure(rows: Sequence[Row]) -> dict[str, Any]:
    """How many true and false facts became active, by mode, in all and by language.

    `calls` is the mean number of calls a row; `wrong` has the ids of rows that went wrong.
    """
    return {mode: asyncio.run(_measured(rows, knows=mode == "model")) for mode in MODES}


async def _measured(rows: Sequence[Row], *, knows: bool) -> dict[str, Any]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    wrong: dict[str, str] = {}
    for row in rows:
        active, why, calls = await _learned(row, knows=knows)
        label = "true" if row["true"] else "false"
        for name in ("all", row["lang"]):
            counts[name].update({label: 1, f"{label}_active": active, "calls": calls})
        if active != row["true"]:
            wrong[row["id"]] = why
    return {"by_language": {name: dict(count) for name, count in counts.items()}, "wrong": wrong}


async def _learned(row: Row, *, knows: bool) -> tuple[bool, str, int]:
    """Whether the fact became active, else why not, and the calls that it took."""
    model = Extractor(row, knows=knows)
    learned = await _learner(verify=knows).decide(
        Scope(tenant="bench", user_id="u"), [_turn(row)], model, batch="b"
    )
    active = [one for one in learned.decisions if one.event in ACTIVE]
    whys = [f"{d.kind}: {d.detail}" for one in learned.decisions for d in one.reasons]
    return bool(active), "; ".join(whys) or ", ".join(learned.rejected), model.calls


def _learner(*, verify: bool) -> Any:
    embedder = FakeEmbedder()
    store, history = InMemoryMemories(dim=embedder.dim), InMemoryHistory()
    options = {"verify": verify}
    return learner_of(
        store,
        embedder,
        history,
        forgetter=forgetter_of(store, embedder, history),
        options=LearnOptions(**options),
    )


def _turn(row: Row) -> Turn:
    at = datetime.fromisoformat(row["said_at"]) if row.get("said_at") else NOW
    return Turn(
        id="t1",
        conversation_id="c",
        scope=Scope(tenant="bench", user_id="u"),
        user_text=row["turn"],
        assistant_text="",
        model="m",
        created_at=at,
        seq=1,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--rows", action="store_true", help="list the rows that went wrong")
    asked = parser.parse_args()
    sets = [asked.data / "evidence.dev.jsonl"]
    sets += sorted((ROOT / "benchmarks" / "unseen" / "rows").glob("evidence*.jsonl"))
    there = [file for file in sets if file.is_file()]
    if not there:
        print("evaluation data is missing (use --data)", file=sys.stderr)
        return 2
    for file in there:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
        print(f"\n{file.name}: {len(rows)} rows")
        _print(measure(rows), rows if asked.rows else ())
    return 0


def _print(result: dict[str, Any], rows: Iterable[Row]) -> None:
    listed = list(rows)
    for mode in MODES:
        print(f"  {mode:6} {'lang':4} {'true active':>14} {'false active':>14} {'calls':>6}")
        for name, count in result[mode]["by_language"].items():
            number = count.get("true", 0) + count.get("false", 0)
            cells = (_share(count, "true"), _share(count, "false"))
            print(f"  {'':6} {name:4} {cells[0]:>14} {cells[1]:>14} {count['calls'] / number:6.1f}")
        for row in listed:
            if row["id"] in result[mode]["wrong"]:
                why = result[mode]["wrong"][row["id"]]
                print(f"    {row['id']} {row['true']} {row['kind']}: {row['fact']} [{why}]")


def _share(count: dict[str, int], label: str) -> str:
    whole, active = count.get(label, 0), count.get(f"{label}_active", 0)
    return f"{active}/{whole} {active / whole:4.0%}" if whole else "-"


if __name__ == "__main__":
    raise SystemExit(main())
