"""The packs in use, and the tables that are built from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Protocol, TypeVar

from .pack import LanguagePack
from .read import PackError, extended, read_file

__all__ = ["SHIPPED", "PackError", "build_all", "from_packs", "packs", "use_folder"]

SHIPPED = Path(__file__).parent / "packs"
"""The folder of the packs that come with the product."""

_T = TypeVar("_T")


class _Built(Protocol):
    def __call__(self) -> object: ...
    def cache_clear(self) -> None: ...


_folder: list[Path] = []
_builders: list[_Built] = []


@cache
def packs() -> Mapping[str, LanguagePack]:
    """All packs by code, in the order of their names.

    Raises:
        PackError: a file is not a pack; the message names the file and the line.
    """
    found = {pack.code: pack for pack in map(read_file, _files(SHIPPED))}
    for path in (file for folder in _folder for file in _files(folder)):
        pack = read_file(path)
        found[pack.code] = extended(found[pack.code], pack) if pack.code in found else pack
    return found


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml"))


def from_packs(build: Callable[[], _T]) -> Callable[[], _T]:
    """Wrap a builder of a table: it runs at the first call, and again after `use_folder`."""
    built = cache(build)
    _builders.append(built)
    return built


def build_all() -> None:
    """Build all tables now, so that no request waits for one."""
    for built in _builders:
        built()


def use_folder(folder: Path | None) -> None:
    """Add the packs of a folder to the shipped ones, for the whole process.

    A file with the code of a shipped pack adds its terms to that pack.

    Raises:
        PackError: the folder is absent, or a file is not a pack. Nothing has changed then.
    """
    wanted = [folder] if folder is not None else []
    if wanted == _folder:
        return
    if folder is not None and not folder.is_dir():
        raise PackError(str(folder), 0, "there is no such folder")
    before = [*_folder]
    _folder[:] = wanted
    packs.cache_clear()
    try:
        packs()
    except PackError:
        _folder[:] = before
        packs.cache_clear()
        raise
    for built in _builders:
        built.cache_clear()
