"""One batch of turns, asked for until it is understood: each failure changes the way of asking.

    schema -> repair -> lines          (and, in `driver`, smaller batches)

The same question again is never asked: what breaks an answer, such as code that a small model
cannot escape, breaks it each time.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from ...errors import BudgetError, ExtractionError, ModelError, ModelUnavailableError
from ...ports import ChatModel
from ...types import ChatRequest, Message
from .answer import FactList, read_answer
from .lines import read_lines
from .prompts import FACTS_SCHEMA, JSON_SHAPE, LINES_SHAPE, asking, repairing
from .units import Unit

log = logging.getLogger(__name__)

MAX_CALLS = 40
"""For one extraction, whatever happens. 100,000 tokens take 12 if nothing goes wrong; a model that
understands nothing is not asked for ever (elsewhere a poison job cost 394,000 calls)."""
MAX_SILENT = 6
"""Calls that may fail before anything was ever answered: as often as a batch can be halved."""
MAX_REPAIR_CHARS = 4_000
"""Of an answer that is shown to the model again."""


_Answering = Awaitable[FactList | None]


class SpentError(Exception):
    """All calls are used up."""


class Ladder:
    """Asks one model, and remembers which way of asking it understood."""

    def __init__(self, model: ChatModel, prompt: str | None, max_tokens: int) -> None:
        self.calls = 0
        self.strategy = ""
        """The way that worked last: "schema", "repair" or "lines"."""
        self.raw = ""
        """What was said last that could not be read."""
        self._model = model
        self._prompt = prompt
        self._max_tokens = max_tokens
        self.heard = False
        """Whether it ever answered."""
        self.refusal: ModelError | None = None
        """Why it did not."""
        self._problem = ""
        self._prefers_lines = False

    async def climb(self, units: Sequence[Unit], *, repair: bool) -> FactList | None:
        """What the model finds in these turns; None if no way of asking gave anything to read.

        Raises:
            ModelError: it could not be asked.
            SpentError: `MAX_CALLS` are used up.
        """
        best: FactList | None = None
        for step in self._steps(repair=repair):
            try:
                answer = await step(units)
            except (ModelUnavailableError, BudgetError):
                raise
            except ModelError as error:
                self._refused(error)
                if len(units) > 1:
                    # What is too long in one way of asking is so in all.
                    break
                continue
            if answer is None:
                continue
            if best is None or len(answer.facts) > len(best.facts):
                best = answer
            if answer.whole or answer.cut:
                break
        return best

    def _refused(self, error: ModelError) -> None:
        log.info("extraction was refused: %s", error)
        if not self.heard:
            self.refusal = error
            if self.calls >= MAX_SILENT:
                raise error

    def _steps(self, *, repair: bool) -> list[Callable[[Sequence[Unit]], _Answering]]:
        if self._prefers_lines:
            return [self._lines]
        return [self._schema_and_repair if repair else self._schema, self._lines]

    async def _schema(self, units: Sequence[Unit]) -> FactList | None:
        return await self._json(asking(units, JSON_SHAPE, self._prompt), "schema")

    async def _schema_and_repair(self, units: Sequence[Unit]) -> FactList | None:
        asked = asking(units, JSON_SHAPE, self._prompt)
        answer = await self._json(asked, "schema")
        if answer is not None:
            return answer
        shown = self.raw[:MAX_REPAIR_CHARS]
        return await self._json(repairing(asked, shown, self._problem), "repair")

    async def _lines(self, units: Sequence[Unit]) -> FactList | None:
        asked = asking(units, LINES_SHAPE, self._prompt)
        answer = await self._read(asked, read_lines, "lines", schema=False)
        self._prefers_lines = answer is not None
        return answer

    async def _json(self, asked: Sequence[Message], name: str) -> FactList | None:
        return await self._read(asked, read_answer, name, schema=self._prompt is None)

    async def _read(
        self,
        asked: Sequence[Message],
        read: Callable[[str], FactList],
        name: str,
        *,
        schema: bool,
    ) -> FactList | None:
        if self.calls >= MAX_CALLS:
            raise SpentError
        self.calls += 1
        # A caller's own prompt may ask for another shape: then the shape is not forced.
        form = FACTS_SCHEMA if schema else None
        request = ChatRequest(messages=asked, schema=form, max_tokens=self._max_tokens)
        reply = await self._model.complete(request)
        self.heard = True
        try:
            answer = read(reply.text)
        except ExtractionError as error:
            log.info("an answer of %s could not be read (%s): %s", reply.model, name, error)
            self.raw, self._problem = reply.text, str(error)
            return None
        if not answer.whole:
            self.raw = reply.text
        self.strategy = name
        # Lines do not show that the last ones are missing.
        full = name == "lines" and reply.completion_tokens >= self._max_tokens
        return replace(answer, cut=answer.cut or full)
