"""What a short statement says, as far as words show it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...recall.text import language_of
from ...recall.text.fold import clean
from . import parts
from .canonical import canonical
from .locales import LANGUAGES, Mark, Pack, pack_of
from .names import names_of
from .parts import WORDS, Quantity
from .values import plain_values

MAX_CHARS = 1000
"""Characters that are read: a fact is a sentence or two."""
UNKNOWN = "und"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A fact taken apart. All words are folded; `content` is stemmed."""

    language: str
    pack: Pack
    canonical: str
    """The whole text without case, width, spacing and punctuation."""
    text: str
    """In lower case, with plain numbers and times."""
    content: frozenset[str]
    """What it is about: no function words, cues, numbers, dates or relations."""
    light: frozenset[str]
    """Words that name nothing, such as "wants"; in no other field."""
    plain: tuple[str, ...]
    """Its words without the user, articles and words of change."""
    order: tuple[str, ...]
    """All words but articles and the user, stemmed, in order, in one spelling."""
    quantities: tuple[Quantity, ...]
    calendar: frozenset[str]
    """Months, weekdays and times of day."""
    names: frozenset[str]
    """Proper names, folded; none in scripts without capitals."""
    roles: frozenset[str]
    """Relations that are mentioned."""
    holder: str | None
    """Whose fact it is: a relation, None for the user's own (or if that cannot be seen)."""
    holder_names: frozenset[str]
    """Names that stand with the holder."""
    contrasts: Mapping[str, frozenset[str]]
    """Axis to the values that are mentioned ("side": left)."""
    heads: frozenset[str]
    """Axes whose value stands with the subject ("The printer at home is ...")."""
    head_names: frozenset[str]
    """Names of its subject, where it is a thing of the user's ("User's flat in Oslo has ...")."""
    billed: frozenset[str]
    """What is mentioned that comes anew every month."""
    marks: frozenset[Mark]
    tail: frozenset[str]
    """Content that stands behind the last cue of refutation."""
    ended: frozenset[str]
    """Content of the clauses that say that something ended."""
    told: frozenset[str]
    """Content without reasons and without clauses that only say what is not."""
    dated: frozenset[str]
    """When it is: the calendar, and numbers that stand with it."""
    attribute: str | None
    """Of a statement "User's ... is ...", if there can be only one: its stems before the verb."""
    past: bool
    """Whether it tells an event rather than a state."""
    several: frozenset[str]
    """The frame that can be true of several things ("User speaks ..."), if it has one."""
    is_list: bool

    @property
    def words(self) -> frozenset[str]:
        """Every word of the text, as it stands."""
        return frozenset(WORDS.findall(self.text))

    @property
    def months(self) -> frozenset[str]:
        """Of its calendar."""
        return frozenset(item for item in self.calendar if item.startswith("month"))

    @property
    def numbers(self) -> list[str]:
        """Its numbers, in order of size as text."""
        return sorted(quantity.value for quantity in self.quantities)


def read(text: str, language: str) -> Statement:
    """Take a statement apart by one language's pack."""
    pack = pack_of(language)
    cased = clean(text)[:MAX_CHARS]
    plain = parts.spelled_of(plain_values(parts.lowered_of(cased)), pack)
    names = names_of(cased, pack)
    bare = parts.without_of(plain, pack)
    holder, holder_names, holder_end = parts.holder_of(plain, pack, names)
    return Statement(
        language=language,
        pack=pack,
        canonical=canonical(text),
        text=plain,
        content=parts.content_of(bare, pack),
        light=frozenset(w for w in parts.stems_of(bare, pack) if w in pack.light),
        order=parts.order_of(plain, pack),
        quantities=parts.quantities_of(plain, pack),
        calendar=parts.calendar_of(plain, pack),
        names=names,
        roles=frozenset(pack.roles[found] for found in pack.kin.findall(plain)),
        holder=holder,
        holder_names=holder_names,
        contrasts=parts.contrasts_of(plain, pack),
        heads=parts.heads_of(plain, pack),
        head_names=parts.head_names_of(plain, pack, names - holder_names),
        billed=frozenset(pack.billed.findall(plain)),
        marks=frozenset(mark for mark, cues in pack.marks.items() if cues.search(plain)),
        tail=parts.tail_of(plain, pack),
        ended=parts.ended_of(plain, pack),
        told=parts.told_of(plain, pack),
        plain=parts.plain_of(plain, pack),
        dated=parts.dated_of(plain, pack),
        attribute=parts.attribute_of(plain, pack),
        past=pack.past.search(plain) is not None,
        several=parts.several_of(plain, pack, holder_end),
        is_list=parts.is_list_of(plain, pack),
    )


def language_for(text: str, others: str = UNKNOWN) -> str:
    """The language of a short text; if it cannot be told, that of its company."""
    found = language_of(text)
    return others if found == UNKNOWN else found


def readable(language: str) -> bool:
    """Whether there is a pack for it: without one only numbers and names are understood."""
    return language in LANGUAGES
