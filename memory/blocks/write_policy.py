"""Decides what a model may write into a block, which is always in the prompt.

The block that comes of a change is judged, not the piece that is brought: four sentences may order
together what none of them does alone, and one may stand behind an honest one. It is judged by its
effect: whether it sends somewhere, loads code, advertises, hides, or says what the assistant has to
do against whom it works for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..language.words import sentences
from ..learn.firewall import strip_injected
from ..model.ports import Embedder
from ..model.types import MemoryItem, MemoryType, Provenance, Scope, Source, utc_now
from ..recall.injection_policy import InjectionPolicy, harms, injection_policy_of, says_lasting
from ..recall.prototypes import Likeness, Prototypes
from ..trust.quarantine import judge_text
from ..trust.quarantine.payloads import PayloadKind, loads_code, payload_kinds, shows_image

REACH = 300
"""Characters around a new sentence with which it is read as one text."""
LINES = 4
"""Lines that are read together up to a new sentence, so that no other text dilutes an order."""
_CLOSED = ".!?…。！？।۔؟"  # noqa: RUF001 - of other scripts
"""The last characters of a sentence that nothing goes on with."""
MOST_TEXTS = 64
"""New sentences of one change that are judged apart; those of a larger one are judged by pieces."""
PIECE = 16
"""Sentences of such a piece."""


@dataclass(frozen=True, slots=True)
class BlockMeaning:
    """The meaning of a text."""

    likeness: Likeness
    lead: float
    """How much nearer it is to instructions for the assistant than to requests (cosines)."""


class BlockWritePolicy:
    """The policy with the meaning of a text, where that is known."""

    def __init__(self, embedder: Embedder, prototypes: Callable[[], Prototypes | None]) -> None:
        self._embedder, self._prototypes = embedder, prototypes

    async def __call__(self, before: str, after: str, scope: Scope) -> str | None:
        """Why a model may not make this of a block. Raises EmbeddingError.

        What stood there before is not held against it, unless the new sentences make it worse.
        """
        changed = list(changed_texts(before, after))
        texts = list(dict.fromkeys(each for pair in changed for each in pair if each.strip()))
        meant = await self._meant(texts)
        for text, old in changed:
            why = why_refused(text, scope, meant.get(text)) if text.strip() else None
            if why is not None and not (old.strip() and why_refused(old, scope, meant.get(old))):
                return why
        return None

    async def _meant(self, texts: Sequence[str]) -> dict[str, BlockMeaning]:
        prototypes = self._prototypes()
        if prototypes is None or not texts:
            return {}
        vectors = await self._embedder.embed(texts)
        return {
            text: BlockMeaning(prototypes.told(vector), prototypes.lead(vector))
            for text, vector in zip(texts, vectors, strict=True)
        }


def changed_texts(before: str, after: str) -> Iterator[tuple[str, str]]:
    """What a change makes of a block, as texts to judge, each with what of it stood before. Pure.

    Every new sentence alone, from up to three lines before it on, and with all around it.
    """
    known = Counter(text for _, text in _told(before))
    told = _told(after)
    new = []
    for at, (_, text) in enumerate(told):
        if known[text]:
            known[text] -= 1
        else:
            new.append(at)
    fresh = frozenset(new)
    for first in range(MOST_TEXTS, len(new), PIECE):
        yield _joined(told, new[first : first + PIECE]), ""
    for at in new[:MOST_TEXTS]:
        for around in dict.fromkeys((*_up_to(told, at), _around(told, at))):
            old = [each for each in around if each not in fresh]
            yield _joined(told, around), _joined(told, old)


_Told = Sequence[tuple[int, str]]
"""The sentences of a block, each with the number of its line."""


def _told(value: str) -> _Told:
    lines = enumerate(value.splitlines())
    return [(at, text) for at, line in lines for each in sentences(line) if (text := each.strip())]


def _up_to(told: _Told, at: int) -> Iterator[range]:
    """The sentence, and with it the lines before; of a line whose end is open also that alone."""
    yield range(at, at + 1)
    begun = 0
    for first in range(at, -1, -1):
        follows = first > 0 and told[first - 1][0] == told[first][0]
        ends = first < at and told[first + 1][0] != told[first][0]
        if not follows or (ends and told[first][1][-1] not in _CLOSED):
            yield range(first, at + 1)
        begun += not follows
        if begun == LINES:
            return


def _around(told: _Told, at: int) -> range:
    first = last = at
    room = REACH
    while first > 0 and (room := room - len(told[first - 1][1])) >= 0:
        first -= 1
    room = REACH
    while last + 1 < len(told) and (room := room - len(told[last + 1][1])) >= 0:
        last += 1
    return range(first, last + 1)


def _joined(told: _Told, places: Sequence[int]) -> str:
    return " ".join(told[at][1] for at in places)


def why_refused(text: str, scope: Scope, meant: BlockMeaning | None) -> str | None:
    """Why a model may not write this text; None if it may. Pure.

    `meant` is the meaning of the text, None where that tells nothing.
    """
    if strip_injected(text) != text:
        return "repeats notes that memory gave to the model"
    suspicion = judge_text(text)
    if suspicion is not None:
        kinds = sorted({reason.kind.value for reason in suspicion.reasons})
        return f"looks planted ({', '.join(kinds)}); a person has to write it"
    if shows_image(text):
        return "shows an image that is fetched from an address; a person has to write it"
    if loads_code(text):
        return "runs code that is loaded from an address; a person has to write it"
    lasting, ordered = says_lasting(text), _orders(text, meant)
    if not (lasting or ordered):
        return None
    likeness = None if meant is None else meant.likeness
    policy = injection_policy_of(_as_told(text, scope), likeness, wish=ordered, lasting=lasting)
    if policy is InjectionPolicy.ALWAYS and not (ordered and meant is not None):
        return None
    return "orders the assistant about; a person has to write it"


LEADS, SENDS, INSTRUCTS, FITS = 0.1, 0.05, 0.13, -0.085
"""From which `lead` what no wish may ask for is an order, and from which `lead` and
`Likeness.instructs` a text with an address sends something there, unless its `unfit` is below
`FITS`: the place of a document. Chosen on 24 planted blocks and 24 honest ones in eight languages.
"""


def _orders(text: str, meant: BlockMeaning | None) -> bool:
    """Whether it orders something that no note may. Without its meaning, its words decide."""
    if meant is None:
        return harms(text)
    likeness = meant.likeness
    if meant.lead >= LEADS and likeness.unfit >= 0.0:
        return True
    sends = meant.lead >= SENDS and likeness.instructs >= INSTRUCTS and likeness.unfit >= FITS
    return sends and PayloadKind.ADDRESS in payload_kinds(text)


def _as_told(text: str, scope: Scope) -> MemoryItem:
    """The text as the policy knows it: a tool's word, which nobody validated."""
    now = utc_now()
    return MemoryItem(
        id="",
        text=text,
        type=MemoryType.SEMANTIC,
        scope=scope,
        created_at=now,
        updated_at=now,
        embedder_id="",
        provenance=Provenance(source=Source.TOOL),
    )
