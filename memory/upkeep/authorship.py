"""Separates what the user's own words bear out from the rest of a text about turns. Pure.

A model that tells of a conversation may repeat what a tool, a page, a mail or the assistant said in
it. What others said is set apart first, and bears nothing out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import regex

from ..language.structure import own_words
from ..learn.extract.transcript import Unit, spans_of_sentences
from ..learn.extract.turn_texts import TurnTexts
from ..learn.extract.witness import MOST, Witness
from ..model.types import Message, Turn
from ..trust.quarantine.conversation import conversation

_IMAGE = regex.compile(r"!\[([^\[\]\n]{0,500}+)\]\([^()\n]{0,500}+\)")
"""A picture in Markdown: whoever made it wrote its text."""
_HEADER = regex.compile(r"[ \t]*\p{Lu}[\p{L} -]{1,20}[:\uff1a][ \t]*\S")
_FEWEST_HEADERS = 2
MAX_CHARS = 40_000
"""Of a message that are read; what is in the rest of it is nobody's."""
_PARAGRAPHS = regex.compile(r"\n[ \t]*\n+")


def split_by_author(text: str) -> tuple[str, str]:
    """The user's own words in a message, and what else is in it."""
    others = [found[1] for found in _IMAGE.finditer(text)]
    own: list[str] = []
    parts = _PARAGRAPHS.split(_IMAGE.sub(" ", text))
    for number, part in enumerate(parts):
        if _is_header(part):
            # A mail or a record goes on to the end of the message.
            others += parts[number:]
            break
        own.append(part)
    kept = "\n\n".join(own)
    spoken = own_words(kept)
    left = [one for one in _lines(kept) if one not in spoken]
    return spoken, "\n".join([*others, *left])


def _is_header(part: str) -> bool:
    lines = [line for line in part.splitlines() if line.strip()]
    return sum(bool(_HEADER.match(line)) for line in lines) >= _FEWEST_HEADERS


def _lines(text: str) -> Iterator[str]:
    return (line.strip() for line in text.splitlines() if line.strip())


def own_sentences(text: str) -> list[str]:
    """The sentences of a message that are in the user's own words, and hide nothing."""
    said = conversation([Message(role="user", content=split_by_author(text[:MAX_CHARS])[0])])
    return [passage.spoken.text for passage in said.own.passages]


def only_own_words(text: str, turns: Sequence[Turn]) -> str:
    """The sentences of a text that the user's own words bear out. Empty if none is."""
    own = [replace(turn, user_text="\n".join(own_sentences(turn.user_text))) for turn in turns]
    units = [Unit(turn, turn.user_text, turn.assistant_text) for turn in own]
    witness = Witness(TurnTexts(units).users, at=turns[-1].created_at, adds=MOST)
    found = [text[a:b].strip() for a, b in spans_of_sentences(text)]
    return " ".join(one for one in found if witness.speaks(one) and not witness.against(one))
