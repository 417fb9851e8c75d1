"""Orders that may be wishes though no word in them says that they last. Pure.

"Link the docs when you answer about Python" is no order for this answer: there is none. What a
conversation begins with, without a question or a task beside it, and what is about answers by its
meaning, is meant for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..language.pasted import own_words
from ..language.requests import Cue, cues_of
from ..language.sentences import sentences
from ..model.types import Turn, Vector
from ..recall.instructions import orders
from ..recall.prototypes import Prototypes
from ..trust.quarantine import judge_text
from .sentence import asks_at_end

LONGEST = 400
"""Characters of the longest message whose orders are compared."""
MOST = 4
"""Orders of a message that are compared at most."""
NEAR, SURELY = 0.09, 0.16
"""How much nearer it must be to wishes than to requests and to all else, and to instructions than
to all else. Of 1,900 messages of `benchmarks/unseen` that say no wish, five are as near."""


def orders_of(turn: Turn, kept: Sequence[str]) -> list[str]:
    """The sentences of a conversation's first message that are not `kept`, if none asks."""
    if len(turn.user_text) > LONGEST or turn.before is not None:
        return []
    own = own_words(turn.user_text)
    told = [one.strip() for one in sentences(own.text) if one.strip()]
    if own.works or any(map(asks_at_end, told)) or judge_text(turn.user_text):
        return []
    open_ = [one for one in told if not any(one in text for text in kept)]
    return open_ if len(open_) <= MOST else []


def wishes_among(
    prototypes: Prototypes, sentences_: Sequence[str], vectors: Sequence[Vector]
) -> list[str]:
    """Those of `orders_of` that are about answers; none if another one orders something."""
    found = [is_wish(prototypes, vector) for vector in vectors]
    open_ = [one for one, wish in zip(sentences_, found, strict=True) if not wish]
    if any(map(orders, open_)):
        return []
    return [
        one
        for one, wish in zip(sentences_, found, strict=True)
        if wish and not cues_of(one).has(Cue.ANAPHORA)
    ]


def is_wish(prototypes: Prototypes, vector: Vector) -> bool:
    """Whether an order with this vector is about answers, and not for this one."""
    meant = prototypes.told(vector)
    lead = prototypes.lead(vector)
    return min(meant.wished, lead) >= NEAR and meant.instructs >= SURELY
