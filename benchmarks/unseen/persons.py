"""What enters *said* wrongly, which constraints come up, and who gets a profile for nothing.

Four kinds of rows: `noise` (turns that tell nothing), `wishes` (lasting instructions how to answer,
and orders for one answer), `constraints` (told, then a request that it bears on, among five other
facts; with `--crowded` among seventeen, so that not all that is known is brought up) and `general`
(requests that no constraint bears on).

With `--data`, it also counts the memories of other people's stores that make a line of a constraint
or a wish: nearly all of them should not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    Turn,
    utc_now,
)
from recollect.memory.recall.index.entry import ASKED, PASTED
from recollect.memory.recall.index.user_index import UserIndex
from recollect.memory.recall.profile import Role, profile_of, wishes
from recollect.memory.recall.prototypes import Prototypes
from recollect.memory.recall.traits import WISH
from recollect.memory.statements.passages import FlaggedText, texts_of

from . import sets
from .tells import ROWS, Row, Teller

BESIDE = (
    "My sister lives in Leeds.", "I finished reading Dune last week.", "My car is a blue Volvo.",
    "I work as an accountant.", "Our wedding anniversary is on 12 June.",
)  # fmt: skip
CROWD = (
    "Tom and I went to see the new exhibition on Saturday.", "My office is on the third floor.",
    "I bought a lamp at the flea market.", "My cousin plays in a brass band.",
    "The neighbours have painted their fence.", "I have read two novels by Zola.",
    "My watch was a present from my uncle.", "Our street will get new trees.",
    "I started to collect stamps as a child.", "My colleague Nina moved to Rome.",
    "My first flat was above a bakery.", "I finished the big puzzle with my niece.",
)  # fmt: skip
"""What else the user has told, of more than `standing.FEW` things."""
AT_ONCE = 25
"""Users of one engine: what many more told falls out of its memory."""
SAMPLE, SEED = 400, 4
"""Memories of each of other people's sets."""
STORED = (
    "I'm allergic to peanuts and shellfish.", "I'm vegetarian since 2015.", "I use a wheelchair.",
    "I always use TypeScript in strict mode for my projects.", "I have asthma.",
    "My daughter Mia is six and loves dinosaurs.", "We have a dog called Bruno.",
    "My budget for the trip to Norway is 2,000 euros.", "I'm training for a marathon in October.",
    "I never fly, I'm afraid of flying.", "I work as a nurse in Leeds.",
)  # fmt: skip
"""What the user who asks general requests has told."""
_OF_A_PROFILE = frozenset({Role.CONSTRAINT, Role.PROFILE})


def entered(rows: Sequence[Row]) -> list[Row]:
    """The turns in which anything is told, not only asked or handed over."""
    return [row for row in rows if any(map(_is_told, texts_of(_turn(row["text"]))))]


def _is_told(passage: FlaggedText) -> bool:
    return passage.flags.isdisjoint((ASKED, PASTED))


def _turn(text: str) -> Turn:
    return Turn(
        id="t", conversation_id="c", scope=Scope(tenant="bench", user_id="u"), user_text=text,
        assistant_text="I see.", model="none", created_at=utc_now(),
    )  # fmt: skip


async def misjudged(rows: Sequence[Row]) -> list[Row]:
    """The lasting instructions that are no wish, and the others that are."""
    found = []
    async with Teller.open() as teller:
        await teller.engine.recaller.prepare()
        for row in rows:
            await teller.tell(row["id"], row["text"])
        await teller.settled()
        for row in rows:
            lines = await teller.engine.recaller.profile(Scope(tenant="bench", user_id=row["id"]))
            if bool(row["lasting"]) != bool(wishes(lines)):
                found.append(row)
    return found


