"""How much of the evidence is found, and for how many tokens: ours and the baselines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import baselines
import numpy as np
from locomo import ADVERSARIAL, CATEGORIES, Conversation, Question
from measures import Answer, cost, of_category, recall
from product import ANY_LIMIT, Engine, Words, at_k, within

from filters.inject.render import frame, render, show
from memory import Scope
from memory.ports import Embedder
from memory.recall import Recaller, RecallOptions

KS = (5, 10, 20)
BUDGETS = (128, 256, 512, 1024)
OURS = "Recollect"
OUR_TERMS = "BM25 over Recollect's terms"


@dataclass(frozen=True)
class Filed:
    """A conversation in memory."""

    conversation: Conversation
    scope: Scope
    dia_of: dict[str, str]
    """memory id -> dia_id."""

    @property
    def now(self) -> datetime:
        """When its questions are asked."""
        return self.conversation.asked_at


class Quality:
    """All conversations in one store, each a user of its own, and the questions to ask."""

    def __init__(self, engine: Engine, filed: Sequence[Filed], every: int) -> None:
        self._engine = engine
        self._filed = filed
        self._every = every
        self._costs: dict[str, int] = {}
        self._frame = engine.tokens.count(frame())

    @classmethod
    async def open(
        cls, conversations: Sequence[Conversation], embedder: Embedder, *, every: int = 1
    ) -> Quality:
        """Store them, and embed the questions once; asks one question of `every`."""
        engine = await Engine.open(embedder)
        filed = [Filed(c, *await engine.file(c)) for c in conversations]
        await embedder.embed([q.text for c in conversations for q in c.questions])
        return cls(engine, filed, every)

    async def ours(self, options: RecallOptions | None = None) -> dict[str, Any]:
        """The product: at fixed numbers, within budgets, and as it is configured."""
        return {
            **{f"R@{k}": await self.ask(at_k(k, options)) for k in KS},
            **{f"within {n}": await self.ask(within(n, options)) for n in BUDGETS},
            "configured": await self.ask(options),
        }

    async def ask(self, options: RecallOptions | None) -> list[Answer]:
        """Every question, through a recaller with these options."""
        recaller = self._engine.recaller(options)
        return [
            await self._ask(recaller, filed, question)
            for filed in self._filed
            for question in self._questions(filed)
        ]

    async def _ask(self, recaller: Recaller, filed: Filed, question: Question) -> Answer:
        started = time.perf_counter()
        got = await self._engine.recall(recaller, filed.scope, question.text, now=filed.now)
        seconds = time.perf_counter() - started
        tokens = self._engine.tokens.count(got.message) if got.message else 0
        return Answer(question, tuple(filed.dia_of[i] for i in got.ids), tokens, seconds)

    async def baselines(self) -> dict[str, dict[str, list[Answer]]]:
        """Every method of FACTS.md, on the vectors of the same texts."""
        found: dict[str, dict[str, list[Answer]]] = {}
        for filed in self._filed:
            ranker = await _Ranker.of(filed, self._engine)
            for name, question, ranked in ranker.rankings(self._questions(filed)):
                answers = found.setdefault(name, {})
                for key, answer in self._cut(question, ranked, ranker).items():
                    answers.setdefault(key, []).append(answer)
        return found

    def _cut(self, question: Question, ranked: list[str], of: _Ranker) -> dict[str, Answer]:
        """The answers a ranking gives: its best few, and what fits a budget."""
        few = {f"R@{k}": self._answer(question, ranked[:k], of) for k in KS}
        fitting = {
            f"within {n}": self._answer(question, self._fill(ranked[:ANY_LIMIT], n, of), of)
            for n in BUDGETS
        }
        return few | fitting

    def _answer(self, question: Question, dia_ids: list[str], of: _Ranker) -> Answer:
        message = render([of.items[i] for i in dia_ids]) if dia_ids else ""
        return Answer(question, tuple(dia_ids), self._engine.tokens.count(message))

    def _fill(self, ranked: list[str], budget: int, of: _Ranker) -> list[str]:
        """In order, without those that are too long for what is left; a day is named once."""
        left, chosen, days = budget - self._frame, [], set()
        for dia_id in ranked:
            shown = show(of.items[dia_id])
            tokens = self._line_cost(shown.line)
            tokens += 0 if shown.heading in days else self._line_cost(shown.heading)
            if tokens <= left:
                chosen.append(dia_id)
                days.add(shown.heading)
                left -= tokens
        return chosen

    def _line_cost(self, line: str) -> int:
        if line not in self._costs:
            self._costs[line] = self._engine.tokens.count(line)
        return self._costs[line]

    def _questions(self, filed: Filed) -> Sequence[Question]:
        return filed.conversation.questions[:: self._every]

    async def close(self) -> None:
        """Release the store."""
        await self._engine.close()


class _Ranker:
    """One user's turns, indexed for the baselines."""

    def __init__(self, dia_ids: list[str], items: dict[str, Any], of: baselines.Corpus) -> None:
        self.items = items
        self._ids = dia_ids
        self._corpus = of
        self._vectors: dict[str, np.ndarray] = {}
        texts = [items[dia_id].text for dia_id in dia_ids]
        self._words = Words(texts)
        self._by_words = baselines.Bm25(self._words.documents)

    @classmethod
    async def of(cls, filed: Filed, engine: Engine) -> _Ranker:
        sessions = [[turn.text for turn in s.turns] for s in filed.conversation.sessions]
        texts = [text for session in sessions for text in session]
        contexts = baselines.with_previous(sessions)
        corpus = baselines.corpus(
            texts,
            contexts,
            await engine.embedder.embed(texts),
            await engine.embedder.embed(contexts),
        )
        stored = await engine.store.list(filed.scope, limit=None)
        items = {filed.dia_of[item.id]: item for item in stored}
        dia_ids = [turn.dia_id for s in filed.conversation.sessions for turn in s.turns]
        ranker = cls(dia_ids, items, corpus)
        asked = [question.text for question in filed.conversation.questions]
        ranker._vectors = dict(zip(asked, await engine.embedder.embed(asked), strict=True))
        return ranker

    def rankings(self, questions: Sequence[Question]) -> Iterator[tuple[str, Question, list[str]]]:
        """Every method's order of the turns for every question."""
        for question in questions:
            asked = baselines.Asked(question.text, self._vectors[question.text])
            for name, method in baselines.METHODS.items():
                yield name, question, self._ordered(method(self._corpus, asked))
            ours = self._by_words.scores(self._words.of_query(question.text))
            yield OUR_TERMS, question, self._ordered(ours)

    def _ordered(self, scores: np.ndarray) -> list[str]:
        return [self._ids[i] for i in np.argsort(-scores, kind="stable")]


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


async def ablate(
    bench: Quality, options_variants: dict[str, RecallOptions], say: Callable[[str], None] = print
) -> dict[str, dict[str, float]]:
    """What each variant finds, and what it spends on questions without an answer."""
    rows = {}
    for name, options in options_variants.items():
        say(f"ablation: {name}")
        most = await bench.ask(at_k(max(KS), options))
        # Selection goes down the ranking, so the best five of twenty are the best five.
        answers = {f"R@{k}": [replace(a, found=a.found[:k]) for a in most] for k in KS}
        answers["within 512"] = await bench.ask(within(512, options))
        found = {key: recall(of_category(some, None)) for key, some in answers.items()}
        adversarial = cost(of_category(await bench.ask(options), ADVERSARIAL))
        rows[name] = found | {"adversarial tokens": adversarial.get("tokens", 0.0)}
    return rows
