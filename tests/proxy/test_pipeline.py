"""The deadline, fail-open and the outcome, in one place."""

import asyncio

import pytest

from filters import Answer, Injection, Outcome, Verdict
from memory.errors import EmbeddingError, StateError
from proxy.guard import Breaker, Guard
from proxy.pipeline import Pipeline
from proxy.telemetry import Telemetry


class Step:
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


class Captures:
    """A capture that does what it is told."""

    def __init__(self, result):
        self._result = result

    async def response(self, _exchange, _answer):
        if isinstance(self._result, BaseException):
            raise self._result
        return self._result


def pipeline(*steps, capture=False, due=None, deadline_seconds=10.0, guard=None):
    wakes = [] if due is None else due
    return Pipeline(
        steps,
        Captures(capture),
        Telemetry(),
        deadline_seconds=deadline_seconds,
        on_due=lambda: wakes.append(1),
        guard=guard,
    )


def inject(verdict=None):
    async def work(exchange):
        exchange.injections = [Injection(0, "x")]
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


async def test_no_verdict_is_empty(exchange):
    """Filters that all find nothing to say mean there was nothing."""
    assert (await pipeline(Step()).recall(exchange())).outcome is Outcome.EMPTY


async def test_the_injection_of_an_injected_outcome_stays(exchange):
    """What inject noted is what the request gets."""
    asked = exchange()
    verdict = await pipeline(Step(inject(Verdict(Outcome.INJECTED, "personal")))).recall(asked)
    assert verdict.outcome is Outcome.INJECTED
    assert asked.injections


@pytest.mark.parametrize(
    ("last", "outcome", "reason"),
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
    step = pipeline(Step(inject()), Step(hang), deadline_seconds=0.01)
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
    steps = pipeline(
        first, dead, last, guard=Guard(Breaker(failures=2, seconds=300), max_concurrent=4)
    )
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


async def test_a_late_part_is_asked_no_more(exchange):
    """The deadline counts as the failure of the filter it ran out in."""

    async def hang(_exchange):
        await asyncio.Event().wait()

    late = Calling(hang)
    guard = Guard(Breaker(failures=2, seconds=300), max_concurrent=4)
    steps = pipeline(late, deadline_seconds=0.01, guard=guard)
    reasons = [(await steps.recall(exchange())).reason for _ in range(4)]
    assert reasons == ["deadline", "deadline", "circuit_open", "circuit_open"]
    assert late.calls == 2


@pytest.mark.parametrize(("due", "wakes"), [(True, [1]), (False, [])])
async def test_a_due_capture_wakes_the_learner(exchange, due, wakes):
    """Only a turn that makes its conversation due wakes anybody."""
    woken = []
    await pipeline(capture=due, due=woken).capture(exchange(), Answer("a"))
    assert woken == wakes


@pytest.mark.parametrize("error", [StateError("disk full"), ZeroDivisionError("odd")])
async def test_a_failing_capture_does_not_raise(exchange, error, caplog):
    """It is logged, without any text of the conversation."""
    await pipeline(capture=error).capture(exchange(), Answer("the answer"))
    assert "c1" in caplog.text
    assert "the answer" not in caplog.text
    assert "Where do I live" not in caplog.text


async def test_a_cancelled_capture_is_cancelled(exchange):
    """Cancellation is not swallowed as a failure."""
    with pytest.raises(asyncio.CancelledError):
        await pipeline(capture=asyncio.CancelledError()).capture(exchange(), Answer("a"))
