"""Splits a chunk of text into words, with the parts of compounds, identifiers and numbers.

Numbers are normalised: "10,000", "10.000" and "$10k" are 10000.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import regex

from ..registry import from_packs, packs

_KILO = re.compile(r"(\d+)(?:[.,](\d{1,2}))?k")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_MEASURE = re.compile(r"(\d+)([^\W\d_]{1,3})")


@from_packs
def _ordinal() -> re.Pattern[str]:
    known = (re.escape(one) for pack in packs().values() for one in pack.words.ordinal_endings)
    return re.compile(rf"(\d+)(?:{'|'.join(known)})")


def number_words(text: str) -> Iterator[str]:
    """The value of a number with points or commas; of a version the whole and its parts."""
    if kilo := _KILO.fullmatch(text):
        yield _thousandfold(kilo)
    elif _GROUPED.fullmatch(text):
        yield from _grouped(text)
    else:
        yield text.replace(",", ".").removesuffix("k")
        yield from re.split("[.,]", text.removesuffix("k"))


def spoken_digits(text: str) -> list[str] | None:
    """The terms of a lower-case word that begins with digits; None if it is not a number.

    "5th" gives "5", "10k" also "10000", "10am" also "10" and "am", and "07" in a date "7".
    """
    if text.isdecimal():
        return [text.lstrip("0") or "0"] if len(text) == 2 else [text]  # noqa: PLR2004 - a date's
    if ordinal := _ordinal().fullmatch(text):
        return [ordinal[1]]
    if kilo := _KILO.fullmatch(text):
        return [text, _thousandfold(kilo)]
    if measure := _MEASURE.fullmatch(text):
        return [text, measure[1], measure[2]]
    return None


def _grouped(text: str) -> Iterator[str]:
    """The whole part without thousands separators; "10.000" also as it is, a possible decimal."""
    group = (
        "," if re.search(r",\d{3}(?!\d)", text) and text.find(",") < (text + ".").find(".") else "."
    )
    whole = text.partition("." if group == "," else ",")[0]
    yield whole.replace(group, "")
    if text.count(".") == 1 and "," not in text:
        yield text


def _thousandfold(kilo: re.Match[str]) -> str:
    return ((kilo[1] + (kilo[2] or "").ljust(3, "0")).lstrip("0")) or "0"


MAX_TERM = 64
"""Characters of a term that are kept: the beginning of a key or of data is enough."""

MAX_ADDRESS = 320
"""Characters of a mail address (RFC 3696) or a link that are read, since the search takes quadratic
time."""

_ATOMS = regex.compile(
    r"(?P<emoji>\p{Extended_Pictographic}(?:[\ufe0f\U0001F3FB-\U0001F3FF]"
    r"|\u200d\p{Extended_Pictographic})*|[\U0001F1E6-\U0001F1FF]{2})"
    r"|(?P<number>\d+(?:[.,]\d+)+(?:[kK]\b)?)"
    r"|(?P<word>[\w\p{M}\u200c\u200d]+(?:['.-][\w\p{M}]+)*(?:\+\+|\#(?!\w))?)"
)
_MODIFIERS = re.compile("[\ufe0f\u200d\U0001f3fb-\U0001f3ff]")
_EMAIL = regex.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_URL = re.compile(r"(?:\w+://|www\.)\S+")
_URL_PARTS = re.compile(r"[/?&=:#%]+")
_URL_WORDS = frozenset({"http", "https", "www", "com", "org", "net", "html", "htm", "php", "index"})
_VERSION = re.compile(r"v(\d+(?:\.\d+)+)", re.IGNORECASE)
_CAMEL = regex.compile(r"(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})")
_JOINTS = re.compile(r"[._'#+-]+")


class _Contractions(NamedTuple):
    """Parts at an apostrophe that say nothing."""

    before: frozenset[str]
    after: frozenset[str]
    whole: Mapping[str, tuple[str, ...]]
    """The endings of a word that say nothing either, by what stands after the apostrophe."""


@from_packs
def _contractions() -> _Contractions:
    known = [pack.words for pack in packs().values()]
    after = [one.lower() for words in known for one in words.clitics]
    whole: dict[str, tuple[str, ...]] = {}
    for ending, _, rest in (one[1:].partition("'") for one in after if one.startswith("*")):
        whole[rest] = (*whole.get(rest, ()), ending)
    return _Contractions(
        frozenset(one.lower().rstrip("'") for words in known for one in words.elided),
        frozenset(one.lstrip("'") for one in after if not one.startswith("*")),
        whole,
    )


def parts_of(chunk: str) -> Iterator[str]:
    """The words of a chunk in their own case; of a compound the whole and its parts."""
    if "@" in chunk and (address := _EMAIL.search(chunk[:MAX_ADDRESS])):
        yield address[0]
    elif ("://" in chunk or "www." in chunk) and (link := _URL.search(chunk[:MAX_ADDRESS])):
        yield from (word for word in _link(link[0]) if word.lower() not in _URL_WORDS)
        return
    for found in _ATOMS.finditer(chunk):
        yield from _atom(found.lastgroup or "", found[0][:MAX_TERM])


def _link(address: str) -> Iterator[str]:
    for part in _URL_PARTS.split(address):
        yield from _word(part.removeprefix("www.").strip("_'.,;!)-")[:MAX_TERM])


def _atom(kind: str, text: str) -> Iterator[str]:
    if kind == "emoji":
        yield _MODIFIERS.sub("", text)
    elif kind == "number":
        yield from number_words(text.lower())
    else:
        yield from _word(text.strip("_'.-"))


def _word(text: str) -> Iterator[str]:
    if text.isalpha():
        yield from _camel(text)
    elif "'" in text:
        yield from _apostrophes(text)
    elif version := _VERSION.fullmatch(text):
        yield text
        yield from number_words(version[1])
    elif _JOINTS.search(text):
        yield from _compound(text)
    elif text:
        yield from spoken_digits(text.lower()) or _camel(text)


def _camel(text: str) -> Iterator[str]:
    yield text
    if not (text.islower() or text.istitle() or text.isupper()):
        parts = _CAMEL.split(text)
        if len(parts) > 1:
            yield from parts


def _apostrophes(text: str) -> Iterator[str]:
    """Drop an article before the apostrophe, and a verb or genitive after it."""
    first, _, rest = text.partition("'")
    said = _contractions()
    if first.lower().endswith(said.whole.get(rest.lower(), ())):
        return  # "don't", "can't": function words
    if first.lower() in said.before and rest:
        yield from _word(rest)
    elif rest.lower() in said.after or not rest:
        yield from _word(first)
    else:
        yield text.replace("'", "")
        yield from (part for part in text.split("'") if len(part) > 1)


def _compound(text: str) -> Iterator[str]:
    """Identifiers as they are, hyphenated words without hyphens, and the parts of both."""
    parts = [part for part in _JOINTS.split(text) if part]
    if not set(text).isdisjoint("._#+"):
        yield text
    elif len(parts) > 1 and not text.replace("-", "").isdigit():
        yield "".join(parts)
    if len(parts) > 1:
        for part in parts:
            yield from _word(part)
