"""Opens the configured database."""

from __future__ import annotations

from pathlib import Path
from typing import assert_never

from ..model.errors import InvalidInputError
from .options import DatabaseOptions
from .scripts import ScriptRunner
from .sealing.refusing import refuse_sealed


async def open_database(options: DatabaseOptions, *, owned: bool = True) -> ScriptRunner:
    """Open it, and make its tables if they are missing.

    Unless it is `owned`, a parent of this process holds the lock of the file.

    Raises:
        StateDamagedError: its file is damaged and was not changed.
        StateUnwritableError: its disk has no room for what opening writes.
        FormatError: it is of another format.
        EncryptionError: its texts are sealed with other keys than are configured, or not sealed.
        StateError: it cannot be opened.
        InvalidInputError: it needs a file and none is named.
    """
    scripts = await _opened(options, owned=owned)
    try:
        if options.encryption is not None:
            from .sealing.opening import sealed

            return await sealed(scripts, options)
        if options.kind == "sqlite":  # that of PostgreSQL is noticed when it is reached
            await refuse_sealed(scripts, options.shown)
    except BaseException:
        await scripts.close()
        raise
    return scripts


async def _opened(options: DatabaseOptions, *, owned: bool) -> ScriptRunner:
    match options.kind:
        case "sqlite":
            from .sqlite import open_sqlite

            if options.file is None:
                raise InvalidInputError("database.url", "expected the path of a SQLite file")
            return await open_sqlite(options.file, options.synchronous, owned=owned)
        case "postgres":
            from .postgres import open_postgres

            return await open_postgres(
                options.address or "", is_sealed=options.encryption is not None
            )
        case "inmemory":
            from .sqlite import in_memory

            return in_memory()
        case _ as never:
            assert_never(never)


def format_noted(path: Path) -> int:
    """The format that a SQLite file says of itself; see `sqlite.connect`."""
    from .sqlite.connect import format_noted

    return format_noted(path)
