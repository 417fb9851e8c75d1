"""`recollect repair`: replace a damaged database, keeping the damaged file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .terminal import confirmed, say, show

if TYPE_CHECKING:
    from recollect.config import Settings

    from .base import Commands

DESCRIPTION = """\
Check the file of the database, and report damage. Readable rows of a damaged recollect.db are
copied into a new file; the damaged file is kept beside it under a name with the time. Stop
Recollect first: a file in use is refused. A vector index is never repaired: it is filled from the
memories.\
"""


def add_parser(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Register ``repair``."""
    parser = commands.add_parser(
        "repair",
        parents=[shared],
        help="replace a damaged database, keeping the damaged file",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--dry-run", action="store_true", help="report damage, change nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """0: no damage, or repaired; 1: it is damaged or in use; 2: not confirmed."""
    from recollect.memory.model.errors import RecollectError

    try:
        return _run(settings, options)
    except RecollectError as error:
        say(f"recollect: cannot repair: {error}")
        return 1


def _run(settings: Settings, options: argparse.Namespace) -> int:
    from recollect.memory.maintenance import look_at, mend, told

    found = look_at(settings)
    show(f"database {told(found)}")
    if found is not None and found.holder is not None:
        say(f"recollect: nothing was changed: stop {found.holder} first")
        return 1
    if found is None or found.damage is None:
        say("nothing to repair")
        return 0
    show(
        f"plan     save what can be read of {found.path} into a new file, and keep the damaged one "
        "as …corrupt-<time>"
    )
    if options.dry_run:
        say("recollect: nothing was changed (--dry-run)")
        return 1
    if not options.yes and not confirmed("Continue?"):
        say("recollect: nothing was changed; answer y, or use --yes")
        return 2
    for line in mend(found.path):
        show(f"database {line}")
    say("done: start Recollect again; restart it if it was running during the repair")
    return 0
