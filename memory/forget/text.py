"""A stored text as forgetting reads it: its words, and the names that it holds. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from ..language import language_of, query_terms
from ..language.analysis import index_terms
from ..language.detect import function_words_of
from ..language.fold import clean
from ..language.registry import packs
from ..language.scanner import scan
from ..language.scripts import HAN, HANGUL, HIRAGANA, KATAKANA, script_of
from ..language.spelling import is_compact, is_same_compact, is_same_word, keys_of
from ..util import lazy_regex as regex

_COMPACT = HAN + HIRAGANA + KATAKANA + HANGUL
_TOKEN = regex.compile(
    rf"(?P<word>[{HAN}]+|[{HIRAGANA}]+|[{KATAKANA}]+|[{HANGUL}]+"
    rf"|[^\W\d_{_COMPACT}](?:[^\W_{_COMPACT}]|\p{{M}}|'(?=\w))*)"
    r"|(?P<stop>[.!?…:;\n\"“”«»(*•>]+)"
)
_GENITIVE = regex.compile(r"(?<=\w\w)'\p{Ll}{0,5}$|'$")
"""English, or what Turkish and others hang on a name."""
_ELIDED = regex.compile(r"(?:[cdjlmnst]|qu)'(?=\p{L}{2})", regex.IGNORECASE)
_ROLES = ("people.kin", "people.roles")
_GAP = 2
"""Most characters between two words of one name."""
_MOST_WORDS = 3
"""Words of a name whose transliteration is looked for."""

Name = tuple[str, ...]


class TextWord(NamedTuple):
    """A word where it stands, without a genitive."""

    text: str
    start: int
    end: int
    leads: bool
    """It begins a sentence: a capital tells nothing."""

    @property
    def is_capital(self) -> bool:
        return self.text[0].isupper()


def tokens_of(text: str) -> list[TextWord]:
    """The words of a text."""
    leads, found = True, []
    for each in _TOKEN.finditer(text):
        if (word := each["word"]) is None:
            leads = True
            continue
        elided = _ELIDED.match(word)
        left = elided.end() if elided and (leads or word[0].islower()) else 0
        bare = _GENITIVE.sub("", word[left:]) or word
        start = each.start() + left
        found.append(TextWord(bare, start, start + len(bare), leads and not left))
        leads = False
    return found


def roles_in(text: str) -> dict[int, str]:
    """Where a text says what somebody is to somebody ("sister", "boss"), and the word."""
    found = scan(text)
    return {
        found.words.starts[hit.start]: found.words.folded[hit.start]
        for hit in found.found(*_ROLES)
        if hit.end == hit.start + 1
    }


class Text:
    """A stored text, read once."""

    def __init__(self, text: str, languages: frozenset[str] = frozenset()) -> None:
        """`languages` are further ones that it may be in: a short text tells its own badly."""
        self.text = clean(text)
        self.tokens = tokens_of(self.text)
        self.language = language_of(text)
        self.cased = any(each.is_capital for each in self.tokens)
        self._languages = languages | {self.language}
        self._places: dict[str, set[int]] = defaultdict(set)
        for at, token in enumerate(self.tokens):
            for key in keys_of(token.text):
                self._places[key].add(at)
        self._formed = any(
            pack.words.inflects_names or pack.words.attached
            for each in self._languages
            if (pack := packs().get(each))
        )
        pack = packs().get(self.language)
        self._nouns = pack is not None and pack.words.capitalised_nouns
        self._scripts = {script_of(token.text) for token in self.tokens}

    @property
    def names(self) -> Iterator[str]:
        """Words that are written like names."""
        return (each.text for each in self.tokens if each.is_capital and not each.leads)

    def holds(self, name: Name) -> bool:
        """Whether all words of a name stand here, one behind the other."""
        return bool(self.places(name)) or self._holds_otherwise(name)

    def count_of(self, words: Sequence[str]) -> int:
        """How many of these words the text has, in any form."""
        terms = set(index_terms(self.text).terms)
        return sum(not terms.isdisjoint(query_terms(word, self._languages)) for word in words)

    def places(self, name: Name) -> list[int]:
        """Where the name stands, as the first of its words."""
        first = self._of_word(name[0])
        found = [at for at in first if self._stands(name, at)]
        if not found and len(name) > 1:
            turned = (name[-1], *name[:-1])  # Smith, John
            found = [at for at in self._of_word(name[-1]) if self._stands(turned, at, ",")]
        return found

    def role_of(self, name: Name) -> set[str]:
        """What a text says that the name is to somebody: right before it or behind it."""
        places = self.places(name)
        known = roles_in(self.text) if places else {}
        before = [self.tokens[at - 1] for at in places if at]
        found = {known[each.start] for each in before if each.start in known}
        return found.union(*(self._role_behind(at + len(name) - 1, known) for at in places))

    def _role_behind(self, last: int, known: dict[int, str]) -> set[str]:
        """The role behind words of grammar: "Anna is my aunt", "Anna, my dear aunt"."""
        stop = function_words_of(self.language)
        behind = self.tokens[last + 1 : last + 1 + _MOST_WORDS]
        grammar = len(list(takewhile(lambda each: each.text.casefold() in stop, behind)))
        if not 0 < grammar < len(behind):
            return set()
        role = behind[grammar]
        told = role.start in known or self._between(last) in {",", "("}
        return {known.get(role.start, role.text.casefold())} if told else set()

    def stands_alone(self, name: Name) -> bool:
        """Whether the name stands somewhere without another capital in front of it."""
        places = self.places(name)
        return not places or any(not self._has_capital_before(at) for at in places)

    def _has_capital_before(self, at: int) -> bool:
        before = self.tokens[at - 1] if at else None
        return (
            before is not None
            and before.is_capital
            and not before.leads
            and before.start not in roles_in(self.text)
            and self._between(at - 1) in {"", "'s"}
            and not self._nouns
        )

    def _of_word(self, word: str) -> list[int]:
        found = set[int]().union(*(self._places.get(key, ()) for key in keys_of(word)))
        if self._formed or self._scripts - {script_of(word)} or is_compact(word):
            found |= {at for at, token in enumerate(self.tokens) if self._is_word(word, token)}
        return sorted(found)

    def _is_word(self, word: str, token: TextWord) -> bool:
        if script_of(word) == "han" == script_of(token.text):
            return word in token.text
        if not is_same_word(word, token.text, self._languages):
            return False
        # "a frank word" does not speak of Frank, unless nobody writes capitals here.
        return not (word[0].isupper() and self.cased and token.text[0].islower())

    def _stands(self, name: Name, at: int, sign: str = "") -> bool:
        last = at + len(name) - 1
        here = self.tokens[at : last + 1]
        return (
            len(here) == len(name)
            and all(map(self._is_word, name, here))
            and all(b.start - a.end <= _GAP for a, b in pairwise(here))
            and (not sign or self._between(at) == sign)
            and not self._goes_on(at, last)
        )

    def _between(self, at: int) -> str:
        """What stands between a word and the next one."""
        return self.text[self.tokens[at].end : self.tokens[at + 1].start].strip()

    def _goes_on(self, first: int, last: int) -> bool:
        """Whether a hyphen and a capital make another name of it: Anne-Marie."""
        joins = [
            at
            for at, other in ((first - 1, first - 1), (last, last + 1))
            if 0 <= other < len(self.tokens) and self.tokens[other].is_capital
        ]
        return any(self._between(at) == "-" for at in joins)

    def _holds_otherwise(self, name: Name) -> bool:
        """Whether the name stands here in another script, in one of which it has no blanks."""
        if is_compact(name[0]):
            return any(
                is_same_compact(words, "".join(name))
                for size in range(1, _MOST_WORDS + 1)
                for words in self._windows(size)
            )
        runs = {token.text for token in self.tokens if is_compact(token.text)}
        return any(is_same_compact(name, run) for run in runs)

    def _windows(self, size: int) -> Iterator[Sequence[str]]:
        """Words beside each other of which the first is written like a name."""
        spelled = [each for each in self.tokens if not is_compact(each.text)]
        for at in range(len(spelled) - size + 1):
            if spelled[at].is_capital:
                yield [each.text for each in spelled[at : at + size]]
