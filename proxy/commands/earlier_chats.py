"""`recollect import`: what was said in chats with other services, from what they export."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from .api_client import add_scope_to, named, nowhere_to_keep, reach, scope_of
from .base import CommandError
from .budgets import calls_in, learn
from .moving import taken
from .terminal import Progress, amount, say

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.api.earlier_chats import FoundChats
    from recollect.memory.model.types import Scope

    from .arguments import CommandLine

SERVICES = ("chatgpt", "claude", "gemini")
_COUNTS = ("added", "same", "forgotten", "refused")
_RULES = """\
FILE is the zip archive that the service sends, or the file in it: conversations.json of ChatGPT and
Claude, MyActivity.json of Gemini (Google Takeout, My Activity, Gemini Apps, as JSON, in English).

Kept, with its date and without a model: what the user said, with the answers, on the branch of each
conversation that is current. Left out and counted: other branches, hidden and deleted messages,
tools, attachments, instructions, what a model thought, conversations without a date or not to be
remembered.
The same export again adds nothing, a later one what is new; what was forgotten stays forgotten.
What was said within a year is recalled in chats, up to the newest 2,000 messages of a user with
64,000 tokens. `recollect memories list --kinds said` and `recollect conversations list` have all of
it; `recollect conversations search` reads the newest 600 messages.
No model reads it but by a budget: it tells what that costs, asks, reads the newest conversations
first, and goes on after it was stopped. --learn without a file spends one on earlier imports.
"""


def fill(parser: CommandLine) -> None:
    """The arguments of ``import``."""
    parser.epilog = _RULES
    parser.add_argument("service", nargs="?", choices=SERVICES, help="whose export it is")
    parser.add_argument("file", nargs="?", metavar="FILE", type=Path, help="the export")
    parser.add_argument(
        "--budget", metavar="CALLS", type=calls_in, help='learn with so many calls, as "50 calls"'
    )
    parser.add_argument("--learn", action="store_true", help="only learn, of earlier imports")
    parser.add_argument("--yes", action="store_true", help="spend the budget without a question")
    add_scope_to(parser)
    # As an import of lines takes them.
    parser.set_defaults(embed="missing", keep_ids=False, skip_errors=False)


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Keep what is in an export, and spend a budget on it."""
    scope = scope_of(settings, options)
    if options.learn:
        if options.service or options.budget is None:
            raise CommandError('--learn takes no file, and needs --budget, as "50 calls"', 2)
    elif options.file is None:
        raise CommandError("name the service and the file of its export", 2)
    else:
        _keep(settings, options, scope)
    if options.budget is not None:
        learn(settings, scope, options.budget, sure=options.yes)
    return 0


def _keep(settings: Settings, options: argparse.Namespace, scope: Scope) -> None:
    """Read the whole export, then keep what is in it; nothing of one that is refused."""
    from recollect.memory.api.earlier_chats import write_lines

    if reach(settings, scope.tenant) is None and (nowhere := nowhere_to_keep(settings)):
        raise CommandError(nowhere)
    with TemporaryFile() as lines:
        with Progress("reading") as reading:
            found = write_lines(
                options.service, options.file, scope, lines, lambda turns: reading(turns, None)
            )
        lines.seek(0)
        with Progress("keeping") as keeping:
            counts = taken(
                settings, options, scope.tenant, scope.ids(), lines,
                lambda done, _: keeping(done, found.turns),
            )  # fmt: skip
    _show(found, counts, named(scope))


def _show(found: FoundChats, counts: Mapping[str, Any], whose: str) -> None:
    told = [f"{counts[name]:,} {name}" for name in _COUNTS if counts.get(name)]
    say(
        f"{amount(found.messages, 'message')} of {amount(found.conversations, 'conversation')}, "
        f"{amount(found.turns, 'thing', 'things')} said by {whose}: "
        f"{', '.join(told) or 'nothing to keep'}"
    )
    for rule, number in found.left_out.most_common():
        if number:
            say(f"  left out: {number:,} {rule}")
