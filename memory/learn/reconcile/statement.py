"""Parses a short statement by its words. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...language import language_of
from ...language.fold import clean
from . import parts
from .canonical import canonical
from .locales import LANGUAGES, Mark, Pack, pack_of
from .names import names_of
from .parts import WORDS, Quantity
from .values import plain_values

MAX_CHARS = 1000
"""Most characters that are read: a fact is a sentence or two."""
UNKNOWN = "und"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A parsed fact. Words are folded; `parts` describes the fields it finds."""

    language: str
    pack: Pack
    canonical: str
    text: str
    """In lower case, with plain numbers and times."""
    content: frozenset[str]
    """Stems of what it is about: no function words, cues, numbers, dates or relations."""
    light: frozenset[str]
    """Words that name nothing, such as "wants"; not part of `content`."""
    plain: tuple[str, ...]
    order: tuple[str, ...]
    quantities: tuple[Quantity, ...]
    calendar: frozenset[str]
    names: frozenset[str]
    """Proper names, folded; none in scripts without capitals."""
    roles: frozenset[str]
    """Relations that are mentioned."""
    holder: str | None
    """The relation whose fact it is; None for the user or if unknown."""
    holder_names: frozenset[str]
    contrasts: Mapping[str, frozenset[str]]
    heads: frozenset[str]
    head_names: frozenset[str]
    billed: frozenset[str]
    """Things that recur every month."""
    marks: frozenset[Mark]
    tail: frozenset[str]
    ended: frozenset[str]
    told: frozenset[str]
    dated: frozenset[str]
    attribute: str | None
    past: bool
    """Whether it tells an event rather than a state."""
    several: frozenset[str]
    is_list: bool

    @property
    def words(self) -> frozenset[str]:
        """Every word of the text, unstemmed."""
        return frozenset(WORDS.findall(self.text))

    @property
    def months(self) -> frozenset[str]:
        """The months in `calendar`."""
        return frozenset(item for item in self.calendar if item.startswith("month"))

    @property
    def numbers(self) -> list[str]:
        """The values of `quantities`, sorted as text."""
        return sorted(quantity.value for quantity in self.quantities)


def read(text: str, language: str) -> Statement:
    """Parse a statement with the pack of a language."""
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
    """The language of a short text, or `others` if it is unknown."""
    found = language_of(text)
    return others if found == UNKNOWN else found


def readable(language: str) -> bool:
    """Whether there is a pack; without one only numbers and names are understood."""
    return language in LANGUAGES
