# ruff: noqa: RUF001 - word lists and patterns of many scripts
"""Passwords, PINs, keys and phrases that are told in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import regex

from .findings import Finding
from .nouns import NOUNS, Noun, find_nouns
from .placeholders import is_placeholder
from .places import Place, places
from .said_before import find_before
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
from .shapes import Shape, is_digest, shape
from .view import View
from .wordruns import find_digit_words, find_phrase

KINDS = {
    Noun.PASSWORD: "password",
    Noun.WEAK: "password",
    Noun.LOGIN: "password",
    Noun.PIN: "code",
    Noun.CODES: "code",
    Noun.KEY: "api_key",
    Noun.PHRASE: "phrase",
    Noun.OPENING: "code",
    Noun.RESET: "password",
    Noun.WALLET: "phrase",
}
_REACH = {Noun.PHRASE: 320, Noun.CODES: 600, Noun.WEAK: 60}
_USUAL_REACH = 140
_CARRIED = 40
"""A noun this near before another one still counts: "PIN and password are ..."."""
_NEAR = 60
_FAR_WORDS = 6
_CVV = regex.compile(
    r"cv[vc]2?|csc|prüfziffer|prufziffer|cryptogramme|सीवीवी|security|back|安全|セキュリティ|قفل|combination|kombination|nummer|番号|sicherheit|seguridad|securite|seguranca|sicurezza|luggage|suitcase|padlock|briefcase|koffer|valise|maleta|cadenas|candado|lock|opens|unlocks|geht mit|abre|ouvre"
)
_MIN_DIGITS = 4
_YEAR = regex.compile(r"(?:19|20)\d\d")
_NOT_KEY = regex.compile(
    r"hash|\bsha|md5|commit|digest|checksum|fingerprint|uuid|public|pubkey|\bids?\b|key_id|offentlich|publi[cq]|公钥|公開|ハッシュ|哈希|指纹|trace|request"
)
_CHAIN = regex.compile(
    r"[\s,;/|&+、，.\d)•*\-]*(?:and|or|then|und|oder|y|o|u|et|ou|e|en|of|и|или|和|或|と|や|और|या|و|او)?[\s、]*[\"'“„]?"
)
_MIN_KEY = 8
_WIDE_KEY = 12


def find_spoken(view: View) -> Iterator[Finding]:
    """Values that sentences in many languages give to a password, a PIN, a key, a phrase."""
    low = view.low
    nouns = list(find_nouns(low))
    carried: frozenset[Noun] = frozenset()
    previous = 0
    for match, following in pairwise([*nouns, None]):
        noun = Noun[str(match.lastgroup).rstrip("_")] if match else Noun.WEAK
        if match is None:
            break
        near = match.start() - previous < _CARRIED
        kinds = (carried if near else frozenset()) | {noun}
        stop = min(match.end() + _REACH.get(noun, _USUAL_REACH), len(low))
        end = min(stop, following.start()) if following else stop
        found = list(_after(view, kinds, match, end))
        yield from found
        if not found and match.start() - previous > 3:  # noqa: PLR2004 - the shortest "X: "
            yield from find_before(view, KINDS[noun], noun, previous, match.start())
        carried = frozenset() if found else kinds
        previous = match.end()


def _after(
    view: View, nouns: frozenset[Noun], match: regex.Match[str], end: int
) -> Iterator[Finding]:
    """Values between a noun's end and `end`."""
    if end - match.end() < 2:  # noqa: PLR2004 - nothing fits
        return
    kind = KINDS[_first(nouns)]
    noun_text, last = match.group(), 0
    if Noun.LOGIN in nouns:
        half = _HALF.match(view.text, match.end())
        if half and shape(half[1]) >= (Shape.STRONG if "/" in half[0] else Shape.LIKELY):
            yield Finding(*half.span(1), "password")
            last = half.end()
    for place in places(view, match.end(), end):
        if Noun.PHRASE in nouns and place.tie.sign and not last:
            run = _run(view, nouns, place)
            if run:
                yield Finding(place.start, run, kind)
                return
        chained = last and _CHAIN.fullmatch(view.low, last, place.start)
        if (chained and _continues(place)) or _told(view, nouns, noun_text, place, again=last > 0):
            end_of_value = place.end + (view.text[place.end : place.end + 1] == "!")
            yield Finding(place.start, end_of_value, kind)
            last = place.end
            continue
        run = None if last else _run(view, nouns, place)
        if run:
            yield Finding(place.start, run, kind)
            return
        paired = _of_pair(nouns, place)
        if paired:
            yield paired
            last = paired.end


_HALF = regex.compile(r"[/:]([^\s/:,;\"'`()|<>]{5,40})(?![/:\w])")
"""The other half of `admin/...`."""


