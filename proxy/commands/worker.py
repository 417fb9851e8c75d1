"""`recollect worker`: learn in a separate process."""

from __future__ import annotations

import argparse
import asyncio
from functools import partial
from typing import TYPE_CHECKING

from .configured import settings_of
from .terminal import own_version, say

if TYPE_CHECKING:
    from recollect.config import Settings

    from .base import Commands


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``worker``."""
    parser = commands.add_parser(
        "worker",
        parents=[shared],
        help="learn in a separate process (needs Redis, PostgreSQL, a Milvus server, learn.llm)",
    )
    parser.set_defaults(starts=True)


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Take jobs until a signal stops the process."""
    from recollect.memory.model.errors import RecollectError

    from ..telemetry.logs import configure_logging
    from ..worker_process import run_worker

    configure_logging(settings.telemetry)
    try:
        asyncio.run(run_worker(settings, on_ready=_welcome, read=partial(settings_of, options)))
    except RecollectError as error:
        say(f"recollect: cannot start: {error}\nrun `recollect check` to see every part")
        return 1
    return 0


def _welcome() -> None:
    say(f"Recollect {own_version()} is ready to learn")
