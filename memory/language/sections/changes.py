"""What tells that something changed, ended or failed."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Named, Rows, Terms, named, rows, terms

CONTRASTS = frozenset([
    "side left", "side right",
    "environment production", "environment staging", "environment development", "environment test",
    "age older", "age younger",
])  # fmt: skip
"""What things are told apart by, and its values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCues:
    """What tells that something changed, ended or failed."""

    ceased: Terms = terms('Something is no more: "no longer", "quit", "is over".')
    changed: Terms = terms(
        'It is so now, and was not before: "now", "was promoted", "instead", "switched to".'
    )
    added: Terms = terms('It stands beside what is known: "also", "another".')
    intended: Terms = terms('It is not so yet: "is thinking about", "plans to".')
    negated: Terms = terms('"not", "never", "without": it is not so.')
    past: Terms = terms(
        'Of an event that is over ("paid", "yesterday"): what was paid once does not change.'
    )
    conjunctions: Terms = terms('What joins parts of a list or two clauses: "and", "but".')
    lead: Terms = terms(
        "What may stand between the beginning of a statement and the relative it is about, besides "
        'pronouns: articles, "of", "little", "former".'
    )
    light: Terms = terms('Words that name nothing: "wants", "has", "really", "year".')
    same: Rows = rows(
        "Words that may stand for each other: two spellings of one, or nearly one meaning.",
        ordered=False,
    )
    contrasts: Named = named(
        'What tells two things of a kind apart: "left" and "right", "staging" and "production".',
        CONTRASTS,
    )
    failed: Terms = terms('What the result of a tool begins with if it failed: "error".')
