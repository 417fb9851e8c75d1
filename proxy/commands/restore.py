"""`recollect restore`: a backup into an empty folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from .backup import copying, counted
from .terminal import say

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine

DESCRIPTION = """\
Put a folder that `recollect backup` has made into data_dir (--data-dir), in which nothing may be
yet. Every file is compared with its checksum first. (To take one memory out of the archive, see
`recollect memories restore`.)"""


def fill(parser: CommandLine) -> None:
    """Register ``restore``."""
    parser.description = DESCRIPTION
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="what `backup` has made")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """0: everything is in its place; 1: nothing is."""
    from recollect.memory.maintenance import read_note, restore

    folder = options.folder.expanduser().absolute()
    with copying("restoring", read_note(folder).bytes) as copied:
        note = restore(settings, settings.data_dir, folder, copied)
    say(
        f"{counted(note)} are in {settings.data_dir}, as they were on {note.at:%Y-%m-%d at %H:%M} "
        "UTC\nWhat was forgotten since then is there again: repeat those requests to forget."
    )
    return 0
