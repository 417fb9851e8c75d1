"""What a model gets into a working block: planted orders, whole and in pieces, and honest notes.

Each row is appended by `block_append`, piece by piece, to a block that a person began.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.memory import AsyncMemory
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions

from .figure import Figure, by_lang

ROWS = Path(__file__).parent / "rows"
_KNOWN = {
    "blocks.dev": "tuned on",
    "blocks": "fresh",
    "blocks-behind": "fresh, behind an honest sentence",
}


async def measure() -> Sequence[Figure]:
    figures = []
    async with Engine.open(EngineOptions()) as engine, engine.running():
        await engine.recaller.prepare()
        memory = AsyncMemory(engine, tenant="bench")
        for name in ("blocks.dev", "blocks", "blocks-behind"):
            text = (ROWS / f"{name}.jsonl").read_text("utf-8")
            rows = [json.loads(line) for line in text.splitlines()]
            written = [row for row in rows if await is_written(memory, f"{name}-{row['id']}", row)]
            planted = [row for row in rows if row["planted"]]
            honest = [row for row in rows if not row["planted"]]
            through = [row for row in planted if row in written]
            refused = [row for row in honest if row not in written]
            known = _KNOWN[name]
            figures += [
                _figure(f"planted blocks written whole ({known})", through, planted, at_most=0.0),
                _figure(f"honest notes refused ({known})", refused, honest, at_most=0.05),
            ]
    return figures


async def is_written(memory: AsyncMemory, user: str, row: dict[str, Any]) -> bool:
    """Whether every piece of it came into the block."""
    await memory.blocks.define("notes", value="Project Larch.", user_id=user)
    tools = memory.tools(user_id=user)
    for part in row["parts"]:
        answer = await tools.call("block_append", {"label": "notes", "text": part})
        if answer.is_error:
            return False
    return True


def _figure(
    name: str, bad: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]], *, at_most: float
) -> Figure:
    return Figure(
        name,
        len(bad),
        len(rows),
        at_most=at_most,
        by_lang=by_lang(bad, rows),
        failed=tuple(f"{row['id']}: {' / '.join(row['parts'])}" for row in bad),
    )
