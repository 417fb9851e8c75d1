"""Which facts of an extractor become active memories: true ones should, false ones should not.

Each row is a turn, a fact and a quote as an extractor returned them, and whether the turn states
the fact. It is learned by `Learner.decide` from a scripted model, once by rules alone and once
with a model that answers `who`, `asserted` and the question of verification rightly.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn import LearnOptions
from recollect.memory.model.types import ChatReply, ChatRequest, EventKind, Scope, Turn
from tests.support.learning import forgetter_of, learner_of
from tests.support.memories import InMemoryMemories
from tests.support.state import InMemoryHistory

FILE = "evidence.dev.jsonl"
OWN = Path(__file__).parents[1] / "unseen" / "rows"
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
    return learner_of(
        store,
        embedder,
        history,
        forgetter=forgetter_of(store, embedder, history),
        options=LearnOptions(verify=verify),
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


async def told(data: Path, _embedder: Any) -> dict[str, Any]:
    """The figures of each file, printed."""
    found = {}
    for path in (data / FILE, *sorted(OWN.glob("evidence*.jsonl"))):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
        # In a thread, as it has a loop of its own.
        found[path.stem] = await asyncio.to_thread(measure, rows)
        for mode, one in found[path.stem].items():
            count = one["by_language"]["all"]
            shares = [
                f"{name} {count[f'{name}_active']}/{count[name]}" for name in ("true", "false")
            ]
            print(f"{path.stem}, {mode}: active are", ", ".join(shares))
    return found
