"""`recollect collections`: what a server or folder of memories holds besides the one in use."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from .api_client import nothing_to_open
from .terminal import confirmed, say, show

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.model.kept import Collections, KeptCollection

    from .base import Commands

DESCRIPTION = """\
List and remove the collections that Recollect made at store.uri: one for each embedder or purpose,
and what an interrupted `recollect reindex` left. Those of other programs are neither shown nor
removed. A folder is opened by one process at a time: stop the proxy that uses it."""

_MEANINGS = {
    "used": "store.collection",
    "other": "",
    "reindex": "a reindex that did not end",
    "replaced": "was replaced by a reindex",
}
_WARNINGS = {
    "used": "It is the one in use: every user's memories are lost for good.",
    "other": "They are lost for good.",
    "reindex": "The memories themselves are in the collection beside it; the reindex begins anew.",
    "replaced": "If the collection beside it is there, it has all of them.",
}


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``collections list``, ``info`` and ``delete``."""
    parser = commands.add_parser(
        "collections",
        help="list and remove what a server or folder of memories holds",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", parents=[shared], help="whose embedder, how many memories")
    info = actions.add_parser("info", parents=[shared], help="the same of one")
    delete = actions.add_parser("delete", parents=[shared], help="remove one, with its memories")
    for action in (info, delete):
        action.add_argument("name", metavar="NAME", help="its name, as listed")
    for action in (listing, info):
        action.add_argument("--json", action="store_true", help="one JSON object per line")
    delete.add_argument("--yes", action="store_true", help="do not ask")
    delete.add_argument(
        "--in-use", action="store_true", help="with --yes: even the one that store.collection names"
    )


def run(settings: Settings, options: argparse.Namespace) -> int:
    """0: done; 1: there are none, or it failed; 2: it was not confirmed."""
    from recollect.memory.model.errors import RecollectError

    if missing := nothing_to_open(settings):
        say(f"recollect: {missing}")
        return 1
    try:
        return asyncio.run(_act(settings, options))
    except RecollectError as error:
        say(f"recollect: {error}")
        return 1


async def _act(settings: Settings, options: argparse.Namespace) -> int:
    from recollect.memory.engine.opening import closing, open_the_collections

    async with closing(await open_the_collections(settings)) as collections:
        match options.action:
            case "list":
                return _show(await collections.list(), as_json=options.json)
            case "info":
                return _show([await collections.info(options.name)], as_json=options.json)
            case _:
                return await _delete(settings, options, collections)


async def _delete(settings: Settings, options: argparse.Namespace, collections: Collections) -> int:
    from .checks import running_store

    found = await collections.info(options.name)
    if found.part != "other" and await running_store(settings):
        where = f"{settings.listen.host}:{settings.listen.port}"
        say(f"recollect: a Recollect with these settings is running at {where}: stop it first")
        return 1
    if not _agreed(options, found):
        return 2
    await collections.delete(found.name)
    say(f"{found.name} is removed, with {found.memories:,} memories")
    return 0


def _agreed(options: argparse.Namespace, found: KeptCollection) -> bool:
    if options.yes and (found.part != "used" or options.in_use):
        return True
    if options.yes:
        say(f"recollect: {found.name} is the one in use: --yes removes it with --in-use only")
        return False
    question = f"Remove {found.name} with {found.memories:,} memories of {_vectors(found)}?"
    if confirmed(f"{question} {_WARNINGS[found.part]}"):
        return True
    say("recollect: nothing was changed; answer y, or use --yes")
    return False


def _show(found: Sequence[KeptCollection], *, as_json: bool) -> int:
    if not found:
        say("recollect: there are no collections of Recollect")
        return 1
    if as_json:
        for one in found:
            show(json.dumps(asdict(one), ensure_ascii=False))
    else:
        show(table(found))
    return 0


def table(found: Sequence[KeptCollection]) -> str:
    """One line each, with a heading. Pure."""
    rows = [("memories", "vectors of", "name", "")]
    rows += [(f"{one.memories:,}", _vectors(one), one.name, _MEANINGS[one.part]) for one in found]
    many, of, name = (max(len(row[at]) for row in rows) for at in range(3))
    return "\n".join(
        f"{row[0]:>{many}}  {row[1]:<{of}}  {row[2]:<{name}}  {row[3]}".rstrip() for row in rows
    )


def _vectors(one: KeptCollection) -> str:
    return f"{one.embedder_id} ({one.dim})"
