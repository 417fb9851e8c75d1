"""What becomes of two facts, one after the other, without a model.

A row has two facts as an extractor stores them. Of `both`, both stay true: losing or superseding
one is the worst error. Otherwise the second replaces the first, and must be active. Beside that the
table says how many pairs are linked as one matter: of those that a model would be asked.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from recollect.memory.calibration import calibration_for
from recollect.memory.learn.options import LearnOptions
from recollect.memory.learn.reconciler import Reconciler
from recollect.memory.learn.records import Batch, rows_of
from recollect.memory.model.ports import Embedder
from recollect.memory.model.types import Candidate, MemoryStatus, Scope, StoredMemory, utc_now
from tests.support.memories import InMemoryMemories

FILE = "pairs.dev.jsonl"
OWN = Path(__file__).parents[1] / "unseen" / "rows"
SCOPE = Scope(tenant="local", user_id="ann")
NAMES = (
    "both", "lost", "both_linked", "second", "newer_active", "older_superseded", "second_linked",
)  # fmt: skip
Row = Mapping[str, Any]


async def told(data: Path, embedder: Embedder) -> dict[str, Any]:
    """The figures of each file, printed."""
    found = {}
    for path in (data / FILE, *sorted(OWN.glob("pairs*.jsonl"))):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        found[path.stem] = one = await measure(rows, embedder)
        print(f"{path.stem}: " + ", ".join(f"{name} {one['all'][name]}" for name in NAMES))
        print(f"  lost: {one['lost']}; without the newer: {one['without_the_newer']}")
    return found


async def measure(rows: Sequence[Row], embedder: Embedder) -> dict[str, Any]:
    """The figures of the rows, in all and by language, and the ids of those that went wrong."""
    outcomes = [(row, await _outcome(row, embedder)) for row in rows]
    languages = defaultdict(list)
    for row, outcome in outcomes:
        languages[row["lang"]].append((row, outcome))
    return {
        "all": _figures(outcomes),
        "by_lang": {name: _figures(some) for name, some in sorted(languages.items())},
        "lost": [row["id"] for row, outcome in outcomes if row["both"] and outcome["lost"]],
        "without_the_newer": [
            row["id"] for row, outcome in outcomes if not row["both"] and not outcome["newer"]
        ],
    }


def _figures(outcomes: Sequence[tuple[Row, Mapping[str, bool]]]) -> dict[str, int]:
    both = [outcome for row, outcome in outcomes if row["both"]]
    second = [outcome for row, outcome in outcomes if not row["both"]]
    counts = (
        len(both),
        sum(one["lost"] for one in both),
        sum(one["linked"] for one in both),
        len(second),
        sum(one["newer"] for one in second),
        sum(one["lost"] for one in second),
        sum(one["linked"] for one in second),
    )
    return dict(zip(NAMES, counts, strict=True))


async def _outcome(row: Row, embedder: Embedder) -> dict[str, bool]:
    store = InMemoryMemories(dim=embedder.dim)
    calibration = calibration_for(embedder.id, dim=embedder.dim)
    reconciler = Reconciler(store, embedder, calibration, LearnOptions())
    linked = False
    for number, text in enumerate((row["first"], row["second"])):
        at, turn = utc_now() + timedelta(days=number), f"t{number}"
        batch = Batch(id=f"b{number}", scope=SCOPE, at=at, moments={turn: at})
        candidate = Candidate(text=text, turn_ids=(turn,))
        decided = await reconciler.decide(SCOPE, [candidate], batch=batch.id, moments=batch.moments)
        linked = any(one.pending for one in decided.decisions)
        known = {item.id: item for item in await store.list(SCOPE, limit=None)}
        written = rows_of(decided.decisions, known, batch, now=at, embedder_id=embedder.id)
        for item in (*written.versions.values(), *written.live.values()):
            [vector] = await embedder.embed([item.text])
            await store.put([StoredMemory(item, vector)])
    active = {item.text for item in await store.list(SCOPE, limit=None)}
    ended = await store.list(SCOPE, limit=None, statuses=frozenset({MemoryStatus.SUPERSEDED}))
    kept = {row["first"], row["second"]} <= active and not ended
    return {"lost": not kept, "newer": row["second"] in active, "linked": linked}
