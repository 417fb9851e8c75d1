"""Keeps statements recallable whose turn had something withheld. Pure.

A memory takes the place of the turn that it was learned from. A fact that is held back takes
nobody's place, so the words that it was read from stay, until a person or the user says that it is
so.

They are what the user said, and were recallable before anything was learned: without what is
quoted, pasted or handed over, and without the sentences that look planted in themselves. Yet a
statement does not launder a fact:

* What is doubted for what it *does* (an order, a secret, an address, a permission) goes as before,
  and so does all else of its turn: an attack may be more than one sentence.
* What is doubted only because it is told as somebody else would tell it ("FACT: User ...") stays
  like words behind a label: it answers, and stands in no chat unasked.
* What the assistant or a tool said is no word of the user's, and says nothing about the turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..model.types import Decision, EventKind, Recent, Turn
from ..trust.quarantine.values import SuspicionKind
from .confirmation import OF_EVIDENCE

_LABELLED = frozenset({SuspicionKind.DOUBTFUL.value})
_STAYS = OF_EVIDENCE | _LABELLED
"""Doubts with which the words stay: all others are about what a text does."""
WITHHELD = "trust"
"""The stage of a decision to hold back."""


@dataclass(frozen=True, slots=True)
class StillSaid:
    """A turn whose words stay."""

    told: tuple[Decision, ...] = ()
    """What is believed of it: memories tell that from now on."""
    held: tuple[Decision, ...] = ()
    """What was withheld of it."""
    labelled: bool = False
    """Whether it is told as somebody else would tell it."""


@dataclass(frozen=True, slots=True)
class AfterLearning:
    """The turns of a batch after learning."""

    remembered: frozenset[str] = frozenset()
    """Those whose place memories take."""
    still_said: Mapping[str, StillSaid] = field(default_factory=dict)
    """Those whose words stay, by id; without those of which nothing was decided."""


@dataclass(frozen=True, slots=True)
class SaidAfter:
    """The notes of turns of which something was learned."""

    notes: Sequence[tuple[Recent, str]] = ()
    """What stays of them, as they were read."""
    over: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Those whose place memories take, by conversation."""

    def __bool__(self) -> bool:
        """Whether there is anything to note."""
        return bool(self.notes or self.over)


def after_learning(
    decisions: Iterable[Decision], turns: Sequence[Turn], left_out: Collection[str] = ()
) -> AfterLearning:
    """What becomes of `turns`; a decision that names none of them is about all.

    `left_out` are turns of facts that could be neither learned nor withheld.
    """
    own = {turn.id for turn in turns}
    told: dict[str, list[Decision]] = defaultdict(list)
    held: dict[str, list[Decision]] = defaultdict(list)
    gone: set[str] = set()
    for decision in decisions:
        for turn in own.intersection(decision.turn_ids) or own:
            if not _is_withheld(decision):
                told[turn].append(decision)
            elif not _STAYS.issuperset(decision.flags):
                gone.add(turn)
            elif not decision.source.is_hearsay:
                held[turn].append(decision)
    stays = (held.keys() | own.intersection(left_out)) - gone
    return AfterLearning(
        frozenset((told.keys() | gone) - stays),
        {
            turn: StillSaid(
                tuple(told.get(turn, ())),
                tuple(held.get(turn, ())),
                any(not _LABELLED.isdisjoint(each.flags) for each in held.get(turn, ())),
            )
            for turn in sorted(stays)
        },
    )


def _is_withheld(decision: Decision) -> bool:
    """Whether it holds a text back; one that was held back before is known already."""
    known = decision.event is EventKind.NONE and decision.stage == WITHHELD
    return decision.event is EventKind.QUARANTINE or known
