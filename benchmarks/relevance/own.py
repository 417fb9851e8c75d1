"""The parts that are measured on rows of this folder, written after the judge was made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from recollect.memory.recall.options import RecallOptions

from ..unseen.tells import BESIDE
from . import counting
from .counting import Counts
from .doors import Doors

Row = Mapping[str, Any]
ROWS = Path(__file__).parent / "rows"
OWN = ("precision", "plain", "impersonal", "constraints", "standing", "tells")
LEARNED = 160
"""Most facts of a user who asks for what no memory bears on."""
REQUESTS = 360
AT_MOST = 10
"""Hits of a search that asks for few."""
THRESHOLD = RecallOptions().threshold
"""The default `recall.threshold`."""
AT_ONCE = 25
"""Users of one engine: what many more told falls out of its memory."""


def read(path: Path) -> list[Row]:
    """The rows of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def own(name: str) -> list[Row]:
    """The fresh rows of a part."""
    return read(ROWS / f"{name}.jsonl")


async def precision(doors: Doors, rows: Sequence[Row], counts: Counts) -> None:
    """Beliefs with near misses: each question has lines that must come, and no other may."""
    for row in rows:
        await doors.note(row["id"], [(one["id"], one["text"]) for one in row["facts"]])
        for ask in row["asks"]:
            needs, lang = ask["needs"], ask["lang"]
            given = await doors.chat(row["id"], ask["q"])
            counting.lines(counts, "precision chat", lang, given.names, needs)
            counting.lines(counts, f"precision chat {ask['kind']}", lang, given.names, needs)
            found = await doors.search(row["id"], ask["q"])
            counting.lines(counts, "precision search", lang, found.names, needs)
            shown = await doors.answer(row["id"], ask["q"])
            seen = [one["id"] for one in row["facts"] if one["text"] in shown]
            counting.lines(counts, "precision answer", lang, seen, needs)
            few = await doors.search(row["id"], ask["q"], limit=AT_MOST)
            counting.lines(counts, "precision search ten", lang, few.names, needs)
            likely = await doors.search(row["id"], ask["q"], threshold=THRESHOLD)
            counting.lines(counts, "precision search likely", lang, likely.names, needs)


async def tells(doors: Doors, rows: Sequence[Row], counts: Counts) -> None:
    """Messages that only tell something: on most of them nothing that is stored bears."""
    for row in rows:
        await doors.tell(row["id"], [(one["id"], one["text"]) for one in row["facts"]])
    await doors.settled()
    for row in rows:
        for told in row["tells"]:
            given = await doors.chat(row["id"], told["text"])
            counting.lines(counts, "tells", row["lang"], given.bearing, told["needs"])


async def plain(doors: Doors, rows: Sequence[Row], counts: Counts) -> None:
    """A question that one of very few memories answers, and one that none does."""
    for row in rows:
        user, lang = row["id"], row["lang"]
        facts = [(str(number), text) for number, text in enumerate(row["memories"])]
        needs = [str(number) for number in row["needs"]]
        await doors.note(user, facts)
        given = await doors.chat(user, row["ask"])
        counting.lines(counts, "plain", lang, given.names, needs)
        counting.lines(counts, f"plain {row.get('form', 'user')}", lang, given.names, needs)
        found = await doors.search(user, row["ask"])
        counting.lines(counts, "plain search", lang, found.names, needs)
        if stranger := row.get("stranger"):
            counts.add("plain stranger", lang, bool((await doors.chat(user, stranger)).names))
            vain = await doors.search(user, stranger)
            counts.add("plain search stranger", lang, bool(vain.names))


async def impersonal(
    doors: Doors, rows: Sequence[Row], users: Sequence[str], counts: Counts
) -> None:
    """Requests that no memory bears on, each by one of these users in turn."""
    for number, row in enumerate(rows):
        figure = "impersonal" if "kind" in row else "impersonal known"
        given = await doors.chat(users[number % len(users)], row["message"])
        counts.add(figure, row["lang"], bool(given.names))
        counts.add(f"{figure} bearing", row["lang"], bool(given.bearing))
        counts.add(f"{figure} tokens", row["lang"], given.tokens)
        if kind := row.get("kind"):
            counts.add(f"{figure} {kind}", row["lang"], bool(given.names))


async def constraints(
    doors: Doors, rows: Sequence[Row], counts: Counts, figure: str = "constraints"
) -> None:
    """What a user cannot or may not: brought up where it bears, and only there."""
    for row in rows:
        user = f"{figure} {row['id']}"
        await doors.tell(user, [("beside", text) for text in BESIDE] + [("told", row["told"])])
    await doors.settled()
    for row in rows:
        given = await doors.chat(f"{figure} {row['id']}", row["request"])
        bears = row.get("bears", True)
        name = f"{figure} {'bear' if bears else 'in vain'}"
        counts.add(name, row["language"], row["needle"] in given.text)
        counts.add(f"{name} others", row["language"], given.bearing.count("beside"))
