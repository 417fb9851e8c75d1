"""Decides whether the user's own sentences bear out what a model wrote about them. Pure.

The one judge of texts that a model writes: episodes, facts, merged texts, contexts, conclusions. A
sentence is borne out if each name, number and day in it was said, what it adds in words of its own
is less than what it repeats and nowhere a statement of its own, what it tells of the user was not
said of somebody else, and a wish in it was said as a wish.

It cannot tell a wrong connection of things that were all said. So a text that is borne out is
recalled; it stands in no chat unasked for that (`recall.telling`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from math import ceil

import regex

from ...language import (
    language_of,
    languages_of,
    packs,
    stored_terms,
    words_of,
)
from ...language.detect import UNKNOWN, function_words_of
from ...language.scanner import cues_in
from ...language.scripts import script_of
from ...language.values import is_unit, numbers_of
from ...language.words import is_unspaced, sentences
from ...recall.traits import WISH, instructs, lasts, traits_of
from .fact_dates import dates_in
from .fact_subject import clauses_of, is_of_others, tells_of_user
from .other_values import other_value
from .turn_texts import UNBROKEN, TurnTexts, scripts_of

OTHER_WORDS, OWN_STATEMENT = "other words", "a statement of its own"
OWN_WORDS = frozenset({OTHER_WORDS, OWN_STATEMENT})
"""What may still be the user's in other words; the rest is exact."""
RUN = 3
"""Words side by side that nobody said, which are a statement of the model's own."""
RUN_OF_SIGNS = 3
"""The same in scripts without blanks between words: characters."""
ALL, MOST = 1.0, 0.6
"""Share of a sentence's words, from which nothing bears it out: of a fact that has a quote, and of
a text that tells many things."""
UNNAMED, LONG = 0.45, 6
"""The same where nothing tells names from other words; of a fact, in so many words."""
_NAME = 3
"""Letters of the shortest name."""
_BEGINNINGS = {"latin": 4, "cyrillic": 4, "greek": 4, "hangul": 2}
"""First letters that forms of a word have in common, by script; in others three."""
ALIKE = 0.7
"""Share of a word that a said one must begin with: "Tensimar" is no form of "tensión"."""
FEWEST = 2
"""Words that tell something, of a sentence whose share says anything."""
_HIRAGANA = regex.compile(r"[\p{Hiragana}\u30fc]")
CODE = regex.compile(r"(?<=[0-9]\s?)\p{Lu}{2,4}\b|\b\p{Lu}{2,4}(?=\s?[0-9])")
"""Capitals beside a number: a currency, "PM"."""


