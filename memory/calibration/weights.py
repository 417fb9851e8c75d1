"""What the signals count as evidence that a memory bears on a message.

The numbers were fitted once (docs/decisions.md): every question of the development sets was asked
in its own store, where some memories answer it, and in a stranger's, where none does. The lines
that are needed count as much as all others together, so even odds say that a line is likelier
needed than it was before anything was known of it. `recollect calibrate` fits them again for
another embedder.
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerWeights:
    """Log odds that a memory bears on a message.

    Each is multiplied by the signal of the same name (`recall.evidence.told`), and all are added.
    """

    bias: float
    near: float
    """How far the cosine is above that of unrelated texts, in spreads of the embedder."""
    words: float
    """The share of the question's telling words that the memory holds."""
    name: float
    """Said by or about somebody whom the question names."""
    time: float
    """Of the time that the question asks for."""
    personal: float
    """1 if the question speaks of the user, or of somebody whom the memories know."""
    depends: float
    """How much nearer the question is to what somebody asks about themselves than to what is the
    same whoever asks (`recall.prototypes`), in tenths of a cosine; 0 if that is not known."""
    agrees: float
    """The smaller of two: how far the memory is above what is usually near to the question, and
    the question above what is usually near to the memory (`recall.usual`)."""
    line: float
    """What the second has above 1.5 standard deviations."""
    theme: float
    """How much likelier than by chance the memory is of the question's theme (`recall.usual`)."""
    unread: float
    """1 where the embedder knows nothing of a language, so words alone tell; less where it knows
    a little."""


ANSWERS = tuple(field.name for field in fields(AnswerWeights) if field.name != "bias")
"""The signals, in the order of `recall.evidence.told`."""


BUILT_IN = AnswerWeights(
    bias=-3.64, near=1.41, words=3.06, name=-2.55, time=0.65, personal=2.43, depends=0.37,
    agrees=0.18, line=0.05, theme=1.24, unread=1.67,
)  # fmt: skip


OF_TELLING = AnswerWeights(
    bias=-2.7, near=3.3, words=6.6, name=3.9, agrees=0.37, theme=1.35,
    time=0.0, personal=0.0, depends=0.0, line=0.0, unread=0.0,
)  # fmt: skip
"""For a message that only tells: that it speaks of the user asks for nothing, and whom it names is
its matter. Fitted to the 322 such messages of development rows."""