async def missed(rows: Sequence[Row], beside: Sequence[str]) -> list[Row]:
    """The requests for which the constraint did not come up."""
    found = []
    for first in range(0, len(rows), AT_ONCE):
        some = rows[first : first + AT_ONCE]
        async with Teller.open() as teller:
            await teller.engine.recaller.prepare()
            for row in some:
                for text in (*beside, row["told"]):
                    await teller.tell(row["id"], text)
            await teller.settled()
            for row in some:
                text, _ = await teller.ask(row["id"], row["request"])
                if row["needle"] not in text:
                    found.append(row)
    return found


async def lines_of(texts: Sequence[str]) -> dict[str, int]:
    """How many of these memories constrain something, and how many are wishes."""
    async with Teller.open() as teller:
        embedder = teller.engine.parts.embedder
        prototypes = await Prototypes.of(embedder, teller.engine.recaller.calibration)
        scope, now = Scope(tenant="bench", user_id="u"), utc_now()
        items = [
            MemoryItem(
                id=str(number), text=text, type=MemoryType.SEMANTIC, scope=scope, created_at=now,
                updated_at=now, embedder_id=embedder.id,
                provenance=Provenance(source=Source.EXTRACTION),
            )
            for number, text in enumerate(texts)
        ]  # fmt: skip
        vectors = await embedder.embed(texts)
        counted = Counter[str]()
        for item, vector in zip(items, vectors, strict=True):
            index = UserIndex.of(embedder.dim, [StoredMemory(item, vector)])
            for line in profile_of(index, scope, prototypes):
                counted["constraints"] += bool(line.bears_on)
                counted["wishes"] += WISH in line.traits
    return dict(counted)


async def in_vain(rows: Sequence[Row]) -> list[Row]:
    """The requests that got a line of the profile."""
    found = []
    async with Teller.open() as teller:
        await teller.engine.recaller.prepare()
        for text in STORED:
            await teller.tell("u", text)
        await teller.settled()
        for row in rows:
            _, exchange = await teller.ask("u", row["request"])
            chosen = () if exchange.selection is None else exchange.selection.chosen
            if any(hit.role in _OF_A_PROFILE for hit in chosen):
                found.append(row)
    return found


def _read(name: str) -> list[Any]:
    lines = (ROWS / name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def _show(name: str, rows: Sequence[Row], found: Sequence[Row], *, texts: bool) -> None:
    by = dict(Counter(row["language"] for row in found))
    print(f"{name}: {len(found)} of {len(rows)} ({100 * len(found) / len(rows):.1f} %) {by}")
    for row in found if texts else ():
        print(f"  {row['id']} {row.get('text') or row['request']!r}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--noise", nargs="*", default=["noise.jsonl"])
    parser.add_argument("--constraints", nargs="*", default=["constraints-2.jsonl"])
    parser.add_argument("--general", nargs="*", default=["general.jsonl"])
    parser.add_argument("--wishes", nargs="*", default=["wishes.jsonl"])
    parser.add_argument("--crowded", action="store_true", help="Constraints among more facts.")
    parser.add_argument("--data", type=Path, help="The folder of the evaluation data.")
    parser.add_argument("--show", action="store_true", help="Show the rows.")
    wanted = parser.parse_args()
    for name in wanted.noise:
        rows = _read(name)
        _show(f"{name}, entered", rows, entered(rows), texts=wanted.show)
    for name in wanted.wishes:
        rows = _read(name)
        _show(f"{name}, misjudged", rows, asyncio.run(misjudged(rows)), texts=wanted.show)
    beside = (*BESIDE, *CROWD) if wanted.crowded else BESIDE
    for name in wanted.constraints:
        rows = _read(name)
        _show(f"{name}, missed", rows, asyncio.run(missed(rows, beside)), texts=wanted.show)
    for name in wanted.general:
        rows = _read(name)
        _show(f"{name}, in vain", rows, asyncio.run(in_vain(rows)), texts=wanted.show)
    for name in sets.STORES if wanted.data else ():
        texts = [one["text"] for row in sets.rows(wanted.data, name) for one in row["memories"]]
        some = Random(SEED).sample(texts, SAMPLE)
        print(f"{name}, of {SAMPLE} memories: {asyncio.run(lines_of(some))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
