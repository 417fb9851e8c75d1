"""The deadline, fail-open and the outcome, in one place."""

import asyncio
from collections import Counter, defaultdict

import pytest

from recollect.filters import (
    Answer,
    Injection,
    Outcome,
    Place,
    Position,
    RequestRecallOptions,
    Verdict,
)
from recollect.filters.exchange import Improvement, RequestFilter
from recollect.filters.inject.working_blocks import WorkingBlocks
from recollect.memory.blocks import BlockPage
from recollect.memory.model.errors import EmbeddingError, ModelError, StateError
from recollect.memory.util.breaker import Breaker
from recollect.proxy.chat.guard import Guard
from recollect.proxy.chat.pipeline import Pipeline
from recollect.proxy.telemetry.tracing import Telemetry
from tests.support.folding import rows


class Step(RequestFilter):
    """A filter made of a function."""

    def __init__(self, work=None, name="step"):
        self.name = name
        self.calls = 0
        self._work = work

    async def request(self, exchange):
        self.calls += 1
        if self._work is not None:
            await self._work(exchange)


class Calling(Step):
    """One that asks a part, unless it remembers the answer."""

    remembers = False

    def calls_out(self, _exchange):
        return not self.remembers


class Improving(Step):
    """One that knows a better way, for as long as it is told to."""

    part = ""
    seconds = 10.0

    def __init__(self, better, **more):
        super().__init__(**more)
        self.tries = 0
        self.gave_up = []
        self._better = better

    def improvement(self, exchange):
        if self._better is None:
            return None

        async def run():
            self.tries += 1
            await self._better(exchange)

        return Improvement(self.part, self.seconds, run, self.gave_up.append)


class Captures:
    """A capture that does what it is told."""

    def __init__(self, result):
        self._result = result

    async def response(self, _exchange, _answer):
        if isinstance(self._result, BaseException):
            raise self._result
        return self._result

    def notice(self, _exchange, *, learns):
        if isinstance(self._result, BaseException) and learns:
            raise self._result

    async def judge(self, _exchange, _shape):
        raise self._result


def pipeline(*steps, capture=False, due=None, deadline_ms=10_000, at_a_time=None, **bounds):
    """`at_a_time`: two failures open the circuit for good, and so many calls may be out."""
    wakes = [] if due is None else due
    made = Pipeline(
        steps,
        Captures(capture),
        Telemetry(),
        options=RequestRecallOptions(deadline_ms=deadline_ms, **bounds),
        wake=lambda: wakes.append(1),
    )
    if at_a_time is not None:
        made.bounds.recall = Guard(Breaker(failures=2, seconds=300), at_a_time)
        parts = defaultdict(lambda: Guard(Breaker(failures=2, seconds=300), at_a_time))
        made.bounds.of = parts.__getitem__
    return made


async def hang(_exchange):
    await asyncio.Event().wait()


def inject(verdict=None):
    async def work(exchange):
        exchange.injections = [Injection(0, "x", Place.TAIL)]
        exchange.verdict = verdict

    return work


def raising(error):
    async def work(_exchange):
        raise error

    return work


async def test_filters_run_in_order_until_one_ends_it(exchange):
    """The first verdict is the outcome, and nothing runs after it."""
    verdict = Verdict(Outcome.SKIPPED, "greeting")

    async def end(exchange):
        exchange.verdict = verdict

    first, last = Step(), Step()
    assert await pipeline(first, Step(end), last).recall(exchange()) is verdict
    assert (first.calls, last.calls) == (1, 0)


@rows(
    "last, outcome, reason",
    [
        (None, Outcome.EMPTY, "no_memories"),
        (raising(EmbeddingError("no")), Outcome.DEGRADED, "embedding_failed"),
        (raising(ZeroDivisionError()), Outcome.DEGRADED, "internal_error"),
        (raising(MemoryError()), Outcome.DEGRADED, "internal_error"),
        (raising(TimeoutError()), Outcome.DEGRADED, "deadline"),
    ],
)
async def test_no_other_outcome_injects(exchange, last, outcome, reason):
    """Half-done work is taken back: an injection without its outcome never reaches a request."""
    asked = exchange()
    verdict = await pipeline(Step(inject()), Step(last)).recall(asked)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)
    assert not asked.injections


