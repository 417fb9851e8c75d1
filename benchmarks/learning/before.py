"""The reconciler as it was before its stages had a room: the baseline of `conflict.py`.

1. `exact`: the same words, whatever their case, spacing and punctuation -> NONE.
2. `zone`: by cosine similarity to the nearest memory, with thresholds measured for the embedder:
   the same statement -> NONE; the same subject, and a sign that something changed (other numbers, a
   word like "moved" or "no longer") -> UPDATE; anything else -> ADD.

Similarity alone cannot tell a change from a second fact about the same thing ("plays the drums",
"plays the bass"): on the development set it updates the wrong memory as often as the right one.
The doubtful rest is ADD on purpose: a needless memory costs tokens, a wrong update costs a fact.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import regex

from recollect.memory.calibration import Calibration
from recollect.memory.learn.reconcile import Neighbour
from recollect.memory.types import Candidate, Decision, EventKind

_NUMBERS = regex.compile(r"\p{N}+(?:[.,:]\p{N}+)*")
_NEGATIONS = regex.compile(
    r"\b(?:not|no|never|none|nothing|without|cannot|stopp?(?:ed|s)|quit|longer|"
    r"nicht|kein\w*|nie|ohne|pas|plus|jamais|sans|nunca|sin|não|nem|sem)\b|n['\u2019]t\b"
    # not / is not, in Chinese, Japanese, Hindi and Arabic, where \b finds no boundary.
    r"|[\u4e0d\u6ca1\u6c92\u65e0\u7121]|\u306a\u3044|\u0928\u0939\u0940\u0902|\u0644\u0627|\u0644\u064a\u0633",
    regex.IGNORECASE,
)
_CHANGES = regex.compile(
    r"\b(?:now|no longer|any ?more|moved|switched|changed|instead|stopped|quit|used to|started|"
    r"became|replaced|cancell?ed|postponed|renamed|sold|actually|"
    r"jetzt|nicht mehr|kein\w* mehr|inzwischen|stattdessen|gewechselt|umgezogen|"
    r"ahora|ya no|cambi[oó]|maintenant|ne\b.{1,24}\bplus|désormais|agora|já não|mudou)\b"
    # now / changed to / no longer, in Chinese, Japanese, Hindi and Arabic.
    r"|\u73b0\u5728|\u6539|\u4e0d\u518d|\u4eca\u306f|\u3082\u3046|\u0905\u092c|\u0627\u0644\u0622\u0646",
    regex.IGNORECASE,
)
SAME_FRAME = 0.2
"""Share of the words that two statements must have in common besides their numbers."""


def reconcile(
    candidate: Candidate,
    neighbours: Sequence[Neighbour],
    *,
    new_id: str,
    calibration: Calibration,
) -> Decision:
    """Decide about one candidate, given its nearest memories in any order."""
    for neighbour in neighbours:
        if canonical(neighbour.text) == canonical(candidate.text):
            return _keep(candidate, neighbour, "exact")
    nearest = max(neighbours, key=lambda neighbour: neighbour.score, default=None)
    if nearest is None:
        return _add(candidate, new_id, None)
    if nearest.score >= calibration.same and says_the_same(candidate.text, nearest.text):
        return _keep(candidate, nearest, "zone")
    if nearest.score >= calibration.update and shows_change(candidate.text, nearest.text):
        return Decision(
            event=EventKind.UPDATE,
            memory_id=nearest.id,
            text=candidate.text,
            old_text=nearest.text,
            type=candidate.type,
            stage="zone",
            score=nearest.score,
            quote=candidate.quote,
        )
    return _add(candidate, new_id, nearest.score)


def canonical(text: str) -> str:
    """The text without what does not change its meaning: case, width, spacing, punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(regex.findall(r"[\p{L}\p{M}\p{N}$€£¥%+#-]+", folded))


def says_the_same(one: str, other: str) -> bool:
    """Whether two near-identical statements also agree in their numbers and negations."""
    return sorted(_NUMBERS.findall(one)) == sorted(_NUMBERS.findall(other)) and len(
        _NEGATIONS.findall(one)
    ) == len(_NEGATIONS.findall(other))


def shows_change(new: str, old: str) -> bool:
    """Whether the new statement replaces the old one rather than standing beside it."""
    numbers = _NUMBERS.findall(new), _NUMBERS.findall(old)
    if all(numbers) and sorted(numbers[0]) != sorted(numbers[1]) and _same_frame(new, old):
        return True
    return _CHANGES.search(new) is not None


def _same_frame(new: str, old: str) -> bool:
    """Whether two statements with other numbers have some words in common all the same.

    "The budget is 5,000" and "the budget is 7,000" are one thing that changed; "is 40 years old"
    and "has 3 dogs" are two. The bound is low, for languages that inflect: higher ones cost updates
    that were right and prevented none that was wrong.
    """
    one, other = (set(_NUMBERS.sub(" ", canonical(text)).split()) for text in (new, old))
    return len(one & other) > SAME_FRAME * len(one | other)


def _add(candidate: Candidate, new_id: str, score: float | None) -> Decision:
    return Decision(
        event=EventKind.ADD,
        memory_id=new_id,
        text=candidate.text,
        type=candidate.type,
        stage="zone",
        score=score,
        quote=candidate.quote,
    )


def _keep(candidate: Candidate, neighbour: Neighbour, stage: str) -> Decision:
    return Decision(
        event=EventKind.NONE,
        memory_id=neighbour.id,
        text=neighbour.text,
        type=candidate.type,
        stage=stage,
        score=neighbour.score,
        quote=candidate.quote,
    )
