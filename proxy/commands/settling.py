"""`recollect memories conflicts` and `settle`: memories of one matter that nobody judged yet."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from .api_client import add_scope_to, named, scope_of
from .terminal import say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory import AsyncMemory

    from .base import Commands

ACTIONS = frozenset({"conflicts", "settle"})
_PATH = "/v1/memories"


def add_parsers(actions: Commands, shared: argparse.ArgumentParser) -> None:
    """Register both actions."""
    listing = actions.add_parser(
        "conflicts",
        parents=[shared],
        help="show memories of one matter that no model and no person judged yet",
    )
    add_scope_to(listing)
    listing.add_argument("--json", action="store_true", help="one JSON object per line")
    settle = actions.add_parser(
        "settle", parents=[shared], help="say which of these memories another one replaces"
    )
    settle.add_argument("id", metavar="ID", help="the id of the memory that is judged")
    settle.add_argument(
        "--replaces",
        nargs="+",
        default=[],
        metavar="ID",
        help="what it replaces; nothing: all stay (`memories restore` undoes it)",
    )
    settle.add_argument("--tenant", metavar="T", help="tenant (default: identity.tenant)")
    settle.add_argument("--json", action="store_true", help="print JSON")


def request(settings: Settings, options: argparse.Namespace) -> tuple[str, str, Any]:
    """The path, the method and the body that say the same over REST."""
    if options.action == "conflicts":
        query = urlencode(scope_of(settings, options).ids(), errors="replace")
        return f"{_PATH}/conflicts?{query}", "GET", None
    name = quote(options.id, safe="", errors="replace")
    return f"{_PATH}/{name}/settle", "POST", {"replaces": options.replaces}


async def answer_of(memory: AsyncMemory, settings: Settings, options: argparse.Namespace) -> Any:
    """The answer of a memory that was opened in this process."""
    if options.action == "conflicts":
        ids: dict[str, Any] = scope_of(settings, options).ids()
        return await memory.conflicts(**ids)
    return await memory.settle(options.id, replaces=options.replaces)


def listed(settings: Settings, options: argparse.Namespace, answer: dict[str, Any]) -> int:
    """Show the conflicts; 1 if there is none."""
    from .memories_table import listing

    found = answer["results"]
    if not found:
        say(f"recollect: nothing is pending for {named(scope_of(settings, options))}")
        return 1
    if options.json:
        for one in found:
            show(json.dumps(one, ensure_ascii=False))
        return 0
    for one in found:
        show(listing([one["memory"]]))
        show("    may be about the same matter as:")
        show(listing(one["others"]) + "\n")
    say(f"{len(found)} pending; `recollect memories settle ID --replaces ID` settles one")
    return 0