async def test_a_hanging_filter_is_left_at_the_deadline(exchange):
    """The request is not held for it, and the filter is told by cancellation."""
    cancelled = []

    async def hang(_exchange):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(1)
            raise

    asked = exchange()
    step = pipeline(Step(inject()), Step(hang), deadline_ms=10)
    assert await step.recall(asked) == Verdict(Outcome.DEGRADED, "deadline")
    assert cancelled == [1]
    assert not asked.injections


async def test_cancellation_passes_through(exchange):
    """A client that left is no degraded memory: the cancellation goes on to its end."""
    started = asyncio.Event()

    async def hang(_exchange):
        started.set()
        await asyncio.Event().wait()

    task = asyncio.ensure_future(pipeline(Step(hang)).recall(exchange()))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_dead_part_is_asked_no_more(exchange):
    """Filters that call out are refused while the circuit is open; the others run all the same."""
    first, last = Step(), Step()
    dead = Calling(raising(EmbeddingError("no")))
    steps = pipeline(first, dead, last, at_a_time=4)
    verdicts = [await steps.recall(exchange()) for _ in range(4)]
    reasons = ["embedding_failed"] * 2 + ["circuit_open"] * 2
    assert verdicts == [Verdict(Outcome.DEGRADED, reason) for reason in reasons]
    assert (first.calls, dead.calls, last.calls) == (4, 2, 0)
    dead.remembers = True
    dead._work = None
    assert (await steps.recall(exchange())).outcome is Outcome.EMPTY
    assert (await steps.recall(exchange())).outcome is Outcome.EMPTY
    dead.remembers = False
    assert (await steps.recall(exchange())).reason == "circuit_open"


INJECTED = Verdict(Outcome.INJECTED, "personal")


async def test_an_improvement_runs_between_its_filter_and_the_next(exchange):
    """Once, and the next filter sees what it noted; one that knows nothing better runs nothing."""
    seen = []

    async def better(exchange):
        seen.append("better")

    async def then(exchange):
        seen.append("next")
        exchange.verdict = INJECTED

    step = Improving(better)
    assert await pipeline(step, Improving(None), Step(then)).recall(exchange()) is INJECTED
    assert (seen, step.tries, step.gave_up) == (["better", "next"], 1, [])


@rows("better", [hang, raising(ModelError("away"))])
async def test_after_an_improvement_the_deadline_counts_again(exchange, better):
    """What was left of it is what the other filters have, however the improvement ended."""
    step = Improving(better)
    step.seconds = 0.01
    verdict = await pipeline(step, Step(hang), deadline_ms=50).recall(exchange())
    assert verdict == Verdict(Outcome.DEGRADED, "deadline")


@rows(
    "error, why",
    [
        (ModelError("away"), "model_failed"),
        (ZeroDivisionError(), "internal_error"),
        (TimeoutError(), "deadline"),
        (MemoryError(), "internal_error"),
    ],
)
async def test_a_failing_improvement_never_degrades_the_recall(exchange, error, why):
    """Whatever it raises."""
    step = Improving(raising(error))
    steps = pipeline(step, Step(inject(INJECTED)))
    assert await steps.recall(exchange()) is INJECTED
    assert step.gave_up == [why]


async def test_a_part_that_improves_nothing_is_left_alone(exchange):
    """By itself: neither the recall nor another part is refused for it."""
    step = Improving(raising(ModelError("away")))
    recall = Calling(inject(INJECTED))
    steps = pipeline(step, recall, at_a_time=4)
    steps.bounds.recall = Guard(Breaker(failures=1, seconds=300), 4)
    for _ in range(4):
        assert await steps.recall(exchange()) is INJECTED
    assert step.gave_up == ["model_failed"] * 2 + ["circuit_open"] * 2
    step.part = "another"
    await steps.recall(exchange())
    assert (step.tries, step.gave_up[-1]) == (3, "model_failed")


async def test_a_late_improvement_counts_as_failed(exchange):
    """A dead model must not cost every request its time."""
    step = Improving(hang)
    step.seconds = 0.01
    steps = pipeline(step, at_a_time=4)
    for _ in range(4):
        await steps.recall(exchange())
    assert step.gave_up == ["deadline", "deadline", "circuit_open", "circuit_open"]


@rows("error", [StateError("disk full"), ZeroDivisionError("odd")])
async def test_a_failing_capture_does_not_raise(exchange, error, caplog):
    """It is logged, without any text of the conversation."""
    await pipeline(capture=error).capture(exchange(), Answer("the answer"))
    assert "c1" in caplog.text
    assert "the answer" not in caplog.text
    assert "Where do I live" not in caplog.text


