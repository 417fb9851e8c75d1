"""`recollect memories export` and `import`: memories as lines of JSON, to a file and back."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol
from urllib.parse import urlencode

from .api_client import (
    ProxyRefusedError,
    add_scope_to,
    nothing_to_open,
    nowhere_to_keep,
    reach,
    refused,
    scope_of,
)
from .base import CommandError
from .terminal import Progress, say

if TYPE_CHECKING:
    from recollect.config import Settings

    from .arguments import Actions

ACTIONS = frozenset({"export", "import"})
WORDS = ("missing", "never", "always")
"""Of `--embed`."""
TRIES = 3
"""Times that an export that breaks off is asked for, without a further line between them."""
POLL_SECONDS = 0.3
_CHUNK = 256 * 1024
_PATH = "/v1/memories"


class _Sink(Protocol):
    lines: int

    def write(self, data: bytes) -> None: ...
    def finish(self) -> None: ...
    def discard(self) -> None: ...


class StandardOutput:
    """Lines to stdout, as `NewFile` writes them to a file."""

    def __init__(self) -> None:
        self.lines = 0

    def write(self, data: bytes) -> None:
        sys.stdout.buffer.write(data)
        self.lines += data.count(b"\n")

    def finish(self) -> None:
        sys.stdout.buffer.flush()

    def discard(self) -> None:
        """What was written cannot be taken back."""


def add_parsers(actions: Actions) -> None:
    """Register the two actions of ``memories``."""
    out = actions.add_parser("export", help="write memories to a file of lines")
    out.add_argument("file", metavar="FILE", help="the file; - for standard output")
    add_scope_to(out)
    out.add_argument("--all", action="store_true", help="the memories of the whole tenant")
    out.add_argument("--no-vectors", action="store_true", help="smaller; an import embeds again")
    take = actions.add_parser("import", help="read a file of `memories export`")
    take.add_argument("file", metavar="FILE", help="the file; - for standard input")
    add_scope_to(take)
    take.add_argument(
        "--embed", choices=WORDS, default="missing", help="which texts to embed (missing)"
    )
    take.add_argument("--keep-ids", action="store_true", help="also ids of another installation")
    take.add_argument("--skip-errors", action="store_true", help="leave out lines with errors")


def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask the proxy or open the store; 1 if it fails, 2 for a wrong call."""
    tenant = options.tenant or settings.identity.tenant
    work = _export if options.action == "export" else _import
    try:
        return work(settings, options, tenant)
    except OSError as error:
        raise CommandError(f"{options.file}: {error.strerror or error}") from None


def _export(settings: Settings, options: argparse.Namespace, tenant: str) -> int:
    from pathlib import Path

    from recollect.memory.transfer import NewFile

    ids = {} if options.all else scope_of(settings, options).ids()
    reached = reach(settings, tenant)
    if reached is None and (missing := nothing_to_open(settings)):
        raise CommandError(missing)
    sink: _Sink = StandardOutput() if options.file == "-" else NewFile(Path(options.file))
    progress = Progress("exporting")
    try:
        if reached is None:
            asyncio.run(_export_here(settings, options, tenant, ids, sink, progress))
        else:
            _Download(settings, tenant, options, ids, sink, progress).run()
        sink.finish()
    except BaseException:
        sink.discard()
        raise
    finally:
        progress.end()
    say(f"{max(sink.lines - 2, 0):,} memories and versions exported")
    return 0


async def _export_here(
    settings: Settings,
    options: argparse.Namespace,
    tenant: str,
    ids: dict[str, str],
    sink: _Sink,
    progress: Callable[[int, int | None], None],
) -> None:
    from recollect.memory import AsyncMemory
    from recollect.memory.engine.engine import Engine

    from ..access.installation_keys import seal_key

    async with Engine.open(settings) as engine:
        memory = AsyncMemory(engine, tenant=tenant)
        given: dict[str, Any] = dict(ids)
        key, vectors = seal_key(settings), not options.no_vectors
        async for data in memory.export_lines(**given, vectors=vectors, key=key):
            sink.write(data)
            progress(sink.lines, None)


class _Download:
    """An export of a proxy, which is asked again for the rest if it breaks off."""

    def __init__(
        self,
        settings: Settings,
        tenant: str,
        options: argparse.Namespace,
        ids: dict[str, str],
        sink: _Sink,
        progress: Callable[[int, int | None], None],
    ) -> None:
        self._settings, self._tenant = settings, tenant
        self._query = {**ids, "vectors": "false" if options.no_vectors else "true"}
        self._sink, self._progress = sink, progress
        self._last = b""

    def run(self) -> None:
        """Write every line. Raises ProxyRefusedError, OSError."""
        tries = 0
        while not self._last.startswith(b'{"end"'):
            before = self._last
            tries = 0 if self._fetch() and before != self._last else tries + 1
            if tries == TRIES:
                raise ProxyRefusedError("the proxy breaks off the export; see its log")

    def _fetch(self) -> bool:
        """Whether anything came."""
        reached = reach(self._settings, self._tenant)
        if reached is None:
            return False
        connection, headers = reached
        query = urlencode(self._query | self._after(), errors="replace")
        with contextlib.closing(connection):
            try:
                connection.request("GET", f"{_PATH}/export?{query}", headers=headers)
                answer = connection.getresponse()
            except (OSError, http.client.HTTPException):
                return False
            if answer.status != http.HTTPStatus.OK:
                raise refused(self._settings, answer)
            return self._read(answer)

    def _after(self) -> dict[str, str]:
        if self._last.startswith(b'{"said"'):
            # What was said comes last, and comes again as a whole: an import knows it then.
            return {"after": f"said:{json.loads(self._last)['said']['id']}"}
        known = json.loads(self._last) if self._last.startswith(b'{"memory"') else None
        return {} if known is None else {"after": known["memory"]["id"]}

    def _read(self, answer: http.client.HTTPResponse) -> bool:
        """Write the whole lines that come; of a line that breaks off nothing."""
        came, rest = False, b""
        while True:
            try:
                data = answer.read1(_CHUNK)
            except (OSError, http.client.HTTPException):
                return came
            if not data:
                return came
            whole, found, rest = (rest + data).rpartition(b"\n")
            if found:
                self._sink.write(whole + found)
                last = whole.rpartition(b"\n")[2]
                # A header alone brings nothing: the rest still goes on after the same line.
                self._last = self._last if last.startswith(b'{"recollect"') else last
                came = True
                self._progress(self._sink.lines, None)


