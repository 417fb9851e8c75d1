"""`recollect reindex`: re-embed all memories with the configured embedder."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from .terminal import Progress, confirmed, say

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.maintenance import Reindexed
    from recollect.memory.model.ports import Embedder
    from recollect.memory.stores import StoreSwap

    from .base import Commands

DESCRIPTION = """\
Embed every memory again after embedder.* has changed. The new vectors go into a second collection,
which replaces the old one when it is complete. If the command is stopped or killed, run it again to
continue. Stop every proxy that uses the store first."""

_GO_ON = "finished work is kept, run `recollect reindex` again to continue"
INTERRUPTED = 130
"""Exit status after Ctrl-C: 128 + SIGINT, as in shells."""


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``reindex``."""
    parser = commands.add_parser(
        "reindex",
        parents=[shared],
        help="re-embed every memory with the configured embedder",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--rebuild",
        action="store_true",
        help="even if the embedder is the same: make the collection anew, with all that the server "
        "can do; vectors are kept",
    )


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Reindex if it is needed and confirmed."""
    from recollect.memory.model.errors import RecollectError

    try:
        return asyncio.run(_reindex(settings, yes=options.yes, rebuild=options.rebuild))
    except RecollectError as error:
        say(f"recollect: cannot reindex: {error}")
        return 1
    except KeyboardInterrupt:
        say(f"recollect: stopped; {_GO_ON}")
        return INTERRUPTED


async def _reindex(settings: Settings, *, yes: bool, rebuild: bool) -> int:
    from recollect.memory.engine.opening import (
        MOVING,
        closing,
        is_measured,
        open_the_embedder,
        recorded,
        use_language_packs,
    )

    await _refuse_while_running(settings)
    async with AsyncExitStack() as stack:
        stack.enter_context(use_language_packs(settings))
        embedder = await stack.enter_async_context(
            closing(await open_the_embedder(settings, anew=True))
        )
        # Read before the work: a broken calibration file would stop the next start.
        measured = is_measured(settings, embedder)
        found = await recorded(settings)
        if found == (embedder.id, embedder.dim) and not rebuild:
            rebuild = await _lacks_keywords(settings, embedder)
        price = f" ({MOVING})" if settings.embedder.backend == "local" else ""
        wanted = (embedder.id, embedder.dim)
        question = _question(found, wanted, rebuild=rebuild, price=price)
        if question is None:
            say(_nothing_to_do(found))
            return 0
        if not yes and not confirmed(question):
            say("recollect: nothing was changed; answer y, or use --yes")
            return 2
        return await _move(settings, embedder, measured=measured)


async def _lacks_keywords(settings: Settings, embedder: Embedder) -> bool:
    """Whether an embedded collection was made by a version without keyword search.

    On a server, a collection may lack it because the server does not support it; `--rebuild` is for
    servers that do.
    """
    from recollect.memory.engine.opening import closing, open_configured_store
    from recollect.memory.model.ports import KeywordSearch

    if settings.store.remote:
        return False
    async with closing(await open_configured_store(settings, embedder)) as store:
        return not (isinstance(store, KeywordSearch) and store.keywords)


async def _refuse_while_running(settings: Settings) -> None:
    """An embedded store is locked, but a server would not detect a second user.

    Raises:
        StoreError: a Recollect with these settings runs.
    """
    from recollect.memory.model.errors import StoreError

    from .checks import running_store

    if await running_store(settings):
        where = f"{settings.listen.host}:{settings.listen.port}"
        raise StoreError(f"a Recollect with these settings is running at {where}: stop it first")


async def _move(settings: Settings, embedder: Embedder, *, measured: bool) -> int:
    from recollect.memory.engine.opening import closing, open_the_move
    from recollect.memory.model.errors import RecollectError

    async with closing(await open_the_move(settings, embedder)) as swap:
        try:
            done = await _fill(swap, embedder)
            await swap.finish()
        except RecollectError as error:
            say(f"recollect: reindexing stopped: {error}\n{_GO_ON}")
            return 1
    say(
        f"{done.memories:,} memories now have vectors of {_named((embedder.id, embedder.dim))}; "
        f"this run wrote {done.written:,}"
    )
    if not measured:
        say(f"no thresholds were measured for {embedder.id}: see `recollect calibrate --help`")
    return 0


async def _fill(swap: StoreSwap, embedder: Embedder) -> Reindexed:
    from recollect.memory.maintenance import count, reindex

    progress = Progress("re-embedding")
    try:
        total = await count(swap.source)
        return await reindex(swap.source, swap.target, embedder, total=total, on_progress=progress)
    finally:
        progress.end()


def _question(
    found: tuple[str, int] | None, wanted: tuple[str, int], *, rebuild: bool, price: str = ""
) -> str | None:
    """The question to confirm; None if there is nothing to do."""
    if found is None:
        return None
    if found != wanted:
        return f"Re-embed every memory, {_named(found)} -> {_named(wanted)}{price}?"
    return f"Rebuild the collection of {_named(found)}, keeping its vectors?" if rebuild else None


def _nothing_to_do(found: tuple[str, int] | None) -> str:
    if found is None:
        return "nothing to do: there are no memories"
    return f"nothing to do: the memories already have vectors of {_named(found)}"


def _named(identity: tuple[str, int]) -> str:
    embedder_id, dim = identity
    return f"{embedder_id} ({dim} dimensions)"
