"""The file of the admin tokens: hashes only, read again when it changes."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from recollect.memory.util.disk import file_mtime, replace_text

from .tokens import AdminToken, as_json, check, from_json

log = logging.getLogger(__name__)

FORMAT = 1


class TokenFileError(Exception):
    """The file cannot be read or written. The text names it and what to do."""


class TokenFile:
    """The tokens in a file. A missing file has none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mtime: tuple[int, int, int] | None = None
        self._tokens: dict[str, AdminToken] = {}

    def check(self, text: str) -> AdminToken:
        """The valid token with this text, by the file as it is now.

        A file that cannot be read opens nothing: the error is logged once.

        Raises:
            BadTokenError: there is none; the text says why.
        """
        try:
            self._refresh()
        except TokenFileError as error:
            log.error("admin tokens are refused: %s", error)  # noqa: TRY400 - it is in the line
        return check(text, self._tokens, datetime.now(UTC))

    def read(self) -> list[AdminToken]:
        """All tokens, oldest first. Raises TokenFileError."""
        self._refresh()
        return list(self._tokens.values())

    def write(self, tokens: Iterable[AdminToken]) -> None:
        """Replace the file; readers see the old one or the new one. Raises TokenFileError."""
        document = {"format": FORMAT, "tokens": [as_json(token) for token in tokens]}
        try:
            replace_text(self.path, json.dumps(document, indent=2) + "\n")
        except OSError as error:
            raise TokenFileError(f"{self.path} cannot be written: {error.strerror}") from None

    def _refresh(self) -> None:
        mtime = file_mtime(self.path)
        if mtime is None and not self.path.is_symlink() and not self.path.exists():
            self._mtime, self._tokens = None, {}
        elif mtime is None or mtime != self._mtime:
            # Kept for a bad file too: it is read, and told, once.
            self._mtime, self._tokens = mtime, {}
            self._tokens = {token.id: token for token in self._read()}

    def _read(self) -> list[AdminToken]:
        try:
            document = json.loads(self.path.read_text("utf-8"))
            if (found := document["format"]) != FORMAT:
                raise ValueError(f"format {found!r} is of another version of Recollect")
            return [from_json(each) for each in document["tokens"]]
        except OSError as error:
            raise TokenFileError(f"{self.path} cannot be read: {error.strerror}") from None
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise TokenFileError(f"{self.path} is no file of tokens: {error}") from None
