"""`recollect graph`: who and what memories speak of, who is one and the same, and a check of it."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from .api_client import (
    TIMEOUT_SECONDS,
    ProxyRefusedError,
    add_scope_to,
    ask,
    named,
    nothing_to_open,
    other_tenants,
    scope_of,
    why_not_asked,
)
from .graph_lines import checked_lines, entity_lines, merge_line, rebuilt_line, relation_lines
from .terminal import say, show, width

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory import AsyncMemory

    from .base import Commands

TYPES = ("person", "organization", "place", "event")
DEFAULT_LIMIT = 100
REBUILD_SECONDS = 3600
_PATH = "/v1/entities"
_SUMMARIES = {
    "entities": "list who and what the memories of a scope speak of",
    "relations": "show how somebody or something is connected, and which memory says so",
    "merges": "list which entities are one, newest first",
    "merge": "say that two entities are one",
    "undo": "part two entities again",
    "rebuild": "read memories again from the beginning",
    "check": "tell what the graph holds, and what is wrong with it",
}
_OF_A_SCOPE = ("entities", "relations", "merge")
_PAGED = ("entities", "relations", "merges")
_FIELDS = {
    "entities": ("name", "type", "limit", "offset"),
    "relations": ("relation", "limit", "offset"),
    "merges": ("limit", "offset"),
    "merge": ("entity", "same_as"),
}
"""What is said besides the scope, by the names that the library and the API give it."""
_METHODS = {"merge": "POST", "undo": "POST", "rebuild": "POST"}


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register the actions of ``graph``."""
    parser = commands.add_parser(
        "graph", help="list who and what memories speak of, join and part them, check and rebuild"
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    made = {
        name: actions.add_parser(name, parents=[shared], help=text)
        for name, text in _SUMMARIES.items()
    }
    made["entities"].add_argument("--name", metavar="N", help="only what is called so")
    made["entities"].add_argument("--type", choices=TYPES, help="only these")
    made["relations"].add_argument("entity", metavar="NAME", help="a name, an alias or an id")
    made["relations"].add_argument("--relation", metavar="R", help="only these, such as works_at")
    made["merge"].add_argument("entity", metavar="NAME", help="a name, an alias or an id")
    made["merge"].add_argument("same_as", metavar="SAME_AS", help="the other one")
    made["undo"].add_argument("merge_id", metavar="MERGE", help="its id, as listed")
    for name in _PAGED:
        for flag, most in (("--limit", DEFAULT_LIMIT), ("--offset", 0)):
            made[name].add_argument(flag, type=int, default=most, metavar="N", help=f"({most})")
    for action in made.values():
        add_scope_to(action)
        action.add_argument("--json", action="store_true", help="one JSON object per line")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or open the parts; 1 if there is nothing, something is wrong, or it failed."""
    from recollect.memory.model.errors import InvalidInputError, RecollectError, ScopeError

    tenant = options.tenant or settings.identity.tenant
    try:
        path, method, body = request(settings, options)
        seconds = REBUILD_SECONDS if options.action == "rebuild" else TIMEOUT_SECONDS
        answer = ask(settings, tenant, path, method, body, seconds=seconds)
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
    return _told(settings, options, answer)


def request(
    settings: Settings, options: argparse.Namespace
) -> tuple[str, str, dict[str, Any] | None]:
    """The path, the method and the body that say the same over REST. Raises as `scope_of`."""
    asked = {**_ids(settings, options), **_asked(options)}
    path = _PATH + _place(options)
    method = _METHODS.get(options.action, "GET")
    if method == "POST":
        return path, method, asked
    return f"{path}?{urlencode(asked, errors='replace')}" if asked else path, method, None


def _place(options: argparse.Namespace) -> str:
    match options.action:
        case "entities":
            return ""
        case "relations":
            return f"/{quote(options.entity, safe='', errors='replace')}/relations"
        case "undo":
            return f"/merges/{quote(options.merge_id, safe='', errors='replace')}/undo"
        case "merge":
            return "/merges"
    return f"/{options.action}"


def _ids(settings: Settings, options: argparse.Namespace) -> dict[str, Any]:
    """The ids of the scope; none if none is given and everything of the tenant may be meant."""
    given = (options.user, options.agent, options.run)
    if options.action not in _OF_A_SCOPE and given == (None, None, None):
        return {}
    return scope_of(settings, options).ids()


def _asked(options: argparse.Namespace) -> dict[str, Any]:
    given = {name: getattr(options, name) for name in _FIELDS.get(options.action, ())}
    return {name: value for name, value in given.items() if value is not None}


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
    call = getattr(memory.graph, options.action)
    asked = {**_ids(settings, options), **_asked(options)}
    if options.action == "relations":
        return await call(options.entity, **asked)
    if options.action == "undo":
        return await call(options.merge_id, **asked)
    return await call(**asked)


def _told(settings: Settings, options: argparse.Namespace, answer: Mapping[str, Any]) -> int:
    if options.action in _PAGED:
        return _listed(settings, options, answer)
    if options.json:
        show(json.dumps(answer, ensure_ascii=False))
    elif options.action == "check":
        show("\n".join(checked_lines(answer)))
    elif options.action == "rebuild":
        show(rebuilt_line(answer))
    else:
        _joined(options, answer)
    wrong = options.action == "check" and (answer["orphans"] or answer["stale"])
    return 1 if wrong else 0


def _listed(settings: Settings, options: argparse.Namespace, answer: Mapping[str, Any]) -> int:
    found = answer["results"]
    if not found:
        ids = _ids(settings, options)
        tenant = options.tenant or settings.identity.tenant
        whose = named(scope_of(settings, options)) if ids else f"tenant {tenant}"
        say(f"recollect: no {options.action} ({whose}){other_tenants(settings, options)}")
        return 1
    if options.json:
        for one in found:
            show(json.dumps(one, ensure_ascii=False))
    else:
        lines = {
            "entities": lambda: entity_lines(found, width()),
            "relations": lambda: relation_lines(found, width()),
            "merges": lambda: [merge_line(one) for one in found],
        }
        show("\n".join(lines[options.action]()))
    if answer["more"]:
        say(f"there are more: --offset {options.offset + len(found)}")
    return 0


def _joined(options: argparse.Namespace, answer: Mapping[str, Any]) -> None:
    if "merge" in answer:
        show(merge_line(answer["merge"]))
    if options.action == "undo":
        say("they were parted before" if answer["already"] else "they are two again")
    elif answer["already"]:
        say("they were one already")
    else:
        say(f"they are one; `recollect graph undo {answer['merge']['id']}` parts them again")
