"""Whether words of change link two facts without a model, and what else they link.

`rows/marked.jsonl` has changes told by such words (`old`, then `new`), and decoys: changes of
something else, most of which share a word with the known fact. Each is said beside the facts of a
person in the same language (`rows/reach-person.jsonl`). Beside the words of change stands what
learning links whatever the words: a share of words, or a nearness ahead of the other memories.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from recollect.memory.calibration import calibration_for
from recollect.memory.learn.reconcile.changed_matter import tells_change
from recollect.memory.learn.reconcile.rules import Neighbour, changed_by, is_one_matter
from recollect.memory.model.ports import Embedder
from recollect.memory.model.types import MemoryType

from .reach import ROWS, rows_of

COMPARED = 8


async def told(_data: Path, embedder: Embedder) -> dict[str, Any]:
    """The figures by kind, which are printed."""
    lines = map(json.loads, (ROWS / "reach-person.jsonl").read_text("utf-8").splitlines())
    persons = {row["lang"]: row["facts"] for row in lines}
    calibration = calibration_for(embedder.id, dim=embedder.dim)
    found: dict[str, Counter[str]] = {"change": Counter(), "decoy": Counter()}
    for row in rows_of("marked.jsonl"):
        known = [row.old, *persons.get(row.lang, ())]
        new, *vectors = await embedder.embed([row.new, *known])
        near = [
            Neighbour(id=text, text=text, type=MemoryType.SEMANTIC, score=float(new @ vector))
            for text, vector in zip(known, vectors, strict=True)
        ]
        near = sorted(near, key=lambda one: -one.score)[:COMPARED]
        changed = changed_by(row.new, near, calibration)
        scores = [one.score for one in near]
        usual = {
            one.id
            for at, one in enumerate(near)
            if is_one_matter(
                row.new, one.text, one.score, calibration, [*scores[:at], *scores[at + 1 :]]
            )
        }
        right = row.old if row.kind == "change" else None
        found[row.kind] += Counter(
            rows=1,
            told=tells_change(row.new),
            right=changed is not None and changed.id == right,
            wrong=changed is not None and changed.id != right,
            usual_right=right in usual,
            usual_wrong=bool(usual - {right}),
        )
    for kind, counts in found.items():
        print(f"{kind:8}", ", ".join(f"{name} {count}" for name, count in counts.items()))
    return {kind: dict(counts) for kind, counts in found.items()}
