"""`recollect restore`: a backup into an empty folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from .backup import Bytes, counted
from .terminal import say

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.maintenance import BackupNote

    from .base import Commands

DESCRIPTION = """\
Put a folder that `recollect backup` has made into data_dir (--data-dir), in which nothing may be
yet. Every file is compared with its checksum first. (To take one memory out of the archive, see
`recollect memories restore`.)"""


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``restore``."""
    parser = commands.add_parser(
        "restore",
        parents=[shared],
        help="put a backup into an empty data_dir",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="what `backup` has made")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """0: everything is in its place; 1: nothing is."""
    from recollect.memory.model.errors import RecollectError

    try:
        note = _restored(settings, options.folder.expanduser().absolute())
    except RecollectError as error:
        say(f"recollect: cannot restore: {error}")
        return 1
    say(
        f"{counted(note)} are in {settings.data_dir}, as they were on {note.at:%Y-%m-%d at %H:%M} "
        "UTC\nWhat was forgotten since then is there again: repeat those requests to forget."
    )
    return 0


def _restored(settings: Settings, folder: Path) -> BackupNote:
    from recollect.memory.maintenance import read_note, restore

    told = Bytes("restoring", read_note(folder).bytes)
    try:
        return restore(settings, settings.data_dir, folder, told)
    finally:
        told.end()
