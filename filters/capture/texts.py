"""The texts of an exchange, raw and redacted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.memory.model.types import ToolStep
from recollect.memory.util.tokens import ApproximateCounter

from .before import MOST_CHARS
from .redacting import Once
from .steps import MAX_NAME_CHARS, Limits, limits_for

_TOKENS = ApproximateCounter()


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one turn."""

    user: str
    answer: str
    steps: Sequence[ToolStep]
    before: str = ""
    """What came before a short message (`before_of`): no text of the turn itself."""

    def all(self) -> Iterator[str]:
        """Each of them."""
        yield from (self.user, self.answer)
        for step in self.steps:
            yield from (step.name, step.arguments, step.result)


def prepare(raw: Texts, once: Once, limit: int) -> Texts:
    """The redacted texts; messages have at most about `limit` characters."""
    limits = limits_for(len(raw.steps))
    return Texts(
        user=once(raw.user, limit),
        answer=once(raw.answer, limit),
        steps=[_prepared(step, once, limits) for step in raw.steps],
        before=once(raw.before, MOST_CHARS) if raw.before else "",
    )


def work(raw: Texts, once: Once, limit: int) -> int:
    """The number of characters that `prepare` redacts."""
    limits = limits_for(len(raw.steps))
    own = (raw.user, raw.answer, raw.before)
    return sum(once.work(text, limit) for text in own) + sum(
        once.work(step.arguments, limits.arguments) + once.work(step.result, limits.result)
        for step in raw.steps
    )


def tokens_of(texts: Texts) -> int:
    """The approximate number of tokens."""
    return sum(_TOKENS.count(text) for text in texts.all() if text)


def _prepared(step: ToolStep, once: Once, limits: Limits) -> ToolStep:
    return ToolStep(
        once(step.name, MAX_NAME_CHARS),
        once(step.arguments, limits.arguments),
        once(step.result, limits.result),
    )
