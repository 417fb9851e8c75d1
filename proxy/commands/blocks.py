"""`recollect blocks`: list, show, define, write and delete working blocks."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from .api_client import (
    ProxyRefusedError,
    add_scope_to,
    ask,
    named,
    nothing_to_open,
    nowhere_to_keep,
    scope_of,
    why_not_asked,
)
from .terminal import plain, say, show

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from recollect.config import Settings
    from recollect.memory.api.blocks import Blocks

    from .base import Commands

STDIN = "-"
_PATH = "/v1/memories/blocks"
_EDITS = {
    "append": (("text", "what is added at the end"),),
    "replace": (("old", "the only piece that is replaced"), ("new", "what takes its place")),
    "rewrite": (("value", "its whole text"),),
}
_READS = ("show", "history")
_HELP = {
    "show": "show one with its whole text",
    "history": "show its versions, newest first",
    "append": "add lines to one",
    "replace": "replace a piece of one",
    "rewrite": "give one another text",
    "delete": "erase one with its versions",
}


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register the actions of ``blocks``."""
    parser = commands.add_parser("blocks", help="list, define, write and delete working blocks")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _action(actions, shared, "list", "show the blocks that a scope sees")
    compiled = actions.add_parser(
        "compiled", parents=[shared], help="show what each chat of a scope is given"
    )
    add_scope_to(compiled)
    define = _action(actions, shared, "define", "make one, or change what is given of it")
    define.add_argument("label", metavar="LABEL", help="1 to 64 letters, digits, _ or -")
    define.add_argument("--value", default="", metavar="TEXT", help="its text, if it is new")
    define.add_argument("--description", metavar="TEXT", help="what it is for")
    define.add_argument("--limit", type=int, metavar="N", help="most tokens of its text (500)")
    define.add_argument(
        "--read-only",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether no model may write it (no)",
    )
    for name in (*_READS, *_EDITS, "delete"):
        action = _action(actions, shared, name, _HELP[name])
        action.add_argument("label", metavar="LABEL", help="its name")
        for field, summary in _EDITS.get(name, ()):
            hint = f"{summary}; {STDIN} reads it from stdin"
            action.add_argument(field, metavar=field.upper(), help=hint)
        if name in _EDITS:
            action.add_argument(
                "--version", type=int, metavar="N", help="only if it is at this version"
            )


def _action(
    actions: Commands, shared: argparse.ArgumentParser, name: str, summary: str
) -> argparse.ArgumentParser:
    action = actions.add_parser(name, parents=[shared], help=summary)
    add_scope_to(action)
    action.add_argument("--json", action="store_true", help="print JSON")
    return action


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or open the files, and show the answer; 1 if there is nothing."""
    from recollect.memory.model.errors import InvalidInputError, RecollectError, ScopeError

    tenant = options.tenant or settings.identity.tenant
    _read_stdin(options)
    try:
        answer = ask(settings, tenant, *_request(settings, options))
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
    return _shown(settings, options, answer)


def _read_stdin(options: argparse.Namespace) -> None:
    for field in ("text", "old", "new", "value"):
        if getattr(options, field, None) == STDIN:
            setattr(options, field, sys.stdin.read().rstrip("\n"))


def _request(settings: Settings, options: argparse.Namespace) -> tuple[str, str, Any]:
    """The path, the method and the body that say the same over REST."""
    ids = scope_of(settings, options).ids()
    query = urlencode(ids, errors="replace")
    if options.action == "compiled":
        return f"/v1/memories/compiled?{query}", "GET", None
    if options.action == "list":
        return f"{_PATH}?{query}", "GET", None
    if options.action == "define":
        return _PATH, "POST", _defined(options) | ids
    path = f"{_PATH}/{quote(options.label, safe='', errors='replace')}"
    if options.action in _EDITS:
        return f"{path}/{options.action}", "POST", _edit(options) | ids
    end = "/history" if options.action == "history" else ""
    method = "DELETE" if options.action == "delete" else "GET"
    return f"{path}{end}?{query}", method, None


def _defined(options: argparse.Namespace) -> dict[str, Any]:
    names = ("label", "value", "description", "limit", "read_only")
    given = {name: getattr(options, name) for name in names}
    return {name: value for name, value in given.items() if value is not None}


def _edit(options: argparse.Namespace) -> dict[str, Any]:
    said = {field: getattr(options, field) for field, _ in _EDITS[options.action]}
    return said if options.version is None else said | {"version": options.version}


async def _look(settings: Settings, options: argparse.Namespace, tenant: str) -> Any:
    """Open the parts and answer in this process. Raises RecollectError."""
    from recollect.memory import AsyncMemory
    from recollect.memory.engine.engine import Engine
    from recollect.memory.model.errors import StoreError

    makes = options.action == "define"
    if missing := nowhere_to_keep(settings) if makes else nothing_to_open(settings):
        raise StoreError(missing)
    async with Engine.open(settings) as engine:
        if options.action == "compiled":
            _fence(settings, engine)
        return await _answer(AsyncMemory(engine, tenant=tenant).blocks, settings, options)


def _fence(settings: Settings, engine: Any) -> None:
    """The tags are those that a proxy on these files writes."""
    from ..access.installation_keys import fence_of

    engine.block_prompt.fenced_by(fence_of(settings))


async def _answer(blocks: Blocks, settings: Settings, options: argparse.Namespace) -> Any:
    ids: dict[str, Any] = scope_of(settings, options).ids()
    match options.action:
        case "list":
            return await blocks.list(**ids)
        case "compiled":
            return {"text": await blocks.compile(**ids)}
        case "define":
            return await blocks.define(**_defined(options), **ids)
        case "show":
            return await blocks.get(options.label, **ids)
        case "history":
            return await blocks.history(options.label, **ids)
        case "delete":
            await blocks.delete(options.label, **ids)
            return {"erased": options.label}
    edit: Mapping[str, Callable[..., Awaitable[Any]]]
    edit = {"append": blocks.append, "replace": blocks.replace, "rewrite": blocks.rewrite}
    return await edit[options.action](options.label, **_edit(options), **ids)


def _shown(settings: Settings, options: argparse.Namespace, answer: dict[str, Any]) -> int:
    if options.action == "compiled":
        show(answer["text"])
        return 0
    rows = answer.get("results")
    if rows is not None and not rows:
        say(f"recollect: no blocks of {named(scope_of(settings, options))}")
        return 1
    if options.json:
        for row in [answer] if rows is None else rows:
            show(json.dumps(row, ensure_ascii=False))
    elif options.action == "delete":
        say("erased, with its versions")
    elif options.action == "history":
        for row in answer["results"]:
            show(f"version {row['version']}  {row['author']}  {row['updated_at']}")
            show(_indented(row["value"]))
    else:
        for row in [answer] if rows is None else rows:
            show(_block(row))
    return 0


def _block(row: dict[str, Any]) -> str:
    """A block for people."""
    marks = [
        f"version {row['version']}",
        f"{row['tokens']} of {row['limit']} tokens",
        *(["read-only"] if row["read_only"] else []),
        *([f"attached, to {row['rights']}"] if row["shared"] else []),
    ]
    about = f"\n    ({plain(row['description'])})" if row["description"] else ""
    return f"{row['label']}  {', '.join(marks)}{about}\n{_indented(row['value'])}"


def _indented(value: str) -> str:
    return "\n".join(f"    {plain(line)}" for line in value.splitlines()) or "    (empty)"
