"""Who is spoken of."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Named, Terms, named, terms

WIDER = {
    "mother": "parent", "father": "parent", "stepparent": "parent",
    "brother": "sibling", "sister": "sibling",
    "son": "child", "daughter": "child", "baby": "child",
    "wife": "partner", "husband": "partner",
    "grandmother": "grandparent", "grandfather": "grandparent",
    "dog": "pet", "cat": "pet", "rabbit": "pet", "horse": "pet", "bird": "pet",
}  # fmt: skip
"""Relation to the one that includes it; such two may be the same person."""
RELATIONS = frozenset([
    *WIDER, *WIDER.values(),
    "ex", "grandchild", "aunt", "uncle", "cousin", "niece", "nephew", "godchild", "godparent",
    "in_law", "friend", "roommate", "neighbour", "boss", "colleague", "landlord", "client",
    "teacher", "doctor", "family", "team", "company",
])  # fmt: skip
"""Everybody and everything that a statement may be about instead of the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Who is spoken of."""

    user: Terms = terms('What a stored fact calls the person it is about: "user".')
    first_person: Terms = terms('"I", "me", "my", "we", in all forms.')
    third_person: Terms = terms(
        '"he", "her", "their", in all forms: whoever a stored fact is about.'
    )
    kin: Named = named(
        "Relatives, friends, people of work and pets of somebody, by their relation.", RELATIONS
    )
