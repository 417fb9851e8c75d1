"""What the reconciler reads in two statements."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Named, Rows, Terms, flag, named, rows, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCues:
    """What the reconciler reads in two statements."""

    unspaced: bool = flag("No blanks stand between words.")
    user: Terms = terms("Words for the person all memories are about, and pronouns that mean them.")
    lead: Terms = terms(
        "What may stand between the beginning of a statement and the person it is about."
    )
    ceased: Terms = terms('Something is no more: "no longer", "quit", "is over".')
    refuted: Terms = terms('Something never was so: "never had", "was wrong".')
    replaced: Terms = terms('Something else took its place: "instead", "switched to".')
    changed: Terms = terms('The statement tells the newer state: "now", "was promoted", "since".')
    added: Terms = terms('It stands beside what is known: "also", "another".')
    intended: Terms = terms('It is not so yet: "is thinking about".')
    negated: Terms = terms("")
    kin: Named = named("Relation to the words for it. Keys are the same in all packs (`ROLES`).")
    contrasts: Named = named(
        "Axis to value to words: two statements about different values are about different things."
    )
    months: Rows = rows("In order, variants of one month joined by `|`.", 12)
    weekdays: Rows = rows("From Monday, as above.", 7)
    counts: Named = named("Number to words for it.")
    several: Terms = terms(
        'Beginnings of statements that can be true of several things at once ("User speaks ...").'
    )
    single: Terms = terms('What somebody has one of ("surname").')
    billed: Terms = terms('What comes anew every month ("bill").')
    light: Terms = terms("Words that name nothing: a statement that adds only these adds no fact.")
    spelling: Rows = rows(
        "Groups of words that are one word in two spellings; either may stand for the other."
    )
    same: Rows = rows(
        "Groups of words that are near enough in meaning for a restatement to use either."
    )
    articles: Terms = terms(
        "Articles, and what else a sentence may gain or lose without changing its build."
    )
    stop: Terms = terms(
        "Function words besides those of keyword search; single characters without blanks."
    )
    comparing: Terms = terms('Words whose sides cannot change places: "than", "over".')
    reason: Terms = terms("Why or how something ended: it says nothing about what is so now.")
    past: Terms = terms("Of an event that is over: what was paid once does not change.")
    verbs: Terms = terms("Frequent verbs: what stands before the first one is the subject.")
    conjunctions: Terms = terms('What joins the parts of a list or two clauses: "and", "but".')
