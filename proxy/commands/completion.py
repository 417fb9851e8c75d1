"""`recollect completion SHELL`: print what makes a shell complete commands, options and choices."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .completing import bash, fish, levels, zsh
from .terminal import show

if TYPE_CHECKING:
    from recollect.config import Settings

    from .base import Commands

SCRIPTS = {"bash": bash, "zsh": zsh, "fish": fish}
DESCRIPTION = """\
Print a script that completes the commands, options and choices of recollect.

  bash  echo 'source <(recollect completion bash)' >> ~/.bashrc
  zsh   echo 'source <(recollect completion zsh)' >> ~/.zshrc    (after compinit)
  fish  recollect completion fish > ~/.config/fish/completions/recollect.fish"""


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``completion``."""
    parser = commands.add_parser(
        "completion",
        parents=[shared],
        help="print what completes commands in bash, zsh or fish",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=sorted(SCRIPTS))


def run(_settings: Settings, options: argparse.Namespace) -> int:
    """Print the script of a shell."""
    # The command line is made of all commands, this one among them.
    from ..cli import command_line

    show(SCRIPTS[options.shell](levels(command_line())))
    return 0
