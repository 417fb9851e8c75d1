"""Counts for `/metrics` as things happen. A chat costs a few additions."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from http import HTTPStatus

from recollect.filters import Exchange, Outcome, Verdict
from recollect.memory.engine.engine import Run, RunOutcome
from recollect.memory.model.costs import UPKEEP
from recollect.memory.model.jobs import JobKind, Spent

from . import names
from .exposition import Bars, MetricFamily

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds: a recall takes some milliseconds; its deadline is some hundreds at most."""
MOST_WORDS = 200
"""Most combinations of label values of a metric: words are ours, so there are far fewer."""
MOST_TENANTS = 1000
"""Most combinations of a tenant and a model; servers name models, and may name any."""
MODEL_CHARS = 64
"""Of a model's name that are a label."""
OTHER = "other"


class Totals:
    """Counters since the start of the process."""

    def __init__(self) -> None:
        self.in_flight = 0
        """Chats whose answer has not ended; the route counts up and down."""
        self._chats: Counter[tuple[str, ...]] = Counter()
        self._runs: Counter[tuple[str, ...]] = Counter()
        self._operations: Counter[tuple[str, ...]] = Counter()
        self._tools: Counter[tuple[str, ...]] = Counter()
        self._asked: Counter[tuple[str, ...]] = Counter()
        self._asked_bars: dict[tuple[str, ...], list[int]] = {}
        self._asked_seconds: dict[tuple[str, ...], float] = {}
        self._upkeep: Counter[tuple[str, ...]] = Counter()
        self._upkeep_tokens: Counter[tuple[str, ...]] = Counter()
        self._calls: Counter[tuple[str, ...]] = Counter()
        self._input: Counter[tuple[str, ...]] = Counter()
        self._output: Counter[tuple[str, ...]] = Counter()
        self._bars = [0] * (len(BOUNDS) + 1)
        self._seconds = 0.0
        self._memories = 0
        self._withheld = 0
        self.withheld_calls: Callable[[], int] = int
        """How much a policy kept out of our own requests to models."""
        self._tokens = 0
        self._prompt_tokens = 0
        self._cached_tokens = 0

    def chat(self, verdict: Verdict, exchange: Exchange | None, seconds: float) -> None:
        """A chat ended; its recall took so many seconds, 0 if there was none."""
        _add(self._chats, (verdict.outcome.value, verdict.reason))
        if seconds:
            self._bars[bisect_left(BOUNDS, seconds)] += 1
            self._seconds += seconds
        self._withheld += 0 if exchange is None else exchange.withheld
        if verdict.outcome is Outcome.INJECTED and exchange is not None:
            self._memories += len(exchange.injected)
            if exchange.selection is not None:
                self._tokens += exchange.selection.tokens

    def operation(self, name: str, status: int, seconds: float) -> None:
        """An operation of the memory API was answered with this status, after so many seconds."""
        _add(self._asked, (name, _outcome(status)))
        labels: tuple[str, ...] = (name,)
        if labels not in self._asked_bars and len(self._asked_bars) >= MOST_WORDS:
            labels = (OTHER,)
        bars = self._asked_bars.setdefault(labels, [0] * (len(BOUNDS) + 1))
        bars[bisect_left(BOUNDS, seconds)] += 1
        self._asked_seconds[labels] = self._asked_seconds.get(labels, 0.0) + seconds

    def tool(self, name: str, *, failed: bool) -> None:
        """A call of one of our tools in a chat was carried out."""
        _add(self._tools, (name, "error" if failed else "ok"))

    def learned(self, run: Run) -> None:
        """A run of a job ended: of learning, or of upkeep."""
        if run.job.kind in UPKEEP:
            _add(self._upkeep, (run.job.kind.value, _of_upkeep(run)))
            return
        _add(self._runs, (run.outcome.value, run.failure))
        for event in run.events:
            _add(self._operations, (event.value.lower(),))

    def reported(self, prompt_tokens: int, cached_tokens: int) -> None:
        """A model server told what a prompt took, and how much of it its cache had."""
        self._prompt_tokens += prompt_tokens
        self._cached_tokens += cached_tokens

    def spent(self, tenant: str, model: str, kind: JobKind, spent: Spent) -> None:
        """A model was called for learning or upkeep. Upkeep is not counted as extraction."""
        if kind in UPKEEP:
            self._upkeep_tokens[kind.value, "input"] += spent.prompt_tokens
            self._upkeep_tokens[kind.value, "output"] += spent.completion_tokens
            return
        labels: tuple[str, ...] = tenant, model[:MODEL_CHARS]
        if labels not in self._calls and len(self._calls) >= MOST_TENANTS:
            labels = OTHER, OTHER
        self._calls[labels] += spent.calls
        self._input[labels] += spent.prompt_tokens
        self._output[labels] += spent.completion_tokens

    def families(self) -> Iterator[MetricFamily]:
        """All counters. Fail-opens, refusals and deadlines are chats, named for their alerts."""
        degraded = {
            labels[1]: count
            for labels, count in self._chats.items()
            if labels[0] == Outcome.DEGRADED.value
        }
        yield MetricFamily(names.CHATS, dict(self._chats))
        yield MetricFamily(names.IN_FLIGHT, {(): self.in_flight})
        yield MetricFamily(names.FAIL_OPENS, {(cause,): count for cause, count in degraded.items()})
        yield MetricFamily(names.REFUSED, {(): degraded.get("refused_by_upstream", 0)})
        yield MetricFamily(names.DEADLINES, {(): degraded.get("deadline", 0)})
        yield MetricFamily(
            names.RECALL_SECONDS, {(): Bars(BOUNDS, tuple(self._bars), self._seconds)}
        )
        yield MetricFamily(names.INJECTED, {(): self._memories})
        yield MetricFamily(names.INJECTED_TOKENS, {(): self._tokens})
        yield MetricFamily(names.PROMPT_TOKENS, {(): self._prompt_tokens})
        yield MetricFamily(names.CACHED_TOKENS, {(): self._cached_tokens})
        yield MetricFamily(names.RUNS, dict(self._runs))
        yield MetricFamily(names.OPERATIONS, dict(self._operations))
        yield MetricFamily(names.API_CALLS, dict(self._asked))
        yield MetricFamily(
            names.API_SECONDS,
            {
                labels: Bars(BOUNDS, tuple(bars), self._asked_seconds[labels])
                for labels, bars in self._asked_bars.items()
            },
        )
        yield MetricFamily(names.TOOL_CALLS, dict(self._tools))
        yield MetricFamily(
            names.WITHHELD, {("chat",): self._withheld, ("call",): self.withheld_calls()}
        )
        yield MetricFamily(names.EXTRACTION_CALLS, dict(self._calls))
        tokens = {"input": self._input, "output": self._output}
        yield MetricFamily(
            names.EXTRACTION_TOKENS,
            {(*key, kind): count for kind, each in tokens.items() for key, count in each.items()},
        )
        yield MetricFamily(names.UPKEEP_RUNS, dict(self._upkeep))
        yield MetricFamily(names.UPKEEP_TOKENS, dict(self._upkeep_tokens))


def _outcome(status: int) -> str:
    if status < HTTPStatus.BAD_REQUEST:
        return "ok"
    return "refused" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "failed"


def _of_upkeep(run: Run) -> str:
    """How a run of upkeep ended: it learns nothing, and may rest for want of a model."""
    if run.outcome is RunOutcome.LEARNED:
        return "changed"
    return "rested" if run.unasked else run.outcome.value


def _add(counter: Counter[tuple[str, ...]], labels: tuple[str, ...]) -> None:
    """Count it, as `other` once there are too many: a scrape stays small whatever happens."""
    if labels not in counter and len(counter) >= MOST_WORDS:
        labels = (OTHER,) * len(labels)
    counter[labels] += 1
