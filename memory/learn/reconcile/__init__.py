"""What a candidate means for what is already known, in stages that run cheap to costly.

1. `exact`: the same words, whatever their spelling and number formats -> NONE.
2. `zone`: clearly far by a measured embedder and no word in common -> beside it; as near as the
   same statement and nothing new named -> NONE.
3. `change`: another person, place or month -> beside it; it ended -> DELETE; another number, time
   or value of the same thing -> UPDATE. By words of each language (`locales`).
4. `spo`: subject, predicate and object, where they are given or the sentence is built plainly.
5. `ask`: what is left is `deferred`, an ADD unless a model says otherwise.

Similarity alone cannot tell a change from a second fact about the same thing ("plays the drums",
"plays the bass"). A needless memory costs tokens, a wrong update costs a fact: in doubt it is ADD.
"""

from .ask import ANSWER_SCHEMA, Undecided, calls, question, read_answer
from .decide import Read, plausible, reconcile, spoken
from .neighbour import Neighbour
from .statement import read

__all__ = [
    "ANSWER_SCHEMA",
    "Neighbour",
    "Read",
    "Undecided",
    "calls",
    "plausible",
    "question",
    "read",
    "read_answer",
    "reconcile",
    "spoken",
]
