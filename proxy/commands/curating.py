"""`recollect memories invalidate` and `revert`: what is not true, and how it is taken back."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from recollect.memory import AsyncMemory

    from .base import Commands

ACTIONS = frozenset({"invalidate", "revert"})


def add_parsers(actions: Commands, shared: argparse.ArgumentParser) -> None:
    """Register both actions."""
    invalidate = _with_id(
        actions,
        shared,
        "invalidate",
        "say that a memory is not true: it is recalled no more and stays listed",
    )
    invalidate.add_argument("--reason", metavar="TEXT", help="why, for whoever sees it listed")
    invalidate.add_argument(
        "--valid-to",
        metavar="TIME",
        help="until when it was true (ISO 8601); without it nobody is told that it ever was",
    )
    revert = _with_id(
        actions, shared, "revert", "take a memory back to how it was: undo what was changed last"
    )
    revert.add_argument(
        "--to",
        type=int,
        metavar="VERSION",
        help="the number of an earlier version; if there is none, the error names those there are",
    )


def _with_id(
    actions: Commands, shared: argparse.ArgumentParser, name: str, summary: str
) -> argparse.ArgumentParser:
    action = actions.add_parser(name, parents=[shared], help=summary)
    action.add_argument("id", metavar="ID", help="the id, as listed")
    action.add_argument("--tenant", metavar="T", help="tenant (default: identity.tenant)")
    action.add_argument("--json", action="store_true", help="print JSON")
    return action


def request(options: argparse.Namespace) -> tuple[str, str, Any]:
    """The path, the method and the body that say the same over REST."""
    name = quote(options.id, safe="", errors="replace")
    path = f"/v1/memories/{name}/{options.action}"
    if options.action == "revert":
        return path, "POST", {} if options.to is None else {"version": options.to}
    told = {"reason": options.reason, "valid_to": options.valid_to}
    return path, "POST", {key: value for key, value in told.items() if value is not None}


async def answer_of(memory: AsyncMemory, options: argparse.Namespace) -> Any:
    """The answer of a memory that was opened in this process."""
    if options.action == "revert":
        return await memory.revert(options.id, options.to)
    return await memory.invalidate(options.id, reason=options.reason, valid_to=options.valid_to)
