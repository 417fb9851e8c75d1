"""Index terms in the form in which Milvus stores and compares them. Pure.

Milvus gets stemmed terms, joined by spaces. Its analyzer splits at everything that is not a letter
or digit and lowercases, and implementations differ in what they consider a letter. So every term
that is not plain ASCII is written in hexadecimal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...memories.fields import MOST_BYTES
from ...model.ports import Analyzer
from ..shared.rows import Row
from .dialect import Abilities
from .schema import KEYWORDS

_ESCAPE = "0x"
_MOST_QUERY_TERMS = 256
"""Maximum distinct terms of one search: more than a question has, and bounded in time."""


def encoded(term: str) -> str:
    """The term as one token of lowercase ASCII letters and digits, distinct for distinct terms."""
    plain = term.isascii() and term.isalnum() and term == term.lower()
    if plain and not term.startswith(_ESCAPE):
        return term
    return _ESCAPE + term.encode("utf-8", "surrogatepass").hex()


def with_terms(row: Row, terms: Analyzer | None) -> Row:
    """The row for a collection with keyword search."""
    return row | {KEYWORDS: document(terms(row["text"]) if terms else ())}


def document(terms: Sequence[str]) -> str:
    """The stored text: the terms in order, from the beginning, as many as fit the column."""
    text = " ".join(map(encoded, terms))
    if len(text) <= MOST_BYTES:
        return text
    return text[: MOST_BYTES + 1].rpartition(" ")[0]


def query(terms: Iterable[str]) -> str:
    """The text of a search: each term once."""
    return " ".join([encoded(term) for term in dict.fromkeys(terms)][:_MOST_QUERY_TERMS])


def relevance(dialect: Abilities, distance: float) -> float:
    """BM25 of a hit, larger for better: Milvus Lite negates it."""
    return -distance if dialect.embedded else distance
