"""Finds the places where a long alternation can match, with a cheaper pattern.

Trying an alternation of hundreds of words at every place takes microseconds per character. The
first letters rule out nearly all places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import regex

_LENGTH = 5
"""Letters of an opening: longer openings rule out more, but there are more of them."""


def openings(pattern: str, length: int = _LENGTH) -> set[str]:
    r"""The literal beginnings, of at most `length` letters, of all matches of `pattern`.

    Knows alternation, groups, classes of single letters, `?`, escapes and counted repetition of
    `\w`. Other syntax ends an opening early, which is safe. An empty opening means that a match can
    begin with anything.
    """
    return {start for branch in branches(pattern) for start in _starts(branch, length)}


def _starts(branch: str, length: int) -> set[str]:
    going, done = {""}, set[str]()
    for atom, optional in _atoms(branch):
        heads = _heads(atom, length)
        if heads is None:
            return done | going
        longer = {(start + head)[:length] for start in going for head in heads}
        going = {start for start in longer if len(start) < length} | (going if optional else set())
        done |= {start for start in longer if len(start) == length}
        if not going:
            return done
    return done | going


def _heads(atom: str, length: int) -> set[str] | None:
    """The beginnings of an atom; None for any character."""
    if atom.startswith("(?:"):
        return openings(atom[3:-1], length)
    if atom.startswith("(?"):
        return None
    if atom.startswith("["):
        return set(atom[1:-1])
    if atom == r"\b":
        return {""}
    if atom.startswith("\\"):
        return {atom[1]} if not atom[1].isalnum() else None
    return {atom} if atom not in ".(^$" else None


def branches(pattern: str) -> list[str]:
    """The top-level alternatives of `pattern`."""
    found, depth, start = [], 0, 0
    for i, char in enumerate(pattern):
        depth += (char == "(") - (char == ")")
        if char == "|" and depth == 0:
            found.append(pattern[start:i])
            start = i + 1
    return [*found, pattern[start:]]


def _atoms(branch: str) -> Iterator[tuple[str, bool]]:
    """The parts of a sequence, and whether each may be missing."""
    at = 0
    while at < len(branch):
        end = _end_of_atom(branch, at)
        atom = branch[at:end]
        after = branch[end : end + 1]
        at = end + (after == "?")
        yield ("." if after in ("*", "+", "{") and after else atom), after == "?"
        if after in ("*", "+", "{") and after:
            return


def _end_of_atom(branch: str, at: int) -> int:
    char = branch[at]
    if char == "\\":
        return at + 2
    if char == "[":
        return branch.index("]", at) + 1
    if char != "(":
        return at + 1
    depth = 0
    for i in range(at, len(branch)):
        depth += (branch[i] == "(") - (branch[i] == ")")
        if depth == 0:
            return i + 1
    raise ValueError(f"a group is not closed: {branch[at:]}")


class Beginnings:
    """Places where a word of a list may begin; words of `anywhere` may begin inside words."""

    def __init__(self, words: Iterable[str], anywhere: Iterable[str] = ()) -> None:
        self._patterns = []
        if words:
            self._patterns.append(re.compile(rf"(?<![A-Za-z0-9])(?={_trie(set(words))})"))
        if anywhere:
            self._patterns.append(re.compile(_trie(set(anywhere), then="?=")))

    def starts(self, text: str, start: int, end: int) -> list[int]:
        """Places in order; linear in the length of `text`."""
        found = [m.start() for gate in self._patterns for m in gate.finditer(text, start, end)]
        return sorted(set(found)) if len(self._patterns) > 1 else found


def matches(
    pattern: regex.Pattern[str],
    gate: Beginnings | re.Pattern[str],
    text: str,
    start: int = 0,
    end: int | None = None,
) -> Iterator[regex.Match[str]]:
    """The result of `pattern.finditer`, tried only at the places of `gate`."""
    at, stop = start, len(text) if end is None else end
    if isinstance(gate, Beginnings):
        starts = gate.starts(text, start, stop)
    else:
        starts = [match.start() for match in gate.finditer(text, start, stop)]
    for opening in starts:
        if opening >= at:
            match = pattern.match(text, opening, stop)
            if match:
                yield match
                at = match.end()


def around(
    pattern: re.Pattern[str], text: str, before: int, after: int
) -> Iterator[tuple[int, int]]:
    """Windows of `before` and `after` characters around matches, in order, without overlaps."""
    start = end = 0
    for match in pattern.finditer(text):
        first, last = match.span()
        if end and first - before > end:
            yield start, end
            end = 0
        start = start if end else max(0, first - before)
        end = last + after
    if end:
        yield start, min(end, len(text))


def _trie(starts: set[str], then: str = "?:") -> str:
    """An alternation that branches letter by letter; `then` opens the group after a letter."""
    rests: dict[str, set[str]] = {}
    for start in starts:
        rests.setdefault(start[0], set()).add(start[1:])
    return "|".join(re.escape(char) + _rest(rest, then) for char, rest in sorted(rests.items()))


def _rest(rests: set[str], then: str) -> str:
    return "" if "" in rests else f"({then}{_trie(rests)})"
