"""Finds the names and codes of a query in texts, exactly and in any spelling or script. Pure.

Names and codes bind: a text that has another name or number in their place is not meant, however
near it is. Which words are names, the texts tell too: "karen" is one if they write Karen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from ..language import language_of
from ..language.codes import Code, code_of, codes_in, holds_code
from ..language.detect import UNKNOWN, function_words_of
from ..language.fold import clean
from ..language.registry import packs
from ..language.scanner import scan
from ..language.scripts import script_of
from ..language.spelling import LEAST_COMPACT, is_compact, is_same_word, keys_of
from .text import Name, Text, TextWord, roles_in, tokens_of

_MOST_RUN = 8
"""Characters of a compact script that may be a name as a whole."""
_ASKED = ("forget.all", "forget.kept", "forget.told", "forget.mine")


class Way(NamedTuple):
    """Names and codes that belong together."""

    names: tuple[Name, ...]
    codes: tuple[Code, ...]

    def held_by(self, text: Text) -> bool:
        """Whether a text has all of them."""
        return all(map(text.holds, self.names)) and all(
            holds_code(text.text, code) for code in self.codes
        )


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """The names and codes of a query."""

    ways: tuple[Way, ...]
    """Each is enough: "Ivan Petrov / Иван Петров"."""
    roles: tuple[tuple[str, Name], ...]
    """What a name is said to be: (sister, Anna)."""
    topic: tuple[str, ...]
    """The words beside these that tell something."""
    every: bool
    """It says "everything"."""
    language: str
    script: str

    @property
    def strong(self) -> bool:
        """Whether it has a code that tells by itself what is meant."""
        return any(code.strong for way in self.ways for code in way.codes)

    def held_by(self, text: Text) -> bool:
        """Whether a text has all that one of the ways names."""
        return any(way.held_by(text) for way in self.ways)

    def stands_alone_in(self, text: Text) -> bool:
        """Whether no capital in front makes another name of a named word: York, not New York."""
        singles = [name for way in self.ways for name in way.names if len(name) == 1]
        return all(text.stands_alone(name) for name in singles)

    def is_another(self, text: Text) -> bool:
        """Whether a text says that the name is somebody else's: colleague Anna, not sister Anna."""
        return any(
            bool(others := text.role_of(name)) and role not in others for role, name in self.roles
        )

    def is_elsewhere(self, text: Text) -> bool:
        """Whether a text is of another language, in which the same has other words."""
        languages = {text.language, self.language} - {UNKNOWN}
        return len(languages) > 1 or script_of(text.text) != self.script

    def denied_by(self, text: Text) -> bool:
        """Whether a text has another name or number in place of a named one."""
        if self.strong:
            return True
        codes = [code for way in self.ways for code in way.codes]
        if codes and codes_in(text.text) and not any(holds_code(text.text, c) for c in codes):
            return True
        spelled = {
            key for way in self.ways for n in way.names for word in n for key in keys_of(word)
        }
        if any(
            len(name) > 1 and any(text.holds((word,)) for word in name)
            for way in self.ways
            for name in way.names
        ):
            return True  # Nina Berg, but not Nina Bergman
        if not spelled or self.is_elsewhere(text):
            return False  # another language has another word for Rome
        return any(keys_of(each).isdisjoint(spelled) for each in text.names)


def read_query(query: str, stored: Sequence[str]) -> tuple[NamedQuery, list[Text]]:
    """What a query names among stored texts, and these as they are read."""
    language = language_of(query)
    known = frozenset(map(language_of, stored)) | {language}
    # A short text tells its language badly: it has one of the others.
    texts = [
        Text(each, known if language_of(each) == UNKNOWN else frozenset({language}))
        for each in stored
    ]
    return _Reader(query, texts, language).named(), texts


