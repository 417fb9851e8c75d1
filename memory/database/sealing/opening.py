"""Opens a sealed database, or refuses: nothing is overwritten with a key that does not fit."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import Collection
from functools import partial

from ...model.errors import EncryptionError, StateError
from ..options import DatabaseOptions
from ..rows import WRITE_NOTE
from ..scripts import Script, ScriptRunner, SqlStatement
from .columns import SEALED
from .master_key import MasterKey, master_key
from .refusing import NOTE, READ_NOTE
from .scripts import SealedScripts
from .user_key import ID_CHARS, MARK
from .user_keys import KEYS, UserKeys

log = logging.getLogger(__name__)

_MARK_CHARS = len(MARK) + ID_CHARS
_WHOLE = sorted(SEALED.keys() - {"memory_vectors", "task_pieces"})
"""Tables of texts; pieces of files and vectors belong to rows of these."""
_FILLED = " OR ".join(f"EXISTS (SELECT 1 FROM {table})" for table in SEALED)  # noqa: S608 - ours
_VECTORS = "DELETE FROM memory_vectors WHERE position NOT IN (SELECT position FROM memories)"
_IN_THE_OPEN = (
    "was made without encryption, which can only be on from the beginning: run `recollect memories "
    "export FILE --all` without database.encryption, then `recollect memories import FILE` with it "
    "and a new folder or database; nothing was changed"
)


async def sealed(inner: ScriptRunner, options: DatabaseOptions) -> ScriptRunner:
    """The database with its texts sealed.

    Raises:
        EncryptionError: the master key cannot be read or is another one, the keys are gone, or the
            database has texts in the open. Nothing was changed.
        StateError: the file of the keys cannot be opened.
    """
    said = options.master_key
    master = await asyncio.to_thread(master_key, said.get_secret_value() if said else "")
    if options.kind == "postgres":
        keys = UserKeys(inner, master, "the table user_keys", beside=False)
    else:
        await _refuse_open(inner, options.shown)
        keys = await _keys_beside(inner, options, master)
    made = SealedScripts(inner, keys, partial(_begin, inner, keys, options.shown))
    try:
        await made.begin()
    except BaseException as error:
        if keys.beside or isinstance(error, EncryptionError) or not isinstance(error, StateError):
            await keys.close()
            raise
        log.warning("%s; retrying when it is used", error)
    return made


async def _keys_beside(
    inner: ScriptRunner, options: DatabaseOptions, master: MasterKey
) -> UserKeys:
    """The keys in their file, which is made for a new database only."""
    from ..sqlite import SqliteScripts
    from ..sqlite.database import Database
    from ..sqlite.in_memory import InMemoryDatabase

    if (path := options.keys_file) is None:
        return UserKeys(SqliteScripts(InMemoryDatabase(KEYS)), master, "memory", beside=True)
    if not path.exists() and await inner.statement(READ_NOTE, {}):
        raise EncryptionError(
            f"{path} is gone, without which {options.file} cannot be read: put back the latest "
            "copy of it; nothing was changed"
        )
    scripts = SqliteScripts(await Database.open(path, KEYS, synchronous="full"))
    watched = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False
    )
    return UserKeys(scripts, master, str(path), beside=True, watched=watched)


async def _prepare_server(inner: ScriptRunner) -> None:
    from ..postgres.tables import translated

    for statement in KEYS.split(";"):
        made = translated(statement).replace("TABLE ", "TABLE IF NOT EXISTS ")
        await inner.statement(made.replace("INDEX ", "INDEX IF NOT EXISTS "), {})


async def _refuse_open(inner: ScriptRunner, shown: str) -> None:
    """Refuse a database with texts in the open."""
    # In one statement: another process may begin to seal it meanwhile.
    if await inner.statement(f"SELECT 1 WHERE NOT EXISTS ({READ_NOTE}) AND ({_FILLED})", {}):
        raise EncryptionError(f"{shown} {_IN_THE_OPEN}")


async def _begin(inner: ScriptRunner, keys: UserKeys, shown: str) -> None:
    """See that the keys are those of the database, and complete what was interrupted."""
    if not keys.beside:
        await _prepare_server(inner)
        await _refuse_open(inner, shown)
    rows = await inner.statement(READ_NOTE, {})
    store = await keys.store(make=not rows)
    ours: dict[str, object] = {"keys": store, "master": keys.master.check}
    known = json.loads(rows[0][0]) if rows else ours
    if known["master"] != ours["master"]:
        raise EncryptionError(
            f"database.master_key is not the one that {shown} was sealed with: set the right one; "
            "nothing was changed"
        )
    if known["keys"] != ours["keys"]:
        raise EncryptionError(
            f"the keys in {keys.shown} are of another database than {shown}: put back its "
            "own; nothing was changed"
        )
    await _settle(inner, keys, known)


async def _settle(inner: ScriptRunner, keys: UserKeys, known: dict[str, object]) -> None:
    """Destroy keys whose texts were erased; drop what a restored copy has of destroyed ones."""
    for key_id in await keys.in_state("retired"):
        used = " OR ".join(f"EXISTS (SELECT 1 {of_table})" for of_table in map(_sealed_in, _WHOLE))
        if not await inner.statement(f"SELECT 1 WHERE {used}", _marked([key_id])):
            await keys.destroy_named(key_id)
    gone = await keys.in_state("destroyed")
    if known.get("destroyed") == len(gone):
        return

    def script() -> Script[None]:
        if gone:
            for table in _WHOLE:
                yield SqlStatement(f"DELETE {_sealed_in(table)}", _marked(gone))
            yield SqlStatement(_VECTORS)
        told = json.dumps({**known, "destroyed": len(gone)})
        yield SqlStatement(WRITE_NOTE, {"name": NOTE, "value": told})

    await inner.change(script, tenants=(), erases=True)


def _marked(ids: Collection[str]) -> dict[str, object]:
    return {"marks": [MARK + key_id for key_id in ids]}


def _sealed_in(table: str) -> str:
    """The rows of a table that are sealed with keys of these `marks`."""
    marks = " OR ".join(f"substr({name}, 1, {_MARK_CHARS}) IN :marks[]" for name in SEALED[table])
    return f"FROM {table} WHERE {marks}"
