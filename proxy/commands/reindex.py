"""`recollect reindex`: re-embed all memories with the configured embedder."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from .api_client import nothing_to_open, runs
from .base import INTERRUPTED, CommandError
from .terminal import Progress, confirm, say

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.memories import MemoryVectors
    from recollect.memory.model.ports import Embedder

    from .arguments import CommandLine

DESCRIPTION = """\
Embed every memory again after embedder.* has changed. The new vectors are kept beside the old ones,
which are used until every memory has a new one. If the command is stopped or killed, run it again
to continue. Stop every proxy that uses the memories first."""

_GO_ON = "finished work is kept, run `recollect reindex` again to continue"


def fill(parser: CommandLine) -> None:
    """Register ``reindex``."""
    parser.description = DESCRIPTION
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--beside",
        action="store_true",
        help="only make the new vectors, while proxies go on with the old ones (PostgreSQL); "
        "the next run without it makes those that are missing and uses them",
    )
    parser.add_argument(
        "--rebuild",
        action="store_true",
        help="if the embedder is the same: let the vector index be filled anew; vectors are kept",
    )


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Reindex if it is needed and confirmed."""
    try:
        if options.beside and settings.database.file is not None:
            raise CommandError("--beside needs PostgreSQL: a file belongs to one process", 2)
        return asyncio.run(
            _reindex(settings, yes=options.yes, rebuild=options.rebuild, beside=options.beside)
        )
    except KeyboardInterrupt:
        raise CommandError(f"stopped; {_GO_ON}", INTERRUPTED) from None


async def _reindex(settings: Settings, *, yes: bool, rebuild: bool, beside: bool) -> int:
    from recollect.memory.engine.opening import (
        MOVING,
        is_measured,
        open_the_database,
        open_the_embedder,
        refuse_if_in_use,
        use_language_packs,
    )
    from recollect.memory.memories import MemoryVectors
    from recollect.memory.memories.script_runner import MemoryScripts
    from recollect.memory.util.registry import Registry

    if not beside:
        await _refuse_while_running(settings)
    if missing := nothing_to_open(settings):
        say(f"recollect: {missing}")
        return 0
    async with Registry() as registry:
        registry.stack.enter_context(use_language_packs(settings))
        refuse_if_in_use(settings)
        vectors = MemoryVectors(MemoryScripts(await open_the_database(registry, settings)))
        embedder = await open_the_embedder(registry, settings.embedder)
        # Read before the work: a broken calibration file would stop the next start.
        measured = is_measured(settings, embedder)
        found = await vectors.identity()
        price = f" ({MOVING})" if settings.embedder.backend == "local" else ""
        wanted = (embedder.id, embedder.dim)
        question = _question(found, wanted, rebuild=rebuild, price=price)
        if question is None:
            say(_nothing_to_do(found))
            return 0
        if not yes:
            confirm(question, "nothing was changed")
        if found == wanted:
            await vectors.unmark()
            say("the vector index is filled anew after the next start")
            return 0
        return await _move(vectors, embedder, measured=measured, beside=beside)


async def _refuse_while_running(settings: Settings) -> None:
    """A file is locked, but a server would not detect a second user.

    Raises:
        StoreError: a Recollect with these settings runs.
    """
    from recollect.memory.model.errors import StoreError

    if await asyncio.to_thread(runs, settings):
        where = f"{settings.listen.host}:{settings.listen.port}"
        raise StoreError(f"a Recollect with these settings is running at {where}: stop it first")


async def _move(vectors: MemoryVectors, embedder: Embedder, *, measured: bool, beside: bool) -> int:
    from recollect.memory.maintenance import reindex
    from recollect.memory.model.errors import RecollectError

    try:
        with Progress("re-embedding") as progress:
            written = await reindex(vectors, embedder, on_progress=progress, use=not beside)
    except RecollectError as error:
        raise CommandError(f"reindexing stopped: {error}\n{_GO_ON}") from None
    count = await vectors.count()
    if beside:
        left = await vectors.count_missing(embedder.id)
        say(f"{count - left:,} of {count:,} memories have vectors of {embedder.id} beside")
        say("stop all proxies and run `recollect reindex` to use them")
        return 0
    say(
        f"{count:,} memories now have vectors of {_named((embedder.id, embedder.dim))}; "
        f"this run embedded {written:,}"
    )
    if not measured:
        say(f"no thresholds were measured for {embedder.id}: see `recollect calibrate --help`")
    return 0


def _question(
    found: tuple[str, int] | None, wanted: tuple[str, int], *, rebuild: bool, price: str = ""
) -> str | None:
    """The question to confirm; None if there is nothing to do."""
    if found is None:
        return None
    if found != wanted:
        return f"Re-embed every memory, {_named(found)} -> {_named(wanted)}{price}?"
    return "Fill the vector index anew?" if rebuild else None


def _nothing_to_do(found: tuple[str, int] | None) -> str:
    if found is None:
        return "nothing to do: there are no memories"
    return f"nothing to do: the memories already have vectors of {_named(found)}"


def _named(identity: tuple[str, int]) -> str:
    embedder_id, dim = identity
    return f"{embedder_id} ({dim} dimensions)"
