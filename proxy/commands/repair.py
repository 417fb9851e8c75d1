"""`recollect repair`: replace a damaged database, keeping the damaged file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .base import CommandError
from .terminal import confirm, say, show

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import CommandLine

DESCRIPTION = """\
Check the file of the database, and report damage. Readable rows of a damaged recollect.db are
copied into a new file; the damaged file is kept beside it under a name with the time. Stop
Recollect first: a file in use is refused. A vector index is never repaired: it is filled from the
memories.\
"""


def fill(parser: CommandLine) -> None:
    """Register ``repair``."""
    parser.description = DESCRIPTION
    parser.add_argument("--dry-run", action="store_true", help="report damage, change nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """0: no damage, or repaired; 1: it is damaged or in use; 2: not confirmed."""
    from recollect.memory.maintenance import look_at, mend, told

    found = look_at(settings)
    show(f"database {told(found)}")
    if found is not None and found.holder is not None:
        raise CommandError(f"nothing was changed: stop {found.holder} first")
    if found is None or found.damage is None:
        say("nothing to repair")
        return 0
    show(
        f"plan     save what can be read of {found.path} into a new file, and keep the damaged one "
        "as …corrupt-<time>"
    )
    if options.dry_run:
        raise CommandError("nothing was changed (--dry-run)")
    if not options.yes:
        confirm("Continue?", "nothing was changed")
    for line in mend(found.path):
        show(f"database {line}")
    say("done: start Recollect again; restart it if it was running during the repair")
    return 0
