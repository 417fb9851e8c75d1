"""Finds the terms of all languages in a text, in one walk over its words.

A cue is the name of the pack field that lists a term.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from functools import lru_cache
from typing import Any

import regex

from recollect.memory.language import from_packs, packs

from .text import normalise, spaced

LINK = regex.compile(
    r"https?://\S+|www\.\S+|\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]+"
    r"|\b(?:[a-z0-9-]{1,63}\.){1,5}(?:com|net|org|io|ai|co|app|dev|example|invalid|test|info|biz|shop|xyz|site|online"
    r"|link|click|top|ru|cn|de|fr|es|it|nl|br|pt|jp|in|uk|eu|me|ly|gg|to|cc|tk)\b(?:/\S*)?",
    flags=regex.IGNORECASE,
)
"""Addresses of pages and mail boxes."""
PHONE = regex.compile(r"\+\d[\d ()/-]{7,}\d")
"""Telephone numbers with their country."""
SHELL = regex.compile(
    r"rm\s{1,4}-rf?|(?:curl|wget)\b[^\n|]{0,300}\|\s?(?:ba|z|da)?sh\b|chmod\s{1,4}777|drop\s{1,4}(?:table|database)"
    r"|--no-verify|--force\b|push\s{1,4}(?:-f|--delete|origin\s{1,4}--delete)|mkfs|sudo\s{1,4}\w|--trusted-host"
    r"|--insecure|verify\s?=\s?false|--no-check|strict-ssl\s{1,4}false|iex\s?\(|eval\s?\(|--yes\b"
    r"|--disable-[\w-]+|dangerously|npm_config_registry|--index-url|--extra-index-url",
    flags=regex.IGNORECASE,
)
"""Commands that delete data, load foreign code or disable checks."""
_END, _STEM = "\0", "*"
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_CLITICS = frozenset("وفبلكا")
"""Arabic particles that are written onto a word."""
_MAX_CLITICS = 3
_KEPT_CHARS = 2_000


def cues(text: str) -> frozenset[str]:
    """The cues in `text`, in any language."""
    return _remembered(text) if len(text) <= _KEPT_CHARS else _cues(text)


def starts_with(text: str, cue: str) -> int:
    """Characters of the normalised, spaced `text` that a term of `cue` takes at its start, or 0."""
    longest = 0
    for end, found in _walk(text, 1):
        if cue in found:
            longest = max(longest, end)
    return longest


def _cues(text: str) -> frozenset[str]:
    words = spaced(normalise(text))
    found: set[str] = set()
    for start in _starts(words):
        for _, names in _walk(words, start):
            found |= names
    return frozenset(found)


_remembered = lru_cache(maxsize=256)(_cues)


def forget_texts() -> None:
    """Clear the cache of `cues`; for benchmarks."""
    _remembered.cache_clear()


def _starts(words: str) -> Iterable[int]:
    """Where a term can begin: at words, within unspaced scripts, after Arabic particles."""
    clitics = 0
    for i in range(1, len(words) - 1):
        if words[i - 1] == " ":
            clitics = _MAX_CLITICS
            yield i
        elif _UNSPACED.match(words[i]) or _UNSPACED.match(words[i - 1]):
            yield i
        elif clitics and words[i - 1] in _CLITICS:
            clitics -= 1
            yield i
        else:
            clitics = 0


def _walk(words: str, start: int) -> Iterable[tuple[int, frozenset[str]]]:
    """The terms that begin at `start`: where they end, and their cues."""
    node: dict[str, Any] = _trie()
    for i in range(start, len(words)):
        node = node.get(words[i], _NOTHING)
        if node is _NOTHING:
            return
        if _STEM in node:
            yield i + 1, node[_STEM]
        if _END in node and not words[i + 1 : i + 2].strip():
            yield i + 1, node[_END]


@from_packs
def _trie() -> dict[str, Any]:
    trie: dict[str, Any] = {}
    for pack in packs().values():
        for spec in fields(pack.planting):
            for term in getattr(pack.planting, spec.name):
                _plant(trie, term, spec.name)
    return trie


def _plant(trie: dict[str, Any], term: str, name: str) -> None:
    path = spaced(normalise(term)).strip()
    leaf = _STEM if term.endswith("*") or _UNSPACED.search(path) else _END
    node = trie
    for char in path:
        node = node.setdefault(char, {})
    node[leaf] = node.get(leaf, frozenset()) | {name}


_NOTHING: dict[str, Any] = {}
