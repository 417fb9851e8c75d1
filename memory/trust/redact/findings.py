"""Findings: spans of a text with a kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


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
    for finding in sorted(findings, key=lambda f: (f.start, -f.end)):
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
