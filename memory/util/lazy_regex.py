"""The library `regex`, but a pattern is compiled when it is first used.

Compiling those that judge texts takes a tenth of a start, and most commands judge none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import regex
from regex import ASCII, IGNORECASE, MULTILINE, VERBOSE, Match, Pattern, escape

if TYPE_CHECKING:
    from regex import compile  # noqa: A004 - the same name, so that it reads as the library

__all__ = [
    "ASCII",
    "IGNORECASE",
    "MULTILINE",
    "VERBOSE",
    "Match",
    "Pattern",
    "compile",
    "compile_all",
    "escape",
]

_waiting: list[_Lazy] = []


class _Lazy:
    """Has the methods of the compiled pattern, each from its first use on."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._given = pattern, flags
        self._compiled: Pattern[str] | None = None
        _waiting.append(self)

    def compiled(self) -> Pattern[str]:
        if self._compiled is None:
            self._compiled = regex.compile(*self._given)
        return self._compiled

    def __getattr__(self, name: str) -> Any:
        found = self.__dict__[name] = getattr(self.compiled(), name)
        return found


def compile_all() -> None:
    """Compile those that were not used yet, so that no request waits for one."""
    while _waiting:
        _waiting.pop().compiled()


if not TYPE_CHECKING:
    compile = _Lazy  # noqa: A001 - see above
