# ruff: noqa: RUF001
"""The view of a text that all rules read, and their findings in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import regex

from ....util.lazy import lazy


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Code points `start` to `end` (exclusive) of a text, and the `kind` of secret or data."""

    start: int
    end: int
    kind: str


def settle(findings: Iterable[Finding]) -> list[Finding]:
    """Sort and merge findings; overlapping ones become one with the kind of the longest."""
    settled: list[Finding] = []
    longest = 0
    found = list(findings)
    if not found:
        return found  # as of most texts
    for finding in sorted(found, key=lambda f: (f.start, -f.end)):
        last = settled[-1] if settled else None
        size = finding.end - finding.start
        if last is None or finding.start >= last.end:
            settled.append(finding)
            longest = size
            continue
        kind = finding.kind if size > longest else last.kind
        longest = max(longest, size)
        settled[-1] = Finding(last.start, max(last.end, finding.end), kind)
    return settled


_IGNORED = regex.compile(
    r"[\u00ad\u0300-\u036f\u0640\u064b-\u0652\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f"
    r"\ufeff\U000e0000-\U000e0fff]"
)
"""Zero-width and direction marks, soft hyphens, tags, combining accents, Arabic vowel signs."""
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"


@dataclass(frozen=True)
class View:
    """`text` folded character by character, and the original position of each character.

    `origin` is None if positions are unchanged.
    """

    text: str
    origin: list[int] | None

    @lazy
    def low(self) -> str:
        """Lower case; as long as `text`."""
        return self.text.replace("\u0130", "i").lower()

    def back(self, finding: Finding) -> Finding:
        """The same finding in the original text."""
        if self.origin is None:
            return finding
        start, end = self.origin[finding.start], self.origin[finding.end - 1] + 1
        return Finding(start, end, finding.kind)


class _Folds(dict[int, int]):
    """ASCII for wide letters, foreign digits, odd spaces and dashes; filled on first use."""

    def __missing__(self, code: int) -> int:
        self[code] = folded = _fold(chr(code))
        return folded


_FOLDS = _Folds()


def view(text: str) -> View:
    """The view of `text`; linear in its length."""
    if text.isascii():
        return View(text, None)
    if not _IGNORED.search(text):
        return View(text.translate(_FOLDS), None)
    origin = [i for i, char in enumerate(text) if not _IGNORED.match(char)]
    return View("".join(text[i] for i in origin).translate(_FOLDS), origin)


def _fold(char: str) -> int:
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return ord("0") + digit
    if _ODD_SPACE.match(char):
        return ord(" ")
    if _ODD_DASH.match(char):
        return ord("-")
    if char in _STOPS:
        return ord(char)
    wide = unicodedata.normalize("NFKC", char)
    return ord(wide) if len(wide) == 1 and wide.isascii() else ord(char)


_STOPS = "，；！？（）"
"""Kept as they are: they end a word in scripts without spaces, but their ASCII forms may belong to
a password."""
_ODD_SPACE = regex.compile(f"[{_SPACES}]")
_ODD_DASH = regex.compile(f"[{_DASHES}]")


_LONGEST = 100
"""Characters of a match, with what a pattern looks at behind it."""


def matches(
    pattern: regex.Pattern[str], gate: re.Pattern[str], text: str
) -> Iterator[regex.Match[str]]:
    """The result of `pattern.finditer`, tried only where `gate` matches."""
    done = 0
    for opening in gate.finditer(text):
        match = pattern.match(text, opening.start()) if opening.start() >= done else None
        if match:
            yield match
            done = match.end()


def near(pattern: regex.Pattern[str], text: str, start: int, stop: int) -> regex.Match[str] | None:
    """The first match that begins between two places, read to its end and not cut at `stop`."""
    limit = stop + _LONGEST
    match = pattern.search(text, start, limit)
    whole = (
        match is not None and match.start() < stop and (match.end() < limit or limit > len(text))
    )
    return match if whole else None
