"""The keys of users: made when something of a user is first kept, destroyed with the user.

They are beside the database, so that a copy of it has none: in a file of their own beside that of
SQLite, in a table of their own in PostgreSQL.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ...model.errors import EncryptionError
from ...model.times import to_ms
from ...model.types import OwnerRef, Scope, utc_now
from ..rows import digest
from ..scripts import Row, Script, ScriptRunner, SqlStatement
from .master_key import MasterKey
from .user_key import KEY_BYTES, UserKey, new_id

MOST_OPEN = 20_000
"""Keys of so many users are in memory; of more, those that came first are read again."""
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
_STATE = "SELECT id FROM user_keys WHERE state = :state ORDER BY id"
_NEW = """
    INSERT INTO user_keys (id, tenant, owner, wrapped, state, made_at)
    VALUES (:id, :tenant, :owner, :wrapped, :state, :made_at) ON CONFLICT DO NOTHING
"""
_STORE = "SELECT id, wrapped FROM user_keys WHERE state = 'store'"
_RETIRE = "UPDATE user_keys SET state = 'retired' WHERE state = 'active' AND {which}"
_DESTROY = """
    UPDATE user_keys SET state = 'destroyed', wrapped = '' WHERE state = 'retired' AND {which}
    RETURNING id
"""
_AMONG = "id IN :ids[]"

K = TypeVar("K")
Whose = tuple[str, str]
"""A tenant and a user; '' for what has no user."""


class MissingKeysError(Exception):
    """Keys are to be read, or made, before the same is tried again."""

    def __init__(
        self, *, ids: Collection[str] = frozenset(), owners: Collection[Whose] = frozenset()
    ) -> None:
        super().__init__("keys are to be read first")
        self.ids = frozenset(ids)
        self.owners = frozenset(owners)


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where the keys are."""

    shown: str
    """For people."""
    beside: bool
    """Whether they are in a file of their own; else in the database itself."""
    watched: sqlite3.Connection | None = None
    """A connection that sees when another process changes them."""

    def version(self) -> int:
        """Changes when others change them."""
        if self.watched is None:
            return 0
        [number] = self.watched.execute("PRAGMA data_version").fetchone()
        return int(number)


