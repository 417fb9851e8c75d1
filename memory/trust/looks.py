# ruff: noqa: RUF001 - look-alike letters are the subject
"""The visible form of a text. Pure; linear in the text.

HTML entities are decoded, forms are folded (NFKC) and invisible characters are removed. Letters and
brackets of other scripts become the ASCII characters they resemble.
"""

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
