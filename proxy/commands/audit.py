"""`recollect audit`: what memory did, as lines of JSON, and whether the lines hold together."""

from __future__ import annotations

import argparse
import http.client
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from .api_client import (
    ProxyRefusedError,
    add_scope_to,
    named,
    scope_of,
)
from .base import CommandError
from .moving import fetched, gather, read_from, written_to
from .terminal import Progress, amount, plain, say

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory.transfer import AuditCheck

    from .arguments import CommandLine

DESCRIPTION = """\
Every change of a memory, and every memory that went to a model, is an event with the hash of the
event before. Events name memories by id and have no text, unless --text asks for it. Whoever can
write the database can write all of it anew: keep the hash that `verify` prints, or an export,
somewhere else, and compare it with --head."""
MOST_SHOWN = 10
"""Chains whose last hash is told."""
_MOST_LINE = 2**24
"""Bytes of one line: an event names at most a hundred memories."""


def fill(parser: CommandLine) -> None:
    """Register the actions."""
    parser.description = DESCRIPTION
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    out = actions.add_parser("export", help="write the events to a file of lines")
    out.add_argument("file", metavar="FILE", help="the file; - for standard output")
    out.add_argument("--text", action="store_true", help="with the texts that are still the same")
    check = actions.add_parser("verify", help="say whether an event is missing or changed")
    check.add_argument("file", metavar="FILE", nargs="?", help="an export (default: what is kept)")
    check.add_argument(
        "--head", metavar="HASH", action="append", default=[],
        help="a hash that an earlier verify printed; may be given several times",
    )  # fmt: skip
    for each in (out, check):
        add_scope_to(each)
        each.add_argument("--all", action="store_true", help="everybody of the tenant")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Export or verify; 1 if an event is missing or changed, or nothing can be read."""
    if options.action == "export":
        _export(settings, options)
    elif options.file is None:
        _verify(options, lambda take: _kept(settings, options, take), _whose(settings, options))
    else:
        _verify(options, partial(_of_file, options.file), options.file)
    return 0


def _export(settings: Settings, options: argparse.Namespace) -> None:
    with written_to(options.file) as sink, Progress("exporting") as progress:

        def keep(data: bytes) -> None:
            sink.write(data)
            progress(sink.lines, None)

        _kept(settings, options, keep)
    say(f"{amount(sink.lines, 'line')} of the event log exported: {_whose(settings, options)}")


def _whose(settings: Settings, options: argparse.Namespace) -> str:
    if options.all:
        return "everybody"
    chosen = options.user or options.agent or options.run
    return named(scope_of(settings, options)) + ("" if chosen else "; --all is everybody")


def _verify(
    options: argparse.Namespace, read: Callable[[Callable[[bytes], None]], None], log: str
) -> None:
    from recollect.memory.transfer import AuditBrokenError, AuditCheck

    check = AuditCheck(options.head)
    try:
        with Progress("verifying") as progress:

            def take(data: bytes) -> None:
                for line in data.splitlines(keepends=True):
                    check.feed(line)
                progress(check.events, None)

            read(take)
            check.end()
    except AuditBrokenError as error:
        raise CommandError(f"{plain(str(error))}\n{_counted(check)} before it agree") from None
    older = f"; {check.removed:,} older removed for their age" if check.removed else ""
    found = f"{_counted(check)} agree{older}" if check.heads else "there are no events"
    say(f"{found}: {log}")
    for owner, head in list(check.heads.items())[:MOST_SHOWN]:
        say(f"head {head}  {plain(check.whose[owner])}")


def _counted(check: AuditCheck) -> str:
    return f"{amount(check.events, 'event')} of {amount(len(check.heads), 'chain')}"


def _of_file(name: str, take: Callable[[bytes], None]) -> None:
    with read_from(name) as file:
        for line in iter(partial(file.readline, _MOST_LINE), b""):
            take(line)


def _kept(settings: Settings, options: argparse.Namespace, take: Callable[[bytes], None]) -> None:
    """The lines of what is kept: from the proxy that runs, else from the database."""
    tenant = options.tenant or settings.identity.tenant
    ids = {} if options.all else scope_of(settings, options).ids()
    text = getattr(options, "text", False)
    sent = _fetched(settings, tenant, {**ids, "texts": "true" if text else "false"})
    gather(settings, tenant, sent, lambda memory: memory.audit_lines(texts=text, **ids), take)


def _fetched(settings: Settings, tenant: str, query: Mapping[str, str]) -> Iterator[bytes]:
    try:
        yield from fetched(settings, tenant, "audit", query)
    except (OSError, http.client.HTTPException) as error:
        raise ProxyRefusedError("the proxy breaks off the event log; see its log") from error
