"""Asks about one batch of turns. Each failure changes the way of asking.

    schema -> repair -> lines          (and, in `extraction`, smaller batches)

A question is never repeated unchanged: text that breaks an answer, such as code that a small model
cannot escape, breaks it again.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from ...model.errors import (
    BudgetError,
    ExtractionError,
    ModelError,
    ModelNotFoundError,
    ModelTimeoutError,
    ModelUnauthorizedError,
    ModelUnavailableError,
    WithheldError,
)
from ...model.ports import ChatModel
from ...model.types import ChatRequest, Message, Turn
from .answer import FactList, read_answer, read_lines
from .prompts import GRAPH_FORM, LINES_SHAPE, AnswerForm, asking, repairing
from .transcript import Unit

log = logging.getLogger(__name__)

MAX_VAIN = 6
"""Calls without any readable answer: three ways of asking about all turns, and both halves."""
FEW_VAIN = 4
"""The same for a model that has to prove itself: what a trial costs."""
BASE_CALLS = 6
"""Calls of one extraction once an answer was readable, beside one for each unit. A hundred thousand
tokens take 12 if nothing fails; ten turns of which one breaks every answer take 15."""
FINAL = (
    ModelUnavailableError,
    ModelTimeoutError,
    ModelUnauthorizedError,
    ModelNotFoundError,
    BudgetError,
    WithheldError,
)
"""Errors that another way of asking does not help against."""
MAX_REPAIR_CHARS = 4_000
"""Of an unreadable answer that the model is shown again."""


_Answering = Awaitable[FactList | None]


class SpentError(Exception):
    """All calls of the extraction are used up."""


@dataclass(slots=True)
class FallbackChain:
    """Asks one model and remembers the way of asking that worked."""

    model: ChatModel
    prompt: str | None
    max_tokens: int
    earlier: str = ""
    """Shown before the turns (`transcript.context`)."""
    units: int = 1
    """How many are to be asked about."""
    vain: int = MAX_VAIN
    """Most calls without any readable answer."""
    form: AnswerForm = GRAPH_FORM
    holds: Sequence[Turn] = ()
    """The turns of the units, and the earlier ones."""
    calls: int = 0
    strategy: str = ""
    """The way that worked last: "schema", "repair" or "lines"."""
    raw: str = ""
    """The last answer that could not be read in full."""
    heard: bool = False
    """Whether the model ever answered."""
    refusal: ModelError | None = None
    """The last error before the first answer."""
    problem: str = ""
    prefers_lines: bool = False

    @property
    def understood(self) -> bool:
        """Whether any answer could be read."""
        return bool(self.strategy)

    @property
    def most(self) -> int:
        """Most calls, as far as is known by now."""
        return BASE_CALLS + self.units if self.understood else self.vain

    async def run(self, units: Sequence[Unit], *, repair: bool) -> FactList | None:
        """The facts in these turns; None if no way of asking gave a readable answer.

        Raises:
            ModelError: the call failed.
            SpentError: all calls are used up, and none of these gave a readable answer.
        """
        best: FactList | None = None
        for step in self._steps(repair=repair):
            try:
                answer = await step(units)
            except FINAL:
                raise
            except SpentError:
                if best is None:
                    raise
                return best
            except ModelError as error:
                self._refused(error)
                if len(units) > 1:
                    # A batch that is too long is too long in every way of asking.
                    return best
                continue
            best = max((best, answer), key=_facts_in)
            if answer is not None and (answer.whole or answer.cut):
                return best
        return best

    def _refused(self, error: ModelError) -> None:
        log.info("extraction was refused: %s", error)
        if not self.heard:
            self.refusal = error

    def _steps(self, *, repair: bool) -> list[Callable[[Sequence[Unit]], _Answering]]:
        if self.prefers_lines:
            return [self._lines]
        return [self._schema_and_repair if repair else self._schema, self._lines]

    async def _schema(self, units: Sequence[Unit]) -> FactList | None:
        return await self._json(asking(units, self.form.shape, self.prompt, self.earlier), "schema")

    async def _schema_and_repair(self, units: Sequence[Unit]) -> FactList | None:
        asked = asking(units, self.form.shape, self.prompt, self.earlier)
        answer = await self._json(asked, "schema")
        if answer is not None:
            return answer
        shown = self.raw[:MAX_REPAIR_CHARS]
        return await self._json(repairing(asked, shown, self.problem, self.form), "repair")

    async def _lines(self, units: Sequence[Unit]) -> FactList | None:
        asked = asking(units, LINES_SHAPE, self.prompt, self.earlier)
        answer = await self._read(asked, read_lines, "lines", schema=False)
        self.prefers_lines = answer is not None
        return answer

    async def _json(self, asked: Sequence[Message], name: str) -> FactList | None:
        return await self._read(asked, read_answer, name, schema=self.prompt is None)

    async def _read(
        self, asked: Sequence[Message], read: Callable[[str], FactList], name: str, *, schema: bool
    ) -> FactList | None:
        if self.calls >= self.most:
            raise SpentError
        self.calls += 1
        # A custom prompt may ask for another format, so no schema is sent with it.
        form = self.form.schema if schema else None
        request = ChatRequest(
            messages=asked, holds=self.holds, schema=form, max_tokens=self.max_tokens
        )
        reply = await self.model.complete(request)
        self.heard = True
        try:
            answer = read(reply.text)
        except ExtractionError as error:
            log.info("an answer of %s could not be read (%s): %s", reply.model, name, error)
            self.raw, self.problem = reply.text, str(error)
            return None
        if not answer.whole:
            self.raw = reply.text
        self.strategy = name
        # Missing lines at the end show only in the token count.
        full = name == "lines" and reply.completion_tokens >= self.max_tokens
        return replace(answer, cut=answer.cut or full)


def _facts_in(answer: FactList | None) -> int:
    """How many; -1 for no answer."""
    return -1 if answer is None else len(answer.facts)
