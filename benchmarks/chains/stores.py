"""Chains: questions that need two or three facts, told by a user or stored, alone or in a crowd.

A row has ten `facts`, an `ask` and the ids that it `needs`, joined by somebody or something.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from locomo import Conversation, Entry, Question, Session
from product import Engine, Filed
from unseen import stores
from unseen.tells import Teller

from recollect.memory.recall import RecallOptions

Row = Mapping[str, Any]
START = datetime(2026, 1, 5, tzinfo=UTC)
AT_ONCE = 5
"""Facts of one day."""


@dataclass(frozen=True)
class Got:
    """What one chain's question got."""

    id: str
    language: str
    needs: int
    missing: tuple[str, ...]
    """The ids of what it needs and did not get."""
    tokens: int
    injected: bool


def read(path: Path) -> list[Row]:
    """The rows of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def conversation(row: Row, asks: Sequence[Question] = ()) -> Conversation:
    """The facts, five of them at a time, three days apart."""
    own = Question(row["ask"], frozenset(row["needs"]), stores.ANSWERABLE)
    return Conversation(row["id"], tuple(_sessions(row, "", 1)), tuple(asks) or (own,))


def crowd(rows: Sequence[Row]) -> Conversation:
    """The facts of all rows, as those of one user; their ids begin with those of the rows."""
    sessions: list[Session] = []
    for row in rows:
        sessions += _sessions(row, row["id"], len(sessions) + 1)
    asks = (
        Question(row["ask"], frozenset(row["id"] + one for one in row["needs"]), stores.ANSWERABLE)
        for row in rows
    )
    return Conversation(f"all of {rows[0]['id']}", tuple(sessions), tuple(asks))


def _sessions(row: Row, before: str, first: int) -> Iterator[Session]:
    entries = [Entry(before + fact["id"], fact["text"]) for fact in row["facts"]]
    for at in range(0, len(entries), AT_ONCE):
        number = first + at // AT_ONCE
        when = START + timedelta(days=3 * number)
        yield Session(number, when, tuple(entries[at : at + AT_ONCE]))


def strangers(rows: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Each row with the next one of its language, whose question it cannot answer."""
    for language in sorted({row["lang"] for row in rows}):
        same = [row for row in rows if row["lang"] == language]
        if len(same) > 1:
            yield from zip(same, [*same[1:], same[0]], strict=True)


async def stored(
    engine: Engine, filed: Mapping[str, Filed], rows: Iterable[Row], options: RecallOptions
) -> list[Got]:
    """Each question of its own store; the memories were given by the library."""
    recaller = engine.recaller(options)
    return [await _asked(engine, recaller, filed[row["id"]], row, row["needs"]) for row in rows]


async def crowded(
    engine: Engine, filed: Filed, rows: Iterable[Row], options: RecallOptions
) -> list[Got]:
    """Each question of the store of all."""
    recaller = engine.recaller(options)
    return [
        await _asked(engine, recaller, filed, row, [row["id"] + one for one in row["needs"]])
        for row in rows
    ]


async def foreign(
    engine: Engine, filed: Mapping[str, Filed], rows: Sequence[Row], options: RecallOptions
) -> list[Got]:
    """Questions asked in the stores of others: nothing is needed."""
    recaller = engine.recaller(options)
    return [
        await _asked(engine, recaller, filed[own["id"]], other, ())
        for own, other in strangers(rows)
    ]


async def _asked(engine: Engine, recaller: Any, of: Filed, row: Row, needs: Iterable[str]) -> Got:
    got = await engine.recall(recaller, of.scope, row["ask"], now=of.now)
    there = {of.source_of[one] for one in got.ids}
    missing = tuple(one for one in needs if one not in there)
    tokens = engine.tokens.count(got.message) if got.message else 0
    return Got(row["id"], row["lang"], len(row["needs"]), missing, tokens, bool(got.ids))


async def told(rows: Sequence[Row], options: RecallOptions) -> list[Got]:
    """The facts as messages of one user, each in a chat of its own; nothing is extracted."""
    found: list[Got] = []
    async with Teller.open(recall=options) as teller:
        await teller.engine.warm()
        await teller.engine.recaller.prepare()
        for row in rows:
            for number, fact in enumerate(row["facts"]):
                conversation_id = f"{row['id']}/{number}"
                await teller.tell(row["id"], fact["text"], conversation=conversation_id)
        await teller.settled()
        for row in rows:
            text, _ = await teller.ask(row["id"], row["ask"])
            by_id = {fact["id"]: fact["text"] for fact in row["facts"]}
            missing = tuple(one for one in row["needs"] if by_id[one] not in text)
            tokens = teller.engine.parts.tokens.count(text) if text else 0
            needs = len(row["needs"])
            found.append(Got(row["id"], row["lang"], needs, missing, tokens, bool(text)))
    return found
