"""What a text carries that nobody needs to say how to answer: addresses, placeholders. Pure.

All of it is structure, the same in every language. It is looked for in the text as it looks
(`looks`), so that entities, wide forms and invisible characters hide nothing.
"""

from __future__ import annotations

from enum import StrEnum

import regex

from ..looks import folded
from .formats import SHELL, in_format
from .hidden import hidden


class Cargo(StrEnum):
    """What a text may carry."""

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


UNSAFE = frozenset(Cargo) - {Cargo.ADDRESS}
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
_NOTHING = frozenset[Cargo]()


def cargo(text: str) -> frozenset[Cargo]:
    """What the text carries; linear in its length."""
    if not _MAYBE.search(text) and not SHELL.search(text):
        return _NOTHING
    seen = folded(text)
    formats = in_format(seen)
    there = {
        Cargo.ADDRESS: "destination" in formats or _ADDRESS.search(seen) is not None,
        Cargo.IMAGE: _IMAGE.search(seen) is not None,
        Cargo.MARKUP: _MARKUP.search(seen) is not None,
        Cargo.PLACEHOLDER: _PLACEHOLDER.search(seen) is not None,
        Cargo.CALL: SHELL.search(seen) is not None or _CALL.search(seen) is not None,
        Cargo.HIDDEN: hidden(text) is not None,
    }
    return frozenset(kind for kind, found in there.items() if found)


def fetches(text: str) -> bool:
    """Whether it carries what is fetched from an address when it is shown, or filled in there."""
    carried = cargo(text)
    if Cargo.IMAGE in carried:
        return True
    return Cargo.ADDRESS in carried and not carried.isdisjoint({Cargo.MARKUP, Cargo.PLACEHOLDER})
