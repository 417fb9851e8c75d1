"""`recollect memories export` and `import`: memories as lines of JSON, to a file and back."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urlencode

from .api_client import (
    ProxyRefusedError,
    add_scope_to,
    goes_on,
    nothing_to_open,
    nowhere_to_keep,
    opened,
    reach,
    refused,
    scope_of,
)
from .base import INTERRUPTED, CommandError
from .terminal import Progress, amount, read_by_some, say

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.memory import AsyncMemory
    from recollect.memory.transfer import NewFile

    from .arguments import Actions

ACTIONS = frozenset({"export", "import"})
WORDS = ("missing", "never", "always")
"""Of `--embed`."""
TRIES = 3
"""Times that an export that breaks off is asked for, without a further line between them."""
POLL_SECONDS = 0.3
_CHUNK = 256 * 1024
_PATH = "/v1/memories"
_STAYS = "what was kept stays, and the same file goes on"


class StandardOutput:
    """Lines to stdout, as `NewFile` writes them to a file."""

    def __init__(self) -> None:
        self.lines = 0

    def write(self, data: bytes) -> None:
        with read_by_some():
            sys.stdout.buffer.write(data)
        self.lines += data.count(b"\n")

    def finish(self) -> None:
        with read_by_some():
            sys.stdout.buffer.flush()

    def discard(self) -> None:
        """What was written cannot be taken back."""


@contextlib.contextmanager
def written_to(name: str) -> Iterator[StandardOutput | NewFile]:
    """A file that is there once it is whole; for `-` the standard output."""
    from recollect.memory.transfer import NewFile

    sink = StandardOutput() if name == "-" else NewFile(Path(name))
    try:
        yield sink
        sink.finish()
    except BaseException:
        sink.discard()
        raise


def read_from(name: str) -> contextlib.AbstractContextManager[BinaryIO]:
    """A file, open; for `-` the standard input."""
    return contextlib.nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb")


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
    given = (options.user, options.agent, options.run) != (None, None, None)
    export = options.action == "export"
    meant = given or (export and not options.all)
    ids = scope_of(settings, options).ids() if meant else {}
    (_export if export else _import)(settings, options, tenant, ids)
    return 0


def _export(
    settings: Settings, options: argparse.Namespace, tenant: str, ids: dict[str, Any]
) -> None:
    from ..access.installation_keys import seal_key

    vectors = not options.no_vectors
    query = {**ids, "vectors": "true" if vectors else "false"}
    with written_to(options.file) as sink, Progress("exporting") as progress:

        def keep(data: bytes) -> None:
            sink.write(data)
            progress(sink.lines, None)

        sent = downloaded(partial(_fetched, settings, tenant, query))

        def kept(memory: AsyncMemory) -> AsyncIterator[bytes]:
            return memory.export_lines(**ids, vectors=vectors, key=seal_key(settings))

        gather(settings, tenant, sent, kept, keep)
    lines = max(sink.lines - 2, 0)
    say(f"{amount(lines, 'memory or version', 'memories and versions')} exported")


def gather(
    settings: Settings,
    tenant: str,
    sent: Iterator[bytes],
    kept: Callable[[AsyncMemory], AsyncIterator[bytes]],
    keep: Callable[[bytes], None],
) -> None:
    """Keep the lines that are sent by the proxy, if one runs, else those of the database.

    Raises CommandError: there is nothing to open; ProxyRefusedError, RecollectError.
    """

    async def read() -> None:
        async with opened(settings, tenant) as memory:
            async for data in kept(memory):
                keep(data)

    if reach(settings, tenant) is not None:
        for data in sent:
            keep(data)
    elif missing := nothing_to_open(settings):
        raise CommandError(missing)
    else:
        asyncio.run(read())


def downloaded(fetch: Callable[[Mapping[str, str]], Iterator[bytes]]) -> Iterator[bytes]:
    """The lines of an export, which is asked again for the rest if it breaks off.

    Raises ProxyRefusedError.
    """
    last, tries = b"", 0
    while not last.startswith(b'{"end"'):
        before = last
        for data in fetch(_after(last)):
            line = data.rstrip(b"\n").rpartition(b"\n")[2]
            # A header alone brings nothing: the rest still goes on after the same line.
            last = last if line.startswith(b'{"recollect"') else line
            yield data
        tries = tries + 1 if last == before else 0
        if tries == TRIES:
            raise ProxyRefusedError("the proxy breaks off the export; see its log")


def _after(line: bytes) -> dict[str, str]:
    """Where an export goes on after this line."""
    if line.startswith(b'{"said"'):
        # What was said comes last, and comes again as a whole: an import knows it then.
        return {"after": f"said:{json.loads(line)['said']['id']}"}
    return {"after": json.loads(line)["memory"]["id"]} if line.startswith(b'{"memory"') else {}


def _fetched(
    settings: Settings, tenant: str, query: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[bytes]:
    with contextlib.suppress(OSError, http.client.HTTPException):
        yield from fetched(settings, tenant, "export", {**query, **after})


def fetched(
    settings: Settings, tenant: str, what: str, query: Mapping[str, str]
) -> Iterator[bytes]:
    """The whole lines that come from the proxy; none if it does not run.

    Raises ProxyRefusedError; OSError, HTTPException: the answer breaks off.
    """
    if (reached := reach(settings, tenant)) is None:
        return
    connection, headers = reached
    path = f"{_PATH}/{what}?{urlencode(query, errors='replace')}"
    with contextlib.closing(connection):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        if answer.status != http.HTTPStatus.OK:
            raise refused(settings, answer)
        yield from whole_lines(partial(answer.read1, _CHUNK))


def whole_lines(read: Callable[[], bytes]) -> Iterator[bytes]:
    """What is read, without the line that is not whole yet."""
    rest = b""
    while data := read():
        whole, found, rest = (rest + data).rpartition(b"\n")
        if found:
            yield whole + found


def _import(
    settings: Settings, options: argparse.Namespace, tenant: str, ids: dict[str, str]
) -> None:
    with read_from(options.file) as file, Progress("importing") as progress:
        counts = taken(settings, options, tenant, ids, file, progress)
    say(_told(counts))


def taken(
    settings: Settings,
    options: argparse.Namespace,
    tenant: str,
    ids: dict[str, str],
    file: BinaryIO,
    progress: Callable[[int, int | None], None],
) -> dict[str, Any]:
    """Have lines of an export imported by the proxy, or here; the counts.

    Raises ProxyRefusedError, RecollectError.
    """
    if (reached := reach(settings, tenant)) is None:
        return asyncio.run(_import_here(settings, options, tenant, ids, file, progress))
    with contextlib.closing(reached[0]):
        return _upload(settings, _how(options, ids), file, *reached, progress)


def _how(options: argparse.Namespace, ids: Mapping[str, str]) -> dict[str, str]:
    return {
        **ids,
        "embed": options.embed,
        "keep_ids": "true" if options.keep_ids else "false",
        "on_error": "skip" if options.skip_errors else "stop",
    }


def _told(counts: Mapping[str, Any]) -> str:
    shown = [f"{counts[name]:,} {name}" for name in _COUNTS if counts.get(name)]
    told = f"{counts.get('read', 0):,} read: {', '.join(shown) or 'nothing to do'}"
    return "\n  ".join([told, *counts.get("refusals", ())])


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
    from recollect.memory.util.tasks import beside

    from ..access.installation_keys import seal_key

    if nowhere := nowhere_to_keep(settings):
        raise StoreError(nowhere)
    how = ImportOptions(
        keep_ids=options.keep_ids,
        embed=EmbedWhen(options.embed),
        on_error=OnError.SKIP if options.skip_errors else OnError.STOP,
    )
    owner, state, stopped = Owner(tenant).owner_ref(**ids), ImportState(), asyncio.Event()

    async def pages(engine: Engine) -> None:
        nonlocal state
        run = engine.importer.run
        async for at in run(file, owner, Seals(tenant, seal_key(settings)), how, state):
            state = at
            progress(state.counts.read, None)
            if stopped.is_set():
                return

    async with Engine.open(settings) as engine:
        await engine.switches.refuse()  # as `api.files`
        running = beside(pages(engine), name="import")
        try:
            await asyncio.shield(running)
        except asyncio.CancelledError:  # Ctrl-C: the page that is being written is counted
            stopped.set()
            await running
            told = _told({**state.counts.as_dict()})
            raise CommandError(f"stopped; {told}\n{_STAYS}", INTERRUPTED) from None
    return {**state.counts.as_dict()}


def _upload(
    settings: Settings,
    how: Mapping[str, str],
    file: BinaryIO,
    connection: http.client.HTTPConnection,
    headers: dict[str, str],
    progress: Callable[[int, int | None], None],
) -> dict[str, Any]:
    """Send the file, and wait for the task. Raises ProxyRefusedError, and `goes_on`."""
    path = f"{_PATH}/import?{urlencode(how, errors='replace')}"
    chunked = {**headers, "Transfer-Encoding": "chunked", "Content-Type": "application/x-ndjson"}
    chunks = iter(partial(file.read, _CHUNK), b"")
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it answers why
        connection.request("POST", path, chunks, chunked, encode_chunked=True)
    task = _answered(settings, connection)
    path = f"{_PATH}/tasks/{task['id']}"
    try:
        while task["state"] in ("waiting", "running"):
            time.sleep(POLL_SECONDS)
            connection.request("GET", path, headers=headers)
            task = _answered(settings, connection)
            progress(task["done"], None)
    except KeyboardInterrupt:
        raise goes_on(settings, "the import", look=path, stop=f"{path}/cancel -X POST") from None
    counts: dict[str, Any] = task["counts"]
    if task["state"] == "done":
        return counts
    outcome = task.get("error", f"the import was {task['state']}")
    raise ProxyRefusedError(f"{outcome} (task {task['id']}); {_told(counts)}\n{_STAYS}")


def _answered(settings: Settings, connection: http.client.HTTPConnection) -> dict[str, Any]:
    try:
        answer = connection.getresponse()
        if answer.status not in (http.HTTPStatus.OK, http.HTTPStatus.ACCEPTED):
            raise refused(settings, answer)
        found: dict[str, Any] = json.loads(answer.read())
    except (http.client.HTTPException, ValueError) as error:
        raise ProxyRefusedError("the proxy did not answer") from error
    return found
