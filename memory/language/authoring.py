"""For whoever writes a pack: what a file lacks, and what collides in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from .pack import LanguagePack
from .pack_reader import SECTIONS
from .syntax import STAR, Kind, Named, Rows, Terms
from .vocabulary import terms_of, units_of

MODEL = "en"
"""The pack that has everything: what it has and another lacks is missing there."""
EXCLUSIVE = (
    ("calendar.months", "calendar.weekdays"),
    ("calendar.before", "calendar.after"),
    ("calendar.last", "calendar.next"),
    ("calendar.ago", "calendar.ahead"),
    ("planting.assistant", "people.user"),
    ("people.first_person", "planting.you"),
    ("secrets.password", "secrets.phrase"),
)
"""Fields of one language that cannot share a term: one meaning excludes the other."""
FIRST_NAMES = "requests.name"
STOP = "words.stop"
_Fields = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Review:
    """Findings that are worth a look; none of them is an error."""

    terms: Mapping[str, int]
    """The number of terms of each section."""
    missing: Mapping[str, Sequence[str]]
    """The fields that English has and the pack lacks, by section; a language need not have all."""
    collisions: Sequence[str]


def review(pack: LanguagePack, known: Mapping[str, LanguagePack]) -> Review:
    """Review a pack beside the packs that are known."""
    own = _fields_of(pack)
    return Review(
        {section: _count(pack, section) for section in SECTIONS},
        {} if pack.script == "any" else _missing(pack, known[MODEL]),
        [*_names_among_stop_words(pack, known), *_exclusive(own), *_covered(own)],
    )


def _fields_of(pack: LanguagePack) -> _Fields:
    return dict(terms_of(pack, tuple(SECTIONS)))


def _count(pack: LanguagePack, section: str) -> int:
    return sum(len(terms) for _, terms in terms_of(pack, (section,)))


def _missing(pack: LanguagePack, model: LanguagePack) -> Mapping[str, Sequence[str]]:
    found: dict[str, Sequence[str]] = {}
    for section in SECTIONS:
        own, full = getattr(pack, section), getattr(model, section)
        lacks = [
            spec.name
            for spec in fields(full)
            if spec.metadata["kind"] is not Kind.FLAG
            and _holds(getattr(full, spec.name))
            and not _holds(getattr(own, spec.name))
        ]
        if lacks:
            found[section] = lacks
    return found


def _holds(value: Rows | Terms | Named) -> bool:
    return any(value.values() if isinstance(value, Mapping) else value)


def _names_among_stop_words(pack: LanguagePack, known: Mapping[str, LanguagePack]) -> Iterator[str]:
    """Stop words that are first names in any language, and first names that are stop words."""
    everybody = {**known, pack.code: pack}
    stop = _folded(pack, STOP)
    names = _folded(pack, FIRST_NAMES)
    for code, other in everybody.items():
        for folded in sorted(stop.keys() & _folded(other, FIRST_NAMES).keys()):
            yield f"{_at(STOP)}: {stop[folded]!r} is a first name in {code}"
        if code != pack.code:
            for folded in sorted(names.keys() & _folded(other, STOP).keys()):
                yield f"{_at(FIRST_NAMES)}: {names[folded]!r} is a stop word in {code}"


def _folded(pack: LanguagePack, name: str) -> Mapping[str, str]:
    return {_key(term): term for term in _fields_of(pack).get(name, ())}


def _exclusive(own: _Fields) -> Iterator[str]:
    for one, other in EXCLUSIVE:
        first, second = _within(own, one), _within(own, other)
        for key in sorted(first.keys() & second.keys()):
            yield f"{_at(one)}: {first[key]!r} is in {_at(other)} too"


def _within(own: _Fields, name: str) -> Mapping[str, str]:
    """The terms of a field, of all its rows or names."""
    return {
        _key(term): term
        for each, terms in own.items()
        if each == name or each.startswith(f"{name}.")
        for term in terms
    }


def _covered(own: _Fields) -> Iterator[str]:
    """Terms of a field that say nothing that another one of it does not say."""
    for name, terms in own.items():
        units = {term: tuple(units_of(term)) for term in terms}
        first: dict[tuple[str, ...], str] = {}
        for term, parts in units.items():
            # Accents tell languages apart: a word with and without them is no slip there.
            if name != STOP and parts and first.setdefault(parts, term) != term:
                yield f"{_at(name)}: {term!r} is read as {first[parts]!r}"
        for wide, pattern in units.items():
            if STAR in wide:
                for term, parts in units.items():
                    if parts != pattern and _covers(pattern, parts):
                        yield f"{_at(name)}: {term!r} is covered by {wide!r}"


def _covers(pattern: Sequence[str], parts: Sequence[str]) -> bool:
    return len(pattern) == len(parts) and all(map(_is, pattern, parts))


def _is(pattern: str, part: str) -> bool:
    if pattern.endswith(STAR):
        return part.startswith(pattern[:-1]) and not part.startswith(STAR)
    if pattern.startswith(STAR):
        return part.endswith(pattern[1:]) and not part.endswith(STAR)
    return pattern == part


def _key(term: str) -> str:
    return " ".join(units_of(term))


def _at(name: str) -> str:
    """A field as files have it: ``[calendar.units] day``."""
    section, _, key = name.rpartition(".")
    return f"[{section}] {key}"
