"""Makes passages of a turn: what is kept of it until something was learned from it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..learn.firewall import clean
from ..learn.withhold import parted
from ..recall.index.entry import Entry
from ..recall.index.shelf import PREFIX, SaidPassage
from ..times import sequence_from
from ..trust.quarantine import judge_text
from ..trust.redact import is_husk
from ..types import MemoryItem, MemoryType, Provenance, Source, Turn
from .statements import statements

LONGEST = 400
"""Characters of a passage. A vector of more says little about each of its sentences."""
IMPORTANCE = 0.5
OF_LEARNED = 0.2
"""Importance of a turn from which extraction kept nothing."""


def texts_of(turn: Turn, known: Sequence[str] = ()) -> list[str]:
    """The texts of a turn's passages, in order.

    `known` are the memories that the model was shown: whoever pastes them says nothing new. What
    the quarantine withholds is left out.
    """
    [cleaned] = clean([turn], known).turns
    stated = "\n".join(statements(cleaned.user_text))
    if not stated:
        return []
    rest = parted(stated, judge_text(stated)).rest
    return [text for text in _grouped(rest.split("\n")) if not is_husk(text)]


def _grouped(told: Sequence[str]) -> Iterator[str]:
    """The sentences, as few texts as possible."""
    text = ""
    for sentence in filter(None, (one.strip() for one in told)):
        if text and len(text) + len(sentence) >= LONGEST:
            yield text
            text = ""
        text = f"{text} {sentence}" if text else sentence
    if text:
        yield text


def id_of(turn_id: str, number: int) -> str:
    """The id of a turn's passage."""
    return f"{PREFIX}{turn_id}" if number == 0 else f"{PREFIX}{turn_id}:{number}"


def passage(turn: Turn, number: int, text: str, *, embedder_id: str, learned: bool) -> SaidPassage:
    """A passage that is ready to be ranked."""
    item = MemoryItem(
        id=id_of(turn.id, number),
        text=text,
        type=MemoryType.EPISODIC,
        scope=turn.scope,
        created_at=turn.created_at,
        updated_at=turn.created_at,
        embedder_id=embedder_id,
        importance=OF_LEARNED if learned else IMPORTANCE,
        provenance=Provenance(
            source=Source.SAID,
            conversation_id=turn.conversation_id,
            turn_ids=(turn.id,),
            sequence=sequence_from(turn.created_at) + number,
        ),
    )
    return SaidPassage(Entry.of(item))
