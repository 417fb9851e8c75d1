"""Judges a pair of statements, in stages from cheap to costly. Pure.

`exact` compares spellings, `zone` the cosines, `change` looks for words of change, end or another
holder, and `spo` compares subject, predicate and object.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...calibration import Calibration
from ...language.function_words import FALLBACK
from ...types import Candidate
from . import changes, distinct
from .neighbour import Neighbour
from .relation import Bearing, Relation, anchors, overlap
from .same import contained, extends, restates, same_words
from .spo import same_triple, triple_says
from .statement import Statement
from .wording import Mark

# Levels on the embedder's scale: 0 is the cosine of unrelated memories (`floor`), 1 the cosine from
# which a fact may replace another (`update`). They were chosen on the development half of the
# conflict set and on the tests' pairs, with a margin to the nearest pair that would be misjudged.
FAR = 0.25
"""Below this, and without a word in common, a pair has nothing in common."""
_OTHER_TOPIC = 0.7
"""Below this, two facts about a person have different topics."""
_ONE_THING = 1.2
"""From this, two statements that differ in one thing may mean one by two names."""
_FEW_WORDS = 2
_RESTATED = 0.05
"""How far below `same` the cosine of a statement without new names may be."""
_SUSPECT = frozenset({Mark.CEASED, Mark.CHANGED})

Rule = Callable[[Statement, Statement], str | None]
_RULES: tuple[tuple[Bearing, Rule], ...] = (
    (Bearing.DISTINCT, distinct.other_holder),
    (Bearing.DISTINCT, distinct.other_named),
    (Bearing.DISTINCT, distinct.other_instance),
    (Bearing.DISTINCT, distinct.other_ordinal),
    (Bearing.DISTINCT, distinct.other_event),
    (Bearing.CHANGED, changes.corrected),
    (Bearing.CHANGED, changes.exchanged),
    (Bearing.CEASED, changes.ceased),
    (Bearing.CHANGED, changes.other_number),
    (Bearing.CHANGED, changes.other_time),
    (Bearing.CHANGED, changes.other_value),
    (Bearing.DISTINCT, distinct.other_time),
    (Bearing.DISTINCT, distinct.stands_beside),
    (Bearing.DISTINCT, distinct.only_intended),
)
"""The first that gives a reason decides."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A candidate and one memory, both parsed."""

    candidate: Candidate
    neighbour: Neighbour
    new: Statement
    old: Statement
    comparable: bool
    """Whether both are in the same language, and short enough to be one statement."""


def relate(pair: Compared, calibration: Calibration) -> Relation:
    """The relation of the candidate to this memory."""
    verdict = _verdict(pair, calibration)
    kind, stage, reason = verdict or (Bearing.UNCLEAR, "change", "no rule is sure")
    return Relation(kind, stage, reason, overlap(pair.new, pair.old), anchors(pair.new, pair.old))


def _verdict(pair: Compared, calibration: Calibration) -> tuple[Bearing, str, str] | None:
    if pair.new.canonical == pair.old.canonical:
        return Bearing.SAME, "exact", "the same words"
    if not pair.comparable:
        return None
    if same_words(pair.new, pair.old):
        return Bearing.SAME, "exact", "the same words in another spelling"
    if _restated(pair, calibration):
        return Bearing.SAME, "zone", "near in meaning, and names nothing new"
    if same_triple(pair.candidate, pair.neighbour):
        return Bearing.SAME, "spo", "the same subject, predicate and object"
    if pair.new.wording.spaced and contained(pair.new, pair.old):
        return Bearing.SAME, "change", "said already, with more"
    if _is_far(pair, calibration):
        return Bearing.FAR, "zone", "nothing in common"
    return _by_rule(pair, calibration)


def _by_rule(pair: Compared, calibration: Calibration) -> tuple[Bearing, str, str] | None:
    for kind, rule in _RULES if pair.new.wording.readable else ():
        if reason := rule(pair.new, pair.old):
            return None if _is_doubtful(kind, pair, calibration) else (kind, "change", reason)
    if pair.new.wording.spaced and extends(pair.new, pair.old):
        return Bearing.CHANGED, "change", "the same, with more"
    if (reason := distinct.one_of_several(pair.new, pair.old)) and not _may_mean_one(
        pair, calibration
    ):
        return Bearing.DISTINCT, "change", reason
    if reason := triple_says(pair.candidate, pair.neighbour):
        return Bearing.DISTINCT, "spo", reason
    if _other_topic(pair, calibration):
        return Bearing.DISTINCT, "zone", "the same person, another topic"
    return None


def _restated(pair: Compared, calibration: Calibration) -> bool:
    wording, near = pair.new.wording, pair.neighbour.score >= calibration.same - _RESTATED
    meant = measured(calibration) and wording.latin and wording.readable
    return meant and near and restates(pair.new, pair.old)


def _is_far(pair: Compared, calibration: Calibration) -> bool:
    """Whether the topics differ: no common word, and a low cosine if the embedder is calibrated.

    Not if a word of change or a single word may stand for what the other says in other words. Other
    scripts than the Latin are unknown tokens to an English model: their cosines mean nothing, and
    without them other words may say the same.
    """
    new, old = pair.new, pair.old
    related = anchors(new, old) or new.roles & old.roles
    if related or new.marks & _SUSPECT or not new.wording.readable:
        return False
    words = min(len(new.content), len(old.content))
    if measured(calibration) and new.wording.latin:
        return words >= _FEW_WORDS and _is_below(pair, calibration, FAR)
    if new.single.keys() & old.single.keys():
        return False
    negated = Mark.NEGATED in new.marks | old.marks
    return words >= 1 and not negated and not measured(calibration)


def _is_below(pair: Compared, calibration: Calibration, level: float) -> bool:
    """Whether the cosine is below a level of the embedder's scale."""
    span = calibration.update - calibration.floor
    return pair.neighbour.score < calibration.floor + level * span


def measured(calibration: Calibration) -> bool:
    """Whether the embedder is calibrated (`memory/calibration`)."""
    return calibration.same <= 1.0


def _is_doubtful(kind: Bearing, pair: Compared, calibration: Calibration) -> bool:
    """Whether nothing but one attribute speaks for a change, and no cosine: "moved to Vim"."""
    if kind is not Bearing.CHANGED or anchors(pair.new, pair.old) or not pair.new.wording.latin:
        return False
    return not measured(calibration) or _is_below(pair, calibration, _OTHER_TOPIC)


def _may_mean_one(pair: Compared, calibration: Calibration) -> bool:
    """Whether an embedder of English finds two things near in meaning: fiddle and violin."""
    english = measured(calibration) and pair.new.language == FALLBACK
    return english and not _is_below(pair, calibration, _ONE_THING)


def _other_topic(pair: Compared, calibration: Calibration) -> bool:
    """Whether two facts about a relative share no word and are not near in meaning."""
    new, old = pair.new, pair.old
    if not measured(calibration) or not new.roles or not old.content or anchors(new, old):
        return False
    return not new.marks & _SUSPECT and _is_below(pair, calibration, _OTHER_TOPIC)
