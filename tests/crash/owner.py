"""The parent of the two workers of a crash run: it owns their files, until it is killed or told to end."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

from recollect.memory.engine.options import EngineOptions
from recollect.memory.engine.owning import owning
from tests.crash.stage import Spec, database_options, quiet, store_options


def run(spec: dict[str, Any]) -> None:
    """Own what a `Spec` names; `<shared>/owned` exists once the workers may begin."""
    quiet()
    asyncio.run(_own(Spec(**spec)))


async def _own(spec: Spec) -> None:
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    options = EngineOptions(database=database_options(spec), store=store_options(spec))
    shared = Path(spec.shared)
    shared.mkdir(mode=0o700)
    async with owning(options, shared):
        (shared / "owned").touch()
        await ended.wait()
