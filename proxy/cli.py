"""The `recollect` command: parses arguments, loads settings, and runs a command module."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from pathlib import Path

from .commands import COMMANDS
from .commands.arguments import CommandLine, spelled_out
from .commands.configured import settings_of
from .commands.terminal import own_version, say

INTERRUPTED = 130
"""Exit status after Ctrl-C: 128 + SIGINT, as in shells."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0 for success, 1 for failure, 2 for a wrong call.

    After Ctrl-C it is 130, unless the command ends by itself.
    """
    asked = spelled_out(sys.argv[1:] if arguments is None else arguments)
    parser = command_line(*asked[:1])
    if not asked:
        parser.print_help(sys.stderr)
        parser.exit(2)
    options = parser.parse_args(asked)
    try:
        return _run(options)
    except KeyboardInterrupt:
        say("recollect: stopped")
        return INTERRUPTED


def _run(options: argparse.Namespace) -> int:
    if getattr(options, "starts", False):
        # Loading takes seconds on a small machine.
        say(f"Recollect {own_version()} is starting")
    # No module ever becomes garbage: collecting while they load takes a tenth of the time.
    gc.disable()
    from recollect.config import ConfigError

    gc.freeze()
    gc.enable()

    try:
        settings = settings_of(options)
    except ConfigError as error:
        say(f"recollect: the configuration cannot be used\n{error}")
        return 2
    return COMMANDS[options.command].run(settings, options)


def command_line(name: str = "") -> argparse.ArgumentParser:
    """The parser of one command, or of everything that `recollect` takes."""
    parser: argparse.ArgumentParser = CommandLine(
        prog="recollect",
        description="Long-term memory for any OpenAI client.",
        epilog="`recollect COMMAND --help` describes a command.",
    )
    parser.add_argument("--version", action="version", version=own_version())
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--config", type=Path, metavar="FILE", help="YAML file with settings")
    shared.add_argument("--data-dir", type=Path, metavar="DIR", help="folder for everything kept")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for each in [name] if name in COMMANDS else COMMANDS:
        COMMANDS[each].add_parser(commands, shared)
    return parser
