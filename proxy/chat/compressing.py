"""Opens context compression, and knows the models whose server refused it."""

from __future__ import annotations

import logging
from datetime import timedelta

from recollect.filters import Compress, CompressOptions, Fence
from recollect.memory.engine.engine import Engine
from recollect.memory.model.types import MemoryItem, MemoryType, Scope
from recollect.memory.recall import HotIndexes, Withholding
from recollect.memory.upkeep import EPISODE_GAP

from .refusing_models import RefusingModels

log = logging.getLogger(__name__)


class CompressingModels(RefusingModels):
    """Those that may be sent a conversation without its old turns."""

    def refused(self, model: str, status: int) -> None:
        """Note that its server refused such a request, and took it as it came."""
        log.warning(
            "the server of the model %.80r refused a conversation without its old turns (status "
            "%d) and answered it as it came: its conversations stay whole for a while",
            model,
            status,
        )
        self.note(model)


class IndexedEpisodes:
    """The episodes that the hot index has: they are ready, as all memories of a chat's user."""

    def __init__(self, indexes: HotIndexes, gap: timedelta, withholding: Withholding) -> None:
        """`gap` is the pause that ends a stretch, `withholding` what a request may have."""
        self._indexes = indexes
        self._withholding = withholding
        self.gap = gap

    async def of(self, scope: Scope, conversation_id: str) -> list[MemoryItem]:
        """Those of a conversation. Raises StoreError, StateError."""
        index = await self._indexes.get(scope)
        if index is None:
            return []
        with index.lock:
            places = index.of_type(MemoryType.EPISODIC).nonzero()[0].tolist()
            found = [entry.item for at in places if (entry := index.entries[at]) is not None]
        own = [
            item
            for item in found
            if item.scope == scope and item.provenance.conversation_id == conversation_id
        ]
        return await self._withholding.read(own)


def compress_of(options: CompressOptions, engine: Engine, fence: Fence) -> Compress | None:
    """What takes old turns out of long conversations; None unless the operator wants it."""
    if options.after_tokens is None:
        return None
    parts = engine.parts
    compress = Compress(
        options.after_tokens,
        parts.state.conversations,
        fence,
        parts.tokens.count,
        episodes=IndexedEpisodes(engine.recaller.indexes, EPISODE_GAP, engine.withholding),
    )
    engine.bus.subscribe(compress.kept)
    return compress
