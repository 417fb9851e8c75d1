"""How users ask that something is forgotten, and how they answer whether it is meant."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Terms, flag, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetCues:
    """How users ask that something is forgotten, and how they answer whether it is meant."""

    asks: Terms = terms(
        'Asks to forget or to erase, in the forms of a request: "forget", "delete"; no past forms.'
    )
    denies: Terms = terms('"No", "not", "don\'t", "never": it is not asked for, or not confirmed.')
    limits: Terms = terms(
        'Not yet, or not all of it: "wait", "except", "but". No confirmation has one.'
    )
    agrees: Terms = terms('Says yes to what was asked: "yes", "go ahead", "I confirm".')
    all: Terms = terms('"everything", "all of it", "completely".')
    kept: Terms = terms(
        'What is known and where it is kept: "memory", "data", "you know", "about me".'
    )
    told: Terms = terms('What was just said: "I told you", "my last message".')
    mine: Terms = terms('"I", "me", "my", in a file whose [people] has no first_person.')
    polite: Terms = terms('"Please", "could you", in a file without [requests].')
    verb_last: bool = flag("What is asked for ends a sentence, behind what it is about.")
