"""What tells that something is not so, not so any more, or failed."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Terms, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCues:
    """What tells that something is not so, not so any more, or failed."""

    contrary: Terms = terms(
        'Makes the contrary of the statement that it is put into: "not", "no longer", "never".'
    )
    negated: Terms = terms('"not", "never", "without": it is not so.')
    intended: Terms = terms('It is not so yet: "is thinking about", "plans to".')
    past: Terms = terms('Of an event that is over ("paid", "yesterday"): it counts no days ahead.')
    conjunctions: Terms = terms('What joins parts of a list or two clauses: "and", "but".')
    home: Terms = terms('Tells where somebody lives: "lives in", "moved to".')
    leaves_next: Terms = terms('The next words are where somebody lived before: "moved from".')
    denies_next: Terms = terms('The next words are what was wrong: "not", "rather than".')
    denies_before: Terms = terms(
        'The words before are what was wrong; of languages with the verb at the end: "ではなく".'
    )
    failed: Terms = terms('What the result of a tool begins with if it failed: "error".')