class Witness:
    """The user's sentences, ready to be quoted; the constructor takes linear time."""

    def __init__(self, said: TurnTexts, *, at: datetime, adds: float = ALL) -> None:
        """`said` is the user's alone, `at` the day that "tomorrow" is counted from.

        `adds` is the share of a sentence's words, from which it is not borne out.
        """
        self._said = said
        self._at = at
        self._adds = adds

    def against(self, text: str) -> str:
        """What no sentence bears out in a text, in a few words; "" if all of it is borne out."""
        found = (self.against_sentence(one) for one in sentences(text) if one.strip())
        return next(filter(None, found), "")

    def against_sentence(self, sentence: str) -> str:
        """The same of one sentence."""
        return (
            other_value(sentence, self._said.text, self._said, self._at)
            or self._names(sentence)
            or self._wish(sentence)
            or self._holder(sentence)
            or self._words(sentence)
        )

    def speaks(self, text: str) -> bool:
        """Whether the user speaks the language of a text, as far as that can be told."""
        language = language_of(text)
        same = language in (UNKNOWN, self._said.language) or language in self._languages
        return same and not scripts_of([text]).isdisjoint(self._said.scripts)

    def _names(self, sentence: str) -> str:
        times = self._times(sentence)
        for name in self._said.unsaid_names(sentence):
            timed = any(name in one or one in name for one in times)
            if len(name) >= _NAME and not (timed or is_unit(name) or UNBROKEN.search(name)):
                return f"another name than {name}"
        return ""

    def _words(self, sentence: str) -> str:
        """Whether too much of it is the model's own, in all or side by side."""
        told = list(self._telling(sentence))
        unsaid = sum(said is False for _, said in told)
        most = self._adds
        if not tells_names(sentence) and (most < ALL or len(told) >= LONG):
            most = min(most, UNNAMED)
        if len(told) >= FEWEST and unsaid >= most * len(told):
            return OTHER_WORDS
        runs, number = [0], False
        for word, said in told:
            goes_on, number = number, word[:1].isdecimal()
            if said is not None and not (goes_on and number):
                runs.append(0 if said else runs[-1] + 1)
        signs = any(is_unspaced(word[:1]) for word, _ in told)
        return OWN_STATEMENT if max(runs) >= (RUN_OF_SIGNS if signs else RUN) else ""

    def _telling(self, sentence: str) -> Iterator[tuple[str, bool | None]]:
        """The words that tell something, in order, and whether each was said.

        None of a number or a time where the user named any: it may have been in other words.
        """
        own = words_of(sentence)
        stop = function_words_of(language_of(sentence)) | function_words_of(self._said.language)
        left_out = {
            at for hit in cues_in(sentence, "people.user") for at in range(hit.start, hit.end)
        }
        times = self._times(sentence)
        for at, (word, folded) in enumerate(zip(own.raw, own.folded, strict=True)):
            bare = folded.rpartition("'")[2]
            if at in left_out or {folded, bare} & stop or _HIRAGANA.match(word):
                continue
            if folded in times or numbers_of(word):
                yield word, None if self._numbered or folded in times else False
            elif len(bare) > 1 or is_unspaced(word):
                yield word, self._says(word, bare)

    def _says(self, word: str, folded: str) -> bool:
        if is_unspaced(word[:1]):
            return word in self._said.text
        size = min(len(folded), max(_beginning(folded), ceil(ALIKE * len(folded))))
        at = bisect_left(self._heard, folded[:size])
        return self._heard[at : at + 1] != [] and self._heard[at].startswith(folded[:size])

    def _times(self, sentence: str) -> frozenset[str]:
        """The words of days and currencies, which are written in many ways."""
        times = [dated.words for dated in dates_in(sentence, self._at)]
        times += [found[0] for found in CODE.finditer(sentence)]
        return frozenset(word for one in times for word in words_of(one).folded)

    def _wish(self, sentence: str) -> str:
        """A wish about answers whose words nobody said as a wish."""
        if not is_wish(sentence):
            return ""
        own = set(stored_terms(sentence))
        told = any(tells_wish(one) and own & set(stored_terms(one)) for one in self._sentences)
        return "" if told else "a wish that nobody told"

    def _holder(self, sentence: str) -> str:
        """What is told of the user, and was said of somebody whom the sentence does not name."""
        if not tells_of_user(sentence):
            return ""
        own = set(stored_terms(sentence))
        carrying = [
            (clauses, at)
            for clauses in self._clauses
            for at, (_, terms) in enumerate(clauses)
            if terms & own
        ]
        best = max((len(clauses[at][1] & own) for clauses, at in carrying), default=0)
        telling = [
            [text for text, _ in clauses[: at + 1]]
            for clauses, at in carrying
            if len(clauses[at][1] & own) == best
        ]
        return "it was said of somebody else" if best and all(map(is_of_others, telling)) else ""

    @cached_property
    def _heard(self) -> list[str]:
        """The words that were said, folded and sorted."""
        return sorted({*words_of(self._said.text).folded})

    @cached_property
    def _numbered(self) -> bool:
        """Whether the user named a number of any kind, or a time."""
        return bool(self._said.values or dates_in(self._said.text, self._at))

    @cached_property
    def _languages(self) -> frozenset[str]:
        return languages_of(words_of(self._said.text).folded)

    @cached_property
    def _sentences(self) -> list[str]:
        return [one for one in sentences(self._said.text) if one.strip()]

    @cached_property
    def _clauses(self) -> list[list[tuple[str, frozenset[str]]]]:
        """The clauses of each sentence, with their terms."""
        return [
            [(clause, frozenset(stored_terms(clause))) for clause in clauses_of(one)]
            for one in self._sentences
        ]


def is_wish(sentence: str) -> bool:
    """Whether its words say how the user wants to be answered."""
    return WISH in traits_of(sentence)


def tells_wish(sentence: str) -> bool:
    """Whether a user says so in it, or how something is to be for good."""
    return is_wish(sentence) or lasts(sentence) or instructs(sentence)


def tells_names(text: str) -> bool:
    """Whether capitals tell the names in a text from its other words."""
    pack = packs().get(language_of(text))
    nouns = pack is not None and pack.words.capitalised_nouns
    return not nouns and any(map(str.isupper, text))


def _beginning(word: str) -> int:
    return _BEGINNINGS.get(script_of(word), 3)
