"""Finds payloads that no wish about answers needs: addresses, commands, placeholders. Pure.

All of it is structure, the same in every language. It is looked for in the text as it looks
(`confusables`), so that entities, wide forms and invisible characters hide nothing.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice

from ...util import lazy_regex as regex
from ..confusables import folded, hidden

LINK = regex.compile(
    r"https?://\S+|www\.\S+|\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]+"
    r"|\b(?:[a-z0-9-]{1,63}\.){1,5}(?:com|net|org|io|ai|co|app|dev|example|invalid|test|info|biz|shop|xyz|site|online"
    r"|link|click|top|ru|cn|de|fr|es|it|nl|br|pt|jp|in|uk|eu|me|ly|gg|to|cc|tk)\b(?:/\S*)?",
    flags=regex.IGNORECASE,
)
"""Addresses of pages and mail boxes."""
PHONE = regex.compile(r"\+\d[\d ()/-]{7,}\d")
"""Telephone numbers with their country."""
_HANDLE = regex.compile(r"(?<![\w.@/])@[\p{L}\d_][\w.]{2,}")
"""Names of accounts of networks and messengers."""
_LONG_NUMBER = regex.compile(r"(?<![\d.,:/-])(?:\d[ \-/()]{0,2}){8,}\d(?![\d.,]*\d)")
"""Telephone numbers without their country, and numbers of accounts."""
_IBAN = regex.compile(r"\b[A-Z]{2}\d{2}[ \dA-Z]{11,34}\b")
_PLACES = (LINK, PHONE, _HANDLE, _LONG_NUMBER, _IBAN)
_FETCH = r"(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b"
_LOADS = (
    _FETCH + r"[^\n|]{0,300}\|\s?(?:sudo\s)?(?:(?:ba|z|da)?sh|iex|invoke-expression)\b"
    r"|\biex\s?\("
    # What is run is put in the place of a file, of words or of an argument.
    r"|\b(?:(?:ba|z|da)?sh|source|eval|iex|invoke-expression)\b[\w \-\"']{0,20}[<$]?[(`]\s?"
    + _FETCH
    + r"|\b(?:exec|eval)\s?\([^\n]{0,80}\b(?:urlopen|requests\.get|fetch)\s?\("
)
SHELL = regex.compile(
    _LOADS + r"|rm\s{1,4}-rf?|chmod\s{1,4}777|drop\s{1,4}(?:table|database)"
    r"|--no-verify|--force\b|push\s{1,4}(?:-f|--delete|origin\s{1,4}--delete)|mkfs|sudo\s{1,4}\w|--trusted-host"
    r"|--insecure|verify\s?=\s?false|--no-check|strict-ssl\s{1,4}false|eval\s?\(|--yes\b"
    r"|--disable-[\w-]+|dangerously|npm_config_registry|--index-url|--extra-index-url",
    flags=regex.IGNORECASE,
)
"""Commands that delete data, load foreign code or disable checks."""
_LOAD = regex.compile(_LOADS, flags=regex.IGNORECASE)

IMAGE = "!["
"""How an image begins, which is fetched when the text is shown."""


def in_format(text: str) -> list[str]:
    """What the text has of these: a "destination", a "command", an "image".

    Something can be sent to a destination, or somebody be led there.
    """
    found = {
        "destination": any(place.search(text) for place in _PLACES),
        "command": SHELL.search(text) is not None,
        "image": IMAGE in text,
    }
    return [name for name, there in found.items() if there]


class PayloadKind(StrEnum):
    """The kinds of payloads that a text may carry."""

    ADDRESS = "address"
    """Of a page, a mail box, a machine, a telephone or an account."""
    IMAGE = "image"
    """A picture or a link in Markdown, which is fetched or followed when the text is shown."""
    MARKUP = "markup"
    """A tag of HTML, or something in angle brackets that stands for something else."""
    PLACEHOLDER = "placeholder"
    """A place that somebody fills in: what it is filled with is not in the text."""
    CALL = "call"
    """The call of a function, or a command that deletes, loads foreign code or disables checks."""
    HIDDEN = "hidden"
    """Invisible characters or look-alike letters."""


UNSAFE = frozenset(PayloadKind) - {PayloadKind.ADDRESS}
"""What an instruction carries only to do something: an address may be that of a source."""

_ADDRESS = regex.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}:(?://|\\\\)\S"  # any scheme
    r"|\b(?:data|javascript|mailto|tel|file|vbscript):\S"
    r"|(?<![:\w/])(?://|\\\\)[\w\[-][\w.-]*"  # relative to a protocol, or a share
    r"|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])"
    r"|\b[\p{L}\d-]{2,63}(?:\.[\p{L}\d-]{1,63})*\.\p{Ll}{2,24}/\S"  # any domain with a path
    r"|[\p{L}\d](?:\[\.\]|\(\.\)|\[dot\]|\(dot\)|\[at\]|\(at\))[\p{L}\d]"
    r"|\bxn--[a-z0-9-]+",
    flags=regex.IGNORECASE,
)
_IMAGE = regex.compile(r"!\[|\]\s?\(\s*\S|\]\s?\[|^\s*\[[^\]\n]+\]:\s", flags=regex.MULTILINE)
_MARKUP = regex.compile(
    r"<[/!?]?[\p{L}_][^<>\n]{0,300}>"  # a tag, or <NAME>
    r"|<[/!?]?\p{L}[\w-]*\s+[\w:-]+\s*=",  # one that is never closed
)
_PLACEHOLDER = regex.compile(
    r"(?<!\\\p{L}{1,20}|\})\{[^{}\n]{0,80}[\p{L}\d][^{}\n]{0,80}\}"  # but of LaTeX
    r"|\$\{?[\p{L}_]\w+|%\(\w+\)|%\w{2,40}%|(?<![\w%])%[sdifrx]\b"
    r"|\b\p{Lu}[\p{Lu}\d]*_[\p{Lu}\d_]*\p{Lu}\b"  # a variable of the environment
    r"|\[\s?\p{Lu}[\p{Lu}\d_ -]{2,40}\]|【[^】\n]{1,40}】|<<[^<>\n]{1,60}>>"
)
_CALL = regex.compile(
    r"\b[\p{L}_][\w.]*\(\s*\)"  # without arguments
    r"|\b[\p{L}_]\w*[_.]\w+\([^()\n]{0,200}\)"
    r"|\b\p{Ll}+\p{Lu}\w*\([^()\n]{0,200}\)"
    r"|\b[a-z]\w{2,}\([\"'][^()\n]{0,200}\)"
)


_MAYBE = regex.compile(
    r"[<>{}\[\]()$%@_/\\&|]|\.\p{L}|\d[\d ./-]{6}|[\p{Cf}\p{Mn}\uff01-\uff5e\ufe50-\ufe6b]"
    r"|\p{Latin}[\p{Cyrillic}\p{Greek}\p{Armenian}\p{Cherokee}]"
    r"|[\p{Cyrillic}\p{Greek}\p{Armenian}\p{Cherokee}]\p{Latin}|:\S|[\u3010\uff3b]"
)
"""What everything that is looked for has; plain prose has none of it."""
_NOTHING = frozenset[PayloadKind]()


def payload_kinds(text: str) -> frozenset[PayloadKind]:
    """What the text carries; linear in its length."""
    if not _MAYBE.search(text) and not SHELL.search(text):
        return _NOTHING
    seen = folded(text)
    formats = in_format(seen)
    there = {
        PayloadKind.ADDRESS: "destination" in formats or _ADDRESS.search(seen) is not None,
        PayloadKind.IMAGE: _IMAGE.search(seen) is not None,
        PayloadKind.MARKUP: _MARKUP.search(seen) is not None,
        PayloadKind.PLACEHOLDER: _PLACEHOLDER.search(seen) is not None,
        PayloadKind.CALL: SHELL.search(seen) is not None or _CALL.search(seen) is not None,
        PayloadKind.HIDDEN: hidden(text) is not None,
    }
    return frozenset(kind for kind, found in there.items() if found)


def fetches(text: str) -> bool:
    """Whether it carries what is fetched from an address when it is shown, or filled in there."""
    carried = payload_kinds(text)
    if PayloadKind.IMAGE in carried:
        return True
    return PayloadKind.ADDRESS in carried and not carried.isdisjoint(
        {PayloadKind.MARKUP, PayloadKind.PLACEHOLDER}
    )


def shows_image(text: str) -> bool:
    """Whether it shows a picture of an address, or a link that is filled in: both are fetched."""
    if not _IMAGE.search(seen := folded(text)):
        return False
    carried = payload_kinds(text)
    return PayloadKind.ADDRESS in carried and (IMAGE in seen or PayloadKind.PLACEHOLDER in carried)


def loads_code(text: str) -> bool:
    """Whether it runs what an address answers."""
    return _LOAD.search(folded(text)) is not None


MAX_DECODED = 4_000
"""Characters of a decoded text that are judged."""
MAX_PAYLOADS = 16
"""Decoded runs of one text that are judged."""
_BASE64 = regex.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}")
_PRINTABLE = 0.9


def payloads(text: str) -> Iterator[str]:
    """The readable texts decoded from runs of `text`, bounded in number and length."""
    for found in islice(_BASE64.finditer(text), MAX_PAYLOADS):
        decoded = _base64(found.group()[: MAX_DECODED * 2])
        if decoded and _is_readable(decoded):
            yield decoded[:MAX_DECODED]


def _base64(run: str) -> str:
    clean = run.rstrip("=").replace("-", "+").replace("_", "/")
    clean = clean[: len(clean) - (len(clean) % 4 == 1)]
    try:
        return base64.b64decode(clean + "=" * (-len(clean) % 4)).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _is_readable(text: str) -> bool:
    shown = sum(char.isprintable() or char in "\n\t" for char in text)
    return shown >= _PRINTABLE * len(text) and (not text.isascii() or " " in text)
