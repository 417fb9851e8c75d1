"""Reads kinship and possession: "my sister Anna", "el hijo de don Evaristo", 李娜的儿子.

The terms are those of the language room; who belongs to whom is told by where words stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .annotated_text import NAMED, USER, AnnotatedText
from .cased_names import NameSpan

_MOST_BETWEEN = 2
"""Most words between a possessive and its term ("my much older sister")."""
_MOST_NAMES = 6
"""Most names of one description ("my sons Tom, Ben and Max")."""
_MOST_LINKS = 3
"""Most words between a description and its name ("my sister is called Anna")."""
_BESIDE = (",", "\u060c", "\uff0c", "-", "\u2013", "\u2014")
"""What stands between a description and a name beside it."""


@dataclass(frozen=True, slots=True)
class Possession:
    """A description by what somebody is to somebody."""

    start: int
    """Its first word: of the owner, of the possessive or of the term."""
    term: int
    end: int
    """Where the term begins and ends."""
    last: int
    """Where the description ends, with an owner behind the term."""
    word: str
    """The term as it is compared, with what tells it from others: "older sister"."""
    mine: bool = False
    """Whether the owner is the user."""
    by_name: int | None = None
    """The owner, by its place among the names."""
    by_kin: int | None = None
    """The owner, by its place among the descriptions."""
    names: tuple[int, ...] = ()
    """Whom it describes, by their places among the names."""
    indefinite: bool = False
    """Whether it is one of several ("a friend of mine"): it does not describe one alone."""

    genitive: bool = False
    """Whether the owner's name has an ending without an apostrophe: "Petras Bruder"."""

    @property
    def is_owned(self) -> bool:
        """Whether it is known whose."""
        return self.mine or self.by_name is not None or self.by_kin is not None


def possessions(text: AnnotatedText, names: Sequence[NameSpan]) -> list[Possession]:
    """All descriptions, in reading order."""
    found: list[Possession] = []
    titles = {at for name in names for at in range(name.start, name.end)}
    for term, end in sorted(text.kin.items()):
        if term in titles:
            continue
        one = (
            _before(text, names, found, term, end)
            or _behind(text, names, term, end)
            or _of_kin(text, len(found) + 1, term, end)
            or _alone(text, names, term, end)
        )
        if one is not None:
            inner = any(each.by_kin == len(found) for each in found)
            found.append(one if inner else _named(text, names, one))
    return found


def _word(text: AnnotatedText, start: int, end: int) -> str:
    joint = "" if text.is_unspaced(end - 1) else " "
    return joint.join(text.words.folded[start:end])


def _before(
    text: AnnotatedText, names: Sequence[NameSpan], found: Sequence[Possession], term: int, end: int
) -> Possession | None:
    """With the owner before the term: "my sister", "Anna's son", "my sister's husband"."""
    at = term
    while at > 0 and term - at <= _MOST_BETWEEN:
        before = at - 1
        if at in text.words.clause_starts:
            return None
        word = _word(text, at, end)
        if before in text.mine and not _is_subject(text, before, at == term):
            start = before
            one_of = _is_one_of(text, start)
            return Possession(start, term, end, end, word, mine=True, indefinite=one_of)
        if _marks(text, before, at):
            return _of_owner(text, names, found, before, (term, end), word)
        if at == term and (name := _ending(names, at)) is not None:
            return _by_ending(text, names[name], name, (term, end), word)
        if text.is_stop(before) or text.is_unspaced(before) or before in text.mine:
            return None
        at = before
    return None


def _is_subject(text: AnnotatedText, at: int, near: bool) -> bool:
    """Whether the word is "I" or "we" rather than "my": "we got another dog".

    `near`: the term follows it at once.
    """
    return (
        bool(text.small.my)
        and not near
        and text.word(at) not in text.small.my | _named_user(text, at)
    )


def _named_user(text: AnnotatedText, at: int) -> frozenset[str]:
    """The word, if it is no pronoun but what a fact calls the user."""
    named = any(hit.start <= at < hit.end for hit in text.hits.get(USER, ()))
    return frozenset({text.word(at)}) if named else frozenset()


def _is_one_of(text: AnnotatedText, start: int) -> bool:
    """Whether it goes on from "one of": a preposition and, before it, a number or an article."""
    if start in text.words.clause_starts:
        return False
    return text.is_before(start - 1) and text.word(start - 2) in text.small.ones


def _marks(text: AnnotatedText, at: int, following: int) -> bool:
    """Whether a word makes what is before it the owner: 's, の, 的, का."""
    if text.is_genitive(at):
        return True
    return at > 0 and text.word(at) in text.small.owning and following > at


