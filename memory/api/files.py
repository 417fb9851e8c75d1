"""Moves memories to lines of JSON, to a file, and back, for `AsyncMemory`."""

from __future__ import annotations

import os
from asyncio import to_thread
from collections.abc import AsyncIterator
from enum import StrEnum
from pathlib import Path
from typing import TypedDict, TypeVar

from ..engine.engine import Engine
from ..model.errors import InvalidInputError
from ..model.types import OwnerRef
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

E = TypeVar("E", bound=StrEnum)


class ExportedDict(TypedDict):
    """The result of `export_file`."""

    memories: int
    """Rows that were written: memories and their earlier versions."""
    bytes: int


async def export_lines(
    engine: Engine,
    owner_ref: OwnerRef,
    seals: Seals,
    *,
    after: str | None = None,
    vectors: bool = True,
) -> AsyncIterator[bytes]:
    """The lines of an export, some at a time: header, rows with an id after `after`, end."""
    exporter = engine.exporter
    header, memories = exporter.header(vectors=vectors), 0
    yield header_line(header)
    async for page in exporter.pages(owner_ref, header, seals, after=after):
        memories += page.memories
        yield page.data
    yield end_line(memories)


async def write_file(path: str | os.PathLike[str], lines: AsyncIterator[bytes]) -> ExportedDict:
    """Write the lines to a file that appears once it is whole. Raises OSError."""
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


def import_options(
    *, keep_ids: bool, embed: EmbedWhen | str, on_error: OnError | str
) -> ImportOptions:
    """How an import goes. Pure. Raises InvalidInputError."""
    return ImportOptions(
        keep_ids=keep_ids,
        embed=_word("embed", embed, EmbedWhen),
        on_error=_word("on_error", on_error, OnError),
    )


async def import_file(
    engine: Engine,
    path: str | os.PathLike[str],
    owner_ref: OwnerRef,
    seals: Seals,
    how: ImportOptions,
) -> ImportedDict:
    """Import a file of lines. Raises InvalidInputError, OSError."""
    state = ImportState()
    await engine.switches.refuse()  # what was refused for good may be among it
    with await to_thread(open, path, "rb") as file:
        async for at in engine.importer.run(file, owner_ref, seals, how, state):
            state = at
    return state.counts.as_dict()


def _word(name: str, value: str, kind: type[E]) -> E:
    try:
        return kind(value)
    except ValueError:
        words = ", ".join(each.value for each in kind)
        raise InvalidInputError(name, f"expected one of {words}") from None
