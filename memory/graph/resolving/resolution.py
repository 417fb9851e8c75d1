"""The resolution of a mention: values without behaviour."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedMerge:
    """That a known entity turned out to be one with the one that a mention is."""

    entity_id: str
    """The other one; the one that is kept is that of the `Resolution`."""
    by: str
    """As in `EntityMerge.by`."""
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """The entity of a mention."""

    entity_id: str | None
    """A known entity that is merged into none. None: a new one, or none if `dropped`."""
    by: str = ""
    """``spelling``, ``alias`` or ``name``; empty for a new one."""
    score: float = 0.0
    """From 0 to 1: how alike the names are."""
    reason: str = ""
    """``unknown``, ``ambiguous``, ``contradicted`` for a new one; how it was matched otherwise."""
    dropped: bool = False
    """Whether nothing is to be linked: it was a mention only if known, and is not; or too many are
    called so."""
    merges: tuple[ProposedMerge, ...] = ()
    """Empty for a new one."""
