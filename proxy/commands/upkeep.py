"""`recollect upkeep`: run a kind of upkeep now, list and show what runs did, take one back."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator, Mapping
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
from .terminal import folded, plain, say, show, width

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory import AsyncMemory

    from .base import Commands

KINDS = ("consolidate", "episode", "reflect", "judge")
DEFAULT_WAIT = 600
DEFAULT_LIMIT = 20
_PATH = "/v1/memories/upkeep"
_MARK = "_upto"
"""Ends the name of a figure that is a moment in seconds."""
_SUMMARIES = {
    "run": "run one kind of upkeep now, or show what it would do",
    "list": "list what was done, newest first",
    "show": "show what a run changed, and why",
    "undo": "take a run back, as far as nobody changed its memories since",
}
_SIGNS = {"ADD": "+", "UPDATE": "~", "DELETE": "-", "ARCHIVE": "a", "QUARANTINE": "?"}


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register the actions of ``upkeep``."""
    parser = commands.add_parser(
        "upkeep", help="merge, sum up and archive memories now; see what was done, take it back"
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    made = {
        name: actions.add_parser(name, parents=[shared], help=text)
        for name, text in _SUMMARIES.items()
    }
    running = made["run"]
    running.add_argument("kind", metavar="KIND", choices=KINDS, help=", ".join(KINDS))
    running.add_argument("--dry-run", action="store_true", help="change nothing, show the plan")
    running.add_argument(
        "--wait",
        type=float,
        default=DEFAULT_WAIT,
        metavar="S",
        help=f"seconds to wait for the end; it goes on afterwards ({DEFAULT_WAIT})",
    )
    made["list"].add_argument("--kind", choices=KINDS, help="only runs of this kind")
    for name, most in (("--limit", DEFAULT_LIMIT), ("--offset", 0)):
        made["list"].add_argument(name, type=int, default=most, metavar="N", help=f"({most})")
    for name in ("run", "list"):
        add_scope_to(made[name])
    for name in ("show", "undo"):
        made[name].add_argument("name", metavar="RUN", help="the id of the run, as listed")
        made[name].add_argument("--tenant", metavar="T", help="tenant (default: identity.tenant)")
    for action in made.values():
        action.add_argument("--json", action="store_true", help="one JSON object per line")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or open the parts; 1 if there is nothing, or it failed."""
    from recollect.memory.model.errors import InvalidInputError, RecollectError, ScopeError

    tenant = options.tenant or settings.identity.tenant
    try:
        if options.action == "run" and not options.dry_run:
            scope = named(scope_of(settings, options))
            say(f"{options.kind} for {scope}, up to {options.wait:g} s ...")
        path, method, body = request(settings, options)
        seconds = TIMEOUT_SECONDS + (body or {}).get("wait", 0)
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
    if options.action in {"show", "undo"}:
        path = f"{_PATH}/{quote(options.name, safe='', errors='replace')}"
        return (f"{path}/undo", "POST", {}) if options.action == "undo" else (path, "GET", None)
    asked = {**scope_of(settings, options).ids(), **_asked(options)}
    if options.action == "run":
        return _PATH, "POST", asked
    return f"{_PATH}?{urlencode(asked, errors='replace')}", "GET", None


def _asked(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments besides the scope, by the names that the library and the API give them."""
    names = ("kind", "dry_run", "wait") if options.action == "run" else ("kind", "limit", "offset")
    given = {name: getattr(options, name) for name in names}
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
    if options.action == "show":
        return await memory.upkeep.get(options.name)
    if options.action == "undo":
        return await memory.upkeep.undo(options.name)
    asked: dict[str, Any] = {**scope_of(settings, options).ids(), **_asked(options)}
    call = memory.upkeep.run if options.action == "run" else memory.upkeep.list
    return await call(**asked)


def _told(settings: Settings, options: argparse.Namespace, answer: Mapping[str, Any]) -> int:
    if options.action == "undo":
        return _undone(options, answer)
    found = [answer] if options.action == "show" else answer["results"]
    if not found:
        told = "nothing to look after" if options.action == "run" else "no runs"
        scope = named(scope_of(settings, options))
        say(f"recollect: {told} ({scope}){other_tenants(settings, options)}")
        return 1
    for one in found:
        if options.json:
            show(json.dumps(one, ensure_ascii=False))
        else:
            show("\n".join([line(one), *_lines_of(one, whole=options.action != "list")]))
    if options.action == "run" and not options.json:
        say(_what_next(found, dry=options.dry_run))
    return 1 if any(one["state"] == "dead" for one in found) else 0


def line(one: Mapping[str, Any]) -> str:
    """A run in one line: when, what, how it is, how much it changed, whose, and its id. Pure."""
    count = len(one["changes"])
    whose = ", ".join(
        f"{name.removesuffix('_id')} {plain(one[name])}"
        for name in ("user_id", "agent_id", "run_id")
        if name in one
    )
    parts = [
        one["at"][:16].replace("T", " ") if "at" in one else "",
        one["kind"],
        "undone" if "undone_at" in one else one["state"],
        f"{count} change{'s' if count != 1 else ''}",
        whose,
        one["reason"],
        plain(one["id"]),
    ]
    return "  ".join(filter(None, parts))


def _lines_of(one: Mapping[str, Any], *, whole: bool) -> Iterator[str]:
    """What is told below the line of a run."""
    if whole:
        for change in one["changes"]:
            yield from _change(change)
        if told := figures(one["figures"]):
            yield f"    {told}"
    if word := one.get("rested"):
        from recollect.memory.upkeep.resting import WHY

        yield f"    a part rested: {WHY.get(word, word)}"
    if word := one.get("failure"):
        yield f"    {word}: {one.get('advice', '')}".rstrip(": ")


def figures(counted: Mapping[str, float]) -> str:
    """What a run counted, without what is 0 and without the marks of where it goes on. Pure."""
    told = {name: n for name, n in sorted(counted.items()) if n and not name.endswith(_MARK)}
    return ", ".join(f"{name.replace('_', ' ')} {n:,g}" for name, n in told.items())


def _change(change: Mapping[str, Any]) -> Iterator[str]:
    """What became of a memory: its text before if it is another now, after, and why."""
    before, after = change.get("old_memory"), change.get("memory")
    text = after if after is not None else before
    sign = _SIGNS.get(change["event"], " ")
    if change["event"] == "UPDATE" and before is not None and before != after:
        yield from folded(f"- {before}", width(), "    ")
    told = change["id"] if text is None else text
    yield from folded(f"{sign} {told}", width(), "    ")
    if why := change.get("why"):
        yield from folded(f"({why})", width(), "      ")


def _what_next(found: list[Mapping[str, Any]], *, dry: bool) -> str:
    if dry:
        return "nothing was changed: without --dry-run it would be"
    if any(one["state"] in {"ready", "leased"} for one in found):
        return "it goes on; `recollect upkeep list` shows when it has ended"
    if not any(one["changes"] for one in found):
        return "nothing had to be changed"
    return "`recollect upkeep undo RUN` takes a run back"


def _undone(options: argparse.Namespace, answer: Mapping[str, Any]) -> int:
    if options.json:
        show(json.dumps(answer, ensure_ascii=False))
        return 0
    if answer["already"] and not answer["undone"]:
        say("it was taken back before; nothing was changed")
    else:
        say(f"taken back: {answer['undone']} of {len(answer['run']['changes'])} changes")
    for one in answer["kept"]:
        show(f"left as it is: {plain(one['id'])} ({one['why']})")
    return 0
