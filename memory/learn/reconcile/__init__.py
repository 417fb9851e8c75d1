"""Compares a candidate with known memories, in stages from cheap to costly.

1. `exact`: the same words, apart from spelling and number formats -> NONE.
2. `zone`: far by a calibrated embedder and no word in common -> ADD; as near as the same statement
   and nothing new named -> NONE.
3. `change`: another person, thing or day, or one of several things -> ADD; it ended -> DELETE;
   another number, time or value of the same thing, or a value that is denied -> UPDATE. Uses the
   words of the language (its pack's `people` and `changes`).
4. `spo`: subject, predicate and object, where they are given or the sentence is simple.
5. `ask`: the rest is `deferred`, an ADD unless a model decides otherwise.

Similarity alone cannot tell a change from a second fact about the same thing ("plays the drums",
"plays the bass"). A redundant memory costs tokens, a wrong update costs a fact: if in doubt, ADD.
"""

from .ask import ANSWER_SCHEMA, Undecided, calls, question, read_answer, unasked
from .decide import Read, plausible, reconcile, spoken
from .neighbour import Neighbour
from .statement import read

__all__ = [
    "ANSWER_SCHEMA", "Neighbour", "Read", "Undecided", "calls", "plausible", "question", "read",
    "read_answer", "reconcile", "spoken", "unasked",
]  # fmt: skip
