"""Finds what a statement says to have been wrong: "in June" of "in May, not in June". Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import regex

from ...language import Hit, Scan
from .wording import StatementWords

_MOST_WORDS = 6
"""A value is short: what is longer tells something else."""
_HIRAGANA = regex.compile(r"\p{Hiragana}")


class Denials:
    """The denied values of a text in one language, as the places of their words.

    A bare "not" denies a whole statement as well. It denies a value if the clause begins with it
    (", not in June") or another value follows ("not a cook but a skipper").
    """

    def __init__(
        self, scan: Scan, wording: StatementWords, hits: Mapping[str, Sequence[Hit]]
    ) -> None:
        self._scan, self._wording, self._hits = scan, wording, hits
        self._size = len(scan.words.folded)
        self._joined = {hit.start for hit in hits.get("changes.conjunctions", ())}
        self._breaks = scan.words.clause_starts | self._joined

    def behind(self) -> Iterator[list[int]]:
        """What follows "not" or "rather than", up to the next break."""
        for hit in self._hits.get("changes.denies_next", ()):
            end = min((at for at in self._breaks if at >= hit.end), default=self._size)
            whole = self._is_bare(hit) and not self._begins(hit) and end not in self._joined
            if not whole and end - hit.end <= _MOST_WORDS:
                yield self._telling(range(hit.end, end))

    def replaced(self) -> Iterator[range]:
        """What follows "switched from", up to the next break."""
        for hit in self._hits.get("changes.replaces_next", ()):
            end = min((at for at in self._breaks if at >= hit.end), default=self._size)
            yield range(hit.end, end)

    def ahead(self) -> Iterator[list[int]]:
        """What stands before a word such as 'ではなく', or before "not" at the end of a clause."""
        find = self._word if self._wording.spaced else self._characters
        ends = self._hits.get("changes.negated", ()) if self._wording.denies_before else []
        ends = [hit for hit in ends if hit.end in self._scan.words.clause_starts]
        for hit in [*self._hits.get("changes.denies_before", ()), *ends]:
            if hit.end < self._size:
                yield self._telling(find(hit.start))

    def _telling(self, places: Iterable[int]) -> list[int]:
        words = self._scan.words.folded
        return [at for at in places if words[at] not in self._wording.stop]

    def _is_bare(self, hit: Hit) -> bool:
        bare = self._scan.words.folded[hit.start] in self._wording.negated
        return bare and len(hit.own) == 1

    def _begins(self, hit: Hit) -> bool:
        return hit.start in self._scan.words.clause_starts or hit.start - 1 in self._joined

    def _word(self, at: int) -> list[int]:
        """The word before, and the particles between: its ending says what it is."""
        places: list[int] = []
        while at > 0 and at not in self._scan.words.clause_starts:
            at -= 1
            places.append(at)
            if self._scan.words.folded[at] not in self._wording.stop:
                break
        return places

    def _characters(self, at: int) -> list[int]:
        """The characters before, up to a particle."""
        places: list[int] = []
        while at > 0 and at not in self._scan.words.clause_starts:
            at -= 1
            if _HIRAGANA.match(self._scan.words.folded[at]):
                break
            places.append(at)
        return places if len(places) <= _MOST_WORDS else []
