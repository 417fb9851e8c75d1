"""`recollect stats`: what memory took and gave, by day."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .api_client import add_scope_to, ask, opened, other_tenants
from .base import CommandError
from .shapes import table
from .terminal import say, show

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine

DEFAULT_DAYS = 30
_TABLE = table(
    day="day",
    chats="chats",
    recalled="recalled",
    lines="injected_lines",
    tokens="injected_tokens",
    extracted="extraction_calls",
    extraction_tokens="extraction_tokens",
    upkeep="upkeep_calls",
    upkeep_tokens="upkeep_tokens",
    embedded="embedded_texts",
    learned="learned",
    what_if="whatif_calls",
    what_if_tokens="whatif_tokens",
)
"""Some of the figures; `--json` has all."""
_UPKEEP = ("consolidate", "episode", "reflect")


def fill(parser: CommandLine) -> None:
    """Register ``stats``."""
    parser.add_argument(
        "--days", type=int, default=DEFAULT_DAYS, metavar="N", help=f"({DEFAULT_DAYS})"
    )
    add_scope_to(parser, ids=False)
    parser.add_argument("--json", action="store_true", help="one JSON object per day")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or read the state; 1 if nothing was counted in these days."""
    tenant = options.tenant or settings.identity.tenant
    answer = ask(settings, tenant, f"/v1/memories/stats?days={options.days}")
    answer = answer or asyncio.run(_read(settings, tenant, options.days))
    if not answer["days"]:
        nothing = f"nothing was counted in {options.days} days (tenant {tenant})"
        raise CommandError(nothing + other_tenants(settings, options))
    days, totals = answer["days"], answer["totals"]
    for line in (
        map(json.dumps, days) if options.json else _TABLE([*days, {"day": "all", **totals}])
    ):
        show(line)
    if not options.json:
        say(about_upkeep(totals))
        say(_about_caches(totals))
    return 0


async def _read(settings: Settings, tenant: str, days: int) -> Mapping[str, Any]:
    async with opened(settings, tenant) as memory:
        return await memory.stats(days)


def about_upkeep(totals: Mapping[str, int]) -> str:
    """Which kinds of upkeep asked a model, and what that took. Pure."""
    told = [f"{kind} {totals[f'{kind}_tokens']:,}" for kind in _UPKEEP if totals[f"{kind}_calls"]]
    return f"tokens of upkeep: {', '.join(told)}" if told else "no model was asked for upkeep"


def _about_caches(totals: Mapping[str, int]) -> str:
    """What model servers report of their prompt caches, which is no saving by memory."""
    answers, prompts = totals["cached_answers"], totals["prompt_tokens"]
    if not answers or not prompts:
        return "no model server reported its prompt cache"
    share = totals["cached_tokens"] / prompts
    return f"{answers:,} answers reported the prompt cache: {share:.0%} of their prompt tokens"
