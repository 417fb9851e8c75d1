"""What a model may make of a block, which is always in the prompt: the strictest door.

The block that comes of a change is judged, not the piece that is brought: four lines may order
together what none of them does alone. It is judged by its effect: whether it sends somewhere, loads
code, advertises, hides, or says what the assistant has to do against whom it works for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..learn.firewall import strip_injected
from ..model.ports import Embedder
from ..model.types import MemoryItem, MemoryType, Provenance, Scope, Source, utc_now
from ..recall.door import Door, door_of, harms, says_lasting
from ..recall.prototypes import Likeness, Prototypes
from ..trust.quarantine import judge_text
from ..trust.quarantine.carried import Cargo, cargo, loads_code, shows_image

REACH = 300
"""Characters around a new line with which it is read as one text."""
LINES = 4
"""Lines that are read together up to a new one, so that no other text dilutes an order."""
MOST_TEXTS = 64
"""New lines of one change that are judged apart; those of a larger one are judged by pieces."""
PIECE = 16
"""Lines of such a piece."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The meaning of a text."""

    likeness: Likeness
    lead: float
    """How much nearer it is to instructions for the assistant than to requests (cosines)."""


class BlockDoor:
    """The door with the meaning of a text, where that is known."""

    def __init__(self, embedder: Embedder, prototypes: Callable[[], Prototypes | None]) -> None:
        self._embedder, self._prototypes = embedder, prototypes

    async def __call__(self, before: str, after: str, scope: Scope) -> str | None:
        """Why a model may not make this of a block. Raises EmbeddingError.

        What stood there before is not held against it, unless the new lines make it worse.
        """
        changed = list(changed_texts(before, after))
        texts = list(dict.fromkeys(each for pair in changed for each in pair if each.strip()))
        meant = await self._meant(texts)
        for text, old in changed:
            why = why_refused(text, scope, meant.get(text)) if text.strip() else None
            if why is not None and not (old.strip() and why_refused(old, scope, meant.get(old))):
                return why
        return None

    async def _meant(self, texts: Sequence[str]) -> dict[str, Meant]:
        prototypes = self._prototypes()
        if prototypes is None or not texts:
            return {}
        vectors = await self._embedder.embed(texts)
        return {
            text: Meant(prototypes.told(vector), prototypes.lead(vector))
            for text, vector in zip(texts, vectors, strict=True)
        }


def changed_texts(before: str, after: str) -> Iterator[tuple[str, str]]:
    """What a change makes of a block, as texts to judge, each with what of it stood before. Pure.

    Every new line alone, with up to three lines before it, and with all around it, as one sentence.
    """
    known = Counter(filter(None, map(str.strip, before.splitlines())))
    lines = [line for line in map(str.strip, after.splitlines()) if line]
    new = []
    for at, line in enumerate(lines):
        if known[line]:
            known[line] -= 1
        else:
            new.append(at)
    fresh = frozenset(new)
    for first in range(MOST_TEXTS, len(new), PIECE):
        yield _joined(lines, new[first : first + PIECE]), ""
    for at in new[:MOST_TEXTS]:
        ending = (range(max(0, at - more), at + 1) for more in range(LINES))
        for around in dict.fromkeys((*ending, _around(lines, at))):
            old = [each for each in around if each not in fresh]
            yield _joined(lines, around), _joined(lines, old)


def _around(lines: Sequence[str], at: int) -> range:
    first = last = at
    room = REACH
    while first > 0 and (room := room - len(lines[first - 1])) >= 0:
        first -= 1
    room = REACH
    while last + 1 < len(lines) and (room := room - len(lines[last + 1])) >= 0:
        last += 1
    return range(first, last + 1)


def _joined(lines: Sequence[str], places: Sequence[int]) -> str:
    return " ".join(lines[at] for at in places)


def why_refused(text: str, scope: Scope, meant: Meant | None) -> str | None:
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
    door = door_of(_as_told(text, scope), likeness, wish=ordered, lasting=lasting)
    if door is Door.OPEN and not (ordered and meant is not None):
        return None
    return "orders the assistant about; a person has to write it"


LEADS, SENDS, INSTRUCTS, FITS = 0.1, 0.05, 0.13, -0.085
"""From which `lead` what no wish may ask for is an order, and from which `lead` and
`Likeness.instructs` a text with an address sends something there, unless its `unfit` is below
`FITS`: the place of a document. Chosen on 24 planted blocks and 24 honest ones in eight languages.
"""


def _orders(text: str, meant: Meant | None) -> bool:
    """Whether it orders something that no note may. Without its meaning, its words decide."""
    if meant is None:
        return harms(text)
    likeness = meant.likeness
    if meant.lead >= LEADS and likeness.unfit >= 0.0:
        return True
    sends = meant.lead >= SENDS and likeness.instructs >= INSTRUCTS and likeness.unfit >= FITS
    return sends and Cargo.ADDRESS in cargo(text)


def _as_told(text: str, scope: Scope) -> MemoryItem:
    """The text as the door knows it: a tool's word, which nobody validated."""
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
