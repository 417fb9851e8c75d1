"""What the checks of `recollect check` find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One part: whether it works, what the check saw, and what to do about a failure."""

    part: str
    ok: bool
    seen: str
    mend: str = ""


def render(findings: Sequence[CheckResult]) -> str:
    """The findings as text for the terminal."""
    width = max(len(finding.part) for finding in findings)
    lines = []
    for finding in findings:
        mark = "ok  " if finding.ok else "FAIL"
        lines.append(f"{mark}  {finding.part:<{width}}  {finding.seen}")
        if finding.mend:
            lines.append(f"      {'':<{width}}  -> {finding.mend}")
    return "\n".join(lines)
