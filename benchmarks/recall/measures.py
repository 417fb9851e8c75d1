"""What is counted about answers. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from load import percentile
from locomo import CATEGORIES, Question

KS = (5, 10, 20)
BUDGETS = (128, 256, 512, 1024)


@dataclass(frozen=True)
class Answer:
    """What one question got."""

    question: Question
    found: tuple[str, ...]
    """Ids of turns or facts, best first."""
    tokens: int
    """Of the whole injected message; 0 if there is none."""
    seconds: float = 0.0
    matched: bool = True
    """Whether anything was found but wishes about answers, which go with every request."""

    @property
    def share(self) -> float:
        """Of the evidence, found."""
        return share(self.found, self.question.evidence)


def share(found: Collection[str], evidence: Collection[str]) -> float:
    """How much of the evidence is among what was found."""
    return len(set(found) & set(evidence)) / len(evidence)


def of_category(answers: Sequence[Answer], category: int | None) -> list[Answer]:
    """One category's, or those of all but the adversarial one."""
    return [
        answer
        for answer in answers
        if (category is None and answer.question.answerable) or answer.question.category == category
    ]


def recall(answers: Sequence[Answer]) -> float:
    """Mean share of evidence; 0 for no questions."""
    return fmean(answer.share for answer in answers) if answers else 0.0


def cost(answers: Sequence[Answer]) -> dict[str, float]:
    """What these answers cost the one who pays for tokens and waits."""
    if not answers:
        return {}
    tokens = [answer.tokens for answer in answers]
    times = [answer.seconds * 1e3 for answer in answers]
    return {
        "questions": len(answers),
        "tokens": fmean(tokens),
        "most_tokens": max(tokens),
        "memories": fmean(len(answer.found) for answer in answers),
        "nothing": fmean(not answer.found for answer in answers),
        "p50_ms": percentile(times, 0.5),
        "p95_ms": percentile(times, 0.95),
    }


def summary(answers: dict[str, list[Answer]]) -> dict[str, Any]:
    """What is kept of a method: by category, share of evidence and cost of each cut."""
    wanted: dict[str, int | None] = {"all": None} | {n: c for c, n in CATEGORIES.items()}
    return {
        name: {
            key: {"recall": recall(some)} | cost(some)
            for key, of_all in answers.items()
            if (some := of_category(of_all, category))
        }
        for name, category in wanted.items()
    }
