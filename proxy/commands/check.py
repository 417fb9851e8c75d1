"""`recollect check`: test every part and say how to repair what fails."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from .terminal import show

if TYPE_CHECKING:
    from recollect.config import Settings

    from .base import Commands


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``check``."""
    commands.add_parser("check", parents=[shared], help="test every part, say how to fix failures")


def run(settings: Settings, _options: argparse.Namespace) -> int:
    """Test every part; the exit status is 1 if one does not work."""
    from .checks import check, render

    findings = asyncio.run(check(settings))
    show(render(findings))
    return 0 if all(finding.ok for finding in findings) else 1
