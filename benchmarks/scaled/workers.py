"""Recalls per second as there are more workers; before there are any, of the one process."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from load import Script, Served, cpu_seconds, free_port, quiet

from recollect.config import Settings

from .chats import Load, fill, questions

CLIENTS = 8
"""Each with one chat after the other."""
SECONDS = 8.0
WARM_SECONDS = 2.0


async def measure(*, quick: bool) -> dict[str, Any]:
    """Recalls per second and CPU of one recall, by workers, up to the cores of this machine."""
    cores = os.cpu_count() or 1
    can = "workers" in type(Settings().listen).model_fields
    rows = {}
    for count in range(1, cores + 1 if can and not quick else 2):
        rows[str(count)] = row = await _of(count if can else None, 2.0 if quick else SECONDS)
        print(f"  {count} workers: {row['per_second']:.1f}/s, {row['cpu_ms']:.1f} ms CPU each")
    return {"workers": rows, "cores": cores, "has_workers": can}


async def _of(workers: int | None, seconds: float) -> dict[str, float]:
    more = {} if workers is None else {"listen__workers": workers}
    with ExitStack() as stack:
        mock = Script("mock_upstream.py")
        stack.callback(mock.stop)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-scaling-"))
        server = Served(
            Path(folder),
            free_port(),
            upstream__base_url=f"{mock.url}/v1",
            learn__idle_seconds=100_000,
            learn__every_turns=1000,
            telemetry__log_level="error",
            **more,
        )
        stack.callback(server.stop)
        fill(server.url)
        load, pid = Load(server.url, questions(1)), server.process.pid
        await load.clients(CLIENTS, WARM_SECONDS)
        await quiet(pid)
        spent = cpu_seconds(pid)
        seen = await load.clients(CLIENTS, seconds)
        await quiet(pid)
        spent = cpu_seconds(pid) - spent
    chats = len(seen.latencies)
    return {"per_second": seen.kept / seen.seconds, "cpu_ms": spent / chats * 1e3}
