"""The `recollect` command: parses arguments, loads settings, and runs a command module."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from .commands import COMMANDS, HELP
from .commands.arguments import CommandLine, spelled_out
from .commands.base import INTERRUPTED
from .commands.terminal import own_version, say, show


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0 for success, 1 for failure, 2 for a wrong call.

    After Ctrl-C it is 130, unless the command ends by itself.
    """
    asked = spelled_out(sys.argv[1:] if arguments is None else arguments)
    parser = command_line()
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
    from recollect.memory.util.heap import loading

    with loading():
        from recollect.config import ConfigError

        from .commands.configured import settings_of
        from .commands.refusals import status_of

    try:
        settings = settings_of(options)
    except ConfigError as error:
        say(f"recollect: the configuration cannot be used\n{error}")
        return 2
    return status_of(COMMANDS[options.command], settings, options)


def command_line() -> argparse.ArgumentParser:
    """The parser of everything that `recollect` takes; a command is loaded when it is looked at."""
    parser = CommandLine(
        prog="recollect",
        description="Long-term memory for any OpenAI client.",
        epilog="`recollect COMMAND --help` describes a command.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show it, and exit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, told in HELP.items():
        command: CommandLine = commands.add_parser(name, help=told)
        command.filled_by(partial(_fill, command, name))
    return parser


def _fill(parser: CommandLine, name: str) -> None:
    COMMANDS[name].fill(parser)
    for each in parser.leaves():
        each.add_argument("--config", type=Path, metavar="FILE", help="YAML file with settings")
        each.add_argument("--profile", metavar="NAME", help="what to lay over it, such as staging")
        each.add_argument("--data-dir", type=Path, metavar="DIR", help="folder for everything kept")


class _Version(argparse.Action):
    """Tells the version, which takes a while to find out."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        show(own_version())
        parser.exit()
