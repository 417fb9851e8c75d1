"""Groups wishes about one matter: the newest holds, a withdrawn one never stands alone. Pure.

Only the same wish with another language or another name in it replaces an older one. What else the
user says later about how they want to be answered stands beside it: whoever answers reads both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..language import scan
from ..language.reach import FOR_GOOD
from ..language.requests import Cue, CueScan, cues_of
from ..language.words import is_question
from ..model.types import MemoryItem, Scope, Vector
from .index.entry import Entry
from .index.user_index import UserIndex
from .prototypes import Prototypes
from .trait_flags import read
from .traits import WISH, orders

SAME = 0.6
"""Least cosine of two wishes that name a language each, for the newer one to replace the older."""
NEAR, ABOUT = 0.25, 0.5
"""Least cosine of a later text to a wish, and least sum of that and of `_HEAVY` times how near the
text is to wishes, for it to be about the wish. Of 38 withdrawals
that were written for this 34 are, and of 28 other texts none."""
_HEAVY = 2.0
LED = 0.03
"""How much nearer an order must be to instructions than to requests, not to be one for work."""
SPOKEN = 0.02
"""How near to wishes, or to instructions, a text must be that names a language, beside a wish that
names one."""
ADDRESSED = 0.3
"""How near to wishes a text is that speaks to the assistant, whatever word it begins with: pronouns
stand before the verb in "Ya no me llames ..."."""
MOST_COMPARED, MOST_LATER = 40, 2
"""Later texts that are compared with a wish, and that stand beside it, at most."""
_NAME = "person.traits.name"


def is_about(prototypes: Prototypes, wish: tuple[str, Vector], text: str, vector: Vector) -> bool:
    """Whether a later text of the user is about a wish of theirs: it is to end, or to be changed.

    It must be addressed to the assistant: what begins with the user tells of the user, and an order
    for work asks for that.
    """
    if is_question(text) or (orders(text) and prototypes.lead(vector) < LED):
        return False
    meant = prototypes.told(vector)
    told = meant.wished < ADDRESSED and tells_of_user(cues_of(text))
    if told and not prototypes.is_disputed(vector):
        return False
    wished = max(meant.wished, meant.instructs)
    if _names_language(wish[0]) and _names_language(text):
        lead = prototypes.lead(vector)
        return lead >= 0.0 and max(wished, lead) >= SPOKEN
    near = prototypes.cosine(wish[1], vector)
    return near >= NEAR and near + _HEAVY * wished >= ABOUT


def _names_language(text: str) -> bool:
    return cues_of(text).has(Cue.TONGUE)


def tells_of_user(found: CueScan) -> bool:
    """Whether the user, or somebody of theirs, is what a sentence begins with."""
    first = found.first_besides(found.covered(Cue.GREET, Cue.FRAME, Cue.ELLIPSIS))
    return first in found.covered(Cue.SELF, Cue.KIN)


def replaces(newer: str, older: str, near: float) -> bool:
    """Whether a wish takes the place of an older one: another name, or another language.

    `near` is their cosine.
    """
    texts = newer, older
    if any(scan(text).has("changes.negated") for text in texts):
        return False
    if all(scan(text).has(_NAME) for text in texts):
        return True
    return near >= SAME and all(map(_names_language, texts))


def later_than(
    index: UserIndex, scope: Scope, at: int, prototypes: Prototypes | None
) -> Sequence[int]:
    """The positions of what was said later about the wish at a position, newest first."""
    wish = index.entries[at]
    if prototypes is None or wish is None or wish.language not in prototypes.languages:
        return ()
    own = index.vectors.row(at)
    admitted = np.flatnonzero(index.admitted(scope))
    near = index.vectors.cosines(own[np.newaxis])[admitted]
    order = admitted[np.argsort(-near)][: MOST_COMPARED + 1]
    found = [
        position
        for position in order.tolist()
        if (entry := index.entries[position]) is not None
        and _is_later(entry.item, wish.item)
        and _speaks_of(index, entry, position, (wish.item.text, own), prototypes)
    ]
    newest = sorted(found, key=lambda one: -_said_at(index.entries[one]))
    return newest[:MOST_LATER]


def _said_at(entry: Entry | None) -> float:
    return 0.0 if entry is None else entry.item.updated_at.timestamp()


def _is_later(item: MemoryItem, than: MemoryItem) -> bool:
    """Whether the user said it later; what others told of them ends no wish."""
    if item.id == than.id or item.provenance.source.is_hearsay:
        return False
    mine = (item.updated_at, item.provenance.sequence)
    return mine > (than.updated_at, than.provenance.sequence)


def _speaks_of(
    index: UserIndex,
    entry: Entry,
    position: int,
    wish: tuple[str, Vector],
    prototypes: Prototypes,
) -> bool:
    told, vector = read(index, entry, position, prototypes), index.vectors.row(position)
    if told.reach != FOR_GOOD:
        return False
    if told.unsafe or (told.unfit and not prototypes.is_disputed(vector)):
        return False
    if WISH in told.traits:  # it stands itself, unless there are too many
        return prototypes.cosine(wish[1], vector) >= SAME
    return is_about(prototypes, wish, entry.item.provenance.quote or entry.item.text, vector)
