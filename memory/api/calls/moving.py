"""The methods of `AsyncMemory` that export and import."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import Unpack

from ...operations.scope import ScopeIds
from ...operations.signatures import takes_ids
from ...query.arguments import ScopedQuery
from ...transfer import EmbedWhen, ImportedDict, OnError, Seals, audit_lines
from ..files import ExportedDict, export_lines, import_file, import_options, write_file
from ..results import MemoryResults
from .base import MemoryCalls


class MovingCalls(MemoryCalls):
    """The methods of `AsyncMemory` that export and import."""

    @takes_ids
    async def export(self, **which: Unpack[ScopedQuery]) -> MemoryResults:
        """All memories of a scope that `which` describes, newest first, at once.

        For more than fit the memory of a process, read page by page with `get_all`.
        """
        items = await self._engine.queries.list(*self._view.meant(which))
        return MemoryResults(results=await self._with_usage(items))

    @takes_ids
    async def export_lines(
        self,
        *,
        after: str | None = None,
        vectors: bool = True,
        key: bytes | None = None,
        **ids: Unpack[ScopeIds],
    ) -> AsyncIterator[bytes]:
        """The lines of an export, some at a time; without ids those of the whole tenant.

        See `export_file`. With `after` only rows with an id greater than that.
        """
        owner_ref = self._view.owner_ref(**ids)
        async for data in export_lines(
            self._engine, owner_ref, Seals(self.tenant, key), after=after, vectors=vectors
        ):
            yield data

    @takes_ids
    async def export_file(
        self,
        path: str | os.PathLike[str],
        *,
        vectors: bool = True,
        key: bytes | None = None,
        **ids: Unpack[ScopeIds],
    ) -> ExportedDict:
        """Write all memories of a scope, or of the tenant if no id is given, to a file of lines.

        Memories of every status are in it, with earlier versions, history and, with `vectors`,
        vectors. `path` gets the file once it is whole; only its owner can read it. An import with
        the same `key` knows the lines again: they keep their ids and are not judged again.

        Raises OSError if the file cannot be written.
        """
        return await write_file(path, self.export_lines(vectors=vectors, key=key, **ids))

    @takes_ids
    async def audit_lines(
        self, *, texts: bool = False, **ids: Unpack[ScopeIds]
    ) -> AsyncIterator[bytes]:
        """What memory did for a user, or for everybody of the tenant, as lines of JSON.

        Each event names memories by id, and has the hash of the event before, so that one that is
        missing or changed shows (`recollect audit verify`). With `texts` a memory, or
        what was said, that still says the same is told in its words; else there is no text.

        Raises InvalidInputError if an agent or a run is named beside a user.
        """
        owner_ref = self._view.owner_ref(**ids)
        deeds, lookup = self._engine.parts.state.deeds, self._engine.lookup
        async for data in audit_lines(deeds, lookup, owner_ref, texts=texts):
            yield data

    @takes_ids
    async def import_file(
        self,
        path: str | os.PathLike[str],
        *,
        keep_ids: bool = False,
        embed: EmbedWhen | str = EmbedWhen.MISSING,
        on_error: OnError | str = OnError.STOP,
        key: bytes | None = None,
        **ids: Unpack[ScopeIds],
    ) -> ImportedDict:
        """Import a file of `export_file`; with ids only memories of that scope are accepted.

        Importing `path` again changes nothing, so a run that was interrupted is simply repeated.
        Rows that are here in the same or a later version stay; what was forgotten or deleted here
        stays so. Lines that another installation wrote (with another `key`) get new ids, unless
        `keep_ids`, and their texts are redacted and judged as those of `add`. `embed` says which
        texts are embedded: `missing` (those without a vector of this embedder), `never` or
        `always`. With `on_error` `skip` a line that cannot be read is left out; with `stop` it ends
        the import, and what stands before it is kept.

        Raises InvalidInputError, which names line and field; OSError if the file cannot be read.
        """
        owner_ref = self._view.owner_ref(**ids)
        how = import_options(keep_ids=keep_ids, embed=embed, on_error=on_error)
        return await import_file(self._engine, path, owner_ref, Seals(self.tenant, key), how)
