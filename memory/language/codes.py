"""Codes in a text: numbers, ids, addresses, paths. Exact: TKT-100 is not TKT-1000.

A code is compared by its letters and digits and by where it is parted. "emp-789-1234",
"EMP 789 1234" and "emp7891234" are one; "a-1-12" and "a-11-2" are two, as are "1.2" and "12".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from .fold import clean
from .scripts import HANGUL, UNSPACED, is_all_latin

MOST = 12
"""Codes of a query that are read."""
_LONGEST = 80
_STRONG, _STRONG_MIXED = 5, 4
"""Signs from which a code tells by itself what it is: digits, or letters among them."""
_EDGES = "\"'“”„«»()[]{}<>.,;:!?…。、「」『』*`#"
_CHUNK = re.compile(rf"[^\s{UNSPACED}{HANGUL}]+")
_GROUPS = re.compile(r"(?:(?<=\s)|^)\+?\(?\d[\d()./-]*(?: \(?\d[\d()./-]*)+(?=\s|$|[,;:!?])")
"""A number that blanks part: 4111 1111 1111 1111."""
_DASHES = str.maketrans(dict.fromkeys("\u2013\u2014\u2015\u2212", "-"))
_THOUSANDS = 3
_SOFT = r"[\s\-_.,·()#/]"
"""What may part a code or not."""
_ENDS = re.compile(r"'\w|-[a-zà-ÿ]{1,3}\b(?!-)")
"""What a language hangs on a code: TKT-100-as."""
_NAMED = re.compile(r"\w@\w|[^\W\d_]_[^\W_]|^[/~][\w.]|\\\w|\w/\w.*/\w|[^\W\d]{2}\.[^\W\d]{2}")
"""Shapes of codes without a digit: mail addresses, identifiers, paths, hosts."""


@dataclass(frozen=True, slots=True)
class Code:
    """A code as it is compared."""

    text: str
    """As it is written."""
    signs: str
    """Its letters and digits, in small letters."""
    gaps: tuple[str, ...]
    """What stands before each of these but the first."""
    start: int = field(default=0, compare=False)
    """Where it stands in the text that it was read from."""

    @property
    def strong(self) -> bool:
        """Whether it tells what it is by itself; "12" may be a house or a size."""
        if len(self.signs) >= _STRONG or any(gap.strip("-_. ") for gap in self.gaps):
            return True
        return len(self.signs) >= _STRONG_MIXED and not self.signs.isdigit()


def codes_in(text: str) -> list[Code]:
    """The codes that a clean text names, in its order."""
    return list(islice(_found(_normal(text)), MOST))


def _normal(text: str) -> str:
    return clean(text).translate(_DASHES)


def _found(plain: str) -> Iterator[Code]:
    taken = 0
    spans = [(found.span(), found[0]) for found in _GROUPS.finditer(plain)]
    grouped = [span for span, _ in spans]
    spans += [
        (found.span(), found[0])
        for found in _CHUNK.finditer(plain)
        if not any(start <= found.start() < end for start, end in grouped)
    ]
    for (start, _), chunk in sorted(spans):
        left = len(chunk) - len(chunk.lstrip(_EDGES))
        bare = chunk.strip(_EDGES).removesuffix("'s")
        at = start + left
        if at < taken or not bare or not _is_code(bare):
            continue
        taken = at + len(bare)
        if code := code_of(bare):
            yield replace(code, start=at)


def _is_code(bare: str) -> bool:
    return any(map(str.isdigit, bare)) or bool(_NAMED.search(bare))


def code_of(text: str) -> Code | None:
    """A text as a code; None if it has no letter or digit, or is too long for one."""
    signs: list[str] = []
    gaps: list[str] = []
    gap = ""
    for sign in text[: _LONGEST + 1]:
        if not sign.isalnum():
            gap += sign
            continue
        gaps += [gap] if signs else []
        signs.append(sign.lower())
        gap = ""
    if not signs or len(text) > _LONGEST:
        return None
    return Code(text, "".join(signs), tuple(gaps))


def holds_code(text: str, code: Code) -> bool:
    """Whether a text has this code, and not one that it is only a part of."""
    plain = _normal(text)
    if _holds(plain, code):
        return True
    if is_all_latin(plain) and code.signs.isascii():
        return False
    from anyascii import anyascii  # its tables are read when a script is first met

    latin = code_of(anyascii(code.text))
    return latin is not None and latin.signs != "" and _holds(anyascii(plain), latin)


def _holds(plain: str, code: Code) -> bool:
    low = plain.lower()
    if len(low) != len(plain):
        low = plain
    return any(
        _same_parts(found, code) and not _goes_on(plain, found, code)
        for found in _pattern(code).finditer(low)
    )


@lru_cache(maxsize=64)
def _pattern(code: Code) -> re.Pattern[str]:
    """The letters and digits, with what may part them. Overlapping places are all found."""
    parts = [re.escape(code.signs[0])]
    for gap, sign in zip(code.gaps, code.signs[1:], strict=True):
        hard = "".join(each for each in gap if _is_hard(each, code))
        between = rf"[^\w\s]{{0,3}}{re.escape(hard)}[^\w\s]{{0,3}}" if hard else f"{_SOFT}{{0,3}}"
        if hard and set(hard) <= {"/", "\\"}:
            between = r"[/\\]{1,3}"
        parts.append(f"({between}){re.escape(sign)}")
    return re.compile(rf"(?<![^\W_{UNSPACED}{HANGUL}]){''.join(parts)}(?![^\W_{UNSPACED}{HANGUL}])")


def _is_hard(sign: str, code: Code) -> bool:
    """Whether a sign is a part of what is told: in an address or a path, but not in a date."""
    return sign in "@\\+:&=%" or (sign == "/" and not code.signs.isdigit())


def _same_parts(found: re.Match[str], code: Code) -> bool:
    """Whether it is parted in the same places, or only one of the two is parted there."""
    more = less = False
    for after, (own, other) in enumerate(zip(code.gaps, found.groups(), strict=True), 1):
        if bool(own) == bool(other):
            continue  # "12.05.2024" is "12-05-2024"
        digits = code.signs[after - 1 : after + 1].isdigit()
        if digits and (own or other) in {".", ","} and not _parts_thousands(code, after):
            return False  # "1.2" is not "12"
        if "@" in code.text and not digits:
            return False
        more, less = more or bool(other), less or bool(own)
    return not (more and less)


def _parts_thousands(code: Code, after: int) -> bool:
    """Whether a sign before digit `after` parts the thousands of a number of digits only."""
    return code.signs.isdigit() and (len(code.signs) - after) % _THOUSANDS == 0


def _goes_on(plain: str, found: re.Match[str], code: Code) -> bool:
    """Whether what was found is a part of a longer code."""
    before = plain[max(found.start() - 2, 0) : found.start()]
    behind = "" if _ENDS.match(plain, found.end()) else plain[found.end() : found.end() + 2]
    joins = "-_.@\\+" + ("/:" if any(_is_hard(one, code) for one in code.text) else "")
    if _is_joined(before[::-1], joins) or _is_joined(behind, joins):
        return True
    if code.signs[-1].isdigit() and behind[:1] in {",", ":"} and behind[1:].isdigit():
        return True
    # A blank may part a number of digits only.
    numbers = [before[::-1], behind] if code.signs.isdigit() else []
    return any(each[:1] == " " and each[1:].isdigit() for each in numbers)


def _is_joined(signs: str, joins: str) -> bool:
    """Whether a sign that joins stands first, and something to join behind it."""
    return signs[1:].isalnum() and signs[0] in joins
