"""Compares a candidate with known memories. Rules conclude only what is exactly true.

1. `exact_tokens`: the same words, signs and numbers -> NONE.
2. `text_relation`: the text itself says that the known statement does not hold any more -> UPDATE
   or DELETE, which supersede it and can be undone.
3. Everything else is an ADD. Memories that may be of the same matter (`rules.likely`) are linked
   with it and stay *pending*:
4. `model_verdict`: a model judges these and the nearest in meaning (`rules.asked_about`), at once
   or when one answers again.

A redundant memory costs tokens, a wrong update costs a fact.
"""

from .denial_quotes import denied_by, quotes_denial, quotes_it, repeats, tells_it
from .model_verdict import ANSWER_SCHEMA, ASKED, Undecided, calls, question, read_answer
from .rules import Neighbour, added, asked_about, likely, reconcile, statement_of
from .text_relation import is_denied

__all__ = [
    "ANSWER_SCHEMA",
    "ASKED",
    "Neighbour",
    "Undecided",
    "added",
    "asked_about",
    "calls",
    "denied_by",
    "is_denied",
    "likely",
    "question",
    "quotes_denial",
    "quotes_it",
    "read_answer",
    "reconcile",
    "repeats",
    "statement_of",
    "tells_it",
]  # fmt: skip
