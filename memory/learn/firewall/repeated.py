"""Cuts out text that several turns repeat word for word. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from ...language.sentences import sentences
from .segments import first_person, key
from .spans import Cut

MIN_TEXTS = 3
"""Least different messages with it. The same message again is a retry."""
MIN_BYTES = 40
"""People repeat shorter sentences ("Yes, please."). Bytes: some scripts use few characters."""
RUN = 3
RUN_CHARS = 200
"""A longer run is a template or a file: even its first occurrence is removed."""


def cut_repeated(texts: Sequence[str], *, keep_first: bool = True) -> list[Cut]:
    """Cut sentences out of each text that several texts have.

    With `keep_first`, the first occurrence is kept if it is a short run or in the first person.
    """
    keys = [[_key(part) for part in sentences(text)] for text in texts]
    holding = Counter(k for found in _distinct(texts, keys) for k in found if k)
    often = {k for k, count in holding.items() if count >= MIN_TEXTS}
    if not often:
        return [Cut(text, 0) for text in texts]
    seen: set[str] = set()
    return [
        _without(text, found, often, seen, keep_first=keep_first)
        for text, found in zip(texts, keys, strict=True)
    ]


def _key(part: str) -> str:
    """The key of a sentence; "" if it is too short to count."""
    plain = key(part)
    return plain if len(plain.encode("utf-8", "replace")) >= MIN_BYTES else ""


def _distinct(texts: Sequence[str], keys: Sequence[list[str]]) -> list[set[str]]:
    found = {text.strip(): set(of) for text, of in zip(texts, keys, strict=True)}
    return list(found.values())


def _without(
    text: str, keys: Sequence[str], often: set[str], seen: set[str], *, keep_first: bool
) -> Cut:
    parts = sentences(text)
    kept: list[str] = []
    for is_often, run in groupby(zip(parts, keys, strict=True), key=lambda part: part[1] in often):
        members = list(run)
        if not is_often:
            kept += [part for part, _ in members]
            continue
        long = len(members) >= RUN or sum(len(part) for part, _ in members) >= RUN_CHARS
        for part, of in members:
            if keep_first and of not in seen and (not long or first_person(part)):
                kept.append(part)
            seen.add(of)
    gone = len(parts) - len(kept)
    return Cut("".join(kept), gone) if gone else Cut(text, 0)
