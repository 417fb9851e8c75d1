"""Whether a chat skips a message because a tool does what it orders: by its meaning."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from recollect.memory.calibration import calibration_for
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder
from recollect.memory.language import language_of
from recollect.memory.recall.prototypes import Prototypes
from recollect.memory.recall.tool_orders import MAX_CHARS, is_for_tool

MODELS = Path("~/.recollect/models").expanduser()


def for_tools(messages: Sequence[str]) -> list[bool]:
    """Of each message, whether it is one. Memories that name somebody in it are not asked."""
    return asyncio.run(_judged(messages))


async def _judged(messages: Sequence[str]) -> list[bool]:
    embedder = await open_embedder(LocalEmbedderOptions(model="pair", model_dir=MODELS))
    known = await Prototypes.of(embedder, calibration_for(embedder.id, dim=embedder.dim))
    told = []
    for text in messages:
        if len(text) > MAX_CHARS or language_of(text) not in known.languages:
            told.append(False)
        else:
            [vector] = await embedder.embed([text])
            told.append(is_for_tool(text, known.asked(vector)))
    await embedder.close()
    return told
