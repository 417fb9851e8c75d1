"""Reads the traits of each memory of an index once, and keeps them as flags by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from ..language.reach import FOR_GOOD, Reach, reach_of
from ..language.structure import label_of
from ..language.words import sentences
from ..model.types import MemoryItem, MemoryType, Vector
from ..trust.quarantine.payloads import payload_kinds
from .index.entry import ASKED, LABELLED, Entry, is_foreign
from .index.facts import traits_told
from .index.postings import Ints
from .index.user_index import UserIndex
from .injection_policy import (
    InjectionPolicy,
    injection_policy_of,
    is_instruction,
    is_validated,
    may_constrain,
    says_lasting,
)
from .lasting_wishes import is_lasting_wish
from .prototypes import Likeness, Prototypes
from .traits import WISH, Traits, instructs, lasts, traits_of

ANY_TOPIC = frozenset({"any"})
"""Of a request, and of what constrains, where only words were read."""
FIRM = frozenset({"allergy", "diet", "health"})
"""Traits whose words constrain something where meaning tells nothing."""
_SURE = frozenset({"allergy"})
"""The one whose words do so in any case: a story may be about something else."""


READ, TELLS, PRIVATE, UNFIT, UNSAFE = 1, 2, 4, 8, 16
"""The flags in `UserIndex.read`, which are added: the fields of `Traits`; `TELLS` is for a trait
or for what bears on something."""


def trait_flags(
    index: UserIndex, positions: Ints, prototypes: Prototypes | None
) -> npt.NDArray[np.int8]:
    """``int8[len(positions)]``: what these living memories tell; those that are new are read."""
    index.judge_by(prototypes)
    for position in positions[index.read[positions] == 0].tolist():
        entry = index.entries[position]
        if entry is not None:
            index.read[position] = _noted(read(index, entry, position, prototypes))
    return index.read[positions]


def _noted(told: Traits) -> int:
    return (
        READ
        | TELLS * bool(told.traits or told.bears_on)
        | PRIVATE * told.private
        | UNFIT * told.unfit
        | UNSAFE * told.unsafe
    )


def is_procedure(item: MemoryItem) -> bool:
    """Whether it is how an agent's task is done, which no user said."""
    return item.type is MemoryType.PROCEDURAL and item.provenance.source.is_hearsay


def is_retold(item: MemoryItem) -> bool:
    """Whether a model tells in it of turns or of memories: each of these says its own."""
    return bool(item.provenance.cites) or item.provenance.stretch is not None


def _is_wish(
    item: MemoryItem, meant: Likeness | None, *, lasting: Sequence[str], checked: bool
) -> bool:
    """Whether it says how the user wants to be answered; `checked`: a person said so."""
    learned = item.type is MemoryType.PROCEDURAL or checked
    return is_lasting_wish(item.text, meant, learned=learned) or (
        checked and is_instruction(meant, lasting)
    )


_NOTHING = Traits(frozenset())


def read(index: UserIndex, entry: Entry, position: int, prototypes: Prototypes | None) -> Traits:
    """The traits of a memory; what others told of the user has none.

    Nor has what was only asked or handed over; whether that may be shown is read of it as of all.
    """
    item = entry.item
    index.judge_by(prototypes)
    known = index.traits.get(item.id)
    if known is not None:
        return known
    if item.provenance.source.is_hearsay:
        return _NOTHING
    told = traits_told(entry, prototypes.mark) if prototypes and prototypes.mark else None
    known = told or judged(entry, index.vectors.row(position), prototypes)
    untold = is_foreign(item) or ASKED in item.provenance.flags or is_retold(item)
    if untold and not is_validated(item):
        known = replace(known, traits=frozenset(), bears_on=frozenset())
    index.traits[item.id] = known
    return known


def _is_own(item: MemoryItem, vector: Vector, prototypes: Prototypes) -> bool:
    """Whether a wish is the user's: neither disputed, nor behind a label of another's words."""
    if LABELLED in item.provenance.flags:
        return False
    order = item.text.removeprefix(label_of(item.text)).lstrip(" :\uff1a")
    return not prototypes.is_disputed(vector, ordered=instructs(order))


def judged(entry: Entry, vector: Vector, prototypes: Prototypes | None) -> Traits:
    """The traits of a memory by words, and by meaning where the embedder knows the language."""
    item = entry.item
    told, meant = traits_of(item.text), None
    if prototypes is not None and entry.language in prototypes.languages:
        meant = prototypes.told(vector)
    lasting = says_lasting(item.text)
    checked = is_validated(item)
    wish = _is_wish(item, meant, lasting=lasting, checked=checked)
    policy = injection_policy_of(item, meant, wish=wish, lasting=lasting)
    firm = not told.isdisjoint(FIRM)  # a text about food is near to diets, by its meaning
    if policy is InjectionPolicy.NEVER or (
        policy is not InjectionPolicy.ALWAYS and (wish or not firm)
    ):
        return Traits(frozenset(), unfit=True, unsafe=policy is InjectionPolicy.NEVER)
    known = prototypes if meant is not None and not checked else None
    if wish and known is not None and not _is_own(item, vector, known):
        return Traits(frozenset(), unfit=True)
    traits = (told - {WISH}) | ({WISH} if wish else frozenset[str]())
    if meant is not None and meant.trait:
        traits |= {meant.trait}
    bears_on = frozenset[str]() if meant is None else meant.bears_on
    carries = bool(payload_kinds(item.text))
    bears = checked or may_constrain(
        item.text, meant, lasting=bool(lasting), firm=firm, carries=carries
    )
    if not bears_on and not told.isdisjoint(FIRM if meant is None else _SURE):
        bears_on, bears = ANY_TOPIC, bears or not carries
    private = not told.isdisjoint(FIRM) if meant is None else meant.private
    if not bears:
        bears_on = frozenset()
    told_to = wish or bool(lasting) or is_instruction(meant, lasting)
    reach = _reach(entry) if told_to else FOR_GOOD
    unfit = policy is not InjectionPolicy.ALWAYS
    return Traits(traits, bears_on, private, unfit=unfit, reach=reach)


def _reach(entry: Entry) -> Reach:
    """Where it holds by its words, and by those that it follows from."""
    item, said_at = entry.item, datetime.fromtimestamp(entry.moment, UTC)
    reach = FOR_GOOD
    for text in filter(None, (item.text, item.provenance.quote)):
        told = [one for one in sentences(text) if lasts(one)] or [text]
        for one in told:
            reach = reach.narrowed(reach_of(one, said_at))
    return reach
