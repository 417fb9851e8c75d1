"""Whose words the sentences of a text are that tells of some turns. Pure.

A model that tells of a conversation may repeat what a tool, a page, a mail or the assistant said in
it. A sentence stays if its words are mostly the user's own. One that the assistant has more of may
still be the user's, because assistants repeat what they are told: it stays if it has no name and no
number that the user did not say, and if names can be told from other words at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import regex

from ..language.pasted import own_words
from ..learn.extract.transcript import spans_of_sentences
from ..model.types import Message, Turn
from ..trust.quarantine.conversation import Speaker, conversation, trace
from ..trust.quarantine.utterances import claims
from .added import adds_name, adds_value, tells_names

_IMAGE = regex.compile(r"!\[([^\[\]\n]{0,500}+)\]\([^()\n]{0,500}+\)")
"""A picture in Markdown: whoever made it wrote its text."""
_HEADER = regex.compile(r"[ \t]*\p{Lu}[\p{L} -]{1,20}[:\uff1a][ \t]*\S")
_FEWEST_HEADERS = 2
MAX_CHARS = 40_000
"""Of a message that are read; what is in the rest of it is nobody's."""
MIN_OWN = 0.3
"""Share of a sentence's words that must be the user's (`episodes.writing.MIN_SUPPORT`)."""
_PARAGRAPHS = regex.compile(r"\n[ \t]*\n+")
_DAY = regex.compile(r"\A\d{4}-\d{2}-\d{2}: ")


def set_apart(text: str) -> tuple[str, str]:
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
    spoken = own_words(kept).text
    left = [one for one in _lines(kept) if one not in spoken]
    return spoken, "\n".join([*others, *left])


def _is_header(part: str) -> bool:
    lines = [line for line in part.splitlines() if line.strip()]
    return sum(bool(_HEADER.match(line)) for line in lines) >= _FEWEST_HEADERS


def _lines(text: str) -> Iterator[str]:
    return (line.strip() for line in text.splitlines() if line.strip())


class Whose:
    """Tells whose words sentences are. The constructor takes linear time."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        """`turns` are as they were said, with everything foreign in them."""
        messages: list[Message] = []
        self._own: list[str] = []
        for turn in turns:
            own, others = set_apart(turn.user_text[:MAX_CHARS])
            self._own.append(own)
            messages.append(Message(role="user", content=own))
            messages += [
                Message(role="tool", content=step.result[:MAX_CHARS]) for step in turn.steps
            ]
            messages += [
                Message(role="tool", content=others),
                Message(role="assistant", content=turn.assistant_text[:MAX_CHARS]),
            ]
        self._said = conversation([each for each in messages if each.content.strip()])

    def is_users(self, sentence: str) -> bool:
        """Whether a sentence is in the user's words."""
        origins = [trace(claim, self._said) for claim in claims(sentence)]
        if any(origin.own < MIN_OWN for origin in origins):
            return False
        speakers = {origin.speaker for origin in origins}
        if speakers <= {Speaker.USER}:
            return True
        if not speakers <= {Speaker.USER, Speaker.ASSISTANT} or not tells_names(sentence):
            return False
        return not adds_name(sentence, self._own) and not adds_value(sentence, self._own)


def only_users(text: str, turns: Sequence[Turn]) -> str:
    """The sentences of a text that are in the user's words; a day in front of it stays.

    Empty if none is.
    """
    whose = Whose(turns)
    day = _DAY.match(text)
    told = text if day is None else text[day.end() :]
    found = [told[a:b].strip() for a, b in spans_of_sentences(told)]
    kept = " ".join(one for one in found if whose.is_users(one))
    return f"{day[0]}{kept}" if day is not None and kept else kept
