"""The texts of old turns in pieces that can be chosen: by words, without a model. Pure.

A piece is some sentences of one message. What a step of turns says is read once and kept, because
it never changes: `OldStep` has its pieces and where each term occurs.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice

from recollect.memory.blocks import disarmed
from recollect.memory.forget import asked_in
from recollect.memory.language import index_terms, is_question, sentences
from recollect.memory.learn import strip_injected
from recollect.memory.model.messages import in_pieces, shorten

PIECE_CHARS = 160
"""A piece ends with the sentence that makes it so long."""
LONGEST_SENTENCE = 480
"""A longer one is cut: a table, a program, or text without full stops."""
READ_CHARS = 4000
"""Of a longer message the first and the last characters are read."""
MOST_PIECES = 24
"""Of one message."""
ASSISTANT = "(assistant) "
"""Before what only the assistant said."""

Count = Callable[[str], int]
"""Tokens of a text."""


@dataclass(frozen=True, slots=True)
class OldTurn:
    """The pieces of a turn that is taken out."""

    id: str
    said: str
    answered: str
    on: date | None
    """When it was recorded (UTC); None if it was erased: then nothing of it is said any more."""
    episode: str = ""
    """What a model told of the stretch of conversation that ended with it."""


@dataclass(frozen=True, slots=True)
class OldPiece:
    """Some sentences of a message."""

    turn_id: str
    number: int
    """Its place among all pieces of the step."""
    assistant: bool
    asks: bool
    on: date
    text: str
    terms: tuple[str, ...]
    """Of the index, with repetitions."""
    tokens: int
    """Of its line."""

    @property
    def key(self) -> tuple[str, int]:
        """Tells it from all other pieces of its conversation."""
        return self.turn_id, self.number


@dataclass(frozen=True)
class OldStep:
    """The pieces of some turns."""

    pieces: tuple[OldPiece, ...]
    told: tuple[OldPiece, ...]
    """Those of its episodes; their numbers are negative."""
    found: Mapping[str, Sequence[tuple[int, int]]] = field(repr=False)
    """The pieces with a term, and how often each has it."""
    languages: frozenset[str]
    """As which the pieces were analysed."""
    length: int
    """Terms of all pieces."""

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return 500 + 100 * self.length + sum(200 + len(piece.text) for piece in self.pieces)


def line(text: str, *, assistant: bool) -> str:
    """What somebody said on one line, which can be no markup and no role."""
    return f"- {ASSISTANT if assistant else ''}{' '.join(disarmed(text).split())}\n"


def key_of(turns: Sequence[OldTurn]) -> bytes:
    """The same for the same texts, days and erasures."""
    told = [
        [t.id, t.said, t.answered, t.episode, t.on.toordinal()] if t.on else [t.id] for t in turns
    ]
    return hashlib.sha256(json.dumps(told).encode()).digest()


def step_of(turns: Sequence[OldTurn], count: Count) -> OldStep:
    """The pieces of these turns, in the order in which they were said."""
    pieces: list[OldPiece] = []
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    languages = set[str]()
    for turn, on, assistant, text in _texts(turns):
        read = index_terms(text)
        languages.add(read.language)
        for term, times in Counter(read.terms).items():
            found[term].append((len(pieces), times))
        asks = is_question(text)
        tokens = count(line(text, assistant=assistant))
        pieces.append(OldPiece(turn.id, len(pieces), assistant, asks, on, text, read.terms, tokens))
    length = sum(len(piece.terms) for piece in pieces)
    told = tuple(_told(turns, count))
    return OldStep(tuple(pieces), told, dict(found), frozenset(languages), length)


def _told(turns: Sequence[OldTurn], count: Count) -> Iterator[OldPiece]:
    """The sentences of the turns' episodes, without the day that one begins with."""
    number = 0
    for turn in turns:
        if turn.on is None or asked_in(turn.said):
            continue
        text = turn.episode.removeprefix(f"{turn.on:%Y-%m-%d}: ")
        for sentence in in_pieces(sentences(text), 0, LONGEST_SENTENCE):
            number -= 1
            terms = index_terms(sentence).terms
            tokens = count(line(sentence, assistant=False))
            yield OldPiece(
                turn_id=turn.id,
                number=number,
                assistant=False,
                asks=False,
                on=turn.on,
                text=sentence,
                terms=terms,
                tokens=tokens,
            )


def _texts(turns: Sequence[OldTurn]) -> Iterator[tuple[OldTurn, date, bool, str]]:
    """Each piece of the turns, with its day and whether it is the assistant's.

    Of a turn in which the user asks to forget something nothing is repeated, of an erased one
    neither.
    """
    for turn in turns:
        if turn.on is None or asked_in(turn.said):
            continue
        for assistant, text in ((False, turn.said), (True, turn.answered)):
            read = sentences(strip_injected(shorten(text, READ_CHARS)))
            for piece in islice(in_pieces(read, PIECE_CHARS, LONGEST_SENTENCE), MOST_PIECES):
                yield turn, turn.on, assistant, piece
