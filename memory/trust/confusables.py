# ruff: noqa: RUF001
"""Invisible characters, look-alike letters, and the visible form of a text. Pure; linear."""

from __future__ import annotations

import html
import unicodedata

import regex

INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{Cf}]+")
# From Unicode's confusables.txt (UTS #39), in lower case and NFKC; some letters resemble two.
LETTERS = {
    "a": "ɑαаᎪᗅ⍺ꓮ\U000102a0\U00016f40",
    "c": "сᏟᴄⲥꓚ\U000102a2\U00010302\U0001043d\U0001051c\U000118e9\U000118f2\U0001f74c",
    "d": "ԁᎠᏧᑯᗞᗪꓒꓓ",
    "e": "εеҽᎬ\u212e⋿ⴹꓰꬲ\U00010286\U000118c6\U000118ce",
    "h": "ηнһհᎻᏂᕼⲏꓧ\U000102cf",
    "i": "ıɩɪιіӏᎥ⍳ꙇ\U000118c3",
    "l": (
        "\u05c0\u05d5\u05df\u0627\u0661۱\u07caᏞᒪᛁⲓⳑⵏꓡꓲ\U0001028a\U00010309\U00010320"
        "\U00010443\U00010526\U000118d2\U00016f16\U00016f28\U0001d22a\U0001e8c7"
    ),
    "m": "μϻмᎷᗰᛖⲙꓟ\U000102b0\U00010311",
    "n": "ոռⲛꓠ\U00010513",
    "o": (
        "οσоօ\u05e1\u0647\u0665\u06be\u06c1\u06d5۵\u07c0०০੦૦ଠ୦௦\u0c02౦\u0c82೦\u0d02ഠ൦\u0d82๐໐"
        "ဝ၀ჿዐᴏᴑⲟⵔ〇ꓳꬽ\U00010292\U000102ab\U0001042c\U000104ea\U00010516\U000114d0\U000118c8"
        "\U000118d5\U000118d7\U000118e0"
    ),
    "p": "ρрᏢᑭ⍴ⲣꓑ\U00010295",
    "r": "ʀгᎡᎱᏒᖇᴦⲅꓣꭇꭈ\U000104dc\U00016f35\U0001d216",
    "s": "ƽѕտᏕᏚꓢꜱ\U00010296\U00010448\U000118c1\U00016f3a",
    "t": "τтᎢ⊤⟙ⲧꓔ\U00010297\U000102b1\U00010315\U000118dc\U00016f0a\U0001f768",
    "u": "ʋυսሀᑌᴜ∪⋃ꓴꞟꭎꭒ\U000104f6\U000118d8\U00016f42",
    "v": "νѵ\u05d8\u0667۷Ꮩᐯᴠ∨⋁ⴸꓦꛟ\U0001051d\U00011706\U000118c0\U00016f08\U0001d20d",
    "y": "ɣʏγуүყᎩᎽᶌỿⲩꓬꭚ\U000102b2\U000118c4\U00016f43",
}
"""Letters of role names, each with the characters that resemble it."""
MARKS = {
    "<": "˂ᐸᚲ‹❮〈⟨❬\U0001d236",
    ">": "˃ᐳ›❯〉⟩❭\U00016f3f\U0001d237",
    "|": "∣ǀ│⏽❘⼁",
    ":": "ː˸։\u05c3\u0703\u0704\u0903\u0a83᛬᠃᠉⁚∶ꓽ꞉",
    "/": "᜵⁁\u2044∕╱⟋⧸ⳇ〳ノ㇓丿\U0001d23a",
    "[": "❲⟦",
    "]": "❳⟧",
}
"""Brackets, bars and colons, each with the characters that resemble it."""
_LOOKS = str.maketrans(
    {char: like for table in (LETTERS, MARKS) for like, chars in table.items() for char in chars}
)
_SEPARATORS = str.maketrans(dict.fromkeys("\x1c\x1d\x1e\x1f", " "))
"""`str.split` treats these as spaces, patterns do not."""
_MOST_ENTITIES = 4
"""Most levels of nested HTML entities that are decoded."""


def folded(text: str) -> str:
    """`text` with entities decoded, forms folded and invisible characters removed."""
    for _ in range(_MOST_ENTITIES):
        read = html.unescape(text)
        if read == text:
            break
        text = read
    return INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(_SEPARATORS)


def lookalike(text: str) -> str:
    """A folded text in lower case, with look-alike characters replaced by ASCII."""
    return text.casefold().translate(_LOOKS)


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
