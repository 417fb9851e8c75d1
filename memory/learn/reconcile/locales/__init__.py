"""Words of change, of negation and of kinship, one module of terms for each language."""

from __future__ import annotations

from functools import cache

from . import ar, de, en, es, fr, hi, ja, pt, zh
from .model import ROLES, WIDER, Terms
from .pack import Mark, Pack, build_pack

__all__ = ["LANGUAGES", "ROLES", "TERMS", "WIDER", "Mark", "Pack", "Terms", "pack_of"]

TERMS = {module.TERMS.code: module.TERMS for module in (en, de, es, fr, pt, zh, ja, hi, ar)}
LANGUAGES = tuple(TERMS)
FALLBACK = "en"
"""Whose pack reads a language without its own: its numbers and names are found all the same."""


@cache
def pack_of(language: str) -> Pack:
    """The pack of a language; the fallback's for one that has none. Compiled at first use."""
    return build_pack(TERMS.get(language, TERMS[FALLBACK]))
