"""Selects the orders at the beginning of a conversation that are wishes about answers. Pure.

Later in a conversation an order is for its answer. Whether a wish stands is decided when it is
recalled (`recall.lasting_wishes`); here it is told from what was only asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ..language.reach import reach_of
from ..language.requests import Cue, cues_of
from ..model.types import Vector
from ..recall.asking import may_concern_answers
from ..recall.index.entry import ASKED, IMPERSONAL, PASTED
from ..recall.prototypes import Prototypes
from ..recall.traits import orders
from .passages import Noted

MOST = 4
"""Orders of a message that are compared at most."""
NEAR, SURELY = 0.09, 0.16
"""How much nearer it must be to wishes than to requests and to all else, and to instructions than
to all else. Of 1,900 messages of `benchmarks/unseen` that say no wish, five are as near."""


def with_wishes(
    found: Sequence[Noted], prototypes: Prototypes, said_at: datetime
) -> Sequence[Noted]:
    """The embedded passages of a first message; those that are wishes ask nothing any more.

    None is if something is handed over, asked, or ordered besides. One that points at something
    ("make it shorter") is for one answer, unless it says how far it reaches.
    """
    if not may_wish(found):
        return found
    asked = [one for one in found if ASKED in one.flags]
    wishes = [one for one in asked if one.vector is not None and is_wish(prototypes, one.vector)]
    if any(orders(one.text) for one in asked if one not in wishes):
        return found
    told = [one for one in wishes if _is_for_all(one.text, said_at)]
    return [
        replace(one, flags=one.flags - {ASKED, IMPERSONAL}) if one in told else one for one in found
    ]


def may_wish(found: Sequence[Noted]) -> bool:
    """Whether orders of a message may be wishes: nothing is handed over or asked in it."""
    asked = [one for one in found if ASKED in one.flags]
    if not 0 < len(asked) <= MOST or any(PASTED in one.flags for one in found):
        return False
    return all(may_concern_answers(one.text) for one in asked)


def _is_for_all(text: str, said_at: datetime) -> bool:
    return not cues_of(text).has(Cue.ANAPHORA) or reach_of(text, said_at).here


def is_wish(prototypes: Prototypes, vector: Vector) -> bool:
    """Whether an order with this vector is about answers, and not for this one."""
    meant = prototypes.told(vector)
    return min(meant.wished, prototypes.lead(vector)) >= NEAR and meant.instructs >= SURELY
