"""How much of the evidence is found, and for how many tokens: ours and the baselines."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from locomo import Conversation, Question
from measures import BUDGETS, KS, Answer
from product import Engine, Filed, at_k, within
from ranker import ALL, Ranker

from recollect.memory.model.ports import Embedder
from recollect.memory.recall import Recaller, RecallOptions


@dataclass(frozen=True)
class Asking:
    """A question, and whose memories are to answer it."""

    question: Question
    of: Filed


class Quality:
    """All conversations in one store, each a user of its own, and the questions to ask."""

    def __init__(self, engine: Engine, filed: Sequence[Filed], every: int) -> None:
        self._engine = engine
        self.filed = filed
        self._every = every

    @classmethod
    async def open(
        cls, conversations: Sequence[Conversation], embedder: Embedder, *, every: int = 1
    ) -> Quality:
        """Store them, and embed the questions once; asks one question of `every`."""
        engine = await Engine.open(embedder)
        filed = [await engine.file(c) for c in conversations]
        await embedder.embed([q.text for c in conversations for q in c.questions])
        return cls(engine, filed, every)

    @property
    def memories(self) -> int:
        """Of all users."""
        return sum(len(filed.source_of) for filed in self.filed)

    def own(self) -> list[Asking]:
        """Every question, of the memories it is about."""
        return [Asking(q, filed) for filed in self.filed for q in self._questions(filed)]

    def foreign(self) -> list[Asking]:
        """Every question that has an answer, of the next conversation's memories, which do not.

        Their evidence means nothing there. Empty if there is only one conversation.
        """
        others = [*self.filed[1:], *self.filed[:1]] if len(self.filed) > 1 else []
        return [
            Asking(question, other)
            for filed, other in zip(self.filed, others, strict=False)
            for question in self._questions(filed)
            if question.answerable
        ]

    async def ours(self, options: RecallOptions | None = None) -> dict[str, list[Answer]]:
        """The product: at fixed numbers, within budgets, and as it is configured."""
        found = {f"R@{k}": await self.ask(at_k(k, options)) for k in KS}
        for n in BUDGETS:
            found[f"within {n}"] = await self.ask(within(n, options))
        return found | {"configured": await self.ask(options)}

    async def ask(
        self, options: RecallOptions | None, asking: Sequence[Asking] | None = None
    ) -> list[Answer]:
        """These questions, or every own one, through a recaller with these options."""
        recaller = self._engine.recaller(options)
        asking = self.own() if asking is None else asking
        return [await self._ask(recaller, each) for each in asking]

    async def _ask(self, recaller: Recaller, asking: Asking) -> Answer:
        of, text = asking.of, asking.question.text
        started = time.perf_counter()
        got = await self._engine.recall(recaller, of.scope, text, now=of.now)
        seconds = time.perf_counter() - started
        tokens = self._engine.tokens.count(got.message) if got.message else 0
        found = tuple(of.source_of[i] for i in got.ids)
        return Answer(asking.question, found, tokens, seconds, got.matched)

    async def baselines(self, methods: Sequence[str] = ALL) -> dict[str, dict[str, list[Answer]]]:
        """The methods of FACTS.md, on the vectors of the same texts."""
        found: dict[str, dict[str, list[Answer]]] = {name: {} for name in methods}
        for filed in self.filed:
            ranker = await Ranker.of(filed, self._engine, methods)
            for question in self._questions(filed):
                for name, answers in ranker.answers(question):
                    for key, answer in answers.items():
                        found[name].setdefault(key, []).append(answer)
        return found

    def _questions(self, filed: Filed) -> Sequence[Question]:
        return filed.conversation.questions[:: self._every]

    async def close(self) -> None:
        """Release the store."""
        await self._engine.close()
