"""Runs scripts on a database whose texts are sealed: what they say and see is in the open."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from ...model.errors import EncryptionError
from ..scripts import LINE, Row, Script, ScriptRunner, SqlStatement, listed, one, plain
from .columns import NOTHING, Sealing, SealPlan, among_starts, plan_of
from .user_key import BYTES_MARK, MARK, UserKey, key_id_of
from .user_keys import STILL_ACTIVE, MissingKeysError, UserKeys, Whose

T = TypeVar("T")

_FOUND = "found_starts"
_TURN = "SELECT tenant, user_id FROM turns WHERE id = :id"
"""Whose a turn is, for statements that only name it."""
NAMES = "graph_mentions"
_STARTS = "SELECT DISTINCT key_start FROM graph_mentions WHERE {column} = :{column}"
_USERS = "SELECT DISTINCT user_id FROM graph_mentions WHERE tenant = :tenant"
_ALL_TENANTS = "SELECT DISTINCT tenant, user_id FROM graph_mentions"


@dataclass(slots=True)
class _SeenInScript:
    """What one run of a script needs to look up once."""

    keys: set[str] = field(default_factory=set)
    """Ids of those that are held until it ends."""
    names: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    """Of an owner of a graph, or a tenant: names in the open, each with how it is kept; sorted."""


class SealedScripts:
    """A `ScriptRunner` over another one.

    A script that needs keys which are not open yet ends, and runs again when they are.
    """

    def __init__(
        self,
        inner: ScriptRunner,
        keys: UserKeys,
        first: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`first` is called before anything else, until it has succeeded."""
        self.inner = inner
        self.keys = keys
        self._first = first

    @property
    def refused(self) -> int:
        return self.inner.refused

    @property
    def alone(self) -> bool:
        return self.inner.alone

    async def begin(self) -> None:
        """Look whether the keys fit, if that was not done. Raises EncryptionError, StateError."""
        if self._first is not None:
            await self._first()
            self._first = None

    async def change(
        self, script: Callable[[], Script[T]], *, tenants: Collection[str], erases: bool = False
    ) -> T:
        sealed = partial(self._sealed, script)
        return await self._with_keys(
            lambda: self.inner.change(sealed, tenants=tenants, erases=erases)
        )

    async def read(self, script: Callable[[], Script[T]]) -> T:
        return await self._with_keys(lambda: self.inner.read(partial(self._sealed, script)))

    async def rows(
        self, sql: str, values: Mapping[str, object], decode: Callable[[Row], T]
    ) -> list[T]:
        return await self.read(lambda: listed(sql, values, decode))

    async def statement(
        self, sql: str, values: Mapping[str, object], *, once: str | None = None
    ) -> list[Row]:
        plan = plan_of(sql)
        if plan.beginning or plan.compared or (plan.written and not self.keys.place.beside):
            tenants = () if once is None else {once}
            script = partial(one, sql, values, in_line=once == LINE)
            return await self.change(script, tenants=tenants)
        if plan.written:
            values = await self._at_once(partial(self._values, plan, values, set()))
        await self.begin()
        # It runs once: only what it returned is looked at again.
        rows = await self.inner.statement(plan.sql, values, once=once)
        return await self._at_once(partial(self._opened, rows))

    async def shift_ms(self) -> int:
        return await self.inner.shift_ms()

    async def ping(self) -> None:
        await self.inner.ping()

    def look(self) -> object:
        return self.inner.look()

    async def close(self) -> None:
        await self.keys.close()
        await self.inner.close()

    async def _with_keys(self, work: Callable[[], Awaitable[T]]) -> T:
        await self.begin()
        while True:
            try:
                return await work()
            except MissingKeysError as missing:
                await self.keys.supply(missing)

    async def _at_once(self, work: Callable[[], T]) -> T:
        async def worked() -> T:
            return work()

        return await self._with_keys(worked)

    def _sealed(self, script: Callable[[], Script[T]]) -> Script[T]:
        running, seen = script(), _SeenInScript()
        rows: list[Row] | None = None
        while True:
            try:
                statement = next(running) if rows is None else running.send(rows)
            except StopIteration as end:
                result: T = end.value
                return result
            rows = yield from self._run(statement, seen)

    def _run(self, statement: SqlStatement, seen: _SeenInScript) -> Script[list[Row]]:
        plan = plan_of(statement.sql)
        sql, values, many = plan.sql, statement.values, statement.many
        if plan.written:
            fresh: set[str] = set()
            if many is None:
                values = self._values(plan, (yield from _whose(plan, values)), fresh)
            else:
                given: list[Mapping[str, object]] = []
                for each in many:
                    whole = yield from _whose(plan, each)
                    given.append(whole)
                many = [self._values(plan, each, fresh) for each in self._known(plan, given)]
            yield from self._still_active(fresh - seen.keys)
            seen.keys |= fresh
            if plan.table == NAMES:
                seen.names.clear()
        if plan.compared:
            values = yield from self._compared(plan, values)
        if plan.beginning:
            found = yield from self._beginning(values, seen)
            if not found:
                return []
            sql, values = among_starts(sql, _FOUND), {**values, _FOUND: found}
        return self._opened((yield SqlStatement(sql, values, many, statement.in_line)))

    def _known(
        self, plan: SealPlan, many: Sequence[Mapping[str, object]]
    ) -> Sequence[Mapping[str, object]]:
        """These, if the keys of all are open: they are read together."""
        owners = {owner_in(plan, each) for each in many}
        if missing := [each for each in owners if self.keys.active(each) is None]:
            raise MissingKeysError(owners=missing)
        return many

    def _values(
        self, plan: SealPlan, values: Mapping[str, object], used: set[str]
    ) -> dict[str, object]:
        """The values with what is to be sealed sealed."""
        found = dict(values)
        key: UserKey | None = None
        for name, how in plan.written.items():
            value = found[name]
            if value in NOTHING:
                continue
            if how is Sealing.DROPPED:
                found[name] = ""
                continue
            key = key or self._key(owner_in(plan, values))
            found[name] = _sealed_value(key, value, same=how is Sealing.SAME)
        if key is not None:
            used.add(key.id)
        return found

    def _key(self, owner: Whose) -> UserKey:
        self.keys.look()
        if (key := self.keys.active(owner)) is None:
            raise MissingKeysError(owners={owner})
        return key

    def _still_active(self, ids: Collection[str]) -> Script[None]:
        """Hold the keys until the transaction ends; another process may have retired one."""
        if ids and not self.keys.place.beside:
            rows = yield SqlStatement(STILL_ACTIVE, {"ids": sorted(ids)})
            if len(rows) < len(ids):
                self.keys.close_keys()
                raise MissingKeysError

    def _compared(self, plan: SealPlan, values: Mapping[str, object]) -> Script[dict[str, object]]:
        """Values that are compared, as each user that is meant has them sealed."""
        owners = yield from _compared_owners(values)
        keys = [self.keys.active(each) for each in owners]
        if None in keys:
            raise MissingKeysError(owners=owners)
        found = dict(values)
        for name in plan.compared:
            given: Any = found[name]
            texts: Iterable[str] = [given] if isinstance(given, str) else given
            found[name] = [
                key.sealed_text(str(text), same=True) for text in texts for key in keys if key
            ]
        return found

    def _beginning(self, values: Mapping[str, object], seen: _SeenInScript) -> Script[list[str]]:
        """The names that begin so, as they are kept: only what was opened tells."""
        column = "owner" if "owner" in values else "tenant"
        place = column, str(values[column])
        if place not in seen.names:
            rows = yield SqlStatement(_STARTS.format(column=column), {column: values[column]})
            opened = self._opened([(*row, *row) for row in rows], keep_first=True)
            seen.names[place] = sorted((str(name), str(kept)) for kept, name in opened)
        names, start = seen.names[place], plain(str(values["start"]))
        found: list[str] = []
        for name, kept in names[bisect_left(names, (start, "")) :]:
            if not name.startswith(start):
                break
            found.append(kept)
        return found

    def _opened(self, rows: list[Row], *, keep_first: bool = False) -> list[Row]:
        """The rows in the open, without those whose key was destroyed: they are forgotten."""
        missing: set[str] = set()
        found: list[Row] = []
        for row in rows:
            opened: Row | None = row
            for value in row:  # without a generator: it runs for every row
                kind = value.__class__
                if (kind is str and value.startswith(MARK)) or (
                    kind is bytes and value.startswith(BYTES_MARK)
                ):
                    opened = self._opened_row(row, missing)
                    break
            if opened is not None:
                found.append((row[0], *opened[1:]) if keep_first else opened)
        if missing:
            raise MissingKeysError(ids=missing)
        return found

    def _opened_row(self, row: Row, missing: set[str]) -> Row | None:
        found = list(row)
        for at, value in enumerate(row):
            kind = value.__class__
            if not (
                (kind is str and value.startswith(MARK))
                or (kind is bytes and value.startswith(BYTES_MARK))
            ):
                continue
            try:
                key = self.keys.named(key_id := key_id_of(value))
            except KeyError:
                missing.add(key_id)
                return None
            if key is None:
                return None
            try:
                found[at] = key.opened(value)
            except ValueError as error:
                raise EncryptionError(f"a row of the database cannot be read: {error}") from error
        return tuple(found)


