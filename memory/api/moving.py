"""The part of `AsyncMemory` that moves memories: to lines of JSON, to a file, and back."""

from __future__ import annotations

import os
from asyncio import to_thread
from collections.abc import AsyncIterator
from enum import StrEnum
from pathlib import Path
from typing import TypedDict, TypeVar

from ..model.errors import InvalidInputError
from ..transfer import (
    EmbedWhen,
    ImportedDict,
    ImportOptions,
    ImportState,
    NewFile,
    OnError,
    Seals,
    end_line,
    header_line,
)
from .about_user import AboutUser

E = TypeVar("E", bound=StrEnum)


class ExportedDict(TypedDict):
    """The result of `export_file`."""

    memories: int
    """Rows that were written: memories and their earlier versions."""
    bytes: int


class Moving(AboutUser):
    """Exports have memories of every status with their versions, history and vectors."""

    async def export_lines(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        after: str | None = None,
        vectors: bool = True,
        key: bytes | None = None,
    ) -> AsyncIterator[bytes]:
        """The lines of an export, some at a time; without ids those of the whole tenant.

        See `export_file`. With `after` only rows with an id greater than that.
        """
        exporter = self._engine.transfer.exporter
        whose = self._whose(user_id, agent_id, run_id)
        header, memories = exporter.header(vectors=vectors), 0
        yield header_line(header)
        async for page in exporter.pages(whose, header, Seals(self.tenant, key), after=after):
            memories += page.memories
            yield page.data
        yield end_line(memories)

    async def export_file(
        self,
        path: str | os.PathLike[str],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        vectors: bool = True,
        key: bytes | None = None,
    ) -> ExportedDict:
        """Write all memories of a scope, or of the tenant if no id is given, to a file of lines.

        Memories of every status are in it, with earlier versions, history and, with `vectors`,
        vectors. `path` gets the file once it is whole; only its owner can read it. An import with
        the same `key` knows the lines again: they keep their ids and are not judged again.

        Raises OSError if the file cannot be written.
        """
        lines = self.export_lines(
            user_id=user_id, agent_id=agent_id, run_id=run_id, vectors=vectors, key=key
        )
        made = await to_thread(NewFile, Path(path))
        try:
            async for data in lines:
                await to_thread(made.write, data)
            await to_thread(made.finish)
        except BaseException:
            made.discard()
            raise
        # Without the header and the end.
        return ExportedDict(memories=made.lines - 2, bytes=made.size)

    async def import_file(
        self,
        path: str | os.PathLike[str],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        keep_ids: bool = False,
        embed: EmbedWhen | str = EmbedWhen.MISSING,
        on_error: OnError | str = OnError.STOP,
        key: bytes | None = None,
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
        whose = self._whose(user_id, agent_id, run_id)
        how = ImportOptions(
            keep_ids=keep_ids,
            embed=_word("embed", embed, EmbedWhen),
            on_error=_word("on_error", on_error, OnError),
        )
        state = ImportState()
        with await to_thread(open, path, "rb") as file:
            run = self._engine.transfer.importer.run
            async for at in run(file, whose, Seals(self.tenant, key), how, state):
                state = at
        return state.counts.as_dict()


def _word(name: str, value: str, kind: type[E]) -> E:
    try:
        return kind(value)
    except ValueError:
        words = ", ".join(each.value for each in kind)
        raise InvalidInputError(name, f"expected one of {words}") from None
