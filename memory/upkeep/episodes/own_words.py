"""An episode in the user's own words, where no model's can be used. Pure.

It concludes nothing: it is some of the user's sentences, in their order, chosen by how much of the
stretch they tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...language import is_question, stored_terms
from ...learn.extract.judging import reason_against
from ...learn.extract.transcript import spans_of_sentences
from ...model.types import Turn

MOST_CHARS = 400
"""About as long as what a model tells."""
MOST_SENTENCES = 400
"""Sentences that are compared; of more, the first and the last."""
LONGEST = 300
"""Characters of a sentence; a longer one is somebody's text."""


def in_own_words(turns: Sequence[Turn]) -> str | None:
    """The sentences that tell most of what the user said, with the day; None if none tells any.

    One by one the sentence is taken whose words that no taken one has are said most often.
    """
    said = _sentences(turns)
    terms = [frozenset(stored_terms(text)) for text in said]
    often = Counter(term for own in terms for term in own)
    taken: set[int] = set()
    told: set[str] = set()
    room = MOST_CHARS
    while True:
        worth = {
            at: sum(often[term] for term in own - told)
            for at, own in enumerate(terms)
            if at not in taken and len(said[at]) < room
        }
        best = max(worth, key=lambda at: (worth[at], -at), default=None)
        if best is None or not worth[best]:
            break
        taken.add(best)
        told |= terms[best]
        room -= len(said[best]) + 1
    if not taken:
        return None
    return f"{turns[-1].created_at:%Y-%m-%d}: {' '.join(said[at] for at in sorted(taken))}"


def _sentences(turns: Sequence[Turn]) -> list[str]:
    """The user's sentences that tell something and ask nothing, each once."""
    found: dict[str, None] = {}
    for turn in turns:
        for begin, end in spans_of_sentences(turn.user_text):
            text = " ".join(turn.user_text[begin:end].split())
            if len(text) <= LONGEST and not reason_against(text) and not is_question(text):
                found[text] = None
    said = list(found)
    half = MOST_SENTENCES // 2
    return said if len(said) <= MOST_SENTENCES else [*said[:half], *said[-half:]]
