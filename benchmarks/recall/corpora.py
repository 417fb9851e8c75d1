"""Both corpora in memory, one after the other: what was said, and facts read out of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import baselines
from load import RESULTS
from locomo import CATEGORIES, Conversation, facts, files, samples, turns
from measures import cost, summary
from product import disk_embedder
from quality import Quality
from ranker import ALL
from table import OURS, show, show_facts, show_foreign

from recollect.memory.model.ports import Embedder


async def measure(data: Path, *, quick: bool) -> dict[str, Any]:
    """Evidence found and tokens spent, on turns and on facts.

    Raises:
        MissingDataError: there is no LoCoMo file.
    """
    paths = files(data)
    found = samples(paths)
    embedder = await disk_embedder(RESULTS)
    every = 5 if quick else 1
    result: dict[str, Any] = {
        "embedder": embedder.id,
        "files": [path.name for path in paths],
        "every": every,
    }
    async with AsyncExitStack() as stack:
        stack.push_async_callback(embedder.close)
        said = [turns(*each) for each in found]
        bench = await Quality.open(said, embedder, every=every)
        stack.push_async_callback(bench.close)
        result |= await _methods(bench, len(said), ALL)
        show(result)
        result["facts"] = await _facts([facts(*each) for each in found], embedder, every)
        show_facts(result["facts"])
        show_foreign({"turns": result, "facts": result["facts"]})
    return result


async def _facts(
    conversations: Sequence[Conversation], embedder: Embedder, every: int
) -> dict[str, Any]:
    bench = await Quality.open(conversations, embedder, every=every)
    try:
        return await _methods(bench, len(conversations), (baselines.DENSE,))
    finally:
        await bench.close()


async def _methods(bench: Quality, conversations: int, methods: Sequence[str]) -> dict[str, Any]:
    """Each method's summary, and what ours does with questions of three kinds."""
    found = {n: summary(answers) for n, answers in (await bench.baselines(methods)).items()}
    found[OURS] = ours = summary(await bench.ours())
    kinds = {
        "own": ours["all"]["configured"],
        "foreign": cost(await bench.ask(None, bench.foreign())),
        "category 5": ours[CATEGORIES[5]].get("configured", {}),
    }
    about = {
        "conversations": conversations,
        "memories": bench.memories,
        "questions": ours["all"]["configured"]["questions"],
    }
    return {"data": about, "methods": found, "kinds": kinds}