def _of_owner(
    text: AnnotatedText, names: Sequence[NameSpan], found: Sequence[Possession], mark: int,
    term: tuple[int, int], word: str,
) -> Possession | None:  # fmt: skip
    start, end = term
    if (name := _ending(names, mark)) is not None:
        return Possession(names[name].start, start, end, end, word, by_name=name)
    for place, one in enumerate(found):
        if mark in (one.end, one.last) and one.is_owned:
            return Possession(one.start, start, end, end, word, by_kin=place)
    if mark - 1 in text.mine:
        first = mark - 1
        while first - 1 in text.mine:
            first -= 1
        return Possession(first, start, end, end, word, mine=True)
    return None


def _ending(names: Sequence[NameSpan], at: int) -> int | None:
    """The place of the name that ends before `at`."""
    return next((place for place, one in enumerate(names) if one.end == at), None)


def _starting(names: Sequence[NameSpan], at: int) -> int | None:
    return next((place for place, one in enumerate(names) if one.start == at), None)


def _by_ending(
    text: AnnotatedText, name: NameSpan, place: int, term: tuple[int, int], word: str
) -> Possession | None:
    """With a genitive without an apostrophe: "Philomenas Sohn"."""
    last = text.words.raw[name.end - 1]
    capital = text.words.raw[term[0]][0].isupper()
    if last.endswith("s") and capital and text.between(name.end - 1, term[0]) == " ":
        return Possession(name.start, *term, term[1], word, by_name=place, genitive=True)
    return None


def _behind(
    text: AnnotatedText, names: Sequence[NameSpan], term: int, end: int
) -> Possession | None:
    """With the owner behind the term: "son of Anna", "el hijo de don Evaristo"."""
    word = _word(text, term, end)
    if text.ends_clause(end) or text.is_unspaced(end):
        return None
    if _is_of(text, end):
        for at in range(end + 1, min(end + 3, len(text.words.raw))):
            if at in text.words.clause_starts:
                break
            if (name := _starting(names, at)) is not None:
                owner = names[name]
                return Possession(_article(text, term), term, end, owner.end, word, by_name=name)
            if at in text.mine:
                if {at + 1, at + 2} & text.kin.keys():
                    return None
                return Possession(
                    _article(text, term), term, end, at + 1, word, mine=True,
                    indefinite=text.word(term - 1) in text.small.ones,
                )  # fmt: skip
    name = _starting(names, end)
    if name is not None and text.word(term) in text.small.owning_terms:
        return Possession(term, term, end, names[name].end, word, by_name=name)
    return None


def _is_of(text: AnnotatedText, at: int) -> bool:
    """Whether a preposition stands there that may mean "of"."""
    return text.is_before(at) and text.word(at) not in text.small.inside


def _of_kin(text: AnnotatedText, place: int, term: int, end: int) -> Possession | None:
    """With an owner behind the term who is told by what they are: "le mari de ma sœur"."""
    if text.ends_clause(end) or not _is_of(text, end):
        return None
    if end + 1 not in text.mine:
        return None
    inner = next((at for at in (end + 2, end + 3) if at in text.kin), None)
    if inner is None or any(at in text.words.clause_starts for at in range(end, inner + 1)):
        return None
    word = _word(text, term, end)
    return Possession(_article(text, term), term, end, text.kin[inner], word, by_kin=place)


def _article(text: AnnotatedText, term: int) -> int:
    """Where a description begins: at its article, if it has one."""
    has = term > 0 and term not in text.words.clause_starts
    return term - 1 if has and text.word(term - 1) in text.small.articles else term


def _alone(
    text: AnnotatedText, names: Sequence[NameSpan], term: int, end: int
) -> Possession | None:
    """Without an owner: "Mum", "Onkel Rolf" are the user's own, "the father" is anybody's."""
    own = any(hit.start == term and hit.end == end for hit in text.hits.get("requests.kin", ()))
    first = _begins(text, term)
    bare = first or not (text.is_stop(term - 1) or text.word(term - 1) in text.small.articles)
    name = _starting(names, end + _is_joined(text, end))
    if name is not None and text.small.inflects and bare:
        return Possession(term, term, end, names[name].end, _word(text, term, end), by_name=name)
    named = name is not None
    # Where blanks and articles are not written, a bare term is the user's own: 上司.
    mine = bare and (own or named or (first and text.is_unspaced(term) and text.small.bare))
    if not (mine or named):
        return None
    return Possession(term, term, end, end, _word(text, term, end), mine=mine)


