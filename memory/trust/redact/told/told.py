# ruff: noqa: E501, RUF001 - word lists and patterns of many scripts
"""Decides whether a word after a noun is the noun's value."""

from __future__ import annotations

import regex

from ..formats.placeholders import is_placeholder
from ..formats.shapes import Shape, is_digest, shape
from ..formats.view import View
from .nouns import NOUNS, Noun, find_nouns
from .places import Place
from .sentences import (
    CLAUSE_END,
    EXAMPLE,
    ITEM,
    NOT_A_VALUE,
    RULE,
    SENTENCE_END,
    TIME,
    UNIT,
    Link,
    is_said_of_it,
)

_USUAL_REACH = 140
NEAR = 60
_FAR_WORDS = 6
_CVV = regex.compile(
    r"cv[vc]2?|csc|prüfziffer|prufziffer|cryptogramme|सीवीवी|security|back|安全|امان|セキュリティ|قفل|combination|kombination|nummer|番号|sicherheit|seguridad|securite|seguranca|sicurezza|luggage|suitcase|padlock|briefcase|koffer|valise|maleta|cadenas|candado|lock|opens|unlocks|geht mit|abre|ouvre"
)
_MIN_DIGITS = 4
_YEAR = regex.compile(r"(?:19|20)\d\d")
_NOT_KEY = regex.compile(
    r"hash|\bsha|md5|commit|digest|checksum|fingerprint|uuid|public|pubkey|\bids?\b|key_id|offentlich|publi[cq]|公钥|公開|ハッシュ|哈希|指纹|trace|request"
)
_MIN_KEY = 8
_WIDE_KEY = 12
_ASKED = ("?", "？", "؟")
_NETWORKS = ("wifi", "wi-fi", "wlan")
_NETWORK_KEY = regex.compile(
    r"pass|schlussel|\bkey\b|\bpw\b|kennwort|clave|contrase|senha|\bcle\b|mdp|mot de"
)
"""If a key follows, the word before it is the network's name."""
_LABEL = regex.compile(r"\n[^\n]*?\w\w")
"""Another line with words of its own."""
WORDED = {Noun.PHRASE, Noun.PASSWORD}
SECRET_NOUNS = {Noun.PASSWORD, Noun.PIN, Noun.PHRASE, Noun.CODES}
_WEAK_NEAR = 12
_ACCOUNT = regex.compile(
    r"(?:wi-?fi|wlan|network|netz|ssid|user|login|log in|account|konto|usuario|utilisateur|\bred\b|reseau|rede\b)[^.!?\n]{0,50}"
    r"\b(?:with|and|mit|und|con|y|avec|et|com|e|,)\s(?:the |its |dem |das |la |le |a )?(?:\w{1,8}-)?\Z"
)
_OPEN = ("sha", "md5", "$", "aaaa", "pk_")
_LONG_DIGEST = 16
_POSTAL = {"पिन कोड": 6, "pin code": 6, "pincode": 6, "pin-code": 6}
"""In India these also name a postal code."""
_BANK = regex.compile(
    r"atm|bank|card|sim\b|phone|upi|login|screen|app|एटीएम|बैंक|कार्ड|फोन|फ़ोन|सिम|ऐप"
)
_TOWN = regex.compile(
    r"address|city|area|district|delhi|mumbai|bengaluru|bangalore|chennai|kolkata|hyderabad|pune|india|post|deliver|ship|live"
)
_WORDY = {Noun.PASSWORD, Noun.PHRASE, Noun.WEAK}
_WEAK_SIGN = 3
_MIN_WORD = 4


def continues(place: Place) -> bool:
    """Whether the candidate can stand in a list of values."""
    found = shape(place.word)
    return found >= Shape.LIKELY or (found is Shape.NUMBER and _digits(place.word) >= _MIN_DIGITS)


