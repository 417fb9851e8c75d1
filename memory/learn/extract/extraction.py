"""Extraction with its IO: turns become candidates with evidence."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from ...model.errors import ExtractionError
from ...model.ports import ChatModel
from ...model.types import Candidate, Turn
from ...util.idle_gate import at_once
from .answer import FactList
from .candidates import Doubted, judge
from .fact_passage import Known
from .fallback import MAX_VAIN, FallbackChain, SpentError
from .prompts import GRAPH_FORM, AnswerForm
from .transcript import Unit, batches, context, halves, units_of
from .turn_texts import TurnTexts


@dataclass(frozen=True, slots=True)
class Effort:
    """The calls that an extraction may make before an answer is readable."""

    vain: int = MAX_VAIN
    """Most calls without any readable answer."""
    halved: int = 0
    """How often the turns are halved before the first call. A later try asks about smaller parts:
    what broke all answers about the whole would break them again."""


FULL = Effort()


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of an extraction."""

    candidates: tuple[Candidate, ...] = ()
    doubted: tuple[Doubted, ...] = ()
    """Facts that something stands against, for a person to see."""
    rejected: Mapping[str, int] = field(default_factory=dict)
    """Rejected facts by reason; "unread" counts the turns of `failed`."""
    strategy: str = ""
    """The way of asking that worked: "schema", "repair", "lines", or "smaller"."""
    calls: int = 0
    failed: tuple[str, ...] = ()
    """Ids of turns whose answers could not be read."""
    raw: str = ""
    """The last unreadable answer, if there are `failed` turns."""
    refused: tuple[tuple[str, str], ...] = ()
    """The texts of rejected and doubted facts, with the reason; for people who try a model."""


async def extract(
    model: ChatModel,
    turns: Sequence[Turn],
    *,
    known: Sequence[str] = (),
    earlier: Sequence[Turn] = (),
    prompt: str | None = None,
    max_tokens: int = 2000,
    effort: Effort = FULL,
    form: AnswerForm = GRAPH_FORM,
    pause: Callable[[], Awaitable[None]] = at_once,
) -> Extraction:
    """The facts that a model finds in the turns, apart from those that the turns stand against.

    `known` are texts of memories, which are no evidence. `earlier` are turns that were learned
    before: they tell what is spoken of, and give no facts. `prompt` replaces the instructions but
    not the `form` of the answer; its facts are checked too. At most `chain.BASE_CALLS` calls are
    made and one for each unit, and at most `effort.vain` without any readable answer. `pause` is
    awaited between steps of computing.

    Raises:
        ModelError: no call succeeded.
        ExtractionError: no answer could be read; `raw` has the last one.
    """
    prompt = prompt or None
    units = units_of(turns)
    todo, halved = _parts(batches(units), effort.halved)
    chain = FallbackChain(
        model,
        prompt,
        max_tokens,
        context(earlier),
        len(units),
        effort.vain,
        form,
        (*turns, *earlier),
    )
    reading = _Reading(chain, Known(known), prompt, pause, todo, earlier, smaller=halved)
    await reading.run()
    return reading.result()


def _parts(whole: list[list[Unit]], times: int) -> tuple[deque[list[Unit]], bool]:
    """The batches halved so many times, as far as they can be, and whether any was."""
    parts = whole
    for _ in range(times):
        parts = [part for batch in parts for part in halves(batch) or [batch]]
    return deque(parts), len(parts) > len(whole)


@dataclass(slots=True)
class _Reading:
    """The state of one extraction."""

    chain: FallbackChain
    known: Known
    prompt: str | None
    pause: Callable[[], Awaitable[None]]
    todo: deque[list[Unit]]
    earlier: Sequence[Turn] = ()
    found: dict[str, tuple[int, Candidate]] = field(default_factory=dict)
    """Facts by their text, each with the place of the first turn that was asked about."""
    doubted: dict[str, Doubted] = field(default_factory=dict)
    rejected: Counter[str] = field(default_factory=Counter)
    failed: dict[str, None] = field(default_factory=dict)
    refused: list[tuple[str, str]] = field(default_factory=list)
    smaller: bool = False

    async def run(self) -> None:
        """Ask until no batch is left."""
        while self.todo:
            units = self.todo.popleft()
            try:
                answer = await self.chain.run(units, repair=not self.smaller)
            except SpentError:
                self._give_up(units, *self.todo)
                return
            if answer is None:
                self._divide(units)
                continue
            await self._take(answer, units)
            if answer.cut:
                self._go_on(answer, units)

    def result(self) -> Extraction:
        """Raises ModelError without any answer, ExtractionError without any readable one."""
        if self.failed and not self.chain.understood:
            if self.chain.refusal and not self.chain.heard:
                raise self.chain.refusal
            raise ExtractionError(
                f"nothing in {self.chain.calls} answers could be read as facts", self.chain.raw
            )
        rejected = self.rejected + Counter({"unread": len(self.failed)})
        return Extraction(
            candidates=tuple(
                candidate for _, candidate in sorted(self.found.values(), key=itemgetter(0))
            ),
            doubted=tuple(one for key, one in self.doubted.items() if key not in self.found),
            rejected=dict(rejected),
            strategy="smaller" if self.smaller else self.chain.strategy,
            calls=self.chain.calls,
            failed=tuple(self.failed),
            raw=self.chain.raw if self.failed else "",
            refused=tuple(self.refused),
        )

    def _divide(self, units: list[Unit]) -> None:
        parts = halves(units)
        if not parts:
            self._give_up(units)
            return
        self.smaller = True
        if self.chain.heard and not self.chain.understood:
            # Other turns first: whether the model can be read matters more than which turn cannot.
            self.todo.extend(parts)
        else:
            self.todo.extendleft(reversed(parts))

    def _give_up(self, *batches: list[Unit]) -> None:
        for units in batches:
            self.failed |= dict.fromkeys(unit.turn.id for unit in units)

    async def _take(self, answer: FactList, units: Sequence[Unit]) -> None:
        said = TurnTexts(units, self.earlier)
        if answer.facts:
            await said.prepare(self.pause)
        for fact in answer.facts:
            # A millisecond each: yield to requests in between.
            await self.pause()
            judged = judge(fact, said, self.known, prompt=self.prompt)
            if isinstance(judged, str):
                self.rejected[judged] += 1
                self.refused.append((fact.text, judged))
            elif isinstance(judged, Doubted):
                self.doubted.setdefault(judged.candidate.text.casefold(), judged)
                self.refused.append((fact.text, judged.doubt.detail or judged.doubt.kind))
            else:
                place = units[0].turn.seq, judged
                self.found.setdefault(judged.text.casefold(), place)
        self.rejected["too_many"] += answer.too_many

    def _go_on(self, answer: FactList, units: list[Unit]) -> None:
        """Ask again about the turns from the last one that a cut-off answer mentions."""
        spoken = [fact.turn for fact in answer.facts if fact.turn and fact.turn <= len(units)]
        rest = units[spoken[-1] - 1 :] if spoken else units
        if len(rest) < len(units):
            self.todo.appendleft(rest)
        elif parts := halves(units):
            # The answer to a smaller part has room for all of its facts.
            self.todo.extendleft(reversed(parts))
        else:
            self.rejected["cut"] += 1