@cache
def _first(nouns: frozenset[Noun]) -> Noun:
    order = (
        Noun.PHRASE,
        Noun.PASSWORD,
        Noun.CODES,
        Noun.PIN,
        Noun.OPENING,
        Noun.KEY,
        Noun.RESET,
        Noun.WALLET,
        Noun.WEAK,
        Noun.LOGIN,
    )
    return next(noun for noun in order if noun in nouns)


def _continues(place: Place) -> bool:
    found = shape(place.word)
    return found >= Shape.LIKELY or (found is Shape.NUMBER and _digits(place.word) >= _MIN_DIGITS)


def _told(view: View, nouns: frozenset[Noun], noun_text: str, place: Place, *, again: bool) -> bool:
    """Whether the candidate is the value of one of the nouns."""
    found = shape(place.word)
    tie = place.tie
    if not place.quoted and not _is_worth_it(nouns, found, tie):
        return False
    between = place.between
    crossed = bool(SENTENCE_END.search(between) or _LABEL.search(between))
    crossed = crossed and between.strip() not in ("?", "？", "؟")
    if crossed and again:
        return False
    if place.quoted:
        told = _quoted(nouns, place, linked=tie.verb and not crossed)
    elif found is Shape.NUMBER:
        told = _number(view, nouns, noun_text, place, tie, crossed=crossed)
    elif found is Shape.WORD and Noun.KEY in nouns:
        told = _letters_as_key(place, noun_text)
    elif found is Shape.WORD:
        told = tie.plain and not crossed and _word(view, nouns, place, sep=tie.sign)
        told = told and not (
            noun_text in _NETWORKS and _NETWORK_KEY.search(view.low, place.end, place.end + _NEAR)
        )
    elif found is Shape.NONE:
        told = (tie.verb or not between.strip()) and _digest_as_key(place)
    else:
        told = _mixture(nouns, place, found, linked=tie.verb, crossed=crossed)
    return told and not _is_general(place)


_NETWORKS = ("wifi", "wi-fi", "wlan")
_NETWORK_KEY = regex.compile(
    r"pass|schlussel|\bkey\b|\bpw\b|kennwort|clave|contrase|senha|\bcle\b|mdp|mot de"
)
"""With a key of its own, the word before it is the network's name."""


def _is_general(place: Place) -> bool:
    """A rule about passwords, or an example of one."""
    between = place.between
    if between.count(",") == 2:  # noqa: PLR2004 - what is between two commas is said in passing
        between = between[between.rindex(",") :]
    return not place.tie.sign and bool(RULE.search(between) or EXAMPLE.search(between[-_NEAR:]))


def _is_worth_it(nouns: frozenset[Noun], found: Shape, tie: Link) -> bool:
    """The cheap half of the question: most words of a sentence are not."""
    if found is Shape.WORD:
        return bool(Noun.KEY in nouns or (tie.plain and nouns & _WORDY))
    return found > Shape.WORD or Noun.KEY in nouns


_LABEL = regex.compile(r"\n[^\n]*?\w\w")
"""Another line with words of its own."""
_SECRET_NOUNS = {Noun.PASSWORD, Noun.PIN, Noun.PHRASE, Noun.CODES}


def _mixture(
    nouns: frozenset[Noun], place: Place, found: Shape, *, linked: bool, crossed: bool
) -> bool:
    """Letters with digits or symbols."""
    near = len(place.between) <= _NEAR
    adjacent = not place.between.strip(" \t\n:=-")
    if nouns & _SECRET_NOUNS:
        if found is Shape.LIKELY:
            return (linked and not crossed) or (adjacent and any(map(str.isdigit, place.word)))
        return not crossed or linked or near
    if Noun.WEAK in nouns and (found >= Shape.LIKELY and (linked or adjacent)) and near:
        return not crossed and len(place.between) < _WEAK_NEAR
    if nouns & {Noun.RESET, Noun.OPENING} and found >= Shape.STRONG and adjacent:
        return True
    if Noun.KEY not in nouns or _NOT_KEY.search(place.between):
        return False
    size = len(place.word)
    return found is Shape.RANDOM or (size >= (_MIN_KEY if linked else _WIDE_KEY) and not crossed)


_WEAK_NEAR = 12


def _digest_as_key(place: Place) -> bool:
    named = _NOT_KEY.search(place.between) or place.word.lower().startswith(_OPEN)
    return is_digest(place.word) and not named and len(place.word) >= _LONG_DIGEST


def _letters_as_key(place: Place, noun_text: str) -> bool:
    """Letters without sense: in a text that is not written with them."""
    foreign = not noun_text.isascii() and place.word.isascii()
    return foreign and len(place.word) >= _WIDE_KEY and len(place.between) <= _WEAK_SIGN


