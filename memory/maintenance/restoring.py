"""Puts a backup into the places of a configuration in which nothing is yet."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from ..engine.options import EngineOptions
from ..util.disk import force
from ..util.locks import Ownership
from .backup_files import STORE, BackupError, BackupNote, Told, copied, part_places, read_note

_SETTINGS = {"state.db": "state", "history.db": "history", "graph.db": "history", STORE: "store"}
_NO_DATA = frozenset({"models", "lost+found", "identity.key"})
"""What a folder without memories may hold: weights, what a disk begins with, and the key that a
start in gateway mode generates, which is replaced."""
_HALF = ".restoring"


def restore(options: EngineOptions, data_dir: Path, backup: Path, told: Told) -> BackupNote:
    """Copy every file of the backup to its place, after its checksum was compared.

    Nothing is in its place before everything has been copied.

    Raises:
        BackupError: it is no complete backup, a file differs from what was backed up, this
            configuration keeps a part elsewhere, or something is there already.
    """
    note = read_note(backup)
    roots = _roots(options, data_dir, note)
    _refuse_filled(options, data_dir, roots)
    try:
        with _nobody_starts(options, data_dir), _staged(roots) as halves:
            for name, file in note.files.items():
                root, _, rest = name.partition("/")
                target = halves[root] / rest if rest else halves[root]
                if copied(backup / name, target, told) != file:
                    raise BackupError(f"{backup / name} is not as it was backed up")
            for root, half in halves.items():
                half.replace(roots[root])
                force(roots[root].parent)
    except OSError as error:
        raise BackupError(f"the backup could not be restored: {error}") from error
    return note


def _roots(options: EngineOptions, data_dir: Path, note: BackupNote) -> dict[str, Path]:
    """Where each part and each other file belongs, by its name in the backup."""
    places = part_places(options)
    roots: dict[str, Path] = {}
    for name in dict.fromkeys(name.partition("/")[0] for name in note.files):
        place = places.get(name, data_dir / name)
        if place is None:
            raise BackupError(
                f"the backup has {name}, and this configuration keeps it elsewhere: see "
                f"`{_SETTINGS[name]}` in the configuration"
            )
        if name == STORE and note.store != options.store.backend:
            raise BackupError(
                f"the memories of the backup are a folder of {note.store}: set store.backend to it "
                "to restore them; `recollect memories export` moves them to another store"
            )
        roots[name] = place
    return roots


def _refuse_filled(options: EngineOptions, data_dir: Path, roots: Mapping[str, Path]) -> None:
    here = data_dir.iterdir() if data_dir.is_dir() else ()
    found = [path for path in here if not _is_no_data(path)]
    elsewhere = [path for path in part_places(options).values() if path is not None]
    found += [path for path in (*elsewhere, *roots.values()) if path.exists()]
    for path in found:
        if not _is_no_data(path):
            raise BackupError(
                f"{path} is there already: restore into an empty folder (--data-dir), or move what "
                "is there out of the way"
            )


def _is_no_data(path: Path) -> bool:
    return path.name in _NO_DATA or path.name.endswith((".lock", _HALF))


@contextlib.contextmanager
def _nobody_starts(options: EngineOptions, data_dir: Path) -> Iterator[None]:
    """A start would see half of the files, or make others."""
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with contextlib.ExitStack() as stack:
        for path in part_places(options).values():
            if path is None:
                continue
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            owner = Ownership.claim(path)
            stack.callback(owner.release)
            if owner.taken:
                raise BackupError(f"{path} is in use by another process: stop it first")
        yield


@contextlib.contextmanager
def _staged(roots: Mapping[str, Path]) -> Iterator[dict[str, Path]]:
    """A place on the same disk for each; what is left there in the end is removed."""
    halves = {name: path.with_name(f"{path.name}{_HALF}") for name, path in roots.items()}
    try:
        for half in halves.values():
            _removed(half)
        yield halves
    finally:
        for half in halves.values():
            _removed(half)


def _removed(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
