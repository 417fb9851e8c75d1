"""What a language pack holds and what a scan of a message reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Cue(StrEnum):
    """What the presence of a phrase says about a message."""

    SELF = "self"
    """The user speaks of themselves or of what was said before: memory is needed."""
    KIN = "kin"
    """The user's own people, called by what they are to the user ("Mum")."""
    NEUTRAL = "neutral"
    """A fixed expression whose words mean nothing personal; hides the cues inside it."""
    FRAME = "frame"
    """A polite wrapper around a request ("can you tell me"); hides the cues inside it."""
    POLITE = "polite"
    """What may stand before a request in its clause."""
    HOWTO = "howto"
    """A generic first person ("how do I ..."); hides the pronoun, proves nothing else."""
    PRIVATE = "private"
    """People, places and things of somebody's own life, without a pronoun."""
    HINT = "hint"
    """A weak sign of an earlier conversation ("again", "still", "remind me")."""
    WHEN = "when"
    """A date relative to now."""
    GREET = "greet"
    """Greetings, thanks, farewells, acknowledgements."""
    PRAISE = "praise"
    """What may stand around a greeting without adding a request."""
    AFFIRM = "affirm"
    """A go-ahead, if a question came before it."""
    OPENER = "opener"
    """Asks for information."""
    STRONG = "strong"
    """The shape of a question of general knowledge."""
    GENERAL = "general"
    """Vocabulary of general knowledge."""
    ADVICE = "advice"
    """Asks for a judgement, which depends on who asks."""
    TASK = "task"
    """Asks for something open to be made, which is done better knowing the user."""
    TRANSFORM = "transform"
    """Asks for a deterministic change of supplied text."""
    CALC = "calc"
    """Arithmetic, conversion, date arithmetic."""
    UNIT = "unit"
    """A unit of measure or a currency."""
    LIVE = "live"
    """Data that changes by the hour."""
    WEATHER = "weather"
    """Weather: live data that needs a place."""
    COMMAND = "command"
    """Tells a machine to do something."""
    ARTEFACT = "artefact"
    """What such a command acts on."""
    TIMER = "timer"
    """Timers and alarms: complete once a number is stated."""
    DEVICE = "device"
    """A fully stated action of a device or a list."""
    WEB = "web"
    """An explicit web look-up."""
    ANAPHORA = "anaphora"
    """Points at something said elsewhere."""
    ELLIPSIS = "ellipsis"
    """Begins (or is) a follow-up that is incomplete without its predecessor."""
    ARTICLE = "article"
    """A definite article."""
    TECH = "tech"
    """Names of computing."""
    NAME = "name"
    """A first name; alone, it is somebody the user knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """One language.

    `cues` holds phrases separated by ``|``. In a phrase ``word*`` is any word with that beginning,
    ``*word`` any word with that end (three characters or more besides the star), and ``..`` up to
    `MAX_GAP` words of any kind. Case and accents do not matter. `stop` holds function words
    separated by blanks: they vote for the language and are never key terms.
    """

    code: str
    stop: str
    cues: Mapping[Cue, str]
    imperatives_lead: bool = False
    """Whether verbs of request count only at the beginning of a clause (English: "a plan")."""
    suffixes: Mapping[Cue, tuple[str, ...]] | None = None
    """Endings of accented words that carry a cue, compared before accents are removed."""
    suffix_exceptions: str = ""
    """Words, folded and separated by blanks, those endings do not apply to."""


class Hit(NamedTuple):
    """A phrase found at words ``start`` (inclusive) to ``end`` (exclusive)."""

    cue: Cue
    language: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scan:
    """A message as words with the cues found in them.

    `raw` and `words` are parallel (as written; folded). `clause_starts` are the indexes of words
    that begin a clause, `sentences` the [start, end) of each sentence. `hits` are those of
    `languages` only, hidden ones left out.
    """

    raw: Sequence[str]
    words: Sequence[str]
    clause_starts: frozenset[int]
    sentences: Sequence[tuple[int, int]]
    languages: frozenset[str]
    stop: frozenset[int]
    """Indexes of function words."""
    hits: Sequence[Hit]

    def has(self, *cues: Cue) -> bool:
        """Whether any of these cues was found."""
        return any(hit.cue in cues for hit in self.hits)

    def found(self, *cues: Cue) -> list[Hit]:
        """The hits of these cues, in reading order."""
        return [hit for hit in self.hits if hit.cue in cues]

    def covered(self, *cues: Cue) -> set[int]:
        """Indexes of the words inside hits of these cues."""
        return {i for hit in self.found(*cues) for i in range(hit.start, hit.end)}
