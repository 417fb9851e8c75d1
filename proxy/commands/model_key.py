"""The credential of the model server for commands that send chats; never an argument itself."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

STDIN = "-"


class NoKeyError(Exception):
    """The file with the key cannot be read; the message says why."""


def add_key_to(parser: argparse.ArgumentParser) -> None:
    """Register ``--key-file``: an argument with the key would be in the list of processes."""
    parser.add_argument(
        "--key-file",
        metavar="FILE",
        help=f"file with the key of the model server; {STDIN} reads it from stdin",
    )


def key_of(options: argparse.Namespace) -> str | None:
    """The key without spaces around it; None if none is named. Raises NoKeyError."""
    if options.key_file is None:
        return None
    try:
        text = sys.stdin.read() if options.key_file == STDIN else _text(options.key_file)
    except (OSError, UnicodeDecodeError) as error:
        raise NoKeyError(f"--key-file {options.key_file}: {error}") from None
    if not (key := text.strip()).isprintable() or not key.isascii() or not key:
        raise NoKeyError(f"--key-file {options.key_file}: expected one line of ASCII text")
    return key


def _text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")
