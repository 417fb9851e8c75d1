"""`recollect users`: who has memories, and how many."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .api_client import (
    add_scope_to,
    ask,
    nothing_to_open,
    other_tenants,
)
from .terminal import plain, say, show

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine

KINDS = ("user", "agent", "run")
_PATH = "/v1/memories/users"


def fill(parser: CommandLine) -> None:
    """Register ``users``."""
    parser.add_argument("--kind", choices=KINDS, help="only users, agents or runs (all)")
    add_scope_to(parser, ids=False)
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or read the store; 1 if nobody has memories."""
    tenant = options.tenant or settings.identity.tenant
    answer = ask(settings, tenant, _PATH)
    found = answer["results"] if answer else asyncio.run(_read(settings, tenant))
    found = [one for one in found if options.kind in {None, one["type"]}]
    if not found:
        who = f"no {options.kind}" if options.kind else "nobody"
        say(f"recollect: {who} has memories (tenant {tenant}){other_tenants(settings, options)}")
        return 1
    if options.json:
        for one in found:
            show(json.dumps(one, ensure_ascii=False))
        return 0
    show(table(found))
    return 0


async def _read(settings: Settings, tenant: str) -> Sequence[Mapping[str, Any]]:
    from recollect.memory import AsyncMemory
    from recollect.memory.engine.engine import Engine
    from recollect.memory.model.errors import StoreError

    if missing := nothing_to_open(settings):
        raise StoreError(missing)
    async with Engine.open(settings) as engine:
        return [{**one} for one in await AsyncMemory(engine, tenant=tenant).users()]


def table(found: Sequence[Mapping[str, Any]]) -> str:
    """One line each; the name, which may have any length, stands last. Pure."""
    rows = [("kind", "memories", "latest change", "name")]
    rows += [
        (one["type"], f"{one['total_memories']:,}", _minute(one["updated_at"]), plain(one["name"]))
        for one in found
    ]
    many = max(len(row[1]) for row in rows)
    return "\n".join(f"{row[0]:<5}  {row[1]:>{many}}  {row[2]:<16}  {row[3]}" for row in rows)


def _minute(stamp: str) -> str:
    return stamp[:16].replace("T", " ")
