"""Recall on stores that nobody here tuned it to: what is found, asked in vain, and paid.

Each store is a user with memories, questions with their evidence, and perhaps requests without any:
`unanswerable` (about the user, but never said) and `impersonal` (general knowledge).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from statistics import fmean
from typing import Any

import baselines
from locomo import Conversation, Entry, Question, Session
from measures import Answer, cost, recall
from quality import Asking, Quality

from recollect.memory.model.ports import Embedder

from . import judgements, sets

ANSWERABLE, UNANSWERABLE, IMPERSONAL = 1, 5, 6
"""Categories: any but the adversarial one, that one, and one of our own."""
RRF, BM25 = "RRF(dense, BM25)", "BM25, no stemming"
METHODS = (baselines.DENSE, BM25, RRF)
CUTS = ("R@5", "R@10")
FEW = 100
"""Memories of the user whom impersonal requests are asked of."""
_CATEGORIES = {"unanswerable": UNANSWERABLE, "impersonal": IMPERSONAL}

Row = Mapping[str, Any]


def conversation(store: Row, *, most: int | None = None) -> Conversation:
    """A store as the recall benchmark reads one, with its first `most` memories.

    Questions whose evidence is not in it are left out.
    """
    sessions: dict[str, list[Row]] = {}
    for memory in store["memories"][:most]:
        sessions.setdefault(memory["session"], []).append(memory)
    known = {memory["id"] for rows in sessions.values() for memory in rows}
    return Conversation(
        store["id"] if most is None else f"{store['id']}, the first {most}",
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


async def measure(
    stores: Sequence[Row], embedder: Embedder, requests: Sequence[Row]
) -> dict[str, Any]:
    """Shares of evidence found by the product and by the baselines, and what is asked in vain.

    `requests` are rows of the gate's set that need no memory. Those in the language of a store are
    asked of its first memories, as a chat would: what the gate skips brings nothing.
    """
    bench = await Quality.open([conversation(store) for store in stores], embedder)
    few = await Quality.open([conversation(store, most=FEW) for store in stores], embedder)
    try:
        others = await bench.baselines(METHODS)
        ours = await bench.ours()
        foreign = await bench.ask(None, bench.foreign()) if _one_language(stores) else []
        vain = await few.ask(None, impersonal(stores, few, requests))
        asked_of = [_lang(stores, asking.of.conversation.name) for asking in bench.own()]
    finally:
        await bench.close()
        await few.close()
    configured = ours["configured"]
    answered = [answer for answer in configured if answer.question.category == ANSWERABLE]
    unanswerable = [answer for answer in configured if answer.question.category == UNANSWERABLE]
    return {
        "memories": bench.memories,
        "questions": len(answered),
        "ours": {cut: recall(_answerable(ours[cut])) for cut in CUTS},
        **{name: {cut: recall(_answerable(others[name][cut])) for cut in CUTS} for name in METHODS},
        "configured": {
            "recall": recall(answered),
            "nothing": (sum(not answer.matched for answer in answered), len(answered)),
            "memories": cost(answered)["memories"],
            "tokens with the answer in it": _tokens(a for a in answered if a.share > 0),
        },
        **_asked_in_vain("asked of another store", foreign),
        **_asked_in_vain("unanswerable", unanswerable),
        **_asked_in_vain("impersonal, of a hundred memories", vain),
        **_by_language(ours, asked_of),
    }


def impersonal(stores: Sequence[Row], few: Quality, requests: Sequence[Row]) -> list[Asking]:
    """Requests that need no memory, and that the gate lets through, each of one store in turn."""
    asking: list[Asking] = []
    for filed, store in zip(few.filed, stores, strict=True):
        own = [row["question"] for row in store["questions"] if row["kind"] == "impersonal"]
        same = [s["id"] for s in stores if s.get("lang", "en") == store.get("lang", "en")]
        texts = [row["message"] for row in requests if row["lang"] == store.get("lang", "en")]
        asking += [
            Asking(Question(text, frozenset(), IMPERSONAL), filed)
            for text in (*own, *texts[same.index(store["id"]) :: len(same)])
        ]
    return asking


def _answerable(answers: Sequence[Answer]) -> list[Answer]:
    return [answer for answer in answers if answer.question.category == ANSWERABLE]


def _one_language(stores: Sequence[Row]) -> bool:
    return len({store.get("lang", "en") for store in stores}) == 1


def _lang(stores: Sequence[Row], name: str) -> str:
    return next(str(store.get("lang", "en")) for store in stores if store["id"] == name)


def _asked_in_vain(name: str, answers: Sequence[Answer]) -> dict[str, Any]:
    if not answers:
        return {}
    said = _said(answers)
    return {
        name: {
            "injected": (len(said), len(answers)),
            "tokens": sum(answer.tokens for answer in said) / len(answers),
        }
    }


def share_injected(answers: Sequence[Answer]) -> float:
    """Of impersonal requests, those that got memories."""
    return len(_said(answers)) / max(len(answers), 1)


def _said(answers: Sequence[Answer]) -> list[Answer]:
    """The answers with memories, without the requests that the gate skips."""
    return [answer for answer in answers if answer.matched and not _is_skipped(answer.question)]


def _is_skipped(question: Question) -> bool:
    said = judgements.chat([{"role": "user", "content": question.text}])
    return question.category == IMPERSONAL and judgements.skips(said)


def _tokens(answers: Iterator[Answer]) -> float:
    tokens = [answer.tokens for answer in answers]
    return fmean(tokens) if tokens else 0.0


def _by_language(
    ours: Mapping[str, Sequence[Answer]], languages: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """For stores in several languages: evidence in five and nothing at all, by language."""
    if len(set(languages)) < 2:
        return {}
    pairs = list(zip(languages, ours["R@5"], ours["configured"], strict=True))
    pairs = [pair for pair in pairs if pair[1].question.category == ANSWERABLE]
    codes = sorted({language for language, _, _ in pairs})
    return {
        "R@5, by language": {
            c: recall([five for lang, five, _ in pairs if lang == c]) for c in codes
        },
        "nothing, by language": {
            c: (
                sum(lang == c and not got.matched for lang, _, got in pairs),
                sum(lang == c for lang, _, _ in pairs),
            )
            for c in codes
        },
    }
