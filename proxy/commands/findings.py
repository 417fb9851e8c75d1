"""What the checks of `recollect check` find."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.config import Settings

Check = Callable[["Settings"], Awaitable[str]]
"""Returns what it saw. Raises CheckFailedError, or what a part raises."""


class CheckFailedError(Exception):
    """What a check saw of a part that does not work, and what to do about it."""

    def __init__(self, seen: str, mend: str = "") -> None:
        super().__init__(seen)
        self.mend = mend


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One part: whether it works, what the check saw, and what to do about a failure."""

    part: str
    ok: bool
    seen: str
    mend: str = ""
    locked: bool = False
    """Whether the keys of the database do not fit, or cannot be read."""


async def found_by(part: str, check: Check, settings: Settings) -> CheckResult:
    """What a check finds. Raises what a part raises."""
    try:
        return CheckResult(part, ok=True, seen=await check(settings))
    except CheckFailedError as failed:
        return CheckResult(part, ok=False, seen=str(failed), mend=failed.mend)


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