class _Reader:
    """Reads a query beside the texts."""

    def __init__(self, query: str, texts: Sequence[Text], language: str) -> None:
        self._texts = texts
        self._language = language
        self._stop = function_words_of(language)
        pack = packs().get(language)
        self._nouns_are_capital = pack is not None and pack.words.capitalised_nouns
        self._read_words()
        self._query = clean(query)
        self._codes = codes_in(self._query)
        spans = [(code.start, code.start + len(code.text)) for code in self._codes]
        self._tokens = [
            token
            for token in self._pieces(tokens_of(self._query))
            if not any(start <= token.start < end for start, end in spans)
        ]

    def _read_words(self) -> None:
        """How the texts write their words."""
        self._inside: set[str] = set()
        """Words with a capital inside a sentence."""
        self._capital: set[str] = set()
        self._small: set[str] = set()
        self._by_script: dict[str, set[str]] = defaultdict(set)
        """Words that may be names, by their script."""
        for text in self._texts:
            pack = packs().get(text.language)
            nouns = pack is not None and pack.words.capitalised_nouns
            for token in text.tokens:
                keys = keys_of(token.text)
                if token.text[0].islower() and text.cased:
                    self._small |= keys
                    continue
                self._by_script[script_of(token.text)].add(token.text)
                if token.is_capital:
                    self._capital |= keys
                    if not (token.leads or nouns):
                        self._inside |= keys

    def named(self) -> NamedQuery:
        is_name = [self._is_name(token) for token in self._tokens]
        groups = list(self._groups(is_name))
        names = [
            name
            for start, end in groups
            for name in self._apart(tuple(each.text for each in self._tokens[start:end]))
        ]
        codes = [self._whole(code) for code in self._codes]
        ways = tuple(way for some in self._together(codes) for way in _ways(names, some))
        roles = dict(self._roles(groups))
        asked = self._asked()
        topic = tuple(
            token.text
            for at, token in enumerate(self._tokens)
            if not is_name[at] and at + 1 not in roles and self._tells(token, asked)
        )
        known = tuple(roles[start] for start in roles if roles[start][0])
        every = scan(self._query).has("forget.all")
        return NamedQuery(ways, known, topic, every, self._language, script_of(self._query))

    def _tells(self, token: TextWord, asked: frozenset[str]) -> bool:
        return token.text.casefold() not in self._stop and keys_of(token.text).isdisjoint(asked)

    def _asked(self) -> frozenset[str]:
        """Words of the request itself: everything, told, know."""
        found = scan(self._query)
        hits = found.found(*_ASKED)
        return frozenset(found.words.folded[i] for hit in hits for i in range(hit.start, hit.end))

    def _pieces(self, tokens: Sequence[TextWord]) -> Iterator[TextWord]:
        """Words; a run of Han characters is parted at those that are words of grammar."""
        stop = {sign for pack in packs().values() for sign in "".join(pack.words.stop_characters)}
        for token in tokens:
            if script_of(token.text) != "han" or len(token.text) <= LEAST_COMPACT:
                yield token
                continue
            at = token.start
            for parts, run in groupby(token.text, key=stop.__contains__):
                piece = "".join(run)
                if not parts:
                    left = self._before_name(piece)
                    start = at + left
                    yield TextWord(piece[left:], start, at + len(piece), token.leads)
                at += len(piece)

    def _before_name(self, piece: str) -> int:
        """Characters before what some text has: "about" and the name."""
        if any(piece in text.text for text in self._texts):
            return 0
        lefts = range(LEAST_COMPACT, len(piece) - LEAST_COMPACT + 1)
        return next((at for at in lefts if any(piece[at:] in text.text for text in self._texts)), 0)

    def _is_name(self, token: TextWord) -> bool:
        word, keys = token.text, keys_of(token.text)
        if is_compact(word):
            return LEAST_COMPACT <= len(word) <= _MOST_RUN and self._holds((word,))
        told = token.is_capital and not token.leads and len(word) > 1
        if word.casefold() in self._stop and not (told and keys & self._capital):
            return False
        if not (word[0].isupper() or word[0].islower()) and self._holds((word,)):
            return True  # a script without capitals
        if keys & self._inside and not keys & self._small:
            return True
        if token.is_capital and not self._nouns_are_capital:
            if not token.leads:
                return bool(keys & self._capital) or not keys & self._small
            if keys & self._capital and not keys & self._small:
                return True
        return self._is_elsewhere(word)

    def _is_elsewhere(self, word: str) -> bool:
        """Whether the texts have it as a name in another script."""
        script, languages = script_of(word), frozenset({self._language})
        return any(
            is_same_word(word, other, languages)
            for there, words in self._by_script.items()
            if there != script
            for other in words
        ) or (word[0].isupper() and self._holds((word,)))

    def _holds(self, name: Name) -> bool:
        return any(text.holds(name) for text in self._texts)

    def _groups(self, is_name: Sequence[bool]) -> Iterator[tuple[int, int]]:
        """Names that stand beside each other in one script, as ranges."""
        at = 0
        while at < len(is_name):
            end = at + 1
            if is_name[at]:
                while end < len(is_name) and is_name[end] and self._joins(end):
                    end += 1
                yield at, end
            at = end

    def _joins(self, at: int) -> bool:
        """Whether a word is of the same name as the one before."""
        before, here = self._tokens[at - 1], self._tokens[at]
        between = self._query[before.end : here.start]
        same = script_of(before.text) == script_of(here.text)
        return same and between.strip() in {"", "-", "."} and script_of(here.text) != "han"

    def _apart(self, name: Name) -> list[Name]:
        """A name; its words apart if some text has all of them, but none as one name."""
        if len(name) == 1 or self._holds(name):
            return [name]
        apart: list[Name] = [(word,) for word in name]
        together = any(all(map(text.holds, apart)) for text in self._texts)
        return apart if together else [name]

    def _roles(self, groups: Sequence[tuple[int, int]]) -> Iterator[tuple[int, tuple[str, Name]]]:
        """What stands right before a name and is no word of grammar; "" if it is no role."""
        known = roles_in(self._query)
        for start, end in groups:
            if not start:
                continue
            before, here = self._tokens[start - 1], self._tokens[start]
            close = self._query[before.end : here.start] == " "
            if close and before.text.casefold() not in self._stop:
                name = tuple(each.text for each in self._tokens[start:end])
                role = known.get(before.start, "")
                if not role and any(text.holds((before.text, *name)) for text in self._texts):
                    role = before.text.casefold()
                yield start, (role, name)

    def _whole(self, code: Code) -> Code:
        """The code with the word before it, if the texts have only that: "cmd 2024", "room 12"."""
        if code.strong and self._holds_code(code):
            return code
        before = [each for each in self._tokens if each.end < code.start]
        if not before or code.start - before[-1].end > 1:
            return code
        whole = code_of(self._query[before[-1].start : code.start + len(code.text)])
        return whole if whole is not None and self._holds_code(whole) else code

    def _holds_code(self, code: Code) -> bool:
        return any(holds_code(text.text, code) for text in self._texts)

    def _together(self, codes: Sequence[Code]) -> list[Sequence[Code]]:
        """Codes of one text, or each by itself if no text has all of them."""
        if len(codes) < 2 or not all(code.strong for code in codes):  # noqa: PLR2004
            return [codes]
        if any(all(holds_code(text.text, code) for code in codes) for text in self._texts):
            return [codes]
        return [[code] for code in codes]


def _ways(names: Sequence[Name], codes: Sequence[Code]) -> Iterator[Way]:
    """The codes with the names of each script: another script tells the same once more."""
    by_script: dict[str, list[Name]] = defaultdict(list)
    for name in names:
        by_script[script_of(name[0])].append(name)
    if not by_script and codes:
        yield Way((), tuple(codes))
    for together in by_script.values():
        yield Way(tuple(together), tuple(codes))
