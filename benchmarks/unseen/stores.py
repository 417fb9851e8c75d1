"""Stores that nobody here tuned recall to, as the recall benchmark reads them.

Each store is a user with memories, questions with their evidence, and perhaps requests without any:
`unanswerable` (about the user, but never said) and `impersonal` (general knowledge).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from locomo import Conversation, Entry, Question, Session

from . import sets
from .sets import Row

ANSWERABLE, UNANSWERABLE, IMPERSONAL = 1, 5, 6
"""Categories: any but the adversarial one, that one, and one of our own."""
_CATEGORIES = {"unanswerable": UNANSWERABLE, "impersonal": IMPERSONAL}


def conversation(store: Row) -> Conversation:
    """A store as the recall benchmark reads one; questions without their evidence are left out."""
    sessions: dict[str, list[Row]] = {}
    for memory in store["memories"]:
        sessions.setdefault(memory["session"], []).append(memory)
    known = {memory["id"] for rows in sessions.values() for memory in rows}
    return Conversation(
        store["id"],
        tuple(
            Session(
                number,
                datetime.fromisoformat(rows[0]["date"]).replace(tzinfo=UTC),
                tuple(Entry(row["id"], sets.stored(row)) for row in rows),
            )
            for number, rows in enumerate(sessions.values(), 1)
        ),
        tuple(_questions(store, known)),
    )


def _questions(store: Row, known: set[str]) -> Iterator[Question]:
    for row in store["questions"]:
        evidence = frozenset(row["evidence"]) & known
        category = _CATEGORIES.get(row["kind"], ANSWERABLE)
        if evidence or category != ANSWERABLE:
            yield Question(row["question"], evidence, category)
