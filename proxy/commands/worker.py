"""`recollect worker`: learn in a separate process."""

from __future__ import annotations

import argparse
import asyncio
from functools import partial
from typing import TYPE_CHECKING

from .base import CANNOT_START, CommandError
from .configured import settings_of
from .terminal import own_version, say

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine


def fill(parser: CommandLine) -> None:
    """Register ``worker``."""
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
        raise CommandError(CANNOT_START.format(error)) from None
    return 0


def _welcome() -> None:
    say(f"Recollect {own_version()} is ready to learn")
