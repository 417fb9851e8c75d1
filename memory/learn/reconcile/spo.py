"""Compares subject, predicate and object, if the extractor gave them for both. Pure."""

from __future__ import annotations

from ...types import Candidate
from .canonical import canonical
from .neighbour import Neighbour


def same_triple(candidate: Candidate, neighbour: Neighbour) -> bool:
    """Whether both triples are complete and equal."""
    mine, theirs = _triple(candidate), _triple(neighbour)
    return mine is not None and mine == theirs


def triple_says(candidate: Candidate, neighbour: Neighbour) -> str | None:
    """A reason to keep both: another subject with the same predicate."""
    mine, theirs = _triple(candidate), _triple(neighbour)
    other = mine and theirs and mine[0] != theirs[0] and mine[1] == theirs[1]
    return "another subject" if other else None


def _triple(one: Candidate | Neighbour) -> tuple[str, str, str] | None:
    parts = (one.subject, one.predicate, one.object)
    if not all(parts):
        return None
    subject, predicate, value = (canonical(part or "") for part in parts)
    return (subject, predicate, value) if subject and predicate and value else None
