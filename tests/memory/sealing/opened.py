"""Sealed databases for tests."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

from recollect.memory.database import DatabaseOptions, ScriptRunner, open_database
from recollect.memory.engine.options import EngineOptions

MASTER = base64.b64encode(bytes(range(32))).decode()
OTHER = base64.b64encode(bytes(range(1, 33))).decode()


def options(url: object, master: str | None = MASTER) -> DatabaseOptions:
    """Those of a sealed database; without a master key those of one in the open."""
    keys = {} if master is None else {"encryption": "per_user", "master_key": master}
    return DatabaseOptions.model_validate({"url": url, **keys})


async def opened(url: object, master: str | None = MASTER) -> ScriptRunner:
    """The database there."""
    return await open_database(options(url, master))


def engine_options(url: object, master: str | None = MASTER) -> EngineOptions:
    """Those of an engine on it."""
    return EngineOptions(database=options(url, master))


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file, with its bytes."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.name, path.read_bytes()


def found_in(folder: Path, names: list[str]) -> list[tuple[str, str]]:
    """The names that a file holds, in either case, as text or as UTF-16: name and file."""
    return [
        (name, file)
        for file, content in contents(folder)
        for name in names
        if name.lower().encode() in content.lower() or name.encode("utf-16-le") in content
    ]
