"""Forty backups by somebody who wants to write elsewhere, to fill a disk, or to stop a restore."""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

EVIL = b"ssh-ed25519 AAAA attacker"
_NOTE = "backup.json"
_HUGE = 1 << 60

Spoil = Callable[[Path, Path], None]
"""Makes an honest backup hostile; gets its folder, and a folder that it has no business in."""


def _noted(backup: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = backup / _NOTE
    note = json.loads(path.read_text())
    change(note)
    path.write_text(json.dumps(note))


def _listed(backup: Path, name: str, size: int = len(EVIL), content: bytes = EVIL) -> None:
    file = {"size": size, "sha256": hashlib.sha256(content).hexdigest()}
    _noted(backup, lambda note: note["files"].update({name: file}))


def _named(name: str) -> Spoil:
    """A file with a right checksum, wherever the name leads to from the backup."""

    def spoil(backup: Path, outside: Path) -> None:
        there = name.format(outside=outside)
        _listed(backup, there)
        try:
            (backup / there).parent.mkdir(parents=True, exist_ok=True)
            (backup / there).write_bytes(EVIL)
        except (OSError, ValueError):
            pass  # there can be no such file

    return spoil


def _replaced(name: str, by: Callable[[Path, Path], object]) -> Spoil:
    """A file of the honest backup that is something else now."""

    def spoil(backup: Path, outside: Path) -> None:
        (backup / name).unlink()
        by(backup / name, outside)

    return spoil


def _field(**fields: Any) -> Spoil:
    return lambda backup, _outside: _noted(backup, lambda note: note.update(fields))


def _raw(content: bytes) -> Spoil:
    return lambda backup, _outside: (backup / _NOTE).write_bytes(content) and None


def _socket(path: Path, _outside: Path) -> None:
    at = Path.cwd()
    os.chdir(path.parent)  # the name of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(at)


def _sparse(backup: Path, _outside: Path) -> None:
    size = 1 << 43
    with (backup / "tokens.json").open("wb") as file:
        file.truncate(size)
    _listed(backup, "tokens.json", size)


def _longer(backup: Path, _outside: Path) -> None:
    with (backup / "identity.key").open("ab") as file:
        file.write(b"more")


def _same_length(backup: Path, _outside: Path) -> None:
    (backup / "identity.key").write_bytes(b"x" * (backup / "identity.key").stat().st_size)


HOSTILE: Mapping[str, Spoil] = {
    "an absolute path after two slashes": _named("tokens.json/{outside}/authorized_keys"),
    "after three": _named("tokens.json//{outside}/authorized_keys"),
    "an absolute path": _named("{outside}/authorized_keys"),
    "two slashes first": _named("/{outside}/authorized_keys"),
    "a way up": _named("../authorized_keys"),
    "a way up from the store": _named("tokens.json/../../authorized_keys"),
    "a way up to the data": _named("tokens.json/../authorized_keys"),
    "a way up at the end": _named("tokens.json/a/.."),
    "a point between": _named("tokens.json/./a"),
    "a point first": _named("./tokens.json"),
    "an empty part": _named("tokens.json//a"),
    "a slash at the end": _named("tokens.json/a/"),
    "no name": _named(""),
    "only points": _named(".."),
    "a folder of nobody's": _named("models/weights.bin"),
    "in a file": _named("recollect.db/a"),
    "a NUL": _named("tokens.json/a\0b"),
    "a NUL in another file": _named("tokens\0.json"),
    "a line break": _named("tokens\n.json"),
    "commands to a terminal": _named("\x1b]0;evil\x07"),
    "text that runs backwards": _named("tokens\u202enosj"),
    "a name that is too long": _named("a" * 250),
    "a path that is too long": _named("tokens.json/" + "a/" * 3_000 + "a"),
    "a log of a database": _named("recollect.db-wal"),
    "a lock": _named("tokens.json.lock"),
    "half of a restore": _named("recollect.db.restoring"),
    "a hidden file": _named(".bashrc"),
    "the weights' folder as a file": _named("models"),
    "a pipe": _replaced("identity.key", lambda path, _: os.mkfifo(path)),
    "a pipe as the note": _replaced(_NOTE, lambda path, _: os.mkfifo(path)),
    "a socket": _replaced("identity.key", _socket),
    "an endless device": _replaced("identity.key", lambda path, _: path.symlink_to("/dev/zero")),
    "somebody's secret": _replaced(
        "identity.key", lambda path, outside: path.symlink_to(outside / "secret")
    ),
    "a folder in place of a file": _replaced("identity.key", lambda path, _: path.mkdir()),
    "no files": _field(files={}),
    "brackets without end": _raw(b'{"files":' + b"[" * 200_000),
    "more than any disk": _field(files={"identity.key": {"size": _HUGE, "sha256": "0" * 64}}),
    "a file of holes": _sparse,
    "longer than noted": _longer,
    "as long, and another": _same_length,
}
