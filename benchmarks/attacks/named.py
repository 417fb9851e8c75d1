"""Forgetting what is named, and nothing beside it: names, numbers and codes, by API and by chat.

A row: `facts` of one user, a `query` and the same as a sentence of a chat (`say`, answered by
`yes`), and `right`: the numbers of the facts that are to go.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .figure import Figure
from .forgetting import QUESTIONS, Chats, talk

Row = Mapping[str, Any]
ROWS = Path(__file__).parent / "rows"


def read(name: str) -> list[Row]:
    path = ROWS / name
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


async def told(chats: Chats, user: str, row: Row) -> set[str]:
    """What is stored of the facts."""
    await chats.store(user, row["facts"])
    return set(await chats.stored(user))


async def by_api(chats: Chats, row: Row) -> set[str]:
    """What is gone after the query was proposed and confirmed."""
    user = f"api {row['id']}"
    before = await told(chats, user, row)
    proposed = await chats.memory.propose_forget(row["query"], user_id=user)
    if "confirm" in proposed:
        await chats.memory.confirm_forget(proposed["confirm"], user_id=user)
    return before - set(await chats.stored(user))


async def by_chat(chats: Chats, row: Row) -> set[str]:
    """What is gone after the user asked and agreed."""
    lang = row["language"] if row["language"] in QUESTIONS else "en"
    asked = {"lang": lang, "text": row["say"], "answers": [row["yes"], row["yes"]]}
    ended = await talk(chats, {**row, **asked})
    return {row["facts"][number] for number in ended["gone"]}


def figures(name: str, rows: Sequence[Row], gone: Sequence[set[str]]) -> Iterable[Figure]:
    """How many went as named, and in how many something else went too."""
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    missed, more = [], []
    for row, lost in zip(rows, gone, strict=True):
        wanted = {row["facts"][number] for number in row["right"]}
        asked[row["language"]] += 1
        right[row["language"]] += lost == wanted
        if lost != wanted:
            missed.append(
                f"{row['id']} {row['query']!r}: {sorted(lost)} instead of {sorted(wanted)}"
            )
        if lost - wanted:
            more.append(f"{row['id']} {row['query']!r}: {sorted(lost - wanted)}")
    by_lang = {each: f"{right[each]}/{count}" for each, count in sorted(asked.items())}
    yield Figure(
        f"{name}: exactly what is named goes", sum(right.values()), len(rows), at_least=0.95,
        by_lang=by_lang, failed=tuple(missed),
    )  # fmt: skip
    yield Figure(
        f"{name}: more than named goes", len(more), len(rows), at_most=0.0, failed=tuple(more)
    )


async def measure() -> Sequence[Figure]:
    found: list[Figure] = []
    async with Chats.open() as chats:
        for part in ("named.jsonl", "named.dev.jsonl"):
            if not (ROWS / part).exists():
                continue
            rows = read(part)
            kind = "dev, " if "dev" in part else ""
            found += figures(f"{kind}API", rows, [await by_api(chats, row) for row in rows])
            found += figures(f"{kind}chat", rows, [await by_chat(chats, row) for row in rows])
    return found