async def test_a_part_that_is_down_costs_a_line_for_each_lost_turn(exchange, caplog):
    """The line names the part; a traceback is for defects."""
    await pipeline(capture=StateError("redis is away")).capture(exchange(), Answer("a"))
    [record] = caplog.records
    assert record.levelname == "ERROR"
    assert record.getMessage() == (
        "a turn of conversation c1 is lost: state_unavailable: redis is away"
    )
    assert record.exc_info is None


async def test_a_cancelled_capture_is_cancelled(exchange):
    """Cancellation is not swallowed as a failure."""
    with pytest.raises(asyncio.CancelledError):
        await pipeline(capture=asyncio.CancelledError()).capture(exchange(), Answer("a"))


async def test_how_recalls_ended_is_counted(exchange):
    """For `/readyz`: kept, refused because of others, and late; a skipped one is none."""
    counted = Counter()
    for work, word in (
        (None, "kept"),
        (inject(Verdict(Outcome.INJECTED, "personal")), "kept"),
        (inject(Verdict(Outcome.SKIPPED, "greeting")), None),
        (inject(Verdict(Outcome.DEGRADED, "busy")), "busy"),
        (hang, "late"),
    ):
        steps = pipeline(Step(work), deadline_ms=10 if word == "late" else 10_000)
        await steps.recall(exchange())
        ends = {end: steps.bounds.counted[end] for end in ("kept", "busy", "late")}
        assert ends == {"kept": 0, "busy": 0, "late": 0} | ({word: 1} if word else {})
        counted.update(ends)
    assert counted == {"kept": 2, "busy": 1, "late": 1}


async def test_a_rehearsal_is_no_recall():
    """It is counted nowhere; where nothing is recalled, none is run."""
    step = Calling()
    steps = pipeline(step)
    await steps.warm_up()
    assert step.calls == 1
    assert (steps.bounds.counted["kept"], steps.bounds.counted["late"]) == (0, 0)
    off = pipeline(step, enabled=False)
    await off.warm_up()
    assert step.calls == 1


async def test_a_request_that_cannot_be_told_is_a_turn(exchange):
    """A defect there costs nothing but the telling."""
    line = pipeline(capture=RuntimeError("defect"))
    asked = exchange()
    await line.notice(asked, learns=True)
    assert not asked.is_side_request


async def test_a_side_request_gets_no_earlier_blocks(exchange):
    """What is put back into the turns of a conversation is not put into what is asked about it."""

    class Repeats(Step):
        def settle(self, exchange):
            exchange.injections = [Injection(0, "block")]

    asked = exchange()
    asked.is_side_request = True
    await pipeline(Repeats()).recall(asked)
    assert asked.injections == ()


class Pages:
    """The working blocks of everybody; reading them may take its time."""

    def __init__(self, *, hangs=False):
        self.hangs = hangs

    def knows(self, _scope):
        return not self.hangs

    async def page(self, _scope):
        if self.hangs:
            await hang(None)
        return BlockPage("the blocks", complete=True)


async def test_a_late_recall_leaves_the_blocks(exchange):
    """What is known at once is injected; blocks that are not known in time hold no chat."""
    asked = exchange()
    steps = (WorkingBlocks(Pages(), Position.AUTO), Step(hang))
    verdict = await pipeline(*steps, deadline_ms=10).recall(asked)
    assert (verdict.outcome, verdict.reason) == (Outcome.DEGRADED, "deadline")
    assert [each.text for each in asked.injections] == ["the blocks"]
    asked = exchange()
    steps = (WorkingBlocks(Pages(hangs=True), Position.AUTO), Step())
    assert (await pipeline(*steps, deadline_ms=10).recall(asked)).reason == "deadline"
    assert asked.injections == ()


@rows("word", ["greeting", "empty"])
async def test_blocks_are_there_if_nothing_else_is(exchange, word):
    """A skipped request gets them, and its outcome says so."""
    asked = exchange()
    skips = Step(inject(Verdict(Outcome.SKIPPED, word)))
    steps = (WorkingBlocks(Pages(), Position.AUTO), skips)
    verdict = await pipeline(*steps).recall(asked)
    assert verdict == Verdict(Outcome.INJECTED, "blocks")
    assert [each.text for each in asked.injections] == ["the blocks"]