def is_told(
    view: View, nouns: frozenset[Noun], noun_text: str, place: Place, *, again: bool
) -> bool:
    """Whether the candidate is the value of one of the nouns."""
    found = shape(place.word)
    tie = place.tie
    if not place.quoted and not _is_worth_it(nouns, place.word, place.between, found, tie):
        return False
    between = place.between
    crossed = _is_crossed(between)
    if crossed and again:
        return False
    if place.quoted:
        told = _quoted(nouns, place, linked=tie.verb and not crossed)
    elif found is Shape.NUMBER:
        told = _number(view, nouns, noun_text, place, tie, crossed=crossed)
    elif found is Shape.WORD and Noun.KEY in nouns:
        told = _letters_as_key(place, noun_text)
    elif found is Shape.WORD and _is_foreign_pair(nouns, place, noun_text):
        told = True
    elif found is Shape.WORD and not place.between.strip():
        told = _is_of_account(view, nouns, noun_text, place)
    elif found is Shape.WORD:
        told = tie.plain and not crossed and _word(view, nouns, place, sep=tie.sign)
        told = told and not (
            noun_text in _NETWORKS and _NETWORK_KEY.search(view.low, place.end, place.end + NEAR)
        )
    elif found is Shape.NONE:
        told = (tie.verb or not between.strip()) and _digest_as_key(place)
    else:
        told = _mixture(nouns, place, found, linked=tie.verb, crossed=crossed)
    return told and not is_general(place)


def _is_crossed(between: str) -> bool:
    """Whether the noun's sentence ended before the candidate, except by a question it answers."""
    asked = between.rstrip()
    if asked.endswith(_ASKED) and "\n" not in between:
        return bool(SENTENCE_END.search(asked[:-1]))
    return bool(SENTENCE_END.search(between) or _LABEL.search(between))


def is_general(place: Place) -> bool:
    """Whether the words are a rule about passwords or an example."""
    between = place.between
    if between.count(",") == 2:  # noqa: PLR2004 - text between two commas is an aside
        between = between[between.rindex(",") :]
    return not place.tie.sign and bool(RULE.search(between) or EXAMPLE.search(between[-NEAR:]))


def _is_worth_it(nouns: frozenset[Noun], word: str, between: str, found: Shape, tie: Link) -> bool:
    """A cheap check that rejects most words of a sentence."""
    if found is Shape.WORD:
        at_once = Noun.PASSWORD in nouns and not between.strip()
        return bool(Noun.KEY in nouns or "-" in word or at_once or (tie.plain and nouns & _WORDY))
    return found > Shape.WORD or Noun.KEY in nouns


def _mixture(
    nouns: frozenset[Noun], place: Place, found: Shape, *, linked: bool, crossed: bool
) -> bool:
    """Letters with digits or symbols."""
    near = len(place.between) <= NEAR
    adjacent = not place.between.strip(" \t\n:=-")
    if nouns & SECRET_NOUNS:
        if found is Shape.LIKELY:
            return (linked and not crossed) or (adjacent and any(map(str.isdigit, place.word)))
        return not crossed or linked or near
    if Noun.WEAK in nouns and not crossed and place.between.rstrip().endswith("="):
        return True
    if Noun.WEAK in nouns and (found >= Shape.LIKELY and (linked or adjacent)) and near:
        return not crossed and len(place.between) < _WEAK_NEAR
    if nouns & {Noun.RESET, Noun.OPENING} and found >= Shape.STRONG and adjacent:
        return True
    if Noun.KEY not in nouns or _NOT_KEY.search(place.between):
        return False
    size = len(place.word)
    return found is Shape.RANDOM or (size >= (_MIN_KEY if linked else _WIDE_KEY) and not crossed)


def _digest_as_key(place: Place) -> bool:
    named = _NOT_KEY.search(place.between) or place.word.lower().startswith(_OPEN)
    return is_digest(place.word) and not named and len(place.word) >= _LONG_DIGEST


def _is_foreign_pair(nouns: frozenset[Noun], place: Place, noun_text: str) -> bool:
    """`adrak-chai` in a script that is not Latin, right after the noun."""
    foreign = not noun_text.isascii() and place.word.isascii()
    return (
        foreign
        and Noun.PASSWORD in nouns
        and "-" in place.word
        and len(place.between) <= _WEAK_SIGN
    )


