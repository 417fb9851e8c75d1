"""`recollect topics`: which memories of a scope belong together."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

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
from .terminal import folded, plain, say, show, width

if TYPE_CHECKING:
    from recollect.config import Settings

    from .base import Commands

DEFAULT_LIMIT = 50
_PATH = "/v1/memories/graph"


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``topics``."""
    parser = commands.add_parser(
        "topics", parents=[shared], help="list which memories of a scope belong together"
    )
    add_scope_to(parser)
    for flag, most in (("--limit", DEFAULT_LIMIT), ("--offset", 0)):
        parser.add_argument(flag, type=int, default=most, metavar="N", help=f"({most})")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or open the parts; 1 if there is no topic, or it failed."""
    from recollect.memory.model.errors import InvalidInputError, RecollectError, ScopeError

    tenant = options.tenant or settings.identity.tenant
    try:
        scope = scope_of(settings, options)
        asked = {**scope.ids(), "limit": options.limit, "offset": options.offset}
        path = f"{_PATH}?{urlencode(asked, errors='replace')}"
        answer = ask(settings, tenant, path)
        if answer is None:
            answer = asyncio.run(_look(settings, tenant, asked))
    except ScopeError:
        say("recollect: no scope given: use --user, --agent or --run")
        return 2
    except InvalidInputError as error:
        say(f"recollect: {error}")
        return 2
    except (RecollectError, ProxyRefusedError) as error:
        say(f"recollect: {error}{why_not_asked(settings, tenant)}")
        return 1
    if not answer["topics"]:
        say(f"recollect: no topics ({named(scope)}){other_tenants(settings, options)}")
        return 1
    show("\n".join(_lines(options, answer)))
    if left := answer["count"] - options.offset - len(answer["topics"]):
        say(f"there are {left:,} more: --offset {options.offset + len(answer['topics'])}")
    return 0


async def _look(settings: Settings, tenant: str, asked: Mapping[str, Any]) -> Any:
    """Open the parts and answer in this process. Raises RecollectError."""
    from recollect.memory import AsyncMemory
    from recollect.memory.engine.engine import Engine
    from recollect.memory.model.errors import StoreError

    if missing := nothing_to_open(settings):
        raise StoreError(missing)
    async with Engine.open(settings) as engine:
        return await AsyncMemory(engine, tenant=tenant).topics.graph(**asked)


def _lines(options: argparse.Namespace, answer: Mapping[str, Any]) -> Iterator[str]:
    if options.json:
        yield from (json.dumps(each, ensure_ascii=False) for each in answer["topics"])
        return
    for topic in answer["topics"]:
        yield f"{topic['size']:>2}  {plain(topic['label'])}  {plain(topic['id'])}"
        for member in topic["members"]:
            yield from folded(f"{plain(member['id'])}: {member['memory']}", width(), "    ")
    yield f"{answer['memories']:,} memories, {answer['alone']:,} by themselves"
