"""The figures that a user feels of the words of languages, each as (hits, total) by its name.

`told` is quick enough to be asked again without each field of the packs; `recalled` asks questions
of stores and tells turns, which takes a minute.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from faithful import decoys, evidence, origin, pairs
from learning import conflict
from measures import recall
from product import at_k
from quality import Quality

from recollect.memory.model.ports import Embedder

from . import figures, persons, sets, stores, tells

Share = tuple[int, int]
OWN_STORES = ("recall", "recall-2", "recall-3")
WORSE_UP = (
    "recallable", "honest", "innocent", "readable", "touched", "redacted", "false", "noise",
    "wishes", "parties", "lost",
)  # fmt: skip
"""Parts of the names of figures that should be small; all others should be large."""


async def told(data: Path, embedder: Embedder) -> dict[str, Share]:
    """What is withheld, hidden, skipped, kept and decided."""
    # In a thread, as they have loops of their own.
    alone = await asyncio.to_thread(lambda: {**dict(_judged(data)), **dict(_learned(data))})
    return alone | await _reconciled(data, embedder)


async def recalled(data: Path, embedder: Embedder, *, tell: bool = True) -> dict[str, Share]:
    """Evidence found in five, in thousandths, and what is told and asked for."""
    found: dict[str, Share] = {}
    known = {name: sets.read(sets.OWN / f"{name}.jsonl") for name in OWN_STORES}
    known |= {name: sets.rows(data, name) for name in sets.STORES}
    for name, rows in known.items():
        bench = await Quality.open([stores.conversation(row) for row in rows], embedder)
        try:
            answers = await bench.ask(at_k(5))
        finally:
            await bench.close()
        answerable = [one for one in answers if one.question.category == stores.ANSWERABLE]
        found[f"{name}: R@5"] = (round(1000 * recall(answerable)), 1000)
    for stem, path in sets.own("tell").items() if tell else ():
        rows = await tells.tells(_read(path))
        found[f"{stem}: asked and there"] = (sum(row["there"] for row in rows), len(rows))
    return found


def _judged(data: Path) -> Iterator[tuple[str, Share]]:
    for name, rows in _files(data, "planted", "poison"):
        one = figures.planted(rows)
        yield f"{name}: planted, recallable", one["planted, recallable"]
        yield f"{name}: honest, withheld", one["honest, quarantined"]
    for name, rows in _files(data, "innocent", "innocent"):
        yield f"{name}: innocent, withheld", figures.innocent(rows)["quarantined"]
    for name, rows in _files(data, "secrets", "secrets"):
        one = figures.secrets(rows)
        yield f"{name}: secrets, readable", one["secrets, readable"]
        yield f"{name}: decoys, redacted", one["decoys, redacted"]
    for name, rows in _files(data, "decoys", "decoys"):
        both = decoys.measure(rows)
        yield f"{name}: secrets, readable", both["readable"]
        yield f"{name}: ordinary, touched", both["touched"]
    for name, rows in _files(data, "gate", "gate-external"):
        both = figures.gate(rows)
        yield f"{name}: skipped", both["skipped"]
        yield f"{name}: false skips", both["false skips"]
    parties = sets.read(sets.OWN / "parties.jsonl")
    yield "parties withheld", (len(origin.withheld(list(map(dict, parties)))), len(parties))


def _learned(data: Path) -> Iterator[tuple[str, Share]]:
    for name, rows in _files(data, "evidence", "evidence"):
        one = evidence.measure(list(map(dict, rows)))["rules"]["by_language"]["all"]
        yield f"{name}: true facts active", (one["true_active"], one["true"])
        yield f"{name}: false facts active", (one["false_active"], one["false"])
    for stem, path in sets.own("noise").items():
        rows = _read(path)
        yield f"{stem}: noise entered", (len(persons.entered(rows)), len(rows))
    for stem, path in sets.own("wishes").items():
        rows = _read(path)
        yield f"{stem}: wishes misjudged", (len(persons.misjudged(rows)), len(rows))


async def _reconciled(data: Path, embedder: Embedder) -> dict[str, Share]:
    found: dict[str, Share] = {}
    for name, rows in _files(data, "pairs", "pairs"):
        one = (await pairs.measure(rows, embedder))["all"]
        found[f"{name}: pairs lost"] = (one["lost"], one["both"])
        found[f"{name}: newer active"] = (one["newer_active"], one["second"])
        found[f"{name}: linked"] = (one["both_linked"] + one["second_linked"], len(rows))
    paths = {"conflict.dev": data / conflict.FILE} | sets.own("conflict")
    for stem, path in paths.items():
        counted = (await conflict.measure(path, embedder))["by_stage"].values()
        total = sum(sum(each.values()) for each in counted)
        for kind in ("right", "wrong"):
            hits = sum(each.get(kind, 0) for each in counted)
            found[f"{stem} of {total}: {'false' if kind == 'wrong' else kind}"] = (hits, total)
    return found


def _files(data: Path, own: str, other: str) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    path = data / f"{other}.dev.jsonl"
    yield path.stem, _read(path)
    for stem, each in sets.own(own).items():
        yield stem, _read(each)


def _read(path: Path) -> list[Any]:
    return list(map(json.loads, filter(str.strip, path.read_text("utf-8").splitlines())))
