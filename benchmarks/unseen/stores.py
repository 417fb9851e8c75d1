"""Recall on the stores of other people's data: what is found, and what is asked in vain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import baselines
from locomo import Conversation, Entry, Question, Session
from measures import cost, recall
from quality import Quality

from recollect.memory.ports import Embedder

from . import sets

ANSWERABLE = 1
"""Any category but the adversarial one."""
RRF = "RRF(dense, BM25)"
METHODS = (baselines.DENSE, RRF)
CUTS = ("R@5", "R@10")


def conversation(store: Mapping[str, Any]) -> Conversation:
    """A store as the recall benchmark reads one; questions without evidence in it are left out."""
    sessions: dict[str, list[Mapping[str, Any]]] = {}
    for memory in store["memories"]:
        sessions.setdefault(memory["session"], []).append(memory)
    known = {memory["id"] for memory in store["memories"]}
    asked = (
        Question(row["question"], frozenset(row["evidence"]) & known, ANSWERABLE)
        for row in store["questions"]
    )
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
        tuple(question for question in asked if question.evidence),
    )


async def measure(stores: Sequence[Mapping[str, Any]], embedder: Embedder) -> dict[str, Any]:
    """Shares of evidence found by the product and by the baselines, and how often by nothing."""
    bench = await Quality.open([conversation(store) for store in stores], embedder)
    try:
        others = await bench.baselines(METHODS)
        ours = await bench.ours()
        foreign = await bench.ask(None, bench.foreign())
    finally:
        await bench.close()
    configured = cost(ours["configured"])
    return {
        "memories": bench.memories,
        "questions": configured["questions"],
        "ours": {cut: recall(ours[cut]) for cut in CUTS},
        **{name: {cut: recall(others[name][cut]) for cut in CUTS} for name in METHODS},
        "configured": {
            "recall": recall(ours["configured"]),
            "nothing": configured["nothing"],
            "memories": configured["memories"],
        },
        "asked of another store": {
            "injected": 1 - cost(foreign)["nothing"],
            "memories": cost(foreign)["memories"],
        },
    }
