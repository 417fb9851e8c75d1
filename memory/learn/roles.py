"""Recognises role play: who says "I" there is a character. Pure but for `Stage`.

A system message may set the scene, or the user may invite to a play; it lasts until the user ends
it. What is said meanwhile teaches nothing about the person but what is said out of the role: in
brackets, as players write it ("(OOC: I'm vegetarian)").
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace

import regex

from ..calibration import SAFE, Calibration
from ..language import language_of
from ..language.scanner import says
from ..language.words import sentences, words_of
from ..model.errors import EmbeddingError
from ..model.messages import INSTRUCTIONS
from ..model.ports import Embedder
from ..model.types import Message, Turn, Vector, Vectors
from ..recall.prototypes import languages_known
from ..recall.role_play import PlayExamples

log = logging.getLogger(__name__)

MOST_READ = 500
"""Characters of a text by which a play is told."""
MOST_SAID = 40
"""Messages of a user that are looked through for an invitation, the last ones."""
MOST_KEPT = 10_000
"""Texts whose verdict is kept."""
SECONDS = 0.5
"""Longest time that the end of an answer waits for a verdict."""
FEWEST_WORDS = 5
"""Words of a text that sets a scene: "be brief" is as near to one as to anything."""
_CARD = regex.compile(r"\{\{(?:user|char)\}\}", regex.IGNORECASE)
"""What client programs for plays put in place of the two names."""
_ACTION = regex.compile(r"(?<![*\w])\*(?!\s)[^*\n]{3,200}?(?<!\s)\*(?![*\w])")
"""What a character does, as players write it: "*draws a sword*"."""
_APART = regex.compile(
    r"\(\((?P<double>[^()]{2,2000})\)\)|[(\[]\s*ooc\b\s*[:,\-\u2013\u2014]?\s*(?P<marked>[^()\[\]]{2,2000})[)\]]"
    r"|^\s*\((?P<whole>[^()]{2,2000})\)\s*$|^\s*(?:ooc|\[ooc\]|\(ooc\))\s*[:,\-]?\s*(?P<line>[^\n]{2,2000})$",
    regex.IGNORECASE | regex.MULTILINE,
)
"""What is said out of a role: in double brackets, marked so, or in brackets on a line alone."""


def plays(turn: Turn) -> bool:
    """Whether roles were played when it was said."""
    return turn.before is not None and turn.before.plays


def as_oneself(turn: Turn) -> Turn:
    """The turn with nothing but what its user says as a person; as it is if no roles are played."""
    if not plays(turn):
        return turn
    return replace(turn, user_text=said_apart(turn.user_text), assistant_text="", before=None)


def said_apart(text: str) -> str:
    """What a player says out of the role."""
    found = (
        next(filter(None, match.groupdict().values()), "").strip()
        for match in _APART.finditer(text)
    )
    return "\n".join(filter(None, found))


Verdict = Callable[[str], Awaitable[bool]]


class Stage:
    """Tells whether roles are played in a conversation; keeps verdicts about texts, not texts."""

    def __init__(self, embedder: Embedder, calibration: Calibration) -> None:
        """Likeness tells nothing of an embedder or in a language that nobody measured."""
        self._embedder = embedder
        self._languages = languages_known(calibration) if calibration != SAFE else frozenset()
        self._examples: PlayExamples | None = None
        self._kept: OrderedDict[bytes, bool] = OrderedDict()

    async def prepare(self) -> None:
        """Read the examples: those that must be embedded first would take too long later.

        Raises:
            EmbeddingError: they cannot be embedded; `plays` tries again.
        """
        if self._languages:
            await self._prepared()

    async def plays(self, messages: Sequence[Message]) -> bool:
        """Whether the last user message is said in a role, and cannot be a person's. Never raises.

        In doubt, as with a slow or broken embedder, people speak for themselves.
        """
        try:
            async with asyncio.timeout(SECONDS):
                return (await self.each(messages))[-1:] == [True]
        except TimeoutError:
            return False
        except EmbeddingError as error:
            log.info("nobody knows whether roles are played: %s", error)
            return False

    async def each(self, messages: Sequence[Message]) -> list[bool]:
        """The same of each user message; of a long conversation, of the last ones.

        Raises:
            EmbeddingError: a text cannot be embedded.
        """
        system = [one.content for one in messages if one.role in INSTRUCTIONS and one.content]
        said = [one.content for one in messages if one.role == "user"]
        now = False
        for text in system:
            now = now or await self._kept_of("scene", text, self._sets_scene)
        found: list[bool] = [now] * max(0, len(said) - MOST_SAID)
        for text in said[-MOST_SAID:]:
            if now:
                now = not await self._kept_of("end", text, self._ends)
            else:
                now = await self._kept_of("invites", text, self._invites)
            found.append(now)
        return found

    async def _kept_of(self, kind: str, text: str, verdict: Verdict) -> bool:
        """The verdict about a text, made once: clients send all of them again."""
        read = text[:MOST_READ].strip()
        key = hashlib.blake2b(f"{kind} {read}".encode("utf-8", "replace"), digest_size=16).digest()
        known = self._kept.get(key)
        if known is None:
            known = self._kept[key] = await verdict(read)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return known

    async def _sets_scene(self, read: str) -> bool:
        if _CARD.search(read) is not None:
            return True
        return len(words_of(read).raw) >= FEWEST_WORDS and await self._plays(read)

    async def _invites(self, read: str) -> bool:
        for sentence in may_invite(read):
            if await self._plays(sentence):
                return True
        return False

    async def _ends(self, read: str) -> bool:
        # A character acts; the person who speaks apart stays in the play.
        if _ACTION.search(read) or said_apart(read) or not self._knows(read):
            return False
        return (await self._prepared()).ends(await self._vector(next(iter(sentences(read)), read)))

    async def _plays(self, read: str) -> bool:
        if not self._knows(read):
            return False
        return (await self._prepared()).plays(await self._vector(read))

    def _knows(self, read: str) -> bool:
        return bool(read) and language_of(read) in self._languages

    async def _vector(self, text: str) -> Vector:
        vectors: Vectors = await self._embedder.embed([text])
        own: Vector = vectors[0]
        return own

    async def _prepared(self) -> PlayExamples:
        if self._examples is None:
            self._examples = await PlayExamples.of(self._embedder)
        return self._examples


def may_invite(text: str) -> Iterator[str]:
    """What of a message may begin a play: all of it, or a sentence."""
    if not says(text, "person.fiction") and not _ACTION.search(text):
        return  # as of nearly all: nothing is embedded
    yield text
    told = (one.strip() for one in sentences(text))
    yield from (one for one in told if one != text and says(one, "person.fiction"))


Plays = Callable[[Sequence[Message]], Awaitable[bool]]
"""Whether the last user message is said in a role."""


async def nobody_plays(_messages: Sequence[Message]) -> bool:
    """Everybody speaks for themselves."""
    return False
