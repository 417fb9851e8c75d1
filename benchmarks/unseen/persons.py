"""What enters *said* wrongly, which constraints come up, and who gets a profile for nothing.

Four kinds of rows: `noise` (turns that tell nothing), `wishes` (lasting instructions how to answer,
and orders for one answer), `constraints` (told, then a request that it bears on, among five other
facts) and `general` (requests that no constraint bears on).
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from recollect.memory.recall.profile import Role
from recollect.memory.recall.traits import WISH, traits_of
from recollect.memory.said.passages import texts_of
from recollect.memory.types import Scope, Turn, utc_now

from .tells import ROWS, Row, Teller

BESIDE = (
    "My sister lives in Leeds.", "I finished reading Dune last week.", "My car is a blue Volvo.",
    "I work as an accountant.", "Our wedding anniversary is on 12 June.",
)  # fmt: skip
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
    """The turns of which anything is kept."""
    scope = Scope(tenant="bench", user_id="u")
    return [
        row
        for row in rows
        if texts_of(
            Turn(
                id="t", conversation_id="c", scope=scope, user_text=row["text"],
                assistant_text="I see.", model="none", created_at=utc_now(),
            )
        )
    ]  # fmt: skip


def misjudged(rows: Sequence[Row]) -> list[Row]:
    """The lasting instructions that are no wish, and the others that are."""
    scope = Scope(tenant="bench", user_id="u")
    return [
        row for row in rows
        if bool(row["lasting"]) != any(
            WISH in traits_of(text)
            for text in texts_of(
                Turn(
                    id="t", conversation_id="c", scope=scope, user_text=row["text"],
                    assistant_text="I see.", model="none", created_at=utc_now(),
                )
            )
        )
    ]  # fmt: skip


async def missed(rows: Sequence[Row]) -> list[Row]:
    """The requests for which the constraint did not come up."""
    found = []
    async with Teller.open() as teller:
        await teller.engine.recaller.prepare()
        for row in rows:
            for text in (*BESIDE, row["told"]):
                await teller.tell(row["id"], text)
        await teller.settled()
        for row in rows:
            text, _ = await teller.ask(row["id"], row["request"])
            if row["needle"] not in text:
                found.append(row)
    return found


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
    parser.add_argument("--show", action="store_true", help="Show the rows.")
    wanted = parser.parse_args()
    for name in wanted.noise:
        rows = _read(name)
        _show(f"{name}, entered", rows, entered(rows), texts=wanted.show)
    for name in wanted.wishes:
        rows = _read(name)
        _show(f"{name}, misjudged", rows, misjudged(rows), texts=wanted.show)
    for name in wanted.constraints:
        rows = _read(name)
        _show(f"{name}, missed", rows, asyncio.run(missed(rows)), texts=wanted.show)
    for name in wanted.general:
        rows = _read(name)
        _show(f"{name}, in vain", rows, asyncio.run(in_vain(rows)), texts=wanted.show)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