def _begins(text: AnnotatedText, term: int) -> bool:
    """Whether a term begins its clause, or only a word for a day stands before it."""
    if term == 0 or term in text.words.clause_starts:
        return True
    if not text.is_unspaced(term):
        return False
    clause = max(at for at in (0, *text.words.clause_starts) if at < term)
    return "".join(text.words.raw[clause:term]) in text.small.days


def _named(text: AnnotatedText, names: Sequence[NameSpan], one: Possession) -> Possession:
    """The description with the names that belong to it."""
    found = (
        _list(text, names, one.last)
        or (_list(text, names, one.end) if one.by_name is None else ())
        or (_list(text, names, one.last + 1) if _is_joined(text, one.last) else ())
        or _apart(text, names, one)
        or _called(text, names, one)
        or _is(text, names, one)
    )
    found = tuple(place for place in found if place != one.by_name)
    return replace(one, names=found)


def _is_joined(text: AnnotatedText, at: int) -> bool:
    """Whether a term is joined to its name as to what is owned: 姉の美咲."""
    return text.is_unspaced(at) and text.word(at) in text.small.owning


def _list(text: AnnotatedText, names: Sequence[NameSpan], at: int) -> tuple[int, ...]:
    """The names right behind: "Anna", or "Tom, Ben and Max"."""
    place = _starting(names, at)
    if place is None or at in text.words.clause_starts:
        return ()
    found = [place]
    for following in range(place + 1, min(place + _MOST_NAMES, len(names))):
        end, start = names[following - 1].end, names[following].start
        joint = range(end, start)
        if len(joint) > 1 or not all(map(text.joins, joint)):
            break
        if not joint and end not in text.words.clause_starts:
            break
        found.append(following)
    # "my sister Anna, Tom and I": a list has its "and" before the last.
    last = names[found[-1]].start
    return tuple(found) if text.joins(last - 1) else (place,)


def _apart(text: AnnotatedText, names: Sequence[NameSpan], one: Possession) -> tuple[int, ...]:
    """A name beside a comma: "Camilo, el hijo de Evaristo", "my son, Declan,"."""
    first = one.start - (text.word(one.start - 1) in text.small.articles)
    place = _ending(names, first) if first in text.words.clause_starts else None
    if place is not None and text.between(first - 1, first).strip() in _BESIDE:
        return (place,)
    place = _starting(names, one.last)
    if place is not None and one.last in text.words.clause_starts:
        joint = text.between(one.last - 1, one.last).strip()
        if joint in _BESIDE and text.ends_clause(names[place].end):
            return (place,)
    return ()


def _called(text: AnnotatedText, names: Sequence[NameSpan], one: Possession) -> tuple[int, ...]:
    """A name behind a word for naming: "my sister is called Anna", "meine Schwester heißt Anna"."""
    for hit in text.hits.get(NAMED, ()):
        if one.last - 1 <= hit.start <= one.last + 1 and hit.end - one.last <= _MOST_LINKS + 1:
            for at in (hit.end, hit.end + 1):
                if (place := _starting(names, at)) is not None:
                    return (place,)
    return ()


def _is(text: AnnotatedText, names: Sequence[NameSpan], one: Possession) -> tuple[int, ...]:
    """A name beside a word such as "is": "Anna is my sister", "my landlord is Mr Szabo"."""
    first = one.start - (text.word(one.start - 1) in text.small.articles)
    if one.is_owned and _links(text, first - 1, first):
        place = _ending(names, first - 1)
        if place is not None and names[place].start in text.words.clause_starts:
            return (place,)
    if not one.is_owned or one.start not in text.words.clause_starts | {1}:
        return ()
    if not _links(text, one.last, one.last + 1):
        return ()
    for place, name in enumerate(names):
        between = range(one.last, name.start)
        near = 0 < len(between) <= _MOST_LINKS and text.ends_clause(name.end)
        if near and _says_who(text, name, between[1:]):
            return (place,)
    return ()


def _says_who(text: AnnotatedText, name: NameSpan, between: Sequence[int]) -> bool:
    """Whether a name behind "is" is one: "is American" and "ist Lehrer" are none.

    It is if it has two words or a title, or an article or a role before it.
    """
    whole = name.end - name.start > 1
    return (whole or bool(between)) and all(
        text.word(at) in text.small.articles or text.is_kin_word(at) for at in between
    )


def _links(text: AnnotatedText, at: int, following: int) -> bool:
    """Whether a word such as "is" stands there, inside a clause."""
    starts = text.words.clause_starts
    return at > 0 and at not in starts and following not in starts and text.links(at)
