"""`recollect memories profile` and `said`: what is known of a user, what was said lately."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from .api_client import add_scope_to, named, other_tenants, scope_of
from .terminal import folded, say, show, width

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory import AsyncMemory

    from .base import Commands

DEFAULT_LIMIT = 50
_SUMMARIES = {
    "profile": "show what is known of a user as a person, most important first",
    "said": "show what a user said lately and is no memory yet, newest first",
}
ACTIONS = frozenset(_SUMMARIES)
_NONE = {"profile": "no profile", "said": "nothing said is kept"}


def add_parsers(actions: Commands, shared: argparse.ArgumentParser) -> None:
    """Register both actions."""
    for name, summary in _SUMMARIES.items():
        action = actions.add_parser(name, parents=[shared], help=summary)
        add_scope_to(action)
        action.add_argument("--json", action="store_true", help="one JSON object per line")
    action.add_argument(
        "--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help=f"({DEFAULT_LIMIT})"
    )


def request(settings: Settings, options: argparse.Namespace) -> tuple[str, str, Any]:
    """The path, the method and the body that say the same over REST."""
    query = urlencode(_how(settings, options), errors="replace")
    return f"/v1/memories/{options.action}?{query}", "GET", None


async def answer_of(memory: AsyncMemory, settings: Settings, options: argparse.Namespace) -> Any:
    """The answer of a memory that was opened in this process."""
    how = _how(settings, options)
    return await (memory.said(**how) if options.action == "said" else memory.profile(**how))


def _how(settings: Settings, options: argparse.Namespace) -> dict[str, Any]:
    limit = {"limit": options.limit} if options.action == "said" else {}
    return {**scope_of(settings, options).ids(), **limit}


def listed(settings: Settings, options: argparse.Namespace, answer: Mapping[str, Any]) -> int:
    """Show the lines; 1 if there is none."""
    found = answer["results"]
    if not found:
        scope = named(scope_of(settings, options))
        say(f"recollect: {_NONE[options.action]} of {scope}{other_tenants(settings, options)}")
        return 1
    for one in found:
        shown = json.dumps(one, ensure_ascii=False) if options.json else _SHOWN[options.action](one)
        show(shown)
    return 0


def _profile_line(line: Mapping[str, Any]) -> str:
    """What a line tells of the user, its ids, and the text below."""
    told = ", ".join(line["traits"]) or "known"
    return _entry((told, *line["ids"]), line["memory"])


def _statement(one: Mapping[str, Any]) -> str:
    return _entry((one["created_at"][:19].replace("T", " "), one["id"]), one["said"])


def _entry(head: tuple[str, ...], text: str) -> str:
    return "\n".join(["  ".join(head), *folded(text, width(), "    ")])


_SHOWN = {"profile": _profile_line, "said": _statement}
