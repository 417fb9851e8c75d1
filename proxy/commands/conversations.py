"""`recollect conversations`: what was said, by conversation: list, show, search and erase."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from .api_client import (
    ProxyRefusedError,
    add_scope_to,
    ask,
    named,
    nothing_to_open,
    other_tenants,
    scope_of,
    why_not_asked,
)
from .terminal import confirmed, folded, plain, say, show, width

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory import AsyncMemory

    from .base import Commands

_SUMMARIES = {
    "list": "list conversations, the one with the newest turn first",
    "show": "show the messages of a conversation, in order",
    "search": "find what was said, by the user and by the assistant, best first",
    "erase": "erase all that was said in a conversation",
}
_LIMITS = {"list": 20, "show": 50, "search": 10}
_PATH = "/v1/memories/conversations"
_NONE = {"list": "no conversations", "show": "nothing more was said", "search": "nothing matches"}


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register the actions of ``conversations``."""
    parser = commands.add_parser(
        "conversations", help="list, read, search and erase what was said in chats"
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, summary in _SUMMARIES.items():
        action = actions.add_parser(name, parents=[shared], help=summary)
        if name == "search":
            action.add_argument("query", metavar="QUERY")
            action.add_argument(
                "--user-only", action="store_true", help="leave out what the assistant said"
            )
            action.add_argument("--conversation", metavar="ID", help="search this one only")
        elif name != "list":
            action.add_argument("id", metavar="ID", help="the id, as listed")
        add_scope_to(action)
        action.add_argument("--json", action="store_true", help="one JSON object per line")
        if limit := _LIMITS.get(name):
            action.add_argument("--limit", type=int, default=limit, metavar="N", help=f"({limit})")
        if name in {"list", "show"}:
            action.add_argument("--cursor", metavar="C", help="go on where a page ended")
    action.add_argument(
        "--memories", action="store_true", help="forget what was learned from it too"
    )
    action.add_argument("--yes", action="store_true", help="do not ask")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or open the state; 1 if there is nothing."""
    from recollect.memory.model.errors import InvalidInputError, RecollectError, ScopeError

    tenant = options.tenant or settings.identity.tenant
    if options.action == "erase" and not options.yes and not _agreed(options):
        say("recollect: nothing was erased; without a terminal, say --yes")
        return 2
    try:
        path, method = _request(settings, options)
        answer = ask(settings, tenant, path, method)
        if answer is None:
            answer = asyncio.run(_look(settings, options, tenant))
    except ScopeError:
        say("recollect: no scope given: use --user, --agent or --run")
        return 2
    except InvalidInputError as error:
        say(f"recollect: {error}")
        return 2
    except (RecollectError, ProxyRefusedError) as error:
        say(f"recollect: {error}{why_not_asked(settings, tenant)}")
        return 1
    return (
        _erased(options, answer) if options.action == "erase" else _shown(settings, options, answer)
    )


def _agreed(options: argparse.Namespace) -> bool:
    more = ", and the memories that were learned from it" if options.memories else ""
    return confirmed(f"Erase all that was said in {options.id}{more}?")


def _asked(settings: Settings, options: argparse.Namespace) -> dict[str, Any]:
    """The arguments, by the names that the library and the API give them."""
    asked: dict[str, Any] = {**scope_of(settings, options).ids()}
    if "limit" in options:
        asked["limit"] = options.limit
    if getattr(options, "cursor", None):
        asked["cursor"] = options.cursor
    if options.action == "search":
        asked["assistant"] = not options.user_only
        if options.conversation:
            asked["conversation_id"] = options.conversation
    if options.action == "erase":
        asked["memories"] = options.memories
    return asked


def _request(settings: Settings, options: argparse.Namespace) -> tuple[str, str]:
    """The path and the method that say the same over REST."""
    asked = _asked(settings, options)
    if options.action == "search":
        asked["q"] = options.query
    told = {key: json.dumps(one) if isinstance(one, bool) else one for key, one in asked.items()}
    name = (
        "" if options.action in {"list", "search"} else quote(options.id, safe="", errors="replace")
    )
    end = {"list": "", "search": "/search", "show": f"/{name}/messages", "erase": f"/{name}"}
    method = "DELETE" if options.action == "erase" else "GET"
    return f"{_PATH}{end[options.action]}?{urlencode(told, errors='replace')}", method


async def _look(settings: Settings, options: argparse.Namespace, tenant: str) -> Any:
    """Open the parts and answer in this process. Raises RecollectError."""
    from recollect.memory import AsyncMemory
    from recollect.memory.engine.engine import Engine
    from recollect.memory.model.errors import StoreError

    if missing := nothing_to_open(settings):
        raise StoreError(missing)
    async with Engine.open(settings) as engine:
        return await _answer(AsyncMemory(engine, tenant=tenant), settings, options)


async def _answer(memory: AsyncMemory, settings: Settings, options: argparse.Namespace) -> Any:
    asked, conversations = _asked(settings, options), memory.conversations
    if options.action == "list":
        return await conversations.list(**asked)
    if options.action == "search":
        return await conversations.search(options.query, **asked)
    if options.action == "show":
        return await conversations.messages(options.id, **asked)
    return await conversations.erase(options.id, **asked)


def _shown(settings: Settings, options: argparse.Namespace, answer: Mapping[str, Any]) -> int:
    found = answer["results"]
    if not found:
        scope = named(scope_of(settings, options))
        say(f"recollect: {_NONE[options.action]} ({scope}){other_tenants(settings, options)}")
        return 1
    for one in found:
        show(json.dumps(one, ensure_ascii=False) if options.json else _entry(options.action, one))
    if "next" in answer:
        say(f"there is more: --cursor {answer['next']}")
    return 0


def _erased(options: argparse.Namespace, answer: Mapping[str, Any]) -> int:
    if options.json:
        show(json.dumps(answer, ensure_ascii=False))
        return 0
    say(f"erased: the texts of {answer['erased']} turns")
    if receipt := answer.get("receipt"):
        counts = ", ".join(f"{count} {name}" for name, count in receipt["erased"].items() if count)
        say(f"forgotten: {counts} (receipt {receipt['id']})")
    return 0


def _entry(action: str, one: Mapping[str, Any]) -> str:
    """A line that says what it is, and its text below. Pure."""
    if action == "list":
        agents = f"  {plain(', '.join(one['agents']))}" if one["agents"] else ""
        turns = f"{one['turns']} turn{'s' if one['turns'] != 1 else ''}"
        head, text = (
            f"{_minute(one['last_at'])}  {plain(one['id'])}  {turns}{agents}",
            one["preview"],
        )
    elif action == "show":
        head, text = f"{_minute(one['created_at'])}  {one['role']}", one["content"]
    else:
        who = f"{one['role']} (hearsay)" if one["hearsay"] else one["role"]
        head = f"{_minute(one['created_at'])}  {plain(one['conversation_id'])}  {who}"
        head, text = f"{head}  {one['score']:.2f}", one["text"]
    return "\n".join([head, *folded(text, width(), "    ")])


def _minute(stamp: str) -> str:
    return stamp[:16].replace("T", " ")
