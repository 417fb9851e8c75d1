"""Turns as messages, and messages as passages that can be ranked. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from ..language.words import sentences
from ..learn.firewall import own_text, strip_injected
from ..model.messages import in_pieces, shorten
from ..model.times import sequence_from
from ..model.turns import told_to_of
from ..model.types import MemoryItem, MemoryType, Provenance, Source, Turn

USER, ASSISTANT = "user", "assistant"
READ_CHARS = 6000
"""Of a longer message, its first and last characters are searched."""
PASSAGE_CHARS = 360
"""A passage ends with the sentence that makes it so long."""
LONGEST_SENTENCE = 900
"""A longer one is cut: a table, a program, or text without full stops."""
MOST_PASSAGES = 24
"""Of one message."""
IMPORTANCE = 0.5


@dataclass(frozen=True, slots=True)
class ConversationMessage:
    """What one side said in a turn."""

    turn: Turn
    role: str
    text: str

    @property
    def hearsay(self) -> bool:
        """Whether it is only the assistant's word: the user never said it."""
        return self.role == ASSISTANT


def messages_of(turn: Turn) -> list[ConversationMessage]:
    """What was said in a turn, the user first; a side that said nothing is left out."""
    both = ((USER, turn.user_text), (ASSISTANT, turn.assistant_text))
    return [ConversationMessage(turn, role, text) for role, text in both if text.strip()]


def passages_of(message: ConversationMessage) -> list[MemoryItem]:
    """Parts of a message that can be ranked, in order, without what is not its speaker's.

    Their ids are unique among those of other messages, and no ids of memories.
    """
    turn = message.turn
    # Each side's passages are in their order, the user's first.
    first = sequence_from(turn.created_at) + (500 if message.hearsay else 0)
    pieces = in_pieces(sentences(_own(message)), PASSAGE_CHARS, LONGEST_SENTENCE)
    return [
        MemoryItem(
            id=f"{message.role}:{turn.id}:{number}",
            text=text,
            type=MemoryType.EPISODIC,
            scope=turn.scope,
            created_at=turn.created_at,
            updated_at=turn.created_at,
            embedder_id="",
            importance=IMPORTANCE,
            provenance=Provenance(
                source=Source.ASSISTANT if message.hearsay else Source.SAID,
                conversation_id=turn.conversation_id,
                turn_ids=(turn.id,),
                told_to=told_to_of([turn]),
                sequence=first + number,
            ),
        )
        for number, text in enumerate(islice(pieces, MOST_PASSAGES))
    ]


def _own(message: ConversationMessage) -> str:
    text = shorten(message.text, READ_CHARS)
    return strip_injected(text) if message.hearsay else own_text(text)
