"""Orders that may be wishes though no word in them says that they last. Pure.

"Link the docs when you answer about Python" is no order for this answer: there is none. What a
conversation begins with, alone, and what is about answers by its meaning, is meant for all of them.
"""

from __future__ import annotations

from ..language.requests import Cue, cues_of
from ..language.sentences import sentences
from ..recall.prototypes import Prototypes
from ..trust.quarantine import judge_text
from ..types import Turn, Vector
from .pasted import own_words
from .sentence import asks_at_end

LONGEST = 200
"""Characters of the longest order that is compared."""
NEAR, SURELY = 0.09, 0.16
"""How much nearer it must be to wishes than to requests and to all else, and to instructions than
to all else. Of 1,900 messages of `benchmarks/unseen` that say no wish, five are as near."""


def order_of(turn: Turn) -> str:
    """The only sentence of a conversation's first message, if it asks for something; else ""."""
    if len(turn.user_text) > LONGEST or turn.before is not None:
        return ""
    own = own_words(turn.user_text)
    told = [one.strip() for one in sentences(own.text) if one.strip()]
    if own.works or len(told) != 1:
        return ""
    [only] = told
    if asks_at_end(only) or cues_of(only).has(Cue.ANAPHORA) or judge_text(only):
        return ""
    return only


def is_wish(prototypes: Prototypes, vector: Vector) -> bool:
    """Whether an order with this vector is about answers, and not for this one."""
    meant = prototypes.told(vector)
    lead = prototypes.lead(vector)
    return min(meant.wished, lead) >= NEAR and meant.instructs >= SURELY
