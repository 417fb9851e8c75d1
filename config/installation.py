"""The secret of an installation: kept in `data_dir`, made once."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from recollect.memory.disk import force

KEY_FILE = "identity.key"


def installation_key(data_dir: Path) -> str:
    """The key that `data_dir` keeps, 64 hexadecimal digits; makes one if there is none.

    Two processes that start at once get the same.

    Raises:
        OSError: it can neither be read nor made.
        ValueError: the file holds no key.
    """
    path = data_dir / KEY_FILE
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        _make(path)
    key = path.read_text("ascii").strip()
    if not key:
        raise ValueError(f"{path} is empty; restore it from a copy")
    return key


def _make(path: Path) -> None:
    """Written whole before it has its name: nobody reads half a key."""
    made = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        made.touch(0o600, exist_ok=False)
        made.write_text(secrets.token_hex(32), "ascii")
        # A power loss must not leave the name with nothing in it: memories would be hidden.
        force(made)
        with contextlib.suppress(FileExistsError):
            os.link(made, path)
    finally:
        made.unlink(missing_ok=True)
