"""What a turn is made of besides what the user says: instructions, echoes, a model's phrases."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import Terms, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCues:
    """What a turn is made of besides what the user says."""

    addressed: Terms = terms(
        'How instructions to the assistant begin ("you are a"); they are some if a role follows.'
    )
    role: Terms = terms('What such instructions make of the assistant: "assistant", "expert".')
    order: Terms = terms('How a sentence of such instructions begins: "always", "do not".')
    heading: Terms = terms('What stands above a list of such instructions: "rules", "style".')
    correction: Terms = terms(
        'Denies what was said before, besides words such as "not": "wrong", "actually", "no".'
    )
    recalling: Terms = terms(
        'What introduces a repeated memory and says nothing itself: "you mentioned", "I remember".'
    )
    placeholder: Terms = terms('What a model writes in place of a fact: "none", "no facts".')
    about_talk: Terms = terms(
        "How a sentence begins that is about the conversation and not about the user: "
        '"the assistant", "the user asked".'
    )
