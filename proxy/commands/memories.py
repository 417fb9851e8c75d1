"""`recollect memories`: list, show, change and validate memories, show their history, move them."""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from . import editing, moving
from .api_client import (
    add_scope_to,
    ask,
    named,
    nothing_to_open,
    nowhere_to_keep,
    scope_of,
)
from .base import CommandError
from .memories_table import JUDGING
from .terminal import say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory import AsyncMemory

    from .arguments import CommandLine

STATUSES = ("active", "quarantined", "superseded", "archived")
KINDS = ("memory", "said")
DEFAULT_LIMIT = 50
DESCRIPTION = """\
Show memories. Quarantined ones are shown with the reasons: the sign, the sentence, and whose words
it is. The command asks the proxy at listen.host and listen.port, with api.token. If no proxy runs
there, it opens the store itself."""


def fill(parser: CommandLine) -> None:
    """Register the actions of ``memories``."""
    parser.description = DESCRIPTION
    actions = parser.actions()
    listing = actions.add_parser("list", help="show memories, newest first")
    add_scope_to(listing)
    listing.add_argument(
        "--kind",
        choices=KINDS,
        help="only memories, or only what was said and is no memory yet (both)",
    )
    listing.add_argument("--status", choices=STATUSES, default="active", help="(active)")
    listing.add_argument(
        "--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help=f"({DEFAULT_LIMIT})"
    )
    listing.add_argument("--json", action="store_true", help="one JSON object per line")
    moving.add_parsers(actions)
    editing.add_parsers(actions)
    JUDGING.add_actions(actions)
    for name, summary in _BY_ID.items():
        action = actions.add_parser(name, help=summary)
        action.add_argument("id", metavar="ID", help="the id, as listed")
        add_scope_to(action, ids=False)
        action.add_argument("--json", action="store_true", help="print JSON")
    action.add_argument(
        "--to",
        type=int,
        metavar="VERSION",
        help="the number of an earlier version; if there is none, the error names those there are",
    )


_BY_ID = {
    "get": "show one memory",
    "history": "show what happened to a memory, oldest first",
    "revert": "take a memory back to how it was: undo what was changed last",
}


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or open the store, and show the answer; 1 if there is nothing."""
    if options.action in moving.ACTIONS:
        return moving.run(settings, options)
    if options.action in JUDGING.only:
        return JUDGING.run(settings, options)
    if options.action in editing.ACTIONS and (reason := editing.prepare(options)):
        raise CommandError(reason, 2)
    tenant = options.tenant or settings.identity.tenant
    path, method, body = _request(settings, options)
    answer = ask(settings, tenant, path, method, body)
    if answer is None:
        answer = asyncio.run(_look(settings, options, tenant))
    if options.action in editing.ACTIONS:
        return editing.shown(settings, options, answer)
    if options.action == "list":
        return _listed(settings, options, answer)
    return _one(options, answer)


def _request(settings: Settings, options: argparse.Namespace) -> tuple[str, str, Any]:
    """The path, the method and the body that say the same over REST."""
    if options.action in editing.ACTIONS:
        return editing.request(settings, options)
    if options.action == "list":
        wanted = {"status": options.status, "limit": options.limit} | _kinds(options)
        query = urlencode(scope_of(settings, options).ids() | wanted, errors="replace")
        return f"/v1/memories/?{query}", "GET", None
    path = f"/v1/memories/{quote(options.id, safe='', errors='replace')}"
    if options.action == "revert":
        return f"{path}/revert", "POST", {} if options.to is None else {"version": options.to}
    return f"{path}/history" if options.action == "history" else path, "GET", None


def _kinds(options: argparse.Namespace) -> dict[str, str]:
    return {"kinds": options.kind} if options.kind else {}


async def _look(settings: Settings, options: argparse.Namespace, tenant: str) -> Any:
    """Open the parts and answer in this process.

    Raises:
        InvalidInputError: an argument is malformed.
        NotFoundError: there is no memory with this id.
        StoreError, EmbeddingError: a part cannot be opened or is in use.
    """
    from recollect.memory import AsyncMemory
    from recollect.memory.engine.engine import Engine
    from recollect.memory.model.errors import StoreError

    adds = options.action == "add"
    if missing := nowhere_to_keep(settings) if adds else nothing_to_open(settings):
        raise StoreError(missing)
    async with Engine.open(settings) as engine:
        return await _answer(AsyncMemory(engine, tenant=tenant), settings, options)


async def _answer(memory: AsyncMemory, settings: Settings, options: argparse.Namespace) -> Any:
    from recollect.memory.model.errors import NotFoundError

    if options.action == "list":
        ids: dict[str, Any] = scope_of(settings, options).ids()
        kinds = [options.kind] if options.kind else list(KINDS)
        return await memory.get_all(**ids, limit=options.limit, status=options.status, kinds=kinds)
    if options.action == "history":
        return await memory.history(options.id)
    if options.action == "revert":
        return await memory.revert(options.id, options.to)
    if options.action in editing.ACTIONS:
        return await editing.answer_of(memory, settings, options)
    found = await memory.get(options.id)
    if found is None:
        raise NotFoundError(f"there is no memory {options.id!r}")
    return found


def _listed(settings: Settings, options: argparse.Namespace, answer: dict[str, Any]) -> int:
    from .memories_table import LISTING

    found = answer["results"]
    if not found:
        say(f"recollect: no {options.status} memories of {named(scope_of(settings, options))}")
        return 1
    if options.json:
        for memory in found:
            show(json.dumps(memory, ensure_ascii=False))
        return 0
    show("\n".join(LISTING(found)))
    say(f"{len(found)} {options.status}")
    if options.status == "quarantined":
        say("`recollect memories validate ID` lets one be recalled")
    return 0


def _one(options: argparse.Namespace, answer: Any) -> int:
    from .memories_table import MEMORY, events

    if options.action == "history" and not answer:
        say(f"recollect: there is no history of {options.id!r}")
        return 1
    if options.json:
        show(json.dumps(answer, ensure_ascii=False, indent=2))
    else:
        show("\n".join(events(answer) if options.action == "history" else MEMORY([answer])))
    return 0
