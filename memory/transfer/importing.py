"""Writes the rows of an export: resumable, idempotent, and never over somebody else's.

Each page is read and judged in a thread while the page before it is written. A row that is there in
the same or a later version stays. A row that was forgotten or deleted here does not come back,
whatever id it would get.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace

from ..database.changes import ChangeKind
from ..forget import Forgetter, WriteGuard
from ..forget.buried import names
from ..model.errors import InvalidInputError
from ..model.types import HistoryRecord, MemoryItem, OwnerRef, Scope, StoredMemory, Vector
from ..records.parts import Parts
from ..records.writing import InsidePorts
from ..util.fair_thread_pool import FairThreadPool
from .exporting import Pause
from .ids import derived
from .line_reader import Carried
from .planning import Plan, planned, told_by, with_new_ids
from .preparing import Prepared, RowReader, prepared
from .seals import Seals
from .source import Reads, read_page
from .state import ImportOptions, ImportState, OnError
from .telling import TurnImporter
from .trusting import Redact
from .writing import SafeWriter, Written

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
        telling: TurnImporter,
        *,
        redact: Redact,
        bulk: FairThreadPool,
        pause: Pause,
    ) -> None:
        self._telling = telling
        self._store = parts.store
        self._embedder = parts.embedder
        self._writer = parts.writer
        self._guarding = SafeWriter(parts, forgetter)
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

        Only rows of `owner_ref` are written, into the tenant of the `seals`.

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
        page = await self._next(file, state, reader)
        while page is not None:
            # The next page is read while this one is written.
            after = page.state(state.counts)
            following = _nothing() if page.error else self._next(file, after, reader)
            error, further = await asyncio.gather(self._write(page, reader, after), following)
            if error is not None:
                # The page is read again: rows that are there are left as they are.
                after = replace(state, counts=after.counts)
            state = after
            yield state
            if error := error or page.error:
                raise error
            await self._pause()
            page = further
        if state.header is None:
            raise InvalidInputError("line 1, recollect", "expected the header of an export")
        if not state.ended:
            raise InvalidInputError(
                f"line {state.line}", "expected the end after it: the file is not whole"
            )

    async def _next(self, file: Reads, state: ImportState, reader: RowReader) -> Prepared | None:
        """The next page; None at the end of the file."""

        def work() -> Prepared | None:
            try:
                lines = read_page(file, state.line, state.position, most=PAGE)
            except InvalidInputError as error:
                return _unreadable(state, error)
            if not lines:
                return None
            return prepared(lines, state, reader)

        return await self._bulk.run(("import", reader.seals.tenant), work)

    async def _write(
        self, page: Prepared, reader: RowReader, state: ImportState
    ) -> InvalidInputError | None:
        """Write the rows and count them; the error of a row that stops the import."""
        tenant, counts = reader.seals.tenant, state.counts
        for refusal in page.refused:
            counts.refuse(refusal)
        rows = [carried for _, carried in page.rows]
        guards = await self._guarding.guards(carried.item.scope for carried in rows)
        there = await self._known(tenant, rows)
        named = [with_new_ids(carried, there, reader.how) for carried in rows]
        buried = await self._buried(tenant, rows, named)
        plan, refused = planned(page.rows, named, there, buried)
        error = None
        for number, told in refused:
            if reader.how.on_error is OnError.STOP:
                # What stands before it is written, as for a line that cannot be read.
                plan, _ = planned(page.rows[:number], named[:number], there, buried)
                error = told
                break
            counts.refuse(str(told))
        counts.embedded += await self._carry_out(tenant, plan, guards, state)
        counts.read += len(rows) if error is None else refused[0][0]
        counts.quarantined += page.quarantined
        counts.same += plan.same
        counts.kept += plan.kept
        counts.forgotten += plan.forgotten
        counts.renamed += plan.renamed
        if error is None:
            await self._telling.write(page.turns, counts)
        return error

    async def _known(self, tenant: str, rows: Sequence[Carried]) -> dict[str, MemoryItem]:
        """The tenant's rows that have one of the ids."""
        ids: set[str] = set()
        for carried in rows:
            ids.add(carried.item.id)
            if not carried.sealed:
                ids |= carried.references
                ids.add(derived(carried.item.scope, carried.item.id))
        return {item.id: item for item in await self._store.get(tenant, sorted(ids))}

    async def _buried(
        self, tenant: str, rows: Sequence[Carried], named: Sequence[Carried]
    ) -> set[str]:
        """Old and new ids alike: a forgotten memory does not come back under another id."""
        ids: set[str] = set()
        for carried in (*rows, *named):
            ids |= names(carried.item)
        buried = await self._guarding.buried(tenant, ids)
        return {
            new.item.id
            for old, new in zip(rows, named, strict=True)
            if not buried.isdisjoint(names(old.item) | names(new.item))
        }

    async def _carry_out(
        self, tenant: str, plan: Plan, guards: Mapping[Scope, WriteGuard], state: ImportState
    ) -> int:
        """Embed what needs it and write the rows; returns how many were embedded."""
        rows = plan.rows
        if not rows:
            return 0
        vectors, embedded = await self._vectors(rows)

        async def work(ports: InsidePorts) -> tuple[set[str], set[str]]:
            changed = sorted(plan.changed)
            there = await ports.memories.get(tenant, changed) if changed else []
            # Somebody changed it since it was read.
            late = {item.id for item in there if item.version >= rows[item.id].item.version}
            named = [name for name in changed if name not in late]
            known = await ports.history.of_many(tenant, named) if named else {}
            for name in named:  # one by one: a whole owner would drop much more than these
                ports.announce(rows[name].item.scope, ChangeKind.GONE, ids=[name])
            written = [
                self._row(each, vectors[name], known.get(name, ()))
                for name, each in rows.items()
                if name not in late
            ]
            return late, await self._guarding.write(ports, written, guards)

        late, gone = await self._writer.change(work, tenants={tenant})
        plan.kept += len(late)
        for name in late:
            del plan.changed[name]
        state.counts.added += len(plan.new.keys() - gone)
        state.counts.updated += len(plan.changed.keys() - gone)
        plan.forgotten += len(gone & plan.rows.keys())
        return embedded

    async def _vectors(self, rows: Mapping[str, Carried]) -> tuple[dict[str, Vector], int]:
        found = {name: each.vector for name, each in rows.items() if each.vector is not None}
        left = [(name, each.item.sought) for name, each in rows.items() if each.vector is None]
        for start in range(0, len(left), EMBEDDED):
            some = left[start : start + EMBEDDED]
            vectors = await self._embedder.embed([text for _, text in some])
            found |= {name: vector for (name, _), vector in zip(some, vectors, strict=True)}
            await self._pause()
        return found, len(left)

    def _row(self, carried: Carried, vector: Vector, known: Sequence[HistoryRecord]) -> Written:
        """The row, with the records that its memory does not have, under whatever id."""
        item = carried.item
        if item.embedder_id != self._embedder.id:
            item = replace(item, embedder_id=self._embedder.id)
        history = carried.history
        if known:
            there = set(map(told_by, known))
            history = tuple(record for record in history if told_by(record) not in there)
        return Written(StoredMemory(item, vector), history)


async def _nothing() -> None:
    return None


def _unreadable(state: ImportState, error: InvalidInputError) -> Prepared:
    page = Prepared.after(state)
    page.error = error
    return page