def owner_in(plan: SealPlan, values: Mapping[str, object]) -> Whose:
    """Whose a row is. Raises EncryptionError: its values do not tell."""
    if "tenant" not in values:
        raise EncryptionError(f"what is written into {plan.table} does not tell whose it is")
    return str(values["tenant"]), str(values.get("user_id") or "")


def _whose(plan: SealPlan, values: Mapping[str, object]) -> Script[Mapping[str, object]]:
    """The values with whose they are."""
    if "tenant" in values or plan.table != "turns":
        return values
    rows = yield SqlStatement(_TURN, {"id": values["id"]})
    tenant, user_id = rows[0] if rows else ("", "")  # there is no row to change
    return {**values, "tenant": tenant, "user_id": user_id}


def _compared_owners(values: Mapping[str, object]) -> Script[list[Whose]]:
    """All whose rows a statement may find."""
    if "tenant" not in values:
        rows = yield SqlStatement(_ALL_TENANTS)
        return [(str(tenant), str(user_id or "")) for tenant, user_id in rows]
    tenant = str(values["tenant"])
    users: set[str] = {"", str(values.get("user_id") or "")}
    if "user_id" not in values:
        rows = yield SqlStatement(_USERS, {"tenant": tenant})
        users |= {str(user_id or "") for (user_id,) in rows}
    return [(tenant, user_id) for user_id in sorted(users)]


def _sealed_value(key: UserKey, value: object, *, same: bool) -> object:
    if isinstance(value, bytes):
        return key.sealed_bytes(value)
    return key.sealed_text(str(value), same=same)
