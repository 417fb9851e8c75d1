"""The secret key of an installation, generated once and stored in `data_dir`."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from recollect.memory.util.disk import force

KEY_FILE = "identity.key"


def installation_key(data_dir: Path) -> str:
    """The key in `data_dir`, 64 hexadecimal digits; generated if there is none.

    Two processes that start at once get the same key.

    Raises:
        OSError: the file cannot be read or written.
        ValueError: the file has no key.
    """
    path = data_dir / KEY_FILE
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        _make(path)
    key = path.read_text("ascii").strip()
    if not key:
        raise ValueError(f"{path} is empty; restore it from a backup")
    return key


def _make(path: Path) -> None:
    """Write the file completely before it gets its name: no process reads half a key."""
    made = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    try:
        made.touch(0o600, exist_ok=False)
        made.write_text(secrets.token_hex(32), "ascii")
        # A power loss must not leave an empty file: a new key would hide all memories.
        force(made)
        with contextlib.suppress(FileExistsError):
            os.link(made, path)
    finally:
        made.unlink(missing_ok=True)
