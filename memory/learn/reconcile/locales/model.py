"""What a language pack holds: the same fields for every language.

Terms stand in lower case, separated by blanks or lines; `_` stands for a blank inside a term. Cues
are alternatives of a regular expression, matched on whole words where the script has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """A pack as it is written."""

    code: str
    spaced: bool = True
    """Whether blanks stand between words."""
    user: str
    """Words for the person all memories are about, and pronouns that mean them."""
    lead: str
    """What may stand between the beginning of a statement and the person it is about."""
    ceased: str
    """Something is no more: "no longer", "quit", "is over"."""
    refuted: str
    """Something never was so: "never had", "was wrong"."""
    replaced: str
    """Something else took its place: "instead", "switched to"."""
    changed: str
    """The statement tells the newer state: "now", "was promoted", "since"."""
    added: str
    """It stands beside what is known: "also", "another"."""
    intended: str
    """It is not so yet: "is thinking about"."""
    negated: str
    kin: Mapping[str, str]
    """Relation to the words for it. Keys are the same in all packs (`ROLES`)."""
    contrasts: Mapping[str, Mapping[str, str]]
    """Axis to value to words: two statements about different values are about different things."""
    months: str
    """In order, variants of one month joined by `|`."""
    weekdays: str
    """From Monday, as above."""
    counts: Mapping[str, str] = field(default_factory=dict)
    """Number to words for it."""
    several: str = ""
    """Beginnings of statements that can be true of several things at once ("User speaks ...").
    A `*` at the end stands for the rest of a word."""
    single: str = ""
    """What somebody has one of ("surname")."""
    billed: str = ""
    """What comes anew every month ("bill")."""
    light: str = ""
    """Words that name nothing: a statement that adds only these adds no fact."""
    spelling: str = ""
    """Groups of words that are one word in two spellings; either may stand for the other."""
    same: str = ""
    """Groups of words that are near enough in meaning for a restatement to use either."""
    articles: str = ""
    """Articles, and what else a sentence may gain or lose without changing its build."""
    stop: str = ""
    """Function words besides those of keyword search; single characters without blanks."""
    comparing: str = ""
    """Words whose sides cannot change places: "than", "over"."""
    reason: str = ""
    """Why or how something ended: it says nothing about what is so now."""
    past: str = ""
    """Of an event that is over: what was paid once does not change."""
    verbs: str = ""
    """Frequent verbs: what stands before the first one is the subject."""
    conjunctions: str = ""
    """What joins the parts of a list or two clauses: "and", "but"."""


ROLES = frozenset(
    [
        "mother",
        "father",
        "parent",
        "brother",
        "sister",
        "sibling",
        "son",
        "daughter",
        "child",
        "wife",
        "husband",
        "partner",
        "ex",
        "grandmother",
        "grandfather",
        "grandparent",
        "grandchild",
        "aunt",
        "uncle",
        "cousin",
        "niece",
        "nephew",
        "godchild",
        "godparent",
        "in_law",
        "stepparent",
        "friend",
        "roommate",
        "neighbour",
        "boss",
        "colleague",
        "landlord",
        "client",
        "teacher",
        "doctor",
        "dog",
        "cat",
        "rabbit",
        "horse",
        "bird",
        "pet",
        "baby",
        "family",
        "team",
        "company",
    ]
)
"""Everybody and everything a statement may be about instead of the user."""

WIDER = {
    "mother": "parent", "father": "parent", "brother": "sibling", "sister": "sibling",
    "son": "child", "daughter": "child", "baby": "child", "wife": "partner",
    "husband": "partner", "grandmother": "grandparent", "grandfather": "grandparent",
    "dog": "pet", "cat": "pet", "rabbit": "pet", "horse": "pet", "bird": "pet",
    "stepparent": "parent",
}  # fmt: skip
"""Relation to the one that includes it; such two may be the same person."""
