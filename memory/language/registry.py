"""The packs in use, and the tables that are built from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol, TypeVar

from .errors import PackError
from .pack import LanguagePack, extended
from .read import read_file

__all__ = ["SHIPPED", "build_all", "from_packs", "packs", "use", "use_folder"]

SHIPPED = Path(__file__).parent / "packs"
"""The folder of the packs that come with the product."""

_T = TypeVar("_T")


class _Table(Protocol):
    def __call__(self) -> object: ...
    def cache_clear(self) -> None: ...


@dataclass(slots=True)
class _InUse:
    packs: Mapping[str, LanguagePack] | None = None
    folder: Path | None = None


_in_use = _InUse()
_tables: list[_Table] = []


def packs() -> Mapping[str, LanguagePack]:
    """All packs in use by code, in the order of their names.

    Raises:
        PackError: a shipped file is not a pack; the message names the file and the line.
    """
    if _in_use.packs is None:
        _in_use.packs = _read(None)
    return _in_use.packs


def use_folder(folder: Path | None) -> None:
    """Add the packs of a folder to the shipped ones, for the whole process.

    A file with the code of a shipped pack adds its terms to that pack.

    Raises:
        PackError: the folder is absent, or a file is not a pack. Nothing has changed then.
    """
    if folder != _in_use.folder:
        use(_read(folder))
        _in_use.folder = folder


def use(found: Mapping[str, LanguagePack]) -> None:
    """Use these packs and no others, for the whole process; for benchmarks and tests."""
    _in_use.packs = found
    for table in _tables:
        table.cache_clear()


def _read(folder: Path | None) -> Mapping[str, LanguagePack]:
    found = {pack.code: pack for pack in map(read_file, _files(SHIPPED))}
    if folder is not None:
        if not folder.is_dir():
            raise PackError(str(folder), 0, "there is no such folder")
        for pack in map(read_file, _files(folder)):
            found[pack.code] = extended(found[pack.code], pack) if pack.code in found else pack
    return found


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml"))


def from_packs(build: Callable[[], _T]) -> Callable[[], _T]:
    """Wrap a builder of a table: it runs at the first call, and again after `use_folder`."""
    built = cache(build)
    _tables.append(built)
    return built


def build_all() -> None:
    """Build all tables now, so that no request waits for one."""
    for table in _tables:
        table()
