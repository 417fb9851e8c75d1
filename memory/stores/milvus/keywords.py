"""Index terms as Milvus keeps and compares them. Pure.

Milvus is given terms that are stemmed already, joined by spaces. Its analyzer cuts at whatever is
no letter or digit and turns capitals into small letters, and which characters are letters is not
the same everywhere: so any other term is written in hexadecimal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...ports import Analyzer
from .dialect import Abilities
from .rows import Row
from .schema import KEYWORD_VECTOR, KEYWORDS, MOST_BYTES

_ESCAPE = "0x"
_MOST_QUERY_TERMS = 256
"""Distinct terms of one search: what a question has and more, and what takes bounded time."""


def encoded(term: str) -> str:
    """The term as one token of small ASCII letters and digits, different for different terms."""
    plain = term.isascii() and term.isalnum() and term == term.lower()
    if plain and not term.startswith(_ESCAPE):
        return term
    return _ESCAPE + term.encode("utf-8", "surrogatepass").hex()


def with_terms(row: Row, terms: Analyzer | None) -> Row:
    """The row of a collection that can be searched for keywords."""
    return row | {KEYWORDS: document(terms(row["text"]) if terms else ())}


def document(terms: Sequence[str]) -> str:
    """What is kept: the terms in order, from the beginning, as far as they fit the column."""
    text = " ".join(map(encoded, terms))
    if len(text) <= MOST_BYTES:
        return text
    return text[: MOST_BYTES + 1].rpartition(" ")[0]


def query(terms: Iterable[str]) -> str:
    """What is looked for: each term once."""
    return " ".join([encoded(term) for term in dict.fromkeys(terms)][:_MOST_QUERY_TERMS])


def search_arguments(text: str) -> dict[str, Any]:
    """How pymilvus is asked for it."""
    return {"data": [text], "anns_field": KEYWORD_VECTOR, "search_params": {"metric_type": "BM25"}}


def relevance(dialect: Abilities, distance: float) -> float:
    """BM25 of a hit, larger for better: Milvus Lite tells it with a minus."""
    return -distance if dialect.embedded else distance
