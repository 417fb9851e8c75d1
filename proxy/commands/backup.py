"""`recollect backup`: everything that is kept, into a folder."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .terminal import Progress, amount, own_version, say

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
    from recollect.memory.maintenance import back_up, plan_backup

    folder = options.folder.expanduser().absolute()
    with copying("backing up", plan_backup(settings, settings.data_dir)) as copied:
        note = back_up(settings, settings.data_dir, folder, own_version(), copied)
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
    return f"{amount(len(note.files), 'file')} with {note.bytes / _KB**2:,.1f} MB"


@contextmanager
def copying(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Progress of a copy of so many bytes, in KB; is told how many more there are."""
    done = 0
    with Progress(f"{what}, KB") as progress:

        def copied(more: int) -> None:
            nonlocal done
            done += more
            progress(done // _KB, max(done, total) // _KB)

        yield copied
