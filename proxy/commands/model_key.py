"""The credential of the model server for commands that send chats; never an argument itself."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .base import CommandError

STDIN = "-"


def add_key_to(parser: argparse.ArgumentParser) -> None:
    """Register ``--key-file``: an argument with the key would be in the list of processes."""
    parser.add_argument(
        "--key-file",
        metavar="FILE",
        help=f"file with the key of the model server; {STDIN} reads it from stdin",
    )


def key_of(options: argparse.Namespace) -> str | None:
    """The key without spaces around it; None if none is named. Raises CommandError."""
    if (file := options.key_file) is None:
        return None
    try:
        text = sys.stdin.read() if file == STDIN else Path(file).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"--key-file {file}: {error}", 2) from None
    if not (key := text.strip()).isprintable() or not key.isascii() or not key:
        raise CommandError(f"--key-file {file}: expected one line of ASCII text", 2)
    return key