def _is_of_account(view: View, nouns: frozenset[Noun], noun_text: str, place: Place) -> bool:
    """A plain word right after "with the password", if a network or user was named before."""
    start = place.start - len(place.between) - len(noun_text)
    before = view.low[max(0, start - NEAR) : start]
    return bool(_ACCOUNT.search(before)) and _word(view, nouns, place, sep=False)


def _letters_as_key(place: Place, noun_text: str) -> bool:
    """ASCII letters in a text of another script."""
    foreign = not noun_text.isascii() and place.word.isascii()
    return foreign and len(place.word) >= _WIDE_KEY and len(place.between) <= _WEAK_SIGN


def _number(
    view: View, nouns: frozenset[Noun], noun_text: str, place: Place, tie: Link, *, crossed: bool
) -> bool:
    """Digits, unless they are a count, an item's number, a year or a time."""
    between, linked = place.between, tie.verb
    fewest = _MIN_DIGITS - 1 if _CVV.search(noun_text) else _MIN_DIGITS
    if not (between or noun_text.isascii()):
        fewest = _MIN_DIGITS - 1
    if _digits(place.word) < fewest or UNIT.match(view.low, place.end):
        return False
    if (
        noun_text in _POSTAL
        and _digits(place.word) == _POSTAL[noun_text]
        and _is_postal(view, place)
    ):
        return False
    if not linked and (
        TIME.search(between) or ITEM.search(between) or _YEAR.fullmatch(place.word) or crossed
    ):
        return False
    words = len(between.split())
    if Noun.OPENING in nouns and words <= 1:
        return True
    if Noun.KEY in nouns and noun_text.endswith("schlussel") and tie.sign:
        return _digits(place.word) >= _MIN_KEY
    if Noun.PIN in nouns or Noun.CODES in nouns:
        return (linked and (not crossed or words <= _FAR_WORDS)) or words <= _FAR_WORDS
    if Noun.PASSWORD in nouns:
        return (linked and not crossed) or not between.strip()
    return Noun.WEAK in nouns and tie.sign and words <= 1


def _is_postal(view: View, place: Place) -> bool:
    around = view.low[max(0, place.start - _USUAL_REACH) : place.end + NEAR]
    return not _BANK.search(around) and (not around.isascii() or bool(_TOWN.search(around)))


def _digits(word: str) -> int:
    return sum(char.isdigit() for char in word)


def _quoted(nouns: frozenset[Noun], place: Place, *, linked: bool) -> bool:
    word = place.word.strip()
    if is_placeholder(word) or any(find_nouns(word.lower())) or word.lower() in NOT_A_VALUE:
        return False
    found = shape(word) if " " not in word else Shape.WORD
    adjacent = not place.between.strip(" \t\n:=-")
    if nouns & SECRET_NOUNS:
        if found is Shape.NUMBER and _digits(word) < _MIN_DIGITS - 1:
            return False
        return linked or adjacent or (found >= Shape.LIKELY and len(place.between) < NEAR)
    if Noun.KEY in nouns:
        return (
            found >= Shape.LIKELY and len(word) >= _MIN_KEY and not _NOT_KEY.search(place.between)
        )
    return Noun.WEAK in nouns and found >= Shape.NUMBER and (linked or adjacent)


def _word(view: View, nouns: frozenset[Noun], place: Place, *, sep: bool) -> bool:
    """A plain word right after "is" or a colon, at the end of its clause."""
    low = view.low[place.start : place.end]
    if not nouns & _WORDY or not place.word[0].isalpha():
        return False
    if not nouns & {Noun.PASSWORD, Noun.PHRASE} and not (sep and len(place.between) <= _WEAK_SIGN):
        return False
    if low in NOT_A_VALUE or len(low) < _MIN_WORD - sep or NOUNS.fullmatch(low):
        return False
    if not sep and (is_said_of_it(low) or is_said_of_it(place.word.lower())):
        return False
    if not sep and not _is_telling(place):
        return False
    return bool(CLAUSE_END.match(view.text, place.end))


def _is_telling(place: Place) -> bool:
    """Whether a word may be a value: in scripts without case it mostly describes the password."""
    return place.word.isascii() or bool(
        regex.fullmatch(r"[\p{Latin}\p{Cyrillic}\p{Greek}]+", place.word)
    )
