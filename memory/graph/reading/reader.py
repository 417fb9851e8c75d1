"""Reads who and what a text speaks of, without a model, and what a model claimed of it."""

from __future__ import annotations

from typing import Final

from ...model.claims import NO_CLAIMS, GraphClaims
from .annotated_text import told
from .assembly import Assembly
from .model_claims import add_claims, add_triple
from .readings import NOTHING_READ, GraphReading

READER: Final = "2"
"""The version of reading and resolving: another one reads otherwise."""
Triple = tuple[str | None, str | None, str | None]
NO_TRIPLE: Final[Triple] = (None, None, None)


def read(
    text: str, *, claims: GraphClaims = NO_CLAIMS, triple: Triple = NO_TRIPLE, trait: str = ""
) -> GraphReading:
    """Who and what a text speaks of, and how these are connected. Any text is read, in linear time.

    Args:
        text: A fact or a statement; of a long one the beginning is read.
        claims: What a model found in it.
        triple: Subject, predicate and object, if known.
        trait: What the statement is about by meaning (`recall.prototypes`), if known.
    """
    if not text.strip():
        return NOTHING_READ
    assembly = Assembly(told(text), trait)
    assembly.read()
    add_claims(assembly.drafts, assembly.text.text, claims)
    add_triple(assembly.drafts, assembly.text.text, triple)
    assembly.add_maybe()
    return assembly.drafts.reading()
