"""`recollect import`: what was said in chats with other services, from what they export."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from .api_client import add_scope_to, named, nowhere_to_keep, reach, scope_of
from .base import CommandError
from .moving import taken
from .terminal import Progress, say

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.api.earlier_chats import FoundChats

    from .arguments import CommandLine

SERVICES = ("chatgpt", "claude", "gemini")
_COUNTS = ("added", "same", "forgotten", "refused")
_RULES = """\
FILE is the zip archive that the service sends, or the file in it: conversations.json of ChatGPT and
Claude, MyActivity.json of Gemini (Google Takeout, My Activity, Gemini Apps, as JSON, in English).

Kept, with its date and without a model: what the user said, with the answers, on the branch of each
conversation that is current. Left out and counted: other branches, hidden and deleted messages,
tools, attachments, instructions, what a model thought, conversations not to be remembered.
The same export again adds nothing, a later one what is new; what was forgotten stays forgotten.
What was said within a year is recalled in chats, up to the newest 2,000 messages of a user with
64,000 tokens; all of it is in `recollect conversations`. No model learns from it.
"""


def fill(parser: CommandLine) -> None:
    """The arguments of ``import``."""
    parser.epilog = _RULES
    parser.add_argument("service", choices=SERVICES, help="whose export it is")
    parser.add_argument("file", metavar="FILE", type=Path, help="the export")
    add_scope_to(parser)
    # As an import of lines takes them.
    parser.set_defaults(embed="missing", keep_ids=False, skip_errors=False)


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Read the whole export, then keep what is in it; nothing of one that is refused."""
    from recollect.memory.api.earlier_chats import write_lines

    scope = scope_of(settings, options)
    if reach(settings, scope.tenant) is None and (nowhere := nowhere_to_keep(settings)):
        raise CommandError(nowhere)
    reading, keeping = Progress("reading"), Progress("keeping")
    with TemporaryFile() as lines:
        try:
            found = write_lines(
                options.service, options.file, scope, lines, lambda turns: reading(turns, None)
            )
        except OSError as error:
            raise CommandError(f"{options.file}: {error.strerror or error}") from None
        finally:
            reading.end()
        lines.seek(0)
        try:
            counts = taken(
                settings, options, scope.tenant, scope.ids(), lines,
                lambda done, _: keeping(done, found.turns),
            )  # fmt: skip
        finally:
            keeping.end()
    _show(found, counts, named(scope))
    return 0


def _show(found: FoundChats, counts: Mapping[str, Any], whose: str) -> None:
    told = [f"{counts[name]:,} {name}" for name in _COUNTS if counts.get(name)]
    say(
        f"{found.messages:,} messages of {found.conversations:,} conversations, "
        f"{found.turns:,} things said by {whose}: {', '.join(told) or 'nothing to keep'}"
    )
    for rule, number in found.left_out.most_common():
        if number:
            say(f"  left out: {number:,} {rule}")
