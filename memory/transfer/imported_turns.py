"""Writes the turns of an export: what was said elsewhere is said here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ..forget.passages import tombstone_of
from ..model.types import Recent, Scope
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
    if not turns:
        return set()
    tenant = turns[0].turn.scope.tenant
    both = sorted({name for each in turns for name in names_of(each)})
    found = await ports.state.conversations.named(tenant, both)
    here = {each.turn.id: each.turn.scope for each in found}
    buried = await ports.state.tombstones.among(tenant, list(map(tombstone_of, both)))
    new: dict[str, ExportedTurn] = {}
    for each in turns:
        scope, names = each.turn.scope, names_of(each)
        if scope in void or any(tombstone_of(name) in buried for name in names):
            counts.forgotten += 1
        elif any(here.get(name) == scope for name in names):
            counts.same += 1
        else:
            # The seal of an id alone does not tell whose conversation a changed line names.
            own = each if each.unchanged else with_own_ids(each)
            new[own.turn.id] = own
            here[own.turn.id] = scope
            counts.renamed += own.turn.id != each.turn.id
    await ports.state.conversations.record_read(
        [Recent(each.turn, learned=each.learned, unread=each.unread) for each in new.values()]
    )
    # Of the others the text was erased here, or a memory took the place.
    kept = await ports.state.conversations.named(tenant, list(new))
    counts.read += len(turns)
    counts.added += len(kept)
    counts.forgotten += len(new) - len(kept)
    return {each.turn.scope for each in kept}


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
