"""Learning from earlier chats by a budget: what it costs, the question, and what came of it."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from .api_client import ask, goes_on, nothing_to_open
from .base import CommandError
from .terminal import Progress, amount, confirm, say

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.model.types import Scope

MOST_CALLS = 100_000
POLL_SECONDS = 1.0
STILL_SECONDS = 60.0
"""Without a call for so long, somebody is told that it goes on by itself."""
_BUDGET = re.compile(r"\s*(\d{1,6})(\s+calls?)?\s*")
_EARLIER = "/v1/memories/jobs/earlier"


def calls_in(text: str) -> int:
    """The calls of a budget such as "50 calls". Raises argparse.ArgumentTypeError."""
    found = _BUDGET.fullmatch(text)
    if found is None or not 0 < int(found[1]) <= MOST_CALLS:
        expected = f'expected a number of calls from 1 to {MOST_CALLS}, such as "50 calls"'
        raise argparse.ArgumentTypeError(expected)
    return int(found[1])


def learn(settings: Settings, scope: Scope, calls: int, *, sure: bool) -> None:
    """Tell what it costs, ask, spend the calls, and tell what was learned.

    Raises:
        CommandError: nobody agreed, or there is nothing to open; and RecollectError.
    """
    told = ask(settings, scope.tenant, _query(_EARLIER, scope, calls=str(calls)))
    if told is None:
        if nowhere := nothing_to_open(settings):
            raise CommandError(nowhere)
        asyncio.run(_here(settings, scope, calls, sure=sure))
        return
    if not agreed(told, calls, sure=sure):
        return
    state = _query("/v1/memories/state", scope)
    before, unread = _known(ask(settings, scope.tenant, state)), told["unread"]["turns"]
    if not told["spending"]:
        told = ask(settings, scope.tenant, _EARLIER, "POST", {**scope.ids(), "calls": calls})
    whole, still = max(calls, told["left"]), time.monotonic()
    try:
        with Progress("learning") as progress:
            while told["spending"] and time.monotonic() - still <= STILL_SECONDS:
                progress(whole - told["left"], whole)
                time.sleep(POLL_SECONDS)
                before_it = told["left"]
                told = ask(settings, scope.tenant, _query(_EARLIER, scope, calls=str(calls)))
                still = time.monotonic() if told["left"] != before_it else still
    except KeyboardInterrupt:
        stop = f"{_EARLIER} -d '{json.dumps({**scope.ids(), 'calls': 0})}'"
        look = _query(_EARLIER, scope)
        raise goes_on(settings, "the budget", look=look, stop=stop) from None
    _report(before, _known(ask(settings, scope.tenant, state)), unread, told)


async def _here(settings: Settings, scope: Scope, calls: int, *, sure: bool) -> None:
    from recollect.memory import AsyncMemory
    from recollect.memory.engine.engine import Engine

    async with Engine.open(settings) as engine:
        memory, ids = AsyncMemory(engine, tenant=scope.tenant), scope.ids()
        told = await memory.jobs.earlier(calls=calls, **ids)
        if not agreed(told, calls, sure=sure):
            return
        before, unread = _known(await memory.state(**ids)), told["unread"]["turns"]
        if not told["spending"]:
            told = await memory.jobs.learn_earlier(calls, **ids)
        whole = max(calls, told["left"])
        with Progress("learning") as progress:
            async for _ in engine.background.learning.flushing(scope, seconds=math.inf):
                told = await memory.jobs.earlier(calls=calls, **ids)
                progress(whole - told["left"], whole)
        _report(before, _known(await memory.state(**ids)), unread, told)


def agreed(told: Mapping[str, Any], calls: int, *, sure: bool) -> bool:
    """Tell what it costs, and ask; False if there is nothing to learn from.

    A budget that is being spent goes on without a question. Raises CommandError without a yes.
    """
    unread, covered = told["unread"], told["covered"]
    if told["spending"]:
        say(f"a budget is being spent already, {amount(told['left'], 'call')} left: it goes on")
        return True
    if not unread["turns"]:
        say("a model has read all of it: there is nothing to learn from")
        return False
    say(f"in all {_cost(unread)}")
    share = round(100 * covered["turns"] / unread["turns"])
    most = amount(calls, "call")
    say(f"at most {most}, newest conversations first: {share} % of it, {_cost(covered)}")
    say("  facts that do not agree take a call more; hours and days keep their limits (learn.*)")
    if not sure:
        confirm(f"Spend up to {most}?", "nothing was learned")
    return True


def _cost(cost: Mapping[str, int]) -> str:
    whole = f"{_said(cost['turns'])} in {amount(cost['conversations'], 'conversation')}"
    return f"{whole}: about {amount(cost['calls'], 'call')} and {amount(cost['tokens'], 'token')}"


def _said(turns: int) -> str:
    return amount(turns, "thing said", "things said")


def _report(before: int, after: int, unread: int, told: Mapping[str, Any]) -> None:
    rest = told["unread"]["turns"]
    new = amount(max(after - before, 0), "memory", "memories")
    say(f"learned: {new} of {_said(unread - rest)}")
    if told["spending"]:
        say(f"  it goes on as soon as a model may be asked: {amount(told['left'], 'call')} left")
    elif rest:
        say(f"  {_said(rest)} left unread: --learn with another --budget goes on")


def _known(state: Mapping[str, Any]) -> int:
    return sum(sum(statuses.values()) for statuses in state["memories"].values())


def _query(path: str, scope: Scope, **more: str) -> str:
    return f"{path}?{urlencode({**scope.ids(), **more}, errors='replace')}"
