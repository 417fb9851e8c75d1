"""Judges a pair of statements, in stages from cheap to costly. Pure.

`exact` compares spellings, `zone` the cosines, `change` looks for words of change, end or another
holder, and `spo` compares subject, predicate and object.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...calibration import Calibration
from ...types import Candidate
from . import changes, distinct
from .locales import Mark
from .neighbour import Neighbour
from .relation import Bearing, Relation, anchors, overlap
from .same import restates, same_words
from .spo import same_triple, triple_says
from .statement import UNKNOWN, Statement

# Levels on the embedder's scale: 0 is the cosine of unrelated memories (`floor`), 1 the cosine from
# which a fact may replace another (`update`). They were chosen on the development half of the
# conflict set and on the tests' pairs, with a margin to the nearest pair that would be misjudged.
FAR = 0.25
"""Below this, and without a word in common, a pair has nothing in common."""
_FAR_IN_OTHER_LANGUAGES = 0.8
"""The same for languages with less training data, whose cosines are all higher."""
_FAR_WITH_CUE = -0.4
"""The same for a statement with a word of change, which may use other words."""
_FAR_IF_SHORT = -0.05
"""The same if one has a single content word, which the other may paraphrase."""
_ANOTHER = 1.25
"""Above this, two values of a kind may be the same ("nuts", "cashews")."""
_OTHER_TOPIC = 0.7
"""Below this, two facts about a person have different topics."""
_FEW_WORDS = 2
_ENOUGH_WORDS = 3
"""Content words that both need if only words decide, because inflected ones may not match."""
_RESTATED = 0.05
"""How far below `same` the cosine of a statement without new names may be."""
_WELL_KNOWN = frozenset({"en", UNKNOWN})
_BY_WORDS_ONLY = frozenset({"zh", "ja", "hi", "ar"})
"""Scripts that are unknown tokens to an English model, so their cosines mean nothing."""
_SUSPECT = frozenset({Mark.CEASED, Mark.REFUTED, Mark.CHANGED, Mark.REPLACED})

Rule = Callable[[Statement, Statement], str | None]
_APART: tuple[Rule, ...] = (
    distinct.other_holder,
    distinct.other_instance,
    distinct.other_place_or_thing,
    distinct.other_event,
)
_CHANGES: tuple[tuple[str, Bearing, Rule], ...] = (
    ("change", Bearing.CEASED, changes.refuted),
    ("change", Bearing.CEASED, changes.ceased),
    ("change", Bearing.CHANGED, changes.replaced),
    ("change", Bearing.CHANGED, changes.other_number),
    ("change", Bearing.CHANGED, changes.other_time),
    ("change", Bearing.CHANGED, changes.other_value),
    ("change", Bearing.CHANGED, changes.other_slot),
    ("spo", Bearing.CHANGED, changes.other_single),
)
_BESIDE: tuple[Rule, ...] = (distinct.stands_beside, distinct.only_intended)


@dataclass(frozen=True, slots=True)
class Compared:
    """A candidate and one memory, both parsed."""

    candidate: Candidate
    neighbour: Neighbour
    new: Statement
    old: Statement
    comparable: bool
    """Whether both are in the same language and it has a pack, or both are unknown."""


def relate(pair: Compared, calibration: Calibration) -> Relation:
    """The relation of the candidate to this memory."""
    verdict = _verdict(pair, calibration)
    kind, stage, reason = verdict or (Bearing.UNCLEAR, "change", "no rule is sure")
    return Relation(kind, stage, reason, overlap(pair.new, pair.old), anchors(pair.new, pair.old))


def _verdict(pair: Compared, calibration: Calibration) -> tuple[Bearing, str, str] | None:
    if pair.new.canonical == pair.old.canonical:
        return Bearing.SAME, "exact", "the same words"
    if pair.comparable:
        if same_words(pair.new, pair.old):
            return Bearing.SAME, "exact", "the same words in another spelling or order"
        if _restated(pair, calibration):
            return Bearing.SAME, "zone", "near in meaning, and names nothing new"
        if same_triple(pair.candidate, pair.neighbour):
            return Bearing.SAME, "spo", "the same subject, predicate and object"
    if _is_far(pair, calibration):
        return Bearing.FAR, "zone", "nothing in common"
    return _by_words(pair, calibration) if pair.comparable else None


def _restated(pair: Compared, calibration: Calibration) -> bool:
    if not measured(calibration) or pair.new.language in _BY_WORDS_ONLY:
        return False
    near = pair.neighbour.score >= calibration.same - _RESTATED
    return near and restates(pair.new, pair.old)


def _is_far(pair: Compared, calibration: Calibration) -> bool:
    """Whether the topics differ: no common word, and a low cosine if the embedder is calibrated."""
    if anchors(pair.new, pair.old):
        return False
    if not pair.comparable:
        return measured(calibration) and _is_below(pair, calibration, _FAR_WITH_CUE)
    if any(pair.old.roles & {role} for role in pair.new.roles):
        return False
    suspect = bool(pair.new.marks & _SUSPECT)
    words = min(len(pair.new.content), len(pair.old.content))
    if not measured(calibration) or pair.new.language in _BY_WORDS_ONLY:
        enough = _ENOUGH_WORDS if measured(calibration) else 1
        return not suspect and words >= enough and not pair.new.calendar & pair.old.calendar
    if suspect:
        level = _FAR_WITH_CUE
    elif words < _FEW_WORDS:
        level = _FAR_IF_SHORT
    else:
        level = FAR if pair.new.language in _WELL_KNOWN else _FAR_IN_OTHER_LANGUAGES
    return _is_below(pair, calibration, level)


def _is_below(pair: Compared, calibration: Calibration, level: float) -> bool:
    return pair.neighbour.score < _cosine(calibration, level)


def _cosine(calibration: Calibration, level: float) -> float:
    return calibration.floor + level * (calibration.update - calibration.floor)


def measured(calibration: Calibration) -> bool:
    """Whether the embedder is calibrated (`memory/calibration`)."""
    return calibration.same <= 1.0


def _by_words(pair: Compared, calibration: Calibration) -> tuple[Bearing, str, str] | None:
    new, old = pair.new, pair.old
    for apart in _APART:
        if reason := apart(new, old):
            return Bearing.DISTINCT, "change", reason
    for stage, kind, rule in _CHANGES:
        if reason := rule(new, old):
            return kind, stage, reason
    for beside in _BESIDE:
        if reason := beside(new, old):
            return Bearing.DISTINCT, "change", reason
    near = _cosine(calibration, _ANOTHER) if measured(calibration) else 2.0
    if reason := distinct.another_of_several(new, old, pair.neighbour.score, near):
        return Bearing.DISTINCT, "spo", reason
    if reason := triple_says(pair.candidate, pair.neighbour):
        return Bearing.DISTINCT, "spo", reason
    if _other_topic(pair, calibration):
        return Bearing.DISTINCT, "zone", "the same person, another topic"
    return None


def _other_topic(pair: Compared, calibration: Calibration) -> bool:
    """Whether two facts about a relative share no word and are not near in meaning."""
    new, old = pair.new, pair.old
    if not measured(calibration) or not new.roles or not old.content or anchors(new, old):
        return False
    if new.marks & _SUSPECT:
        return False
    return _is_below(pair, calibration, _OTHER_TOPIC)
