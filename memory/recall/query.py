"""A query of a recall."""

from __future__ import annotations

from dataclasses import dataclass

from .constants import Tuning
from .options import ExpandHops


@dataclass(frozen=True, slots=True)
class Query:
    """A question, with the texts that are searched for by words and by meaning."""

    text: str
    """The question, understandable without its conversation."""
    variants: tuple[str, ...] = ()
    """The question in other words (multi-query): any of them may find a memory."""
    passages: tuple[str, ...] = ()
    """Generated answers (HyDE, arXiv 2212.10496): they are searched for by meaning only."""
    message: str = ""
    """The user's message as it was sent, which tells what is needed of their profile; by default
    the question."""
    visible: frozenset[str] = frozenset()
    """Turns that whoever answers sees anyway: what only they say is not chosen."""
    searched: frozenset[str] = frozenset()
    """Turns that the caller searches itself: what only they say is chosen if it is pinned, or newer
    than a memory that is chosen, and not because it matches."""
    conversation: str = ""
    """The conversation that it is of: what is wished for one holds there; "" for none."""
    tuning: Tuning | None = None
    """Orders what is found; None for the usual one."""
    hops: ExpandHops | None = None
    """Whether the best hits lead to others; None for what is configured."""
    may_order: bool = False
    """Whether it may order what a tool does: of such a message procedures alone are compared."""
