"""`recollect backup`: everything that is kept, into a folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from .terminal import Progress, own_version, say

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.maintenance import BackupNote

    from .arguments import CommandLine

DESCRIPTION = """\
Copy the database and the keys into a new folder, while Recollect runs or while it does not. Chats
and learning go on. A database on a server is not in it: back that up after this. The index of
vectors and the embedding weights are not in it either: they are made again.

A backup keeps what is forgotten later. It is readable for whoever can read the folder."""

_KB = 1000


def fill(parser: CommandLine) -> None:
    """Register ``backup``."""
    parser.description = DESCRIPTION
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new or empty folder")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """0: the backup is complete; 1: it could not be made, and nothing of it is left."""
    from recollect.memory.maintenance import plan_backup

    size = plan_backup(settings, settings.data_dir)
    note = _made(settings, options.folder.expanduser().absolute(), size)
    say(f"{counted(note)} are in {options.folder}")
    if settings.database.file is None:
        say("not in it: the database, kept by a server or not at all: back that up now")
    if (keys := settings.database.keys_file) is not None:
        say(f"not in it: the keys of users, without which it cannot be read. Copy {keys} now,")
        say(
            "apart, and in place of the copy before: that would bring back who was forgotten since."
        )
    say("It keeps what is forgotten from now on: let it expire as your duties to erase require.")
    return 0


def counted(note: BackupNote) -> str:
    """How much a backup is, for people."""
    return f"{len(note.files):,} files with {note.bytes / _KB**2:,.1f} MB"


class Bytes:
    """Progress of a copy, in KB."""

    def __init__(self, what: str, total: int) -> None:
        self._progress = Progress(f"{what}, KB")
        self._done, self._total = 0, total

    def __call__(self, more: int) -> None:
        self._done += more
        self._progress(self._done // _KB, max(self._done, self._total) // _KB)

    def end(self) -> None:
        """Start a new line."""
        self._progress.end()


def _made(settings: Settings, folder: Path, size: int) -> BackupNote:
    from recollect.memory.maintenance import back_up

    told = Bytes("backing up", size)
    try:
        return back_up(settings, settings.data_dir, folder, own_version(), told)
    finally:
        told.end()
