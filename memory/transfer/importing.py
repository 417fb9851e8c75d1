"""Writes the rows of an export: resumable, idempotent, and never over somebody else's.

Each page is read and judged in a thread while the page before it is written, in one transaction
that decides by what is there. A row that is there in the same or a later version stays. A row that
was forgotten or deleted here does not come back, whatever id it would get.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from functools import partial

from ..database.changes import ChangeKind
from ..forget import Forgetter, WriteGuard
from ..model.errors import InvalidInputError
from ..model.types import OwnerRef, Scope, StoredMemory, Vector
from ..recall.index.statement_reader import StatementReader
from ..records.parts import Parts
from ..records.writing import InsidePorts
from ..util.fair_thread_pool import FairThreadPool
from .exporting import Pause
from .imported_turns import names_of, record_turns
from .line_trust import Redact
from .planning import Plan, buried_as, ids_of, planned, unknown_of, with_new_ids
from .preparing import Prepared, Reads, RowReader, prepared, read_page
from .seals import Seals
from .state import ImportOptions, ImportState

PAGE = 480
"""Rows written at a time: a kill loses at most so much work."""
EMBEDDED = 32
"""Texts embedded at a time."""


class Importer:
    """Imports what `Exporter` wrote, here or elsewhere."""

    def __init__(
        self,
        parts: Parts,
        forgetter: Forgetter,
        heard: StatementReader,
        *,
        redact: Redact,
        bulk: FairThreadPool,
        pause: Pause,
    ) -> None:
        self._embedder = parts.embedder
        self._forgetter = forgetter
        self._heard = heard
        self._writer = parts.writer
        self._redact = redact
        self._bulk = bulk
        self._pause = pause

    async def run(
        self,
        file: Reads,
        owner_ref: OwnerRef,
        seals: Seals,
        how: ImportOptions,
        state: ImportState,
    ) -> AsyncIterator[ImportState]:
        """Import the file, which is at `state.position`; yields the state after each page.

        Only rows of `owner_ref` are written, into the tenant of the `seals`. What is forgotten
        meanwhile does not come back with a later page.

        Raises:
            InvalidInputError: a line is refused; names its number and the field. What stands
                before it was imported.
            EmbeddingError, StoreError, StateError: a part failed; run it again from the last state.
        """
        reader = RowReader(
            owner_ref=owner_ref,
            seals=seals,
            how=how,
            redact=self._redact,
            embedder=self._embedder.id,
            dim=self._embedder.dim,
        )
        guards: dict[Scope, WriteGuard] = {}
        page = await self._next(file, state, reader)
        while page is not None:
            # The next page is read while this one is written.
            following = _nothing() if page.error else self._next(file, page.state, reader)
            error, further = await asyncio.gather(self._write(page, reader, guards), following)
            if error is None:
                state = page.state
            # Else the page is read again: rows that are there are left as they are.
            yield state
            if error := error or page.error:
                raise error
            await self._pause()
            page = further
        _check_whole(state)

    async def _next(self, file: Reads, state: ImportState, reader: RowReader) -> Prepared | None:
        """The next page; None at the end of the file."""

        def work() -> Prepared | None:
            try:
                lines = read_page(file, state.line, state.position, most=PAGE)
            except InvalidInputError as error:
                return Prepared(state, error=error)
            return prepared(lines, state, reader) if lines else None

        return await self._bulk.run(("import", reader.seals.tenant), work)

    async def _write(
        self, page: Prepared, reader: RowReader, guards: dict[Scope, WriteGuard]
    ) -> InvalidInputError | None:
        """Write the rows and count them; the error of a row that stops the import."""
        for scope in page.scopes - guards.keys():
            guards[scope] = await self._forgetter.guard(scope)
        vectors: dict[str, Vector] = {}
        work = partial(self._written, page, reader, guards, vectors)
        while True:
            plan = await self._writer.change(work, tenants={reader.seals.tenant})
            if not plan.lacking:
                break
            vectors |= await self._embedded(plan.lacking)
        counts = page.state.counts
        for refusal in page.refused:
            counts.refuse(refusal)
        counts.add(plan.counts)
        counts.embedded += len(vectors)
        counts.quarantined += page.quarantined
        if page.turns and plan.counts.added:
            # What they say is noted with them once it was read, here and not in somebody's search.
            names = {name for each in page.turns for name in names_of(each)}
            await self._heard.of_turns(reader.seals.tenant, sorted(names))
        return plan.error

    async def _written(
        self,
        page: Prepared,
        reader: RowReader,
        guards: Mapping[Scope, WriteGuard],
        vectors: Mapping[str, Vector],
        ports: InsidePorts,
    ) -> Plan:
        """Write rows and turns within a transaction; nothing while a text has no vector."""
        tenant, rows = reader.seals.tenant, page.rows
        there = {item.id: item for item in await ports.memories.get(tenant, sorted(ids_of(rows)))}
        named = [with_new_ids(carried, there, reader.how) for _, carried in rows]
        marks = [buried_as(old, new) for (_, old), new in zip(rows, named, strict=True)]
        buried = await ports.state.tombstones.among(tenant, sorted(set().union(*marks)))
        void = {scope for scope in page.scopes if await guards[scope].is_void(ports)}
        gone = {
            new.item.id
            for new, mark in zip(named, marks, strict=True)
            if new.item.scope in void or not buried.isdisjoint(mark)
        }
        plan = planned(rows, named, there, gone, reader.how.on_error)
        plan.lacking = {
            name: each.item.sought
            for name, each in plan.rows.items()
            if each.vector is None and name not in vectors
        }
        if plan.rows and not plan.lacking:
            await self._put(plan, tenant, vectors, ports)
        if not plan.lacking and plan.error is None:
            for name, each in plan.changed.items():
                # One by one: a whole owner would drop much more than these.
                ports.announce(each.item.scope, ChangeKind.GONE, ids=[name])
            for scope in await record_turns(ports, page.turns, void, plan.counts):
                ports.announce(scope, ChangeKind.SAID)
        return plan

    async def _put(
        self, plan: Plan, tenant: str, vectors: Mapping[str, Vector], ports: InsidePorts
    ) -> None:
        """Write the rows of a plan, with what their histories lack."""
        known = await ports.history.of_many(tenant, sorted(plan.changed))
        await ports.history.carry(
            [
                record
                for name, each in plan.rows.items()
                for record in unknown_of(each, known.get(name, ()))
            ],
            new=plan.new,
            changed=plan.changed,
        )
        await ports.memories.put(
            [
                StoredMemory(
                    replace(each.item, embedder_id=self._embedder.id),
                    vectors[name] if each.vector is None else each.vector,
                )
                for name, each in plan.rows.items()
            ]
        )

    async def _embedded(self, texts: Mapping[str, str]) -> dict[str, Vector]:
        found: dict[str, Vector] = {}
        names = list(texts)
        for start in range(0, len(names), EMBEDDED):
            some = names[start : start + EMBEDDED]
            vectors = await self._embedder.embed([texts[name] for name in some])
            found |= zip(some, vectors, strict=True)
            await self._pause()
        return found


def _check_whole(state: ImportState) -> None:
    """Raises InvalidInputError for a file without its beginning or its end."""
    if state.header is None:
        raise InvalidInputError("line 1, recollect", "expected the header of an export")
    if not state.ended:
        raise InvalidInputError(
            f"line {state.line}", "expected the end after it: the file is not whole"
        )


async def _nothing() -> None:
    return None
