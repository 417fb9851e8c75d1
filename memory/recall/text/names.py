"""Names in a text, recognised by capital letters."""

from __future__ import annotations

import regex

from ...language.fold import clean, fold
from .languages import language_of_clean
from .scripts import UNSPACED
from .stopwords import STOP
from .words import MAX_TERM

_SPEAKER = regex.compile(
    r"\s*([\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}\d.'-]{0,31}"
    r"(?: (?:van|von|de|da|di|del|der|den|el|al|bin|[\p{Lu}\p{Lt}\p{Lo}\d][\p{L}\p{M}\d.'-]{0,31}))"
    rf"{{0,2}}):(?=\s|[{UNSPACED}])"
)
_TOKENS = regex.compile(
    '(?P<end>[.!?\u2026:;\n"\u201c\u201d\u00ab\u00bb(*\u2022>\u00bf\u00a1]+)'
    r"|(?P<word>[\p{L}\p{M}\d]+(?:['-][\p{L}\p{M}]+)*)"
)
_LABEL_WORDS = """
note notes todo fact facts update summary question answer title subject date time user
assistant system human ai bot q a re fwd fw warning error example examples tip tips info
http https ps idea ideas plan plans goal goals reminder task tasks topic context memory
source result output input edit important remember hint step budget address phone email
name location status total price cost deadline priority favorite favourite preference
preferences hobby hobbies job age birthday allergy allergies hinweis frage antwort
notiz nota pregunta respuesta question réponse remarque domanda risposta
"""
_LABELS = frozenset(_LABEL_WORDS.split())


def speaker_of(text: str) -> str | None:
    """The folded name before ': ' at the start of a chat line; None for labels like 'Note:'."""
    found = _SPEAKER.match(clean(text[:200]))
    if found is None:
        return None
    first = found[1].casefold().split()[0]
    return None if first in _LABELS or first in STOP["en"] else fold(found[1])


def names_in(text: str) -> frozenset[str]:
    """The speaker and all capitalised words that are not function words, folded.

    The first word of a sentence counts only with a genitive ("Caroline's"). German nouns count too.
    In a script without case only the speaker is found.
    """
    cleaned = clean(text)
    stop = STOP.get(language_of_clean(cleaned), STOP["en"])
    names = set(_capitalised(cleaned, stop))
    if speaker := speaker_of(text):
        names |= {speaker, *speaker.split()}
    return frozenset(names)


def _capitalised(text: str, stop: frozenset[str]) -> set[str]:
    names: set[str] = set()
    first = True
    for found in _TOKENS.finditer(text):
        word = found["word"]
        if word and (not first or word.endswith("'s")) and _is_name(word, stop):
            names.add(fold(word.removesuffix("'s"))[:MAX_TERM])
        first = word is None
    return names


def _is_name(word: str, stop: frozenset[str]) -> bool:
    return word[0].isupper() and word.partition("'")[0].casefold() not in stop