class UserKeys:
    """The keys that are open in this process, over the table that has them all, wrapped."""

    def __init__(self, scripts: ScriptRunner, master: MasterKey, place: KeyPlace) -> None:
        self._scripts = scripts
        self._master = master
        self.place = place
        self._version = place.version()
        self._active: dict[str, UserKey] = {}
        self._named: dict[str, UserKey | None] = {}

    def active(self, owner: Whose) -> UserKey | None:
        """What seals for a user, if it is open."""
        return self._active.get(owner_name(owner))

    def named(self, key_id: str) -> UserKey | None:
        """The key of this id, None if it was destroyed. Raises KeyError: it is not open."""
        return self._named[key_id]

    def look(self) -> None:
        """Drop what may be out of date: another process may have retired a key."""
        if (now := self.place.version()) != self._version:
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
        if missing.ids:
            rows = await self._scripts.statement(_NAMED, {"ids": sorted(missing.ids)})
            if lost := missing.ids - {row[0] for row in rows}:
                raise EncryptionError(
                    f"{self.place.shown} lacks {len(lost)} keys that something was sealed with: "
                    "put back the latest copy of the keys"
                )
            self._open(rows)
        if missing.owners:
            await self._supply_owners({owner_name(each): each for each in missing.owners})

    async def _supply_owners(self, owners: Mapping[str, Whose]) -> None:
        values = {"owners": sorted(owners)}
        rows = await self._scripts.statement(_ACTIVE, values)
        if new := owners.keys() - {row[1] for row in rows}:
            made = [self._made(name, owners[name]) for name in sorted(new)]
            await self._write(made)
            rows = await self._scripts.statement(_ACTIVE, values)
        self._open(rows)

    def _made(self, name: str, owner: Whose) -> dict[str, object]:
        key_id = new_id()
        return {
            "id": key_id,
            "tenant": digest(owner[0]),
            "owner": name,
            "wrapped": self._master.wrapped(secrets.token_bytes(KEY_BYTES), key_id + name),
            "state": "active",
            "made_at": to_ms(utc_now()),
        }

    def _open(self, rows: Collection[Row]) -> None:
        for key_id, owner, wrapped, state in rows:
            key = None
            if state != "destroyed":
                key = UserKey(key_id, owner, self._master.unwrapped(wrapped, key_id + owner))
            if key is not None and state == "active":
                _keep(self._active, owner, key)
            _keep(self._named, key_id, key)

    async def store(self) -> str:
        """The id of these keys, which is made if there are none yet.

        Raises EncryptionError: they are of another master key.
        """
        if not (rows := await self._scripts.statement(_STORE, {})):
            row = self._made("", ("", "")) | {"state": "store", "wrapped": self._master.check}
            await self._write([row])
            rows = await self._scripts.statement(_STORE, {})
        [(store_id, check)] = rows
        if check != self._master.check:
            raise EncryptionError(
                f"database.master_key is not the one that wraps the keys in {self.place.shown}: "
                "set the right one; nothing was changed"
            )
        return str(store_id)

    async def _write(self, rows: list[dict[str, object]]) -> None:
        # So that the file has them without its log: it is what people copy.
        await self._scripts.change(lambda: _written(rows), tenants=(), erases=True)

    async def retire(self, owner_ref: OwnerRef) -> bool:
        """Seal nothing more with the keys of a user or a tenant; False for any other scope.

        Before what they sealed is erased: whoever writes meanwhile has written, or has a new key.
        """
        which = _which(owner_ref)
        if which is None:
            return False
        await self._retire(*which)
        return True

    async def _retire(self, which: str, values: Mapping[str, object]) -> None:
        await self._scripts.statement(_RETIRE.format(which=which), values)
        self.close_keys()

    async def destroy(self, owner_ref: OwnerRef) -> int:
        """Destroy the retired keys of a user or a tenant; returns how many."""
        which = _which(owner_ref)
        return 0 if which is None else await self._destroy(*which)

    async def drop(self, name: str) -> None:
        """Destroy the key of what is no user's, by its name."""
        which = "owner = :owner", {"owner": owner_name(("", name))}
        await self._retire(*which)
        await self._destroy(*which)

    async def destroy_named(self, ids: Collection[str]) -> int:
        """The same of these keys."""
        return await self._destroy(_AMONG, {"ids": sorted(ids)}) if ids else 0

    async def _destroy(self, which: str, values: Mapping[str, object]) -> int:
        def script() -> Script[int]:
            return len((yield SqlStatement(_DESTROY.format(which=which), values)))

        gone = await self._scripts.change(script, tenants=(), erases=True)
        if gone and not self.place.beside:
            # A server keeps what was overwritten until it writes the table anew.
            await self._scripts.statement("VACUUM FULL user_keys", {})
        self.close_keys()
        return gone

    async def in_state(self, state: str) -> list[str]:
        """The ids of the keys in a state."""
        rows = await self._scripts.statement(_STATE, {"state": state})
        return [str(key_id) for (key_id,) in rows]

    async def close(self) -> None:
        """Close the file, if they have one."""
        if self.place.watched is not None:
            self.place.watched.close()  # whoever closes last copies the log into the file
        if self.place.beside:
            await self._scripts.close()


def owner_name(owner: Whose) -> str:
    """A user of a tenant as a digest."""
    return digest("\x00".join(owner))


def _keep(kept: dict[str, K], name: str, key: K) -> None:
    kept.pop(name, None)
    kept[name] = key
    while len(kept) > MOST_OPEN:
        kept.pop(next(iter(kept)), None)


def _which(owner_ref: OwnerRef) -> tuple[str, dict[str, object]] | None:
    if not isinstance(owner_ref, Scope):
        return "tenant = :tenant", {"tenant": digest(owner_ref)}
    if owner_ref.user_id is None or owner_ref.agent_id or owner_ref.run_id:
        return None
    return "owner = :owner", {"owner": owner_name((owner_ref.tenant, owner_ref.user_id))}


def _written(rows: list[dict[str, object]]) -> Script[None]:
    yield SqlStatement(_NEW, many=rows)
