"""Invisible characters and look-alike letters."""
# ruff: noqa: RUF001 - look-alike letters are the subject

from __future__ import annotations

import regex

from ..looks import INVISIBLE

_TAG_BASE = 0xE0000
_FIRST_SELECTOR, _MORE_SELECTORS = 0xFE00, 0xE0100
_TAG = regex.compile(r"[\U000e0020-\U000e007e]")
_SELECTOR = regex.compile(r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_TAGS = regex.compile(r"[\U000e0020-\U000e007e]{2,}")
_FLAG = regex.compile(r"\U0001f3f4[\U000e0020-\U000e007e]{2,8}\U000e007f")
"""Flags of regions (Scotland), the only valid use of tag characters."""
_OVERRIDES = regex.compile(r"[\u202a-\u202e\u2066-\u2068]")
_SELECTORS = regex.compile(r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_ZERO_WIDTH = r"[\u200b-\u200d\u2060-\u2064\ufeff\u180e]"
_RUN = regex.compile(_ZERO_WIDTH + r"{3,}")
_BROKEN = regex.compile(
    r"(?<=[\p{Latin}\p{Cyrillic}\p{Greek}])[\u200b-\u200f\u2060-\u2064\ufeff]"
    r"+(?=[\p{Latin}\p{Cyrillic}\p{Greek}])"
)
_MIN_SMUGGLED = 8
"""More selectors than this are a message; an emoji has one."""
_MANY_BROKEN = 2
"""With this many invisible characters inside words, a copying accident is unlikely."""
_WORD = regex.compile(r"[\p{L}\p{M}]{3,}")
_LATIN = regex.compile(r"\p{Latin}")
_OTHER = regex.compile(r"[\p{Cyrillic}\p{Greek}\p{Armenian}\p{Cherokee}]")
_PAIRS = """
    аa еe оo рp сc уy хx іi јj ѕs ԁd һh ӏl ԛq ԝw вb кk мm нh тt гr пn зz ıi АA ВB ЕE КK МM
    НH ОO РP СC ТT УY ХX ІI ЈJ ЅS αa οo ρp υu νv ιi κk τt χx ϲc ηn ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM
    ΝN ΟO ΡP ΤT ΥY ΧX оo сc սu օo հh ցg
"""
_LOOKALIKE = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()})
"""Cyrillic, Greek and Armenian letters with their Latin look-alikes."""


def hidden(text: str) -> str | None:
    """A short name of the hidden content in `text`, or None.

    Emoji, joiners of Indic and Arabic scripts and single direction marks do not count.
    """
    if text.isascii():
        return None
    bare = _FLAG.sub("", text)
    if _TAGS.search(bare):
        return "tag characters"
    if _OVERRIDES.search(bare):
        return "direction override"
    if _SELECTORS.search(bare):
        return "run of variation selectors"
    if _RUN.search(bare) or len(_BROKEN.findall(bare)) >= _MANY_BROKEN:
        return "zero-width characters"
    if any(_is_disguised(word) for word in _WORD.findall(bare)):
        return "look-alike letters"
    return None


def smuggled(text: str) -> str:
    """The text encoded in tag characters and selectors; empty without any."""
    if text.isascii():
        return ""
    tags = "".join(chr(ord(char) - _TAG_BASE) for char in _TAG.findall(text))
    return f"{tags} {_selected(text)}".strip()


def _selected(text: str) -> str:
    found = bytes(_byte(ord(char)) for char in _SELECTOR.findall(text))
    return found.decode("utf-8", "ignore") if len(found) > _MIN_SMUGGLED else ""


def _byte(code: int) -> int:
    """The byte of a selector: the first block has 16, the second 240."""
    return code - _FIRST_SELECTOR if code < _MORE_SELECTORS else code - _MORE_SELECTORS + 16


def visible(text: str) -> str:
    """`text` without invisible characters, and its disguised words in plain letters."""
    return text if text.isascii() else _plain_letters(INVISIBLE.sub("", text))


def _plain_letters(text: str) -> str:
    """`text` with words of mixed scripts in Latin letters."""
    if not (_OTHER.search(text) and _LATIN.search(text)):
        return text
    return _WORD.sub(
        lambda found: found[0].translate(_LOOKALIKE) if _is_disguised(found[0]) else found[0], text
    )


def _is_disguised(word: str) -> bool:
    """Whether a word of two scripts reads as a Latin word."""
    if not (_LATIN.search(word) and _OTHER.search(word)):
        return False
    return not _OTHER.search(word.translate(_LOOKALIKE))
