"""What is done after the answer, off the request path: the work of single rounds of the loops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

from recollect.memory.model.jobs import JobState

from .asking import chat, conversation, question, remember, statement, told
from .product import Composed

TURNS = 10
"""`learn.every_turns`: the last one makes a job."""
TOPIC = 5
"""The first turn whose topic is compared with those before it."""

TOLD = (
    *("live in Lisbon", "drive a red truck", "study marine biology", "play the violin"),
    *("own two greyhounds", "cook without gluten", "lead the payroll team", "collect stamps"),
    *("swim every morning", "grow tomatoes on the roof"),
)
"""What the user tells turn by turn: facts of which none could be another one's news."""

Step = Callable[[Composed, int], str]


def later() -> Iterator[tuple[str, Step, Step]]:
    """Names, what is counted, and what is made ready before it."""
    yield "later, a statement is heard and embedded", hear, _states
    yield "later, the topic of a fifth turn", _checks, _turns(TOPIC)
    yield f"later, {TURNS} turns are learned", _learns, _turns(TURNS)
    yield f"later, {TURNS} turns are told", _tells, _told_later
    yield "later, shown memories are counted", _settles, _recalls
    yield "later, a request with memories is audited", _audits, _recalls


def hear(product: Composed, _number: int) -> str:
    """Show what was said, embed it, and compare it with what is known."""
    indexer = product.engine.indexer
    heard, bare = indexer._heard, indexer._bare
    product.until(
        lambda: not indexer.depth and _awaited(heard) and _awaited(bare),
        *(indexer.listen(), indexer.embed()),
    )
    return "heard"


def _states(product: Composed, number: int) -> str:
    user = f"heard{number}"
    remember(product, user)
    chat(product, user, conversation(f"before {number:03}", question(number)))
    _empty(product.engine.indexer._heard)
    return told(chat(product, user, conversation(f"sample {number:03}", statement(number))))


def _turns(most: int) -> Step:
    """So many turns of one conversation, resent as clients do."""

    def ready(product: Composed, number: int) -> str:
        _work_off(product)
        drift = product.engine.background._drift
        _empty(product.engine.indexer._heard)
        _empty(drift.waiting)
        begun = conversation(f"sample {number:03}", "")[:-1]
        for turn in range(most):
            said = [{"role": "user", "content": _said(number, each)} for each in range(turn + 1)]
            chat(product, f"talking{most}-{number}", [*begun, *said])
        return hear(product, number)

    return ready


def _said(number: int, turn: int) -> str:
    return f"I {TOLD[turn]} {number:03}."


def _checks(product: Composed, _number: int) -> str:
    drift = product.engine.background._drift
    product.until(lambda: _awaited(drift.waiting), drift.run())
    return "compared"


def _learns(product: Composed, number: int) -> str:
    product.outside.learned = tuple(f"User {told} {number:03}" for told in TOLD)
    run = product.run(product.engine.background.worker.run_one())
    return "no job" if run is None else f"{run.outcome.value} {len(run.events)} {run.error}".strip()


def _told_later(product: Composed, number: int) -> str:
    """Turns that are learned, and whose conversation is taken for over."""
    ready = _turns(TURNS)(product, number)
    _learns(product, number)
    _work_off(product)
    for report in product.run(product.engine.parts.state.jobs.reports(state=JobState.READY)):
        product.run(product.engine.parts.state.jobs.hasten(report.job.id))
    return ready


def _tells(product: Composed, _number: int) -> str:
    run = product.run(product.engine.background.worker.run_one())
    return "no job" if run is None else f"{run.outcome.value} {len(run.events)} {run.error}".strip()


def _work_off(product: Composed) -> None:
    """Run what earlier requests left: episodes, which then wait for the end of a conversation."""
    while product.run(product.engine.background.worker.run_one()) is not None:
        pass


def _recalls(product: Composed, number: int) -> str:
    _settles(product, number)
    product.run(product.engine.injected.flush())
    remember(product, f"shown{number}")
    messages = conversation(f"sample {number:03}", question(number))
    return told(chat(product, f"shown{number}", messages))


def _settles(product: Composed, _number: int) -> str:
    return f"counted {product.run(product.engine.background.count_recalls())}"


def _audits(product: Composed, _number: int) -> str:
    waiting = len(product.engine.injected._waiting)
    product.run(product.engine.injected.flush())
    return f"audited {waiting}"


def _awaited(queue: asyncio.Queue[Any]) -> bool:
    """Whether all that was in it is done, and its loop waits for more."""
    return queue.empty() and bool(queue._getters)  # type: ignore[attr-defined]


def _empty(waiting: asyncio.Queue[Any]) -> None:
    """What earlier requests left to do is not done."""
    while not waiting.empty():
        waiting.get_nowait()