_OPEN = ("sha", "md5", "$", "aaaa", "pk_")
_LONG_DIGEST = 16


def _number(
    view: View,
    nouns: frozenset[Noun],
    noun_text: str,
    place: Place,
    tie: Link,
    *,
    crossed: bool,
) -> bool:
    """Digits: none that count something, number something, or are a year or a time."""
    between, linked = place.between, tie.verb
    fewest = _MIN_DIGITS - 1 if _CVV.search(noun_text) else _MIN_DIGITS
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


_POSTAL = {"पिन कोड": 6, "pin code": 6, "pincode": 6, "pin-code": 6}
"""In India that is also a postal code."""
_BANK = regex.compile(
    r"atm|bank|card|sim\b|phone|upi|login|screen|app|एटीएम|बैंक|कार्ड|फोन|फ़ोन|सिम|ऐप"
)
_TOWN = regex.compile(
    r"address|city|area|district|delhi|mumbai|bengaluru|bangalore|chennai|kolkata|hyderabad|pune|india|post|deliver|ship|live"
)


def _is_postal(view: View, place: Place) -> bool:
    around = view.low[max(0, place.start - _USUAL_REACH) : place.end + _NEAR]
    return not _BANK.search(around) and (not around.isascii() or bool(_TOWN.search(around)))


def _digits(word: str) -> int:
    return sum(char.isdigit() for char in word)


def _quoted(nouns: frozenset[Noun], place: Place, *, linked: bool) -> bool:
    word = place.word.strip()
    if is_placeholder(word) or any(find_nouns(word.lower())) or word.lower() in NOT_A_VALUE:
        return False
    found = shape(word) if " " not in word else Shape.WORD
    adjacent = not place.between.strip(" \t\n:=-")
    if nouns & _SECRET_NOUNS:
        if found is Shape.NUMBER and _digits(word) < _MIN_DIGITS - 1:
            return False
        return linked or adjacent or (found >= Shape.LIKELY and len(place.between) < _NEAR)
    if Noun.KEY in nouns:
        return (
            found >= Shape.LIKELY and len(word) >= _MIN_KEY and not _NOT_KEY.search(place.between)
        )
    return Noun.WEAK in nouns and found >= Shape.NUMBER and (linked or adjacent)


def _word(view: View, nouns: frozenset[Noun], place: Place, *, sep: bool) -> bool:
    """A plain word, right after "is" or a colon, with nothing of the sentence after it."""
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


_WORDY = {Noun.PASSWORD, Noun.PHRASE, Noun.WEAK}
_WEAK_SIGN = 3
_MIN_WORD = 4


def _is_telling(place: Place) -> bool:
    """A word in its sentence's own foreign script is rather said of the password."""
    return place.word.isascii() or bool(
        regex.fullmatch(r"[\p{Latin}\p{Cyrillic}\p{Greek}]+", place.word)
    )


def _run(view: View, nouns: frozenset[Noun], place: Place) -> int | None:
    """Where a phrase or a number told in words ends, that begins at `place`."""
    named = Noun.PHRASE in nouns or Noun.WALLET in nouns
    if not nouns & _SECRET_NOUNS and not named:
        return None
    if not place.tie.plain and (not named or place.between.strip(" \n\t")):
        return None
    end = find_digit_words(view.low, place.start) or find_phrase(view, place.start, named=named)
    if end and not nouns & _SECRET_NOUNS and view.text.count(" ", place.start, end) < _SEED_SPACES:
        return None
    if end is None or SENTENCE_END.search(place.between) or _is_general(place):
        return None
    return end


_SEED_SPACES = 11
"""The shortest seed phrase has twelve words."""


def _of_pair(nouns: frozenset[Noun], place: Place) -> Finding | None:
    """The second half of `user/password`, `user:password` or `user / password`."""
    if Noun.LOGIN not in nouns or "://" in place.word:
        return None
    for sign in "/:|":
        user, cut, value = place.word.partition(sign)
        if cut and user and value and shape(value) >= Shape.LIKELY and shape(user) < Shape.STRONG:
            return Finding(place.start + len(user) + 1, place.end, "password")
    lines = place.between.rstrip(" \"'`*-")
    if lines.endswith("\n") and len(lines) <= _NEAR and shape(place.word) >= Shape.STRONG:
        return Finding(place.start, place.end, "password")
    apart = place.between.rstrip().endswith(
        ("/", "|", ",", " and", " und", " y", " et", " e", " with", " mit")
    )
    if apart and shape(place.word) >= Shape.STRONG and len(place.between) <= _NEAR:
        return Finding(place.start, place.end, "password")
    return None
