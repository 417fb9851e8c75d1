"""Runs scripts on a database whose texts are sealed: what they say and see is in the open."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, takewhile
from typing import Any, TypeVar, cast

from ...model.errors import EncryptionError, StateError
from ..scripts import LINE, Row, Script, ScriptRunner, SqlStatement, listed, one, plain
from .columns import DROPPED, NOTHING, SAME, SealPlan, plan_of
from .user_key import BYTES_MARK, MARK, key_id_of
from .user_keys import STILL_ACTIVE, MissingKeysError, UserKeys, Whose

T = TypeVar("T")
Values = Mapping[str, object]

_MARKS = frozenset({MARK, BYTES_MARK})
_MARKED = frozenset({str, bytes})
_MARK_END = len(MARK)
_NAMES = "graph_mentions"
_STARTS = "SELECT DISTINCT key_start FROM graph_mentions WHERE {column} = :{column}"
_USERS = "SELECT DISTINCT user_id FROM graph_mentions WHERE tenant = :tenant"


@dataclass(slots=True)
class _SeenInScript:
    """What one run of a script needs to look up once."""

    keys: set[str] = field(default_factory=set)
    """Ids of those that are held until it ends."""
    names: dict[tuple[str, object], list[tuple[str, str]]] = field(default_factory=dict)
    """Of an owner of a graph, or a tenant: names in the open, each with how it is kept; sorted."""


class SealedScripts:
    """A `ScriptRunner` over another one.

    A script that needs keys which are not open yet ends, and runs again when they are.
    """

    def __init__(
        self,
        inner: ScriptRunner,
        keys: UserKeys,
        first: Callable[[], Awaitable[None]],
    ) -> None:
        """`first` is called before anything else, until it has succeeded."""
        self.inner = inner
        self.keys = keys
        self._first: Callable[[], Awaitable[None]] | None = first

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

    async def rows(self, sql: str, values: Values, decode: Callable[[Row], T]) -> list[T]:
        return await self.read(lambda: listed(sql, values, decode))

    async def statement(self, sql: str, values: Values, *, once: str | None = None) -> list[Row]:
        plan = plan_of(sql)
        if plan.compared or (plan.written and not self.keys.beside):
            tenants = () if once is None else {once}
            script = partial(one, sql, values, in_line=once == LINE)
            return await self.change(script, tenants=tenants)
        rows: list[Row] | None = None

        async def ran() -> list[Row]:
            nonlocal rows
            if rows is None:  # it runs once: only what it returned is looked at again
                [given], _ = self._written(plan, [values])
                rows = await self.inner.statement(plan.sql, given, once=once)
            return self._opened(rows)

        return await self._with_keys(ran)

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

    def _sealed(self, script: Callable[[], Script[T]]) -> Script[T]:
        running, seen = script(), _SeenInScript()
        rows: Any = None  # begins it
        try:
            while True:
                rows = yield from self._run(running.send(rows), seen)
        except StopIteration as end:
            return cast("T", end.value)

    def _run(self, statement: SqlStatement, seen: _SeenInScript) -> Script[list[Row]]:
        plan = plan_of(statement.sql)
        values, many = statement.values, statement.many
        if plan.table:
            rows, used = self._written(plan, [values] if many is None else many)
            values, many = (rows[0], None) if many is None else ({}, rows)
            yield from self._still_active(used - seen.keys)
            seen.keys |= used
            if plan.table == _NAMES:
                seen.names.clear()
        if "start" in plan.compared:
            values = {**values, "start": (yield from self._beginning(values, seen))}
        if names := plan.compared - {"start"}:
            values = yield from self._compared(names, values)
        return self._opened((yield SqlStatement(plan.sql, values, many, statement.in_line)))

    def _written(self, plan: SealPlan, rows: Sequence[Values]) -> tuple[list[Values], set[str]]:
        """The values of rows, with what is to be sealed sealed, and the ids of the keys."""
        missing: set[Whose] = set()
        used: set[str] = set()
        if plan.written:
            self.keys.look()
        sealed = [self._written_row(plan, row, used, missing) for row in rows]
        if missing:
            raise MissingKeysError(owners=missing)
        return sealed, used

    def _written_row(
        self, plan: SealPlan, row: Values, used: set[str], missing: set[Whose]
    ) -> Values:
        for name in plan.unknown:
            if isinstance(row[name], str | bytes):
                raise StateError(f"{name!r} is no column of {plan.table}: it cannot be sealed")
        told = [name for name in plan.written if row[name] not in NOTHING]
        if not told:
            return row
        if "tenant" not in row:
            raise EncryptionError(f"what is written into {plan.table} does not tell whose it is")
        owner = str(row["tenant"]), str(row.get("user_id") or "")
        if (key := self.keys.active(owner)) is None:
            missing.add(owner)
            return row
        used.add(key.id)
        found = dict(row)
        for name in told:
            column = plan.written[name]
            found[name] = "" if column == DROPPED else key.sealed(row[name], same=column in SAME)
        return found

    def _still_active(self, ids: Collection[str]) -> Script[None]:
        """Hold the keys until the transaction ends; another process may have retired one."""
        if ids and not self.keys.beside:
            rows = yield SqlStatement(STILL_ACTIVE, {"ids": sorted(ids)})
            if len(rows) < len(ids):
                self.keys.close_keys()
                raise MissingKeysError

    def _compared(self, names: Collection[str], values: Values) -> Script[Values]:
        """Values that are compared, as each user whose rows may be found has them sealed."""
        tenant = str(values["tenant"])
        users = {"", str(values.get("user_id") or "")}
        if "user_id" not in values:
            rows = yield SqlStatement(_USERS, {"tenant": tenant})
            users.update(str(user_id or "") for (user_id,) in rows)
        owners = [(tenant, user_id) for user_id in sorted(users)]
        keys = [self.keys.active(each) for each in owners]
        if None in keys:
            raise MissingKeysError(owners=owners)
        found = dict(values)
        for name in names:
            given: Any = found[name]
            texts = [given] if isinstance(given, str) else given
            found[name] = [key.sealed(text, same=True) for text in texts for key in keys if key]
        return found

    def _beginning(self, values: Values, seen: _SeenInScript) -> Script[list[str]]:
        """The names that begin so, as they are kept: only what was opened tells."""
        column = "owner" if "owner" in values else "tenant"
        place = column, values[column]
        if place not in seen.names:
            rows = yield SqlStatement(_STARTS.format(column=column), {column: values[column]})
            missing: set[str] = set()
            opened = [(self._opened_row(row, missing), row) for row in rows]
            if missing:
                raise MissingKeysError(ids=missing)
            seen.names[place] = sorted((name[0], row[0]) for name, row in opened if name)
        names, start = seen.names[place], plain(str(values["start"]))
        begun = islice(names, bisect_left(names, (start, "")), None)
        return [kept for _, kept in takewhile(lambda each: each[0].startswith(start), begun)]

    def _opened(self, rows: Sequence[Row]) -> list[Row]:
        """The rows in the open, without those whose key was destroyed: they are forgotten."""
        missing: set[str] = set()
        found = [opened for row in rows if (opened := self._opened_row(row, missing)) is not None]
        if missing:
            raise MissingKeysError(ids=missing)
        return found

    def _opened_row(self, row: Row, missing: set[str]) -> Row | None:
        found: list[Any] = []
        for at, value in enumerate(row):
            if value.__class__ not in _MARKED or value[:_MARK_END] not in _MARKS:
                continue
            try:
                key = self.keys.named(key_id := key_id_of(value))
            except KeyError:
                missing.add(key_id)
                return None
            if key is None:
                return None
            found = found or list(row)
            found[at] = key.opened(value)
        return tuple(found) if found else row
