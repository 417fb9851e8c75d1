"""`recollect check`: test every part and say how to repair what fails."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from .base import CommandError
from .terminal import say, show

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine


def fill(parser: CommandLine) -> None:
    """Register ``check``."""
    parser.add_argument(
        "--extract",
        action="store_true",
        help="instead extract facts from a built-in conversation and show what comes out",
    )
    parser.add_argument(
        "--model", metavar="NAME", help="with --extract: the model, instead of learn.llm.model"
    )


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Test every part; the exit status is 1 if one does not work."""
    if options.model is not None and not options.extract:
        raise CommandError("--model needs --extract", 2)
    if options.extract:
        return _extract(settings, options.model)
    from .checks import check
    from .findings import render

    findings = asyncio.run(check(settings))
    show(render(findings))
    return 0 if all(finding.ok for finding in findings) else 1


def _extract(settings: Settings, name: str | None) -> int:
    """The exit status is 1 if no fact came out, 2 if no model is named."""
    from .trial import NOT_NAMED, chosen_model, render_trial, run_trial

    model = asyncio.run(chosen_model(settings, name))
    if model is None:
        raise CommandError(NOT_NAMED, 2)
    say(f"asking {model.model}, at most {model.timeout_seconds:g} s for each answer ...")
    trial = asyncio.run(run_trial(settings, model))
    show(render_trial(trial, model))
    return 0 if trial.facts else 1
