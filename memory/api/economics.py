"""What memory took and gave, by tenant and day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime, timedelta
from typing import cast

from typing_extensions import TypedDict

from ..database.costs import SqlLedger
from ..learn.options import LearnOptions
from ..model.costs import LEARNING, UPKEEP, total_of
from ..model.daily_sums import KEEP_DAYS, Summed
from ..model.errors import InvalidInputError
from ..model.jobs import JobKind, Spent
from ..model.types import utc_now
from ..state import State
from ..upkeep.options import UpkeepOptions

DEFAULT_DAYS = 30
MOST_DAYS = KEEP_DAYS
"""Days that an answer has at most: older ones are not kept by every backend."""


class StatsTotals(TypedDict):
    """Sums. They are figures of ours, except where they say otherwise."""

    chats: int
    """Chats of a known user that the model server answered."""
    recalled: int
    """Those of them whose model was given memories."""
    injected_lines: int
    """Memories that were given to models, each time they were."""
    injected_tokens: int
    """What these took of the prompts, counted as `recall.max_tokens` is."""
    extraction_calls: int
    """Calls of models to learn, with those that judge memories of one matter."""
    extraction_tokens: int
    """Tokens of these, as reported; estimated where a server reports none."""
    embedded_texts: int
    """Texts that the embedder was asked for: of chats, of the API and of learning."""
    learned: int
    """Memories that learning from chats wrote: new ones and new versions."""
    cached_tokens: int
    """Prompt tokens that model servers reported as read from their cache."""
    cached_answers: int
    """Answers that reported these. Others do not: the share is known of these answers only."""
    prompt_tokens: int
    """All prompt tokens of these answers, as reported."""
    whatif_calls: int
    """Requests to model servers that asked which memory changed an answer."""
    whatif_tokens: int
    """What these took, as reported."""
    upkeep_calls: int
    """Calls of models for upkeep, beside those to learn."""
    upkeep_tokens: int
    """Tokens of these, as reported or estimated; `upkeep.daily_tokens` bounds them."""
    judge_calls: int
    """Those asked about memories of one matter; part of `extraction_calls`."""
    judge_tokens: int
    consolidate_calls: int
    """Those of consolidation."""
    consolidate_tokens: int
    episode_calls: int
    """Those of episodes."""
    episode_tokens: int
    reflect_calls: int
    """Those of reflection."""
    reflect_tokens: int


class DayStats(StatsTotals):
    """The sums of one tenant and day."""

    day: str
    """UTC, such as ``2026-11-27``."""
    tenant: str


class StatsResults(TypedDict):
    """Days without any sums are left out. The newest few seconds may be missing."""

    days: list[DayStats]
    """Oldest first."""
    totals: StatsTotals


class KindUsage(TypedDict):
    """What jobs of one kind took."""

    calls: int
    tokens: int


class UpkeepUsage(KindUsage):
    """What upkeep took."""

    daily_tokens: int | None
    """Most of a day (`upkeep.daily_tokens`)."""


class UsageDict(TypedDict):
    """What models took today, and what they may take."""

    day: str
    calls: int
    """To learn, as the tokens."""
    prompt_tokens: int
    completion_tokens: int
    tokens: int
    daily_tokens: int | None
    """Most of a day (`learn.daily_tokens`)."""
    calls_this_hour: int
    calls_per_hour: int | None
    """Most of an hour (`learn.hourly_calls`)."""
    upkeep: UpkeepUsage
    kinds: dict[str, KindUsage]


async def usage_of_today(
    ledger: SqlLedger, tenant: str, learn: LearnOptions, upkeep: UpkeepOptions
) -> UsageDict:
    """What a tenant's models took today. Raises StateError."""
    now = utc_now()
    costs = (await ledger.between(tenant, now.date(), now.date())).get(now.date(), {})
    learned, kept = total_of(costs, LEARNING), total_of(costs, UPKEEP)
    hour = now.replace(minute=0, second=0, microsecond=0)
    told = {
        "day": now.date().isoformat(),
        **asdict(learned),
        "tokens": learned.tokens,
        "daily_tokens": learn.daily_tokens,
        "calls_this_hour": await ledger.called(tenant, hour),
        "calls_per_hour": learn.hourly_calls,
        "upkeep": {**_cost(kept), "daily_tokens": upkeep.daily_tokens},
        "kinds": {kind.value: _cost(cost) for kind, cost in costs.items()},
    }
    return cast("UsageDict", told)


def _cost(spent: Spent) -> KindUsage:
    return KindUsage(calls=spent.calls, tokens=spent.tokens)


def checked_days(days: int) -> int:
    """The number of days. Raises InvalidInputError."""
    if isinstance(days, bool) or not isinstance(days, int) or not 1 <= days <= MOST_DAYS:
        raise InvalidInputError("days", f"expected a whole number from 1 to {MOST_DAYS}")
    return days


async def stats_of(state: State, tenant: str, days: int, *, now: datetime) -> StatsResults:
    """The sums of the last `days` days, today included. Raises StateError."""
    last = now.date()
    first = last - timedelta(days=days - 1)
    sums = await state.sums.between(tenant, first, last)
    spent = await state.ledger.between(tenant, first, last)
    told = [_of_day(tenant, day, sums, spent) for day in sorted(sums.keys() | spent.keys())]
    totals = _totals({}, {})
    for one in told:
        for name in totals:
            totals[name] += one[name]  # type: ignore[literal-required]
    return StatsResults(days=told, totals=totals)


def _of_day(
    tenant: str,
    day: date,
    sums: Mapping[date, Mapping[Summed, int]],
    spent: Mapping[date, Mapping[JobKind, Spent]],
) -> DayStats:
    figures = _totals(sums.get(day, {}), spent.get(day, {}))
    return DayStats(day=day.isoformat(), tenant=tenant, **figures)


def _totals(sums: Mapping[Summed, int], costs: Mapping[JobKind, Spent]) -> StatsTotals:
    spent = {"extraction": total_of(costs, LEARNING), "upkeep": total_of(costs, UPKEEP)}
    spent |= {kind.value: costs.get(kind, Spent()) for kind in JobKind}
    told = {each.value: sums.get(each, 0) for each in Summed}
    for name, cost in spent.items():
        told |= {f"{name}_calls": cost.calls, f"{name}_tokens": cost.tokens}
    return cast("StatsTotals", {name: told[name] for name in StatsTotals.__annotations__})
