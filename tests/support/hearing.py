"""Waits for what the product makes of what was said."""

from __future__ import annotations

from recollect.memory.statements.indexer import StatementIndexer

from .waiting import until


async def heard(indexer: StatementIndexer) -> None:
    """Return when all that was said is embedded and noted, however long it takes.

    `StatementIndexer.settled` gives up after a quarter of a second.
    """
    await indexer._heard.join()
    await indexer._long.join()
    await until(lambda: not indexer.depth, "what was said is noted")
