"""Writes the turns of an export: what was said elsewhere is said here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ..database.conversations import SqlConversations
from ..forget.passages import tombstone_of
from ..model.types import Scope
from ..records.writing import InsidePorts
from .ids import derived
from .state import ImportCounts
from .turns import ExportedTurn


async def record_turns(
    ports: InsidePorts, turns: Sequence[ExportedTurn], void: Collection[Scope], counts: ImportCounts
) -> set[Scope]:
    """Record the turns of one tenant in their order, and count them; whose were recorded.

    One that is here already, under its own id or the one that it got when the file was imported
    before, stays as it is; one that was forgotten here does not come back, nor do those of scopes
    that are `void`. Within a transaction. Raises StateError.
    """
    touched: set[Scope] = set()
    if not turns:
        return touched
    tenant = turns[0].turn.scope.tenant
    both = sorted({name for each in turns for name in names_of(each)})
    found = await ports.state.conversations.named(tenant, both)
    here = {each.turn.id: each.turn.scope for each in found}
    buried = await ports.state.tombstones.among(tenant, list(map(tombstone_of, both)))
    for each in turns:
        counts.read += 1
        scope, names = each.turn.scope, names_of(each)
        if scope in void or any(tombstone_of(name) in buried for name in names):
            counts.forgotten += 1
        elif any(here.get(name) == scope for name in names):
            counts.same += 1
        elif (kept := await _record(ports.state.conversations, each)) is not None:
            counts.added += 1
            counts.renamed += kept != each.turn.id
            here[kept] = scope
            touched.add(scope)
        else:
            counts.forgotten += 1
    return touched


async def _record(conversations: SqlConversations, carried: ExportedTurn) -> str | None:
    """Its id here; None if it was erased here, or a memory took its place."""
    # The seal of an id alone does not tell whose conversation a changed line names.
    each = carried if carried.unchanged else with_own_ids(carried)
    turn = each.turn
    recorded = await conversations.record(turn)
    if each.learned and recorded.pending == 1:
        # Others of the conversation that are not learned yet must not count as learned.
        await conversations.mark_learned(turn.conversation_id, recorded.seq)
    if each.unread and recorded.pending:
        await conversations.leave_unread(turn.conversation_id, [turn.id])
    found = await conversations.named(turn.scope.tenant, [turn.id])
    return turn.id if found else None


def names_of(carried: ExportedTurn) -> tuple[str, str]:
    """The ids under which the turn may be here."""
    turn = carried.turn
    return turn.id, derived(turn.scope, turn.id)


def with_own_ids(carried: ExportedTurn) -> ExportedTurn:
    """The turn under ids that nobody else has. A line that was changed must not name others.

    The ids follow from the scope and the old ones, so that a file can be imported again.
    """
    turn, scope = carried.turn, carried.turn.scope
    before = turn.before
    if before is not None:
        before = replace(before, turn_ids=tuple(derived(scope, each) for each in before.turn_ids))
    return replace(
        carried,
        turn=replace(
            turn,
            id=derived(scope, turn.id),
            conversation_id=derived(scope, turn.conversation_id),
            recalled=(),
            before=before,
        ),
    )
