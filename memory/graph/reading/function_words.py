"""The small words of languages that stand around names, from the packs in use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

from ...language import from_packs, is_unspaced, packs, words_of
from ...language.pack import LanguagePack
from ...language.words import folded_words


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionWords:
    """The folded words of one language that stand around names."""

    stop: frozenset[str]
    """All function words."""
    common: frozenset[str]
    """Everyday words: no names at the beginning of a sentence."""
    before: frozenset[str]
    """Prepositions and articles, with their accents: they stand before what they belong to."""
    articles: frozenset[str]
    """Articles, and possessives of the user."""
    inside: frozenset[str]
    """Prepositions of a place or a time in which something is ("in")."""
    at: frozenset[str]
    """Prepositions of a place that one is at, and not in."""
    toward: frozenset[str]
    """Prepositions of where from and where to; some mean "to" somebody, too."""
    joins: frozenset[str]
    """Conjunctions, with their accents: Portuguese "e" is "and", "é" is "is"."""
    times: frozenset[str]
    """Months and weekdays."""
    links: frozenset[str]
    """What stands between a name and what it is: "is", with accents."""
    days: frozenset[str]
    """Words that say when, as they are written, in scripts without blanks: 昨日."""
    my: frozenset[str]
    """Possessives of the user that the pack tells from "I" and "we"; empty if it tells none."""
    ones: frozenset[str]
    """The number one, and indefinite articles."""
    owning: frozenset[str]
    """What stands behind an owner and before what is owned (の, 的, का); empty where it is a
    preposition."""
    owning_terms: frozenset[str]
    """Terms for relatives that the owner's name follows (Arabic)."""
    behind: frozenset[str]
    """What stands behind a name and belongs to it (さん)."""
    inflects: bool
    """Whether names take endings: a relative's term and a name may be "Anna's wife" (Russian)."""
    bare: bool
    """Whether "I" and "my" may go without saying."""
    verbs_last: bool
    """Whether particles follow their nouns (Hindi)."""
    particles: frozenset[str]
    """What may stand inside a name ("von")."""


_OWNER_FIRST = ("han", "kana", "devanagari")
"""Scripts of languages that say "Anna's son" in this order, with a word in the place of "'s"."""


def _words(*terms: Iterable[str]) -> frozenset[str]:
    return frozenset(word for some in terms for term in some for word in folded_words(term))


def _written(*terms: Iterable[str]) -> frozenset[str]:
    """The words of terms with their accents: French "à" is a preposition, "a" a verb."""
    parts = (words_of(term).raw for some in terms for term in some)
    return frozenset(word.casefold() for words in parts for word in words)


def _single(terms: Iterable[str]) -> frozenset[str]:
    """Those of a single word."""
    found = (folded_words(term) for term in terms)
    return frozenset(words[0] for words in found if len(words) == 1)


def _owning(pack: LanguagePack) -> frozenset[str]:
    if pack.script not in _OWNER_FIRST:
        return frozenset()
    return _words(pack.calendar.of or pack.calendar.articles)


@from_packs
def function_words() -> Mapping[str, FunctionWords]:
    """Those of each language."""
    return {code: _of_pack(pack) for code, pack in packs().items()}


def _of_pack(pack: LanguagePack) -> FunctionWords:
    when, words = pack.calendar, pack.words
    stop = _words(words.stop, words.stop_characters)
    joins = frozenset(term.casefold() for term in (*when.and_, *pack.changes.conjunctions)) - set(
        when.articles
    )
    articles = _words(when.articles, when.one, pack.requests.article)
    elided = frozenset(word for word in words.elided if word.rstrip("'") in _words(when.articles))
    inside = _single(when.in_) | _single(when.ahead_first)
    return FunctionWords(
        stop=stop,
        common=_words(words.common, pack.requests.filler),
        before=_before(pack) | elided,
        articles=articles,
        inside=inside & stop,
        at=_single(when.on) & stop - articles,
        toward=_single((*when.to, *when.between, *when.after)) & stop - articles,
        joins=joins,
        days=_days(pack),
        links=frozenset(
            term.casefold() for term in pack.secrets.links if len(folded_words(term)) == 1
        ) - joins,
        my=_words(pack.people.first_person) & _words(pack.requests.article),
        ones=_words(when.one),
        owning=_owning(pack) & (stop | _words(when.of)),
        owning_terms=_words(pack.people.kin) if pack.script == "arabic" else frozenset(),
        times=_words(*when.months, *when.weekdays, *when.weak_months, *when.weak_weekdays),
        behind=frozenset(words.name_particles if pack.script == "kana" else ()),
        inflects=words.inflects_names and not words.capitalised_nouns,
        bare=pack.person.drops_pronouns,
        verbs_last=pack.script == "devanagari",
        particles=_words(words.name_particles),
    )  # fmt: skip


def _before(pack: LanguagePack) -> frozenset[str]:
    """What may stand before a name."""
    when, words = pack.calendar, pack.words
    of_time = _written(
        when.articles, when.of, when.on, when.to, when.between, when.since, when.before,
        when.after, when.vague, when.one, when.this, when.in_, when.ahead_first,
    )  # fmt: skip
    return _written(words.stop, words.stop_characters) & of_time | _written(
        when.articles, when.one, pack.requests.article, words.name_particles
    )


def _days(pack: LanguagePack) -> frozenset[str]:
    """Words for days of a language without blanks."""
    when = pack.calendar
    named = (*when.days.values(), *when.spans.values(), *when.weekdays, *when.weak_weekdays)
    return frozenset(term for terms in named for term in terms if is_unspaced(term[0]))


@from_packs
def widespread_stop() -> frozenset[str]:
    """Function words of any widespread language: no sure name at the beginning of a sentence."""
    small = function_words()
    known = (small[code].stop for code, pack in packs().items() if pack.words.widespread)
    return frozenset[str]().union(*known)


@from_packs
def _united() -> dict[frozenset[str], FunctionWords]:
    """Those of several languages together, as they are met."""
    return {}


def together(codes: frozenset[str]) -> FunctionWords:
    """Those of several languages."""
    kept = _united()
    if codes not in kept:
        kept[codes] = _all_of([function_words()[code] for code in sorted(codes)])
    return kept[codes]


_FLAGS = ("inflects", "bare", "verbs_last")


def _all_of(some: Sequence[FunctionWords]) -> FunctionWords:
    names = [one.name for one in fields(FunctionWords) if one.name not in _FLAGS]
    united = {name: frozenset[str]().union(*(getattr(one, name) for one in some)) for name in names}
    bare, last = (any(getattr(one, name) for one in some) for name in _FLAGS[1:])
    inflects = bool(some) and all(one.inflects for one in some if one.stop)
    return FunctionWords(inflects=inflects, bare=bare, verbs_last=last, **united)
