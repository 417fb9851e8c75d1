"""Learning from earlier chats by a budget: what it costs, the question, and what came of it."""

from __future__ import annotations

import argparse
import asyncio
import math
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from .api_client import ask, nothing_to_open
from .base import CommandError
from .terminal import Progress, confirmed, say

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
    whole, progress, still = max(calls, told["left"]), Progress("learning"), time.monotonic()
    try:
        while told["spending"]:
            progress(whole - told["left"], whole)
            time.sleep(POLL_SECONDS)
            before_it = told["left"]
            told = ask(settings, scope.tenant, _query(_EARLIER, scope, calls=str(calls)))
            still = time.monotonic() if told["left"] != before_it else still
            if time.monotonic() - still > STILL_SECONDS:
                break
    finally:
        progress.end()
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
        whole, progress = max(calls, told["left"]), Progress("learning")
        try:
            async for _ in engine.background.learning.flushing(scope, seconds=math.inf):
                told = await memory.jobs.earlier(calls=calls, **ids)
                progress(whole - told["left"], whole)
        finally:
            progress.end()
        _report(before, _known(await memory.state(**ids)), unread, told)


def agreed(told: Mapping[str, Any], calls: int, *, sure: bool) -> bool:
    """Tell what it costs, and ask; False if there is nothing to learn from.

    A budget that is being spent goes on without a question. Raises CommandError without a yes.
    """
    unread, covered = told["unread"], told["covered"]
    if told["spending"]:
        say(f"a budget is being spent already, {told['left']:,} calls are left: it goes on")
        return True
    if not unread["turns"]:
        say("a model has read all of it: there is nothing to learn from")
        return False
    say(f"all {_amount(unread)}")
    share = round(100 * covered["turns"] / unread["turns"])
    say(f"at most {calls:,} calls, newest conversations first: {share} % of it, {_amount(covered)}")
    say("  facts that do not agree take a call more; hours and days keep their limits (learn.*)")
    if not sure and not confirmed(f"Spend up to {calls:,} calls?"):
        raise CommandError("nothing was learned; without a terminal, say --yes", 2)
    return True


def _amount(cost: Mapping[str, int]) -> str:
    whole = f"{cost['turns']:,} things said in {cost['conversations']:,} conversations"
    return f"{whole}: about {cost['calls']:,} calls and {cost['tokens']:,} tokens"


def _report(before: int, after: int, unread: int, told: Mapping[str, Any]) -> None:
    rest = told["unread"]["turns"]
    say(f"learned: {max(after - before, 0):,} memories of {unread - rest:,} things said")
    if told["spending"]:
        say(f"  it goes on as soon as a model may be asked: {told['left']:,} calls are left")
    elif rest:
        say(f"  {rest:,} are unread: --learn with another --budget goes on")


def _known(state: Mapping[str, Any]) -> int:
    return sum(sum(statuses.values()) for statuses in state["memories"].values())


def _query(path: str, scope: Scope, **more: str) -> str:
    return f"{path}?{urlencode({**scope.ids(), **more}, errors='replace')}"
