"""The result of reading a text: values without behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from ...model.claims import EntityKind
from .keys import ReadSurface as ReadSurface  # noqa: PLC0414 - a mention's surfaces
from .keys import lookup_of

USER_KEY = "@user"
"""The key of the user, who is an entity of its own named `USER_NAME`."""
USER_NAME = "User"
MOST_KEYS = 200
"""That are asked for at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMention:
    """Somebody or something that a text speaks of, with all that it is called there."""

    surfaces: tuple[ReadSurface, ...]
    """The fullest name first; at least one."""
    kind: EntityKind
    sure: bool = False
    """Whether the kind is told by the text, and no guess."""
    named: bool = True
    """Whether it has a name, and not only a description ("my sister")."""
    only_known: bool = False
    """Whether it is a mention only if such an entity is known: a lower-case "anna", a sentence's
    first word, a word in a script without capitals. Nothing new is made of it."""

    @property
    def name(self) -> str:
        """The fullest name as written; of one without a name its description."""
        return USER_NAME if self.is_user else self.surfaces[0].text

    @property
    def is_user(self) -> bool:
        """Whether it is the user, who connects nothing."""
        return self.surfaces[0].key == USER_KEY

    @property
    def keys(self) -> frozenset[str]:
        """All keys of all surfaces."""
        return frozenset(key for one in self.surfaces for key in (one.key, *one.more))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRelation:
    """A relation between two mentions of a text."""

    source: int
    """Index in `GraphReading.mentions`."""
    relation: str
    """Lower case with underscores."""
    target: int
    quote: str = ""
    """The words that say it, as written; empty: all of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphReading:
    """All that was read in one text."""

    mentions: tuple[ReadMention, ...] = ()
    relations: tuple[ReadRelation, ...] = ()

    def lookup(self) -> frozenset[str]:
        """The keys that `SqlGraph.resolve` is asked for; some end in ``*``.

        Of more than `MOST_KEYS` those of words that may be names are left out first.
        """
        asked = (surface for one in self.mentions for surface in one.surfaces)
        keys = dict.fromkeys(key for one in asked for key in sorted(lookup_of(one)))
        return frozenset(islice(keys, MOST_KEYS))


NOTHING_READ = GraphReading()
