"""What a model may write into a block, which is always in the prompt: the strictest door."""

from __future__ import annotations

from collections.abc import Callable

from ..learn.firewall import strip_injected
from ..model.ports import Embedder
from ..model.types import MemoryItem, MemoryType, Provenance, Scope, Source, utc_now
from ..recall.door import Door, door_of, harms, says_lasting
from ..recall.prototypes import Likeness, Prototypes
from ..trust.quarantine import judge_text


class BlockDoor:
    """The door with the meaning of a text, where that is known."""

    def __init__(self, embedder: Embedder, prototypes: Callable[[], Prototypes | None]) -> None:
        self._embedder, self._prototypes = embedder, prototypes

    async def __call__(self, text: str, scope: Scope) -> str | None:
        """Why a model may not write this text. Raises EmbeddingError."""
        prototypes = self._prototypes()
        if prototypes is None or not text.strip():
            return why_refused(text, scope, None)
        [vector] = await self._embedder.embed([text])
        return why_refused(text, scope, prototypes.told(vector))


def why_refused(text: str, scope: Scope, meant: Likeness | None) -> str | None:
    """Why a model may not write this text; None if it may. Pure.

    `meant` is the meaning of the text, None where that tells nothing.
    """
    if strip_injected(text) != text:
        return "repeats notes that memory gave to the model"
    suspicion = judge_text(text)
    if suspicion is not None:
        kinds = sorted({reason.kind.value for reason in suspicion.reasons})
        return f"looks planted ({', '.join(kinds)}); a person has to write it"
    lasting, harmful = says_lasting(text), _orders(text, meant)
    if not (lasting or harmful):
        return None
    door = door_of(_as_told(text, scope), meant, wish=harmful, lasting=lasting)
    return None if door is Door.OPEN else "orders the assistant about; a person has to write it"


ORDERS, SURE, UNFIT = 0.2, 0.3, 0.2
"""`Likeness.instructs` from which words of harm are an order, and from which, with `unfit`, it is
one whatever its words are. Chosen on 25 notes of a project and orders, in English and French."""


def _orders(text: str, meant: Likeness | None) -> bool:
    """Whether it orders something that no note may. Without its meaning, its words decide."""
    if meant is None:
        return harms(text)
    if meant.instructs >= SURE and meant.unfit >= UNFIT:
        return True
    return meant.instructs >= ORDERS and harms(text)


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
