"""The packs in use, and the tables that are built from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Protocol, TypeVar

from .pack import LanguagePack, extended
from .pack_reader import PackError, read_file

__all__ = ["SHIPPED", "build_all", "from_packs", "packs", "use", "use_folder", "using_folder"]

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
    users: int = 0


_in_use = _InUse()
_changing = Lock()
_tables: list[_Table] = []


def packs() -> Mapping[str, LanguagePack]:
    """All packs in use by code, in the order of their names.

    Raises:
        PackError: a shipped file is not a pack; the message names the file and the line.
    """
    if _in_use.packs is None:
        _in_use.packs = _read(None)
    return _in_use.packs


@contextmanager
def using_folder(folder: Path | None) -> Iterator[None]:
    """Use the packs of this folder, with the shipped ones, for a while.

    They count for the whole process. Whoever comes with another folder meanwhile is refused: what
    was stored by the words of one could not be found by those of the other.

    Raises:
        PackError: as `use_folder`; or another folder is in use.
    """
    with _changing:
        if _in_use.users and folder != _in_use.folder:
            used = "none" if _in_use.folder is None else str(_in_use.folder)
            problem = f"expected the folder that this process already uses, which is {used}"
            raise PackError(str(folder), 0, problem)
        if not _in_use.users:
            use_folder(folder)
        _in_use.users += 1
    try:
        yield
    finally:
        with _changing:
            _in_use.users -= 1


def use_folder(folder: Path | None) -> None:
    """Add the packs of a folder to the shipped ones, for the whole process.

    A file with the code of a shipped pack adds its terms to that pack. The files are read again
    each time.

    Raises:
        PackError: the folder is absent, or a file is not a pack. Nothing has changed then.
    """
    if folder is None and _in_use.folder is None:
        return
    found = _read(folder)
    _in_use.folder = folder
    if found != packs():
        use(found)


def use(found: Mapping[str, LanguagePack]) -> None:
    """Use these packs and no others, for the whole process; for benchmarks and tests."""
    _in_use.packs = found
    for table in _tables:
        table.cache_clear()


def _read(folder: Path | None) -> Mapping[str, LanguagePack]:
    found = dict(_shipped())
    if folder is not None:
        if not folder.is_dir():
            raise PackError(str(folder), 0, "there is no such folder")
        for pack in map(read_file, _files(folder)):
            found[pack.code] = extended(found[pack.code], pack) if pack.code in found else pack
    return found


@cache
def _shipped() -> Mapping[str, LanguagePack]:
    return {pack.code: pack for pack in map(read_file, _files(SHIPPED))}


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
