"""Extraction with its IO: turns in, candidates with their evidence out."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ...background.quiet import at_once
from ...errors import ExtractionError
from ...ports import ChatModel
from ...types import Candidate, Turn
from .answer import FactList
from .evidence import Known
from .judge import judge
from .ladder import Ladder, SpentError
from .said import Said
from .units import Unit, batches, halves, units_of

MAX_VAIN = 16
"""Calls to a model that never says anything readable: enough to reach a single turn of fifty."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was learned from some turns, and what was not."""

    candidates: tuple[Candidate, ...] = ()
    rejected: Mapping[str, int] = field(default_factory=dict)
    """What the model claimed and is not believed, by reason; "unread": turns of `failed`."""
    strategy: str = ""
    """The way of asking that worked: "schema", "repair", "lines", or "smaller"."""
    calls: int = 0
    failed: tuple[str, ...] = ()
    """Ids of turns that no way of asking could read; the others were learned."""
    raw: str = ""
    """What the model said about them."""


async def extract(
    model: ChatModel,
    turns: Sequence[Turn],
    *,
    known: Sequence[str] = (),
    prompt: str | None = None,
    max_tokens: int = 2000,
    pause: Callable[[], Awaitable[None]] = at_once,
) -> Extraction:
    """The facts a model finds in some turns, as far as the turns show them.

    `known` are texts that are memories already: no evidence of anything. `prompt` replaces what
    the model is told, except for the shape of its answer; what it claims is checked all the same.
    At most `MAX_CALLS` calls are made. `pause` is awaited between steps of computing.

    Raises:
        ModelError: the model could not be asked.
        ExtractionError: it answered, and nothing it said could be read; `raw` holds its words.
    """
    prompt = prompt or None
    reading = _Reading(Ladder(model, prompt, max_tokens), Known(known), prompt, pause)
    reading.todo.extend(batches(units_of(turns)))
    await reading.run()
    return reading.result()


class _Reading:
    """One extraction while it goes on."""

    def __init__(
        self,
        ladder: Ladder,
        known: Known,
        prompt: str | None,
        pause: Callable[[], Awaitable[None]],
    ) -> None:
        self.todo: deque[list[Unit]] = deque()
        self._ladder = ladder
        self._known = known
        self._prompt = prompt
        self._pause = pause
        self._found: dict[str, Candidate] = {}
        self._rejected: Counter[str] = Counter()
        self._failed: dict[str, None] = {}
        self._smaller = False
        self._understood = False

    async def run(self) -> None:
        """Ask until nothing is left to do."""
        while self.todo:
            units = self.todo.popleft()
            try:
                answer = await self._ladder.climb(units, repair=not self._smaller)
            except SpentError:
                self._give_up(units, *self.todo)
                return
            if answer is None and self._in_vain():
                self._give_up(units, *self.todo)
                return
            if answer is None:
                self._divide(units)
                continue
            self._understood = True
            await self._take(answer, units)
            if answer.cut:
                self._go_on(answer, units)

    def result(self) -> Extraction:
        """Raises ModelError if it never answered, ExtractionError if nothing was understood."""
        if self._failed and not self._understood:
            if self._ladder.refusal and not self._ladder.heard:
                raise self._ladder.refusal
            raise ExtractionError(
                f"nothing in {self._ladder.calls} answers could be read as facts", self._ladder.raw
            )
        rejected = self._rejected + Counter({"unread": len(self._failed)})
        return Extraction(
            candidates=tuple(self._found.values()),
            rejected=dict(rejected),
            strategy="smaller" if self._smaller else self._ladder.strategy,
            calls=self._ladder.calls,
            failed=tuple(self._failed),
            raw=self._ladder.raw if self._failed else "",
        )

    def _in_vain(self) -> bool:
        return not self._understood and self._ladder.calls >= MAX_VAIN

    def _divide(self, units: list[Unit]) -> None:
        parts = halves(units)
        if parts:
            self._smaller = True
            self.todo.extendleft(reversed(parts))
        else:
            self._give_up(units)

    def _give_up(self, *batches: list[Unit]) -> None:
        for units in batches:
            self._failed |= dict.fromkeys(unit.turn.id for unit in units)

    async def _take(self, answer: FactList, units: Sequence[Unit]) -> None:
        said = Said(units)
        for fact in answer.facts:
            # A millisecond each: requests have their turn in between.
            await self._pause()
            judged = judge(fact, said, self._known, prompt=self._prompt)
            if isinstance(judged, str):
                self._rejected[judged] += 1
            else:
                self._found.setdefault(judged.text.casefold(), judged)
        self._rejected["too_many"] += answer.too_many

    def _go_on(self, answer: FactList, units: list[Unit]) -> None:
        """The answer was cut off: the turns from the last one it spoke of are asked for again."""
        spoken = [fact.turn for fact in answer.facts if fact.turn and fact.turn <= len(units)]
        rest = units[spoken[-1] - 1 :] if spoken else units
        if len(rest) < len(units):
            self.todo.appendleft(rest)
        elif parts := halves(units):
            # In a smaller part there is room for all of its facts.
            self.todo.extendleft(reversed(parts))
        else:
            self._rejected["cut"] += 1
