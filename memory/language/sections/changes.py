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
ATTRIBUTES = frozenset([
    "home", "dwelling", "work", "post", "commute", "income", "weight", "age", "name",
    "vehicle", "provider",
])  # fmt: skip
"""What somebody or something has one of at a time."""


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
    single: Named = named(
        "What somebody or something has one of at a time, and the words that tell its value: "
        '"lives in" of the home, "earns" of the income.',
        ATTRIBUTES,
    )
    several: Terms = terms(
        'What may be true of several things at once: "speaks", "is allergic to", "has visited".'
    )
    endings: Terms = terms(
        "Particles that are written onto a word and do not change what it means; of languages "
        "without a stemmer."
    )
    habits: Rows = rows(
        'Seven, Monday first: the forms of weekdays that only habits have ("Mondays").', 7
    )
    denies_next: Terms = terms('The next words are what was wrong: "not", "rather than".')
    denies_before: Terms = terms(
        'The words before are what was wrong; of languages with the verb at the end: "ではなく".'
    )
    replaces_next: Terms = terms(
        'The next words are what something else takes the place of: "switched from", "traded".'
    )
    failed: Terms = terms('What the result of a tool begins with if it failed: "error".')
