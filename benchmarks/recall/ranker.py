"""The baselines' answers: what a ranking finds among its best few, and within a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import baselines
import numpy as np
from locomo import Question
from measures import BUDGETS, KS, Answer
from product import ANY_LIMIT, FENCE, Engine, Filed, Words

from recollect.filters.inject import frame
from recollect.memory.blocks import render, show
from recollect.memory.model.types import MemoryItem, MemoryStatus

OUR_TERMS = "BM25 over Recollect's terms"
ALL = (*baselines.METHODS, OUR_TERMS)


class Ranker:
    """One user's memories, indexed for these methods."""

    def __init__(
        self,
        items: dict[str, MemoryItem],
        corpus: baselines.Corpus,
        vectors: dict[str, np.ndarray],
        methods: Sequence[str],
        count: Callable[[str], int],
    ) -> None:
        """`items` by their ids in the data, in the order of the corpus; `vectors` of questions."""
        self._items = items
        self._ids = list(items)
        self._corpus = corpus
        self._vectors = vectors
        self._methods = methods
        self._words = Words([item.text for item in items.values()])
        self._by_words = baselines.Bm25(self._words.documents)
        self._count_tokens = count
        self._frame = count(frame())
        self._costs: dict[str, int] = {}

    @classmethod
    async def of(cls, filed: Filed, engine: Engine, methods: Sequence[str]) -> Ranker:
        """Indexes what is filed. Embeds contexts only for the method that uses them."""
        sessions = [[entry.text for entry in s.entries] for s in filed.conversation.sessions]
        texts = [text for session in sessions for text in session]
        with_context = baselines.IN_CONTEXT in methods
        contexts = baselines.with_previous(sessions) if with_context else texts
        embed = engine.embedder.embed
        corpus = baselines.corpus(texts, contexts, await embed(texts), await embed(contexts))
        # What looks planted is quarantined; the other methods have no such doubt.
        everything = frozenset(MemoryStatus)
        stored = await engine.store.list(filed.scope, limit=None, statuses=everything)
        by_id = {item.id: item for item in stored}
        by_source = {source: by_id[memory] for source, memory in filed.memory_of.items()}
        ids = [entry.id for s in filed.conversation.sessions for entry in s.entries]
        asked = [question.text for question in filed.conversation.questions]
        vectors = dict(zip(asked, await embed(asked), strict=True))
        return cls({i: by_source[i] for i in ids}, corpus, vectors, methods, engine.tokens.count)

    def answers(self, question: Question) -> Iterator[tuple[str, dict[str, Answer]]]:
        """What each method finds for a question, by cut."""
        asked = baselines.Asked(question.text, self._vectors[question.text])
        for name in self._methods:
            scores = (
                self._by_words.scores(self._words.of_query(question.text))
                if name == OUR_TERMS
                else baselines.METHODS[name](self._corpus, asked)
            )
            ranked = [self._ids[i] for i in np.argsort(-scores, kind="stable")]
            yield name, self._cut(question, ranked)

    def _cut(self, question: Question, ranked: list[str]) -> dict[str, Answer]:
        found = {f"R@{k}": self._answer(question, ranked[:k]) for k in KS}
        for budget in BUDGETS:
            fitting = self._fill(ranked, budget - self._frame)
            found[f"within {budget}"] = self._answer(question, fitting)
        return found

    def _answer(self, question: Question, ids: list[str]) -> Answer:
        message = render([self._items[i] for i in ids], FENCE) if ids else ""
        return Answer(question, tuple(ids), self._count_tokens(message))

    def _fill(self, ranked: list[str], budget: int) -> list[str]:
        """In order, without those that are too long for what is left; a day is named once."""
        left, chosen, named = budget, [], {""}
        for entry in ranked[:ANY_LIMIT]:
            shown = show(self._items[entry])
            tokens = self._cost(shown.line)
            tokens += 0 if shown.heading in named else self._cost(shown.heading)
            if tokens <= left:
                chosen.append(entry)
                named.add(shown.heading)
                left -= tokens
        return chosen

    def _cost(self, text: str) -> int:
        if text not in self._costs:
            self._costs[text] = self._count_tokens(text)
        return self._costs[text]
