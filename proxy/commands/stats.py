"""`recollect stats`: what memory took and gave, by day."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from .api_client import add_scope_to, ask, nothing_to_open, other_tenants
from .columns import right
from .terminal import say, show

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine

DEFAULT_DAYS = 30
_FIGURES = (
    ("chats", "chats"),
    ("recalled", "recalled"),
    ("injected_lines", "lines"),
    ("injected_tokens", "tokens"),
    ("extraction_calls", "extracted"),
    ("extraction_tokens", "tokens"),
    ("upkeep_calls", "upkeep"),
    ("upkeep_tokens", "tokens"),
    ("embedded_texts", "embedded"),
    ("learned", "learned"),
    ("whatif_calls", "what-if"),
    ("whatif_tokens", "tokens"),
)
"""Those of the table with their headings; `--json` has all."""
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
    path = f"/v1/memories/stats?{urlencode({'days': options.days})}"
    answer = ask(settings, tenant, path) or asyncio.run(_read(settings, tenant, options.days))
    if not answer["days"]:
        hint = other_tenants(settings, options)
        say(f"recollect: nothing was counted in {options.days} days (tenant {tenant}){hint}")
        return 1
    if options.json:
        for day in answer["days"]:
            show(json.dumps(day, ensure_ascii=False))
    else:
        show(table(answer))
        say(about_upkeep(answer["totals"]))
        say(_about_caches(answer["totals"]))
    return 0


async def _read(settings: Settings, tenant: str, days: int) -> Mapping[str, Any]:
    from recollect.memory import AsyncMemory
    from recollect.memory.engine.engine import Engine
    from recollect.memory.model.errors import StoreError

    if missing := nothing_to_open(settings):
        raise StoreError(missing)
    async with Engine.open(settings) as engine:
        return await AsyncMemory(engine, tenant=tenant).stats(days)


def table(answer: Mapping[str, Any]) -> str:
    """One line for each day, and one for all of them. Pure."""
    rows = [("day", *(heading for _, heading in _FIGURES))]
    rows += [_row(day["day"], day) for day in answer["days"]]
    rows.append(_row("all", answer["totals"]))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0]), *map(right, row[1:], widths[1:])],
        )
        for row in rows
    )


def _row(name: str, figures: Mapping[str, Any]) -> tuple[str, ...]:
    return name, *(f"{figures[key]:,}" for key, _ in _FIGURES)


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
