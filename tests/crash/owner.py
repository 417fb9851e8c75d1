"""The parent of the workers of a crash run on one file: it owns it until it is killed, or told to end."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

from recollect.memory.engine.embedded_parts import owning
from tests.crash.stage import Spec, options_of, quiet


def run(spec: dict[str, Any]) -> None:
    """Own what a `Spec` names; `<shared>/owned` exists once the workers may begin."""
    quiet()
    asyncio.run(_own(Spec(**spec)))


async def _own(spec: Spec) -> None:
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    shared = Path(spec.shared)
    shared.mkdir(mode=0o700)
    async with owning(options_of(spec)):
        (shared / "owned").touch()
        await ended.wait()
