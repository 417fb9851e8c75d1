"""What is searched for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Query:
    """A question to a memory, as it is read by words and by meaning."""

    text: str
    """What was asked, so that it can be understood alone."""
    variants: tuple[str, ...] = ()
    """The same in other words (multi-query): a memory may be found by any of them."""
    passages: tuple[str, ...] = ()
    """Made-up answers (HyDE, arXiv 2212.10496): only their meaning counts, never their words, since
    nobody said them."""