def _import(settings: Settings, options: argparse.Namespace, tenant: str) -> int:
    given = (options.user, options.agent, options.run) != (None, None, None)
    ids = scope_of(settings, options).ids() if given else {}
    reached = reach(settings, tenant)
    progress = Progress("importing")
    with contextlib.ExitStack() as stack:
        stack.callback(progress.end)
        file: BinaryIO = sys.stdin.buffer
        if options.file != "-":
            file = stack.enter_context(open(options.file, "rb"))  # noqa: PTH123 - a path as given
        if reached is None:
            counts = asyncio.run(_import_here(settings, options, tenant, ids, file, progress))
        else:
            stack.enter_context(contextlib.closing(reached[0]))
            counts = _upload(settings, options, ids, file, *reached, progress)
    _show_counts(counts)
    return 0


def _show_counts(counts: dict[str, Any]) -> None:
    shown = [f"{counts[name]:,} {name}" for name in _COUNTS if counts.get(name)]
    say(f"{counts.get('read', 0):,} read: {', '.join(shown) or 'nothing to do'}")
    for refusal in counts.get("refusals", ()):
        say(f"  {refusal}")


_COUNTS = (
    "added", "updated", "same", "kept", "forgotten", "quarantined", "renamed", "embedded",
    "refused",
)  # fmt: skip


async def _import_here(
    settings: Settings,
    options: argparse.Namespace,
    tenant: str,
    ids: dict[str, str],
    file: BinaryIO,
    progress: Callable[[int, int | None], None],
) -> dict[str, Any]:
    from recollect.memory.engine.engine import Engine
    from recollect.memory.model.errors import StoreError
    from recollect.memory.model.owner import Owner
    from recollect.memory.transfer import EmbedWhen, ImportOptions, ImportState, OnError, Seals

    from ..access.installation_keys import seal_key

    if nowhere := nowhere_to_keep(settings):
        raise StoreError(nowhere)
    how = ImportOptions(
        keep_ids=options.keep_ids,
        embed=EmbedWhen(options.embed),
        on_error=OnError.SKIP if options.skip_errors else OnError.STOP,
    )
    owner, state = Owner(tenant).owner_ref(**ids), ImportState()
    async with Engine.open(settings) as engine:
        run = engine.transfer.importer.run
        async for at in run(file, owner, Seals(tenant, seal_key(settings)), how, state):
            state = at
            progress(state.counts.read, None)
    return {**state.counts.as_dict()}


def _upload(
    settings: Settings,
    options: argparse.Namespace,
    ids: dict[str, str],
    file: BinaryIO,
    connection: http.client.HTTPConnection,
    headers: dict[str, str],
    progress: Callable[[int, int | None], None],
) -> dict[str, Any]:
    """Send the file, and wait for the task. Raises ProxyRefusedError."""
    query = urlencode(
        {
            **ids,
            "embed": options.embed,
            "keep_ids": "true" if options.keep_ids else "false",
            "on_error": "skip" if options.skip_errors else "stop",
        },
        errors="replace",
    )
    chunked = {**headers, "Transfer-Encoding": "chunked", "Content-Type": "application/x-ndjson"}
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it answers why
        connection.request(
            "POST", f"{_PATH}/import?{query}", _chunks(file), chunked, encode_chunked=True
        )
    task = _answered(settings, connection)
    while task["state"] in ("waiting", "running"):
        time.sleep(POLL_SECONDS)
        connection.request("GET", f"{_PATH}/tasks/{task['id']}", headers=headers)
        task = _answered(settings, connection)
        progress(task["done"], None)
    counts: dict[str, Any] = task["counts"]
    if task["state"] == "done":
        return counts
    _show_counts(counts)
    outcome = task.get("error", f"the import was {task['state']}")
    raise ProxyRefusedError(f"{outcome} (task {task['id']})")


def _answered(settings: Settings, connection: http.client.HTTPConnection) -> dict[str, Any]:
    try:
        answer = connection.getresponse()
        if answer.status not in (http.HTTPStatus.OK, http.HTTPStatus.ACCEPTED):
            raise refused(settings, answer)
        found: dict[str, Any] = json.loads(answer.read())
    except (http.client.HTTPException, ValueError) as error:
        raise ProxyRefusedError("the proxy did not answer") from error
    return found


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    while data := file.read(_CHUNK):
        yield data
