"""`recollect explain`: show which memories a message would get, and why."""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from .api_client import (
    add_scope_to,
    ask,
    named,
    nothing_to_open,
    other_tenants,
    scope_of,
)
from .terminal import say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.model.types import Scope

    from .arguments import CommandLine

DESCRIPTION = """\
Show which memories a chat with the message QUERY would get: every ranked memory with its score, its
strongest signals, and the reason why it was chosen or left out.

The command asks the proxy at listen.host and listen.port, with api.token. If no proxy runs there,
it opens the store itself."""


def fill(parser: CommandLine) -> None:
    """Register ``explain``."""
    parser.description = DESCRIPTION
    add_scope_to(parser)
    parser.add_argument("--json", action="store_true", help="print the whole explanation as JSON")
    parser.add_argument("query", metavar="QUERY", help="the message")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or open the store, and show the answer; 1 if the scope has no memories."""
    from recollect.memory.model.errors import InvalidInputError

    # A shell may pass arguments that are not UTF-8.
    query = options.query.encode("utf-8", "replace").decode()
    if not query.strip():
        raise InvalidInputError("query", "expected some text")
    scope = scope_of(settings, options)
    path = "/v1/memories/explain?" + urlencode({"q": query, **scope.ids()}, errors="replace")
    answer = ask(settings, scope.tenant, path)
    if answer is None:
        answer = asyncio.run(_look(settings, scope, query))
    if not _found(answer):
        say(f"recollect: nothing is stored for {named(scope)}{other_tenants(settings, options)}")
    return _show(answer, as_json=options.json)


def _show(answer: dict[str, Any], *, as_json: bool) -> int:
    if as_json:
        show(json.dumps(answer, ensure_ascii=False, indent=2))
    elif _found(answer):
        from .explain_table import render

        show(render(answer))
    return 0 if _found(answer) else 1


def _found(answer: dict[str, Any]) -> bool:
    """Whether there is anything to show: also if all that matches is held back."""
    return bool(answer["seen"] or answer.get("held_back"))


async def _look(settings: Settings, scope: Scope, query: str) -> dict[str, Any]:
    """Open the parts and explain in this process.

    Raises:
        InvalidInputError: the query is malformed.
        StoreError, EmbeddingError: a part cannot be opened or is in use.
    """
    from recollect.filters.explaining import explainer_of
    from recollect.memory.engine.engine import Engine
    from recollect.memory.model.errors import StoreError

    from ..chat.placing.places import places_of

    if missing := nothing_to_open(settings):
        raise StoreError(missing)
    async with Engine.open(settings) as engine:
        explainer = explainer_of(engine, places_of(settings).usual)
        return await explainer.explain(scope, query)
