"""What became of a text that should have come up: is it stored, and does it still hold?

What a message then makes of a memory that holds is for those who know the filters of a chat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import TypedDict

from ..engine.engine import Engine
from ..language import index_terms
from ..model.doubts import why
from ..model.endings import is_duplicate
from ..model.messages import shorten
from ..model.owner import owning_tenant
from ..model.times import iso
from ..model.types import MemoryItem, MemoryStatus, OwnerRef, Scope, text_hash
from ..query.arguments import MemorySelector
from ..recall import Query
from ..recall.lines import QueryHit
from ..util.amounts import amount
from .showing import shown_as

MOST_NEAREST = 5
_SHARED = 0.8
"""Share of the words of a text that a memory must have to be the one that is meant."""
_EVERY = MemorySelector(statuses=frozenset(MemoryStatus))
_DIGITS = 4
_QUOTED_CHARS = 200


class NearDict(TypedDict):
    """A memory that is near a text."""

    id: str
    memory: str
    status: str
    similarity: float
    """The cosine to the text."""


@dataclass(frozen=True, slots=True)
class Fate:
    """A verdict in one word, and why in plain words."""

    verdict: str
    why: str


@dataclass(frozen=True, slots=True)
class Sought:
    """What was found of a text or an id."""

    item: MemoryItem | None
    """The memory that is meant; None if there is none."""
    fate: Fate | None
    """What became of it; None if it holds, so that a message decides."""
    nearest: Sequence[NearDict] = ()
    """Others that are near the text, best first."""


async def sought_by_text(engine: Engine, scope: Scope, text: str) -> Sought:
    """The memory of a scope that says this, of any status, or what was said.

    Raises StoreError, StateError, EmbeddingError, InvalidInputError.
    """
    hits = await engine.queries.search(scope, Query(text), _EVERY, limit=MOST_NEAREST + 1)
    update = engine.recaller.calibration.update
    item = _meant(text, hits, update)
    near = [_near(hit) for hit in hits if item is None or hit.item.id != item.id]
    fate = await (_unknown(engine, scope) if item is None else _fate(engine, scope, item))
    return Sought(item, fate, near[:MOST_NEAREST])


async def sought_by_id(engine: Engine, scope: Scope, memory_id: str, *, of_tenant: bool) -> Sought:
    """The same for a memory of a scope by its id. Raises StoreError, StateError.

    Only with `of_tenant`, whoever asks acts for all users of the tenant, it is told whether an id
    was forgotten: nobody learns of the ids of others.
    """
    item = await engine.lookup.find(scope, memory_id)
    if item is not None:
        return Sought(item, await _fate(engine, scope, item))
    if await engine.lookup.history(scope, memory_id):
        return Sought(None, Fate("deleted", "It was deleted; its history is still there."))
    if of_tenant and await _is_forgotten(engine, scope, memory_id):
        return Sought(None, Fate("forgotten", "It was erased everywhere, because somebody asked."))
    return Sought(None, await _unknown(engine, scope))


def _meant(text: str, hits: Sequence[QueryHit], update: float) -> MemoryItem | None:
    """The one that says the text, most alike first."""
    alike = [(_alike(text, hit), hit) for hit in hits]
    fits = [(likeness, hit) for likeness, hit in alike if likeness[0] or hit.similarity >= update]
    return max(fits, key=lambda each: each[0])[1].item if fits else None


def _alike(text: str, hit: QueryHit) -> tuple[bool, bool, float]:
    """Whether it has the words of the text, whether it is the text, and how near it is."""
    wanted = set(index_terms(text).terms)
    held = wanted & set(index_terms(hit.item.text).terms)
    same = hit.item.hash == text_hash(text)
    return same or (bool(wanted) and len(held) >= _SHARED * len(wanted)), same, hit.similarity


async def _fate(engine: Engine, owner_ref: OwnerRef, item: MemoryItem) -> Fate | None:
    match item.status:
        case MemoryStatus.QUARANTINED:
            reasons = "; ".join(dict.fromkeys(why(one.kind) for one in item.provenance.reasons))
            told = f"It is stored and held back until somebody validates it: {reasons}"
            return Fate("withheld", told.rstrip(": ") + ".")
        case MemoryStatus.ARCHIVED:
            return Fate("archived", "It is in the archive, which is not recalled; restore it.")
        case MemoryStatus.SUPERSEDED:
            return await _superseded(engine, owner_ref, item)
        case _:
            return None


async def _superseded(engine: Engine, owner_ref: OwnerRef, item: MemoryItem) -> Fate:
    until = "" if item.valid_to is None else f" It was true until {iso(item.valid_to)}."
    name = item.provenance.superseded_by
    live = None if name is None else await engine.lookup.find(owner_ref, name)
    if live is None:
        return Fate("superseded", "It has ended, or a later statement contradicts it." + until)
    says = shorten(live.text, _QUOTED_CHARS)
    if is_duplicate(item):
        return Fate("superseded", f"Another memory says the same, and is recalled: {says!r}.")
    return Fate("superseded", f"A later version took its place: {says!r}.{until}")


async def _unknown(engine: Engine, scope: Scope) -> Fate:
    state = engine.parts.state
    waiting = (await state.conversations.counts(scope)).unlearned
    if waiting:
        told = f"Nothing stored says this. {amount(waiting, 'turn')} still to be learned."
        return Fate("never_stored", told)
    return Fate("never_stored", "Nothing that is stored says this, and no turn waits.")


async def _is_forgotten(engine: Engine, scope: Scope, memory_id: str) -> bool:
    tombstones = engine.parts.state.tombstones
    return bool(await tombstones.among(owning_tenant(scope), [memory_id]))


def _near(hit: QueryHit) -> NearDict:
    item = hit.item
    return shown_as(NearDict, item, memory=item.text, similarity=round(hit.similarity, _DIGITS))
