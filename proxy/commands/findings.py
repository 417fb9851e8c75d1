"""What the checks of `recollect check` find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One part: whether it works, what the check saw, and what to do about a failure."""

    part: str
    ok: bool
    seen: str
    mend: str = ""


def absent(path: Path | None) -> bool:
    """Whether the first start makes this file or folder; opening it would make it now."""
    if path is None or path.exists():
        return False
    return next(each for each in path.parents if each.exists()).is_dir()


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
