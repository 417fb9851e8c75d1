"""What the signals count as evidence that a memory answers a question.

The numbers come from `benchmarks/evidence.py`: every question of the development sets is asked in
its own store and in a stranger's, which nobody has to label. `recollect calibrate` fits them again
for another embedder.
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerWeights:
    """Log odds that something stored answers, if this memory is the best evidence for it.

    Each is multiplied by the signal of the same name (`recall.evidence`), and all are added.
    """

    bias: float
    near: float
    """How much nearer in meaning than the memories of this user usually are, in spreads."""
    words: float
    """The share of the question's telling words that the memory holds."""
    both: float
    """Near times words: what both tell is told once."""
    name: float
    """Said by or about somebody whom the question names."""
    time: float
    """Of the time that the question asks for."""
    topic: float
    """Words in the conversation around it."""
    memories: float
    """The common logarithm of the number of memories: the best of many is nearer."""
    personal: float
    """1 if the question speaks of the user, or of somebody whom the memories know."""
    elsewhere: float
    """1 if its words match better what others said than what the named person said."""
    depends: float = 0.0
    """How much nearer the question is to what somebody asks about themselves than to what is the
    same whoever asks (`recall.prototypes`), in tenths of a cosine; 0 if that is not known."""


ANSWERS = tuple(field.name for field in fields(AnswerWeights) if field.name != "bias")
"""The signals, in the order of `recall.evidence.told`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HitWeights:
    """Log odds that a search hit is right, from its evidence and its place among the hits."""

    bias: float
    answers: float
    """The log odds of `AnswerWeights` for this hit."""
    share: float
    """Its fused score as a share of the best."""
    lead: float
    """How far its fused score is ahead of the next best of the others, as a share of the best."""
    place: float
    """The natural logarithm of its place, from 1."""


RIGHT = tuple(field.name for field in fields(HitWeights) if field.name != "bias")
"""The signals, in the order of `recall.evidence.placed`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceWeights:
    """Both, for one embedder."""

    answers: AnswerWeights
    right: HitWeights


BUILT_IN = EvidenceWeights(
    answers=AnswerWeights(
        bias=-3.4, near=5.54, words=5.79, both=-4.93, name=2.03, time=0.3, topic=1.78,
        memories=-1.89, personal=1.57, elsewhere=-0.63, depends=0.39,
    ),
    right=HitWeights(bias=3.21, answers=0.26, share=-4.24, lead=5.78, place=-0.81),
)  # fmt: skip
