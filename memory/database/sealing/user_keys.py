"""The keys of users: made when something of a user is first kept, destroyed with the user.

They are beside the database, so that a copy of it has none: in a file of their own beside that of
SQLite, in a table of their own in PostgreSQL.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Collection, Mapping
from functools import partial

from ...model.errors import EncryptionError
from ...model.times import to_ms
from ...model.types import OwnerRef, Scope, utc_now
from ..rows import digest
from ..scripts import ScriptRunner, each, one
from .master_key import MasterKey
from .user_key import KEY_BYTES, UserKey, new_id

MOST_OPEN = 20_000
"""Keys of so many users are in memory; before there are more, all are read again."""
KEYS = """
    CREATE TABLE user_keys (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL, owner TEXT NOT NULL,
        wrapped TEXT NOT NULL,
        state TEXT NOT NULL, made_at INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX user_keys_used ON user_keys (owner)
        WHERE state IN ('active', 'store')
"""
"""`tenant` and `owner` are digests. A key is `active`, then `retired`: it opens, and seals nothing
more; then `destroyed`: its row tells that it was. One row, `store`, is about them all."""
STILL_ACTIVE = "SELECT id FROM user_keys WHERE id IN :ids[] AND state = 'active' FOR SHARE"
_COLUMNS = "id, owner, wrapped, state"
_ACTIVE = f"SELECT {_COLUMNS} FROM user_keys WHERE owner IN :owners[] AND state = 'active'"  # noqa: S608 - a constant
_NAMED = f"SELECT {_COLUMNS} FROM user_keys WHERE id IN :ids[]"  # noqa: S608 - a constant
_STATE = "SELECT id, wrapped FROM user_keys WHERE state = :state ORDER BY id"
_NEW = """
    INSERT INTO user_keys (id, tenant, owner, wrapped, state, made_at)
    VALUES (:id, :tenant, :owner, :wrapped, :state, :made_at) ON CONFLICT DO NOTHING
"""
_RETIRE = "UPDATE user_keys SET state = 'retired' WHERE state = 'active' AND {which}"
_DESTROY = """
    UPDATE user_keys SET state = 'destroyed', wrapped = '' WHERE state = 'retired' AND {which}
    RETURNING id
"""

Whose = tuple[str, str]
"""A tenant and a user; '' for what has no user."""
Which = tuple[str, Mapping[str, object]]
"""A condition on keys, with its values."""


class MissingKeysError(Exception):
    """Keys are to be read, or made, before the same is tried again."""

    def __init__(
        self, *, ids: Collection[str] = frozenset(), owners: Collection[Whose] = frozenset()
    ) -> None:
        super().__init__("keys are to be read first")
        self.ids = frozenset(ids)
        self.owners = {_owner_name(each): each for each in owners}


class UserKeys:
    """The keys that are open in this process, over the table that has them all, wrapped."""

    def __init__(
        self,
        scripts: ScriptRunner,
        master: MasterKey,
        shown: str,
        *,
        beside: bool,
        watched: sqlite3.Connection | None = None,
    ) -> None:
        """`shown` is where they are, for people; `beside` the database, or in it.

        `watched` is a connection that sees when another process changes them.
        """
        self._scripts = scripts
        self.master = master
        self.shown = shown
        self.beside = beside
        self._watched = watched
        self._version: object = None
        self._active: dict[str, UserKey] = {}
        self._named: dict[str, UserKey | None] = {}

    def active(self, owner: Whose) -> UserKey | None:
        """What seals for a user, if it is open."""
        return self._active.get(_owner_name(owner))

    def named(self, key_id: str) -> UserKey | None:
        """The key of this id, None if it was destroyed. Raises KeyError: it is not open."""
        return self._named[key_id]

    def look(self) -> None:
        """Drop what may be out of date: another process may have retired a key."""
        if self._watched is None:
            return
        if (now := self._watched.execute("PRAGMA data_version").fetchone()) != self._version:
            self._version = now
            self.close_keys()

    def close_keys(self) -> None:
        """Read all keys again."""
        self._active.clear()
        self._named.clear()

    async def supply(self, missing: MissingKeysError) -> None:
        """Open these keys, and make those of users who have none.

        Raises EncryptionError: one is not among the keys, or is not of this master key.
        """
        ids, owners = missing.ids, missing.owners
        rows = await self._scripts.statement(_NAMED, {"ids": sorted(ids)}) if ids else []
        if lost := ids - {row[0] for row in rows}:
            raise EncryptionError(
                f"{self.shown} lacks {len(lost)} keys that something was sealed with: "
                "put back the latest copy of the keys"
            )
        if owners:
            values = {"owners": sorted(owners)}
            found = await self._scripts.statement(_ACTIVE, values)
            if new := owners.keys() - {row[1] for row in found}:
                await self._write([self._made(name, owners[name][0]) for name in sorted(new)])
                found = await self._scripts.statement(_ACTIVE, values)
            rows = [*rows, *found]
        if len(self._named) + len(rows) > MOST_OPEN:
            self.close_keys()
        for row in rows:
            self._open(*row)

    def _made(self, name: str, tenant: str) -> dict[str, object]:
        key_id = new_id()
        return {
            "id": key_id,
            "tenant": digest(tenant),
            "owner": name,
            "wrapped": self.master.wrapped(secrets.token_bytes(KEY_BYTES), key_id + name),
            "state": "active",
            "made_at": to_ms(utc_now()),
        }

    def _open(self, key_id: str, owner: str, wrapped: str, state: str) -> None:
        if state == "destroyed":
            self._named[key_id] = None
            return
        key = UserKey(key_id, owner, self.master.unwrapped(wrapped, key_id + owner))
        self._named[key_id] = key
        if state == "active":
            self._active[owner] = key

    async def store(self, *, make: bool) -> str:
        """The id of these keys; `make` it if there are none yet.

        Raises EncryptionError: they are of another master key, or there are none.
        """
        if not (rows := await self.in_state("store")):
            if not make:
                raise EncryptionError(
                    f"{self.shown} has no keys: put back the latest copy of them; nothing was "
                    "changed"
                )
            row = self._made("", "") | {"state": "store", "wrapped": self.master.check}
            await self._write([row])
            rows = await self.in_state("store")
        [(store_id, check)] = rows.items()
        if check != self.master.check:
            raise EncryptionError(
                f"database.master_key is not the one that wraps the keys in {self.shown}: "
                "set the right one; nothing was changed"
            )
        return store_id

    async def _write(self, rows: list[dict[str, object]]) -> None:
        # So that the file has them without its log: it is what people copy.
        await self._scripts.change(lambda: each(_NEW, rows), tenants=(), erases=True)

    async def retire(self, owner_ref: OwnerRef) -> None:
        """Seal nothing more with the keys of a user or a tenant; any other scope has none.

        Before what they sealed is erased: whoever writes meanwhile has written, or has a new key.
        """
        if which := _which(owner_ref):
            await self._retire(which)

    async def _retire(self, which: Which) -> None:
        await self._scripts.statement(_RETIRE.format(which=which[0]), which[1])
        self.close_keys()

    async def destroy(self, owner_ref: OwnerRef) -> int:
        """Destroy the retired keys of a user or a tenant; returns how many."""
        which = _which(owner_ref)
        return await self._destroy(which) if which else 0

    async def drop(self, name: str) -> None:
        """Destroy the key of what is no user's, by its name."""
        await self._retire(_of(("", name)))
        await self._destroy(_of(("", name)))

    async def destroy_named(self, key_id: str) -> None:
        """Destroy a retired key by its id."""
        await self._destroy(("id = :id", {"id": key_id}))

    async def _destroy(self, which: Which) -> int:
        statement = partial(one, _DESTROY.format(which=which[0]), which[1])
        gone = len(await self._scripts.change(statement, tenants=(), erases=True))
        if gone and not self.beside:
            # A server keeps what was overwritten until it writes the table anew.
            await self._scripts.statement("VACUUM FULL user_keys", {})
        self.close_keys()
        return gone

    async def in_state(self, state: str) -> dict[str, str]:
        """The keys in a state, wrapped, by their ids."""
        return dict(await self._scripts.rows(_STATE, {"state": state}, tuple))

    async def close(self) -> None:
        """Close the file, if they have one."""
        if self._watched is not None:
            self._watched.close()  # whoever closes last copies the log into the file
        if self.beside:
            await self._scripts.close()


def _owner_name(owner: Whose) -> str:
    return digest("\x00".join(owner))


def _of(owner: Whose) -> Which:
    return "owner = :owner", {"owner": _owner_name(owner)}


def _which(owner_ref: OwnerRef) -> Which | None:
    if not isinstance(owner_ref, Scope):
        return "tenant = :tenant", {"tenant": digest(owner_ref)}
    if owner_ref.user_id is None or owner_ref.agent_id or owner_ref.run_id:
        return None
    return _of((owner_ref.tenant, owner_ref.user_id))
